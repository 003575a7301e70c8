# SPDX-License-Identifier: Apache-2.0
"""Names of peers: --udp-out and --tcp-out find a host that appears later, and follow it to another address."""
import socket
import subprocess
import time

import pytest

from drone import Drone, Peer
from mavlink import HEARTBEAT, frame
from paths import MAYFLY

NAME = 'gcs.test'
# Names are those of a file of the test's own, and no name server answers.
PRIVATE = '''#!/bin/sh
exec unshare -rm sh -c 'mount --bind {0}/hosts /etc/hosts && mount --bind {0}/resolv.conf /etc/resolv.conf && exec {1} "$@"' mayfly "$@"
'''

pytestmark = pytest.mark.skipif(subprocess.run(['unshare', '-rm', 'true'], check=False, capture_output=True).returncode != 0,
                                reason='skipped: no mount namespaces here')


@pytest.fixture(name='hosts')
def fixture_hosts(tmp_path):
    (tmp_path / 'hosts').write_text('127.0.0.1 localhost\n', encoding='ascii')
    (tmp_path / 'resolv.conf').write_text('nameserver 127.0.0.1\noptions timeout:1 attempts:1\n', encoding='ascii')
    (tmp_path / 'mayfly').write_text(PRIVATE.format(tmp_path, MAYFLY), encoding='utf-8')
    (tmp_path / 'mayfly').chmod(0o755)
    return tmp_path / 'hosts'


def udp(address, port=0):
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.bind((address, port))
    return sock


def test_a_ground_station_that_starts_later(hosts):
    with udp('127.0.0.2') as sock, Drone('--udp-out', f'{NAME}:{sock.getsockname()[1]}', program=hosts.parent / 'mayfly') as drone:
        drone.wait_for(f'udp-out {NAME}:.* not known')
        hosts.write_text(f'127.0.0.2 {NAME}\n', encoding='ascii')
        assert Peer(sock).expect(HEARTBEAT) is not None
        drone.wait_for(f'{NAME}:.* 127.0.0.2:{sock.getsockname()[1]}')
        assert sum('not known' in line for line in drone.lines) == 1


def test_a_server_that_starts_later(hosts):
    with socket.create_server(('127.0.0.2', 0)) as server, Drone('--tcp-out', f'{NAME}:{server.getsockname()[1]}', program=hosts.parent / 'mayfly') as drone:
        drone.wait_for(f'tcp-out {NAME}:.* not known')
        hosts.write_text(f'127.0.0.3 {NAME}\n', encoding='ascii')    # nothing listens there
        drone.wait_for('127.0.0.3.*refused')
        hosts.write_text(f'127.0.0.2 {NAME}\n', encoding='ascii')
        server.settimeout(30)
        with server.accept()[0] as sock:
            assert Peer(sock).expect(HEARTBEAT) is not None


def test_a_name_that_is_known_at_once(hosts):
    hosts.write_text(f'127.0.0.2 {NAME}\n', encoding='ascii')
    with udp('127.0.0.2') as sock, Drone('--udp-out', f'{NAME}:{sock.getsockname()[1]}', program=hosts.parent / 'mayfly') as drone:
        assert Peer(sock).expect(HEARTBEAT) is not None
        assert not any('not known' in line for line in drone.lines)
        assert drone.end()[0] == 0


@pytest.mark.long
def test_a_ground_station_that_moves(hosts):
    """While it speaks, its address is kept; ten seconds after its last word its name is looked up again."""
    hosts.write_text(f'127.0.0.2 {NAME}\n', encoding='ascii')
    with udp('127.0.0.2') as old, udp('127.0.0.3', old.getsockname()[1]) as new, Drone('--udp-out', f'{NAME}:{old.getsockname()[1]}', program=hosts.parent / 'mayfly') as drone:
        data, drone_at = old.recvfrom(300)
        assert data
        hosts.write_text(f'127.0.0.3 {NAME}\n', encoding='ascii')
        new.settimeout(0.1)
        end = time.monotonic() + 12
        while time.monotonic() < end:
            old.sendto(frame(HEARTBEAT, bytes([0, 0, 0, 0, 6, 8, 0, 4, 3])), drone_at)
            with pytest.raises(TimeoutError):
                new.recv(300)
        new.settimeout(20)
        assert new.recv(300)
        drone.wait_for(f'{NAME}:.* 127.0.0.3:')
        links = [line for line in drone.lines if 'is 127.0.0' in line]
        assert len(links) == 2
