# SPDX-License-Identifier: Apache-2.0
"""Programs in virtual time at members of a swarm, whose sockets cross its simulated network (docs/cosim.md)."""
import re

from swarm_case import RunCase

WORLD = '''
swarm: 1
time: {{clock: lockstep, end: 3600}}
network: {network}
entities:
  - {{name: n, count: 3, as: agent, place: {{grid: [3, 1], spacing: 40}}}}
processes:
'''


class NodeCase(RunCase):
    def python(self, name, text):
        """What runs a script."""
        return f'[python3, -S, -E, {self.write(name, text)}]'

    def world(self, network, programs, *lines):
        """@param programs  {node: what is run there}"""
        return WORLD.format(network=network) + ''.join(f'  - {{name: {node}, node: {node}, clock: virtual, run: {run}}}\n'
                                                       for node, run in programs.items()) + ''.join(f'{line}\n' for line in lines)

    @staticmethod
    def said(out):
        """What programs at nodes have printed."""
        return re.findall(r'^[0-9]+ [0-9.]+ .*|^[0-9] .*', out, re.M)
