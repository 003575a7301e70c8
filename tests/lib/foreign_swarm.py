# SPDX-License-Identifier: Apache-2.0
"""A swarm with bodies that others fly (docs/foreign-autopilots.md), and their sockets."""
import socket

from names import assert_names
from swarm_case import RunCase
from waiting import wait_until


class ForeignCase(RunCase):
    """In a scenario, @ stands for the test's folder."""

    def begin(self, scenario, *args, **more):
        super().begin(scenario.replace('@', self.folder + '/'), *args, **more)

    def come(self, name):
        """The path of a socket, once somebody listens there."""
        def listens():
            with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as link:
                return link.connect_ex(self.path(name)) == 0
        wait_until(listens, f'a socket {name}', 30)
        return self.path(name)

    def join(self, path, name):
        link = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        link.settimeout(30)
        self.addCleanup(link.close)
        link.connect(path)
        link.send(name)
        return link

    def port(self):
        """The next port of gzuav that the swarm says."""
        return self.ports(self.process, 'gzuav')[0]

    def refuse(self, world, text, *args):
        self.begin(world, *args)
        _, err = self.end(2)
        assert_names(err, text)
