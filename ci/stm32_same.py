#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""stm32_same.py BUILD: the same bytes from an STM32F405, boards/conform, boards/posix and a swarm (SIM-042, SBE-01).

A common profile makes the four alike: three links, 32 records in each area of the store, a constant for the geoid. In it
sessions of tests/conform, and a flight that build/mayfly has recorded, go to build/conform and to the same program on the chip
(QEMU, files by semihosting). The recordings that they make must be equal byte for byte. The sessions, and what went into
build/mayfly, go to vehicles 1 and 9,999 of 9,999 that run on one clock (tests/sim/test_conformance.c), which must send the same.
Its first run showed that the physics body overflowed the chip's stack.
"""
import os
import struct
import subprocess
import sys

QEMU = ('qemu-system-arm', '-machine', 'netduinoplus2', '-display', 'none', '-monitor', 'none', '-serial', 'null')
GEOID = 'constant:47.26'
PROFILE = {'links': '3', 'store.PARAM': '32', 'store.MISSION': '32', 'store.FENCE': '32', 'store.RALLY': '32',
           'store.SIGNING': '2'}
SESSIONS = ('flight', 'physics', 'fence', 'polar')
HEADER_BYTES, SETTING = 8, 1
PATIENCE_S = 300
TRIES = 3  # of flights: in one whose host stood still for a second the drone has sent one HEARTBEAT more
QUIET_S = 300  # the ground may be silent for so long: fly counts by the wall, a swarm by the vehicles' time


def crc16(data):
    """CRC-16/MCRF4XX, as in docs/recording.md"""
    crc = 0xFFFF
    for byte in data:
        byte ^= crc & 0xFF
        byte = (byte ^ byte << 4) & 0xFF
        crc = crc >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4
    return crc


def in_profile(recording):
    """The recording with the capacities of the profile in its settings; nothing else changes"""
    out, at = [recording[:HEADER_BYTES]], HEADER_BYTES
    while at + 5 <= len(recording):
        kind, n = struct.unpack_from('<BH', recording, at)
        record = recording[at:at + 5 + n]
        key = record[3:-2].decode('ascii', 'replace').partition('=')[0] if kind == SETTING else ''
        if key in PROFILE:
            setting = f'{key}={PROFILE[key]}'.encode()
            record = struct.pack('<BH', kind, len(setting)) + setting
            record += struct.pack('<H', crc16(record))
        out.append(record)
        at += 5 + n
    return b''.join(out)


def write_session(name, path):
    with open(f'tests/conform/{name}.txt', encoding='utf-8') as f:
        lines = [line for line in f if not line.startswith('set geoid=')]
    with open(path, 'w', encoding='utf-8') as f:
        f.writelines([f'set {key}={value}\n' for key, value in PROFILE.items()] + [f'set geoid={GEOID}\n'] + lines)


def write_flight(build, folder, path):
    """A square, flown by build/fly with a drone as a process, as fast as it can"""
    recorded = os.path.join(folder, 'posix.mfr')
    subprocess.run(['sh', 'ci/flight.sh', f'{build}/mayfly', f'{build}/fly', '--clock', 'fast', '--geoid', GEOID, '--record',
                    recorded, '--param', f'COM_DL_LOSS_T={QUIET_S}'], check=True, capture_output=True, timeout=PATIENCE_S)
    with open(recorded, 'rb') as f:
        recording = in_profile(f.read())
    with open(path, 'wb') as f:
        f.write(recording)


def run(command, out):
    """What a program recorded, the hash of what the drone sent, and what else the program said"""
    if os.path.exists(out):
        os.remove(out)
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    if not os.path.exists(out):
        sys.exit(f'stm32: {command[0]} has recorded nothing: {done.stdout}{done.stderr}')
    with open(out, 'rb') as f:
        return f.read(), done.stdout.strip() or done.stderr.strip(), done.stderr.strip().replace('\n', ' ')


def same(build, folder, name, given):
    """Whether conform on the host and on the chip make the same of what is given"""
    outs = [os.path.join(folder, f'{name}.{who}.mfr') for who in ('host', 'chip')]
    chip = ['conform', '--out', outs[1], given]
    host, hash_host, _ = run([f'{build}/conform', '--out', outs[0], given], outs[0])
    bytes_chip, hash_chip, said = run([*QEMU, '-kernel', f'{build}/cm4/conform.elf', '-semihosting-config',
                                 ','.join(['enable=on', 'target=native', *(f'arg={word}' for word in chip)])], outs[1])
    if host != bytes_chip or hash_host != hash_chip:
        print(f'stm32: {name} differs: {hash_host} on the host, {hash_chip} on the chip')
        subprocess.run([f'{build}/replay', '--compare', outs[1], outs[0]], check=False)
        return False
    print(f'stm32: {hash_chip}, {name}, {said}')
    return True


def same_in_swarm(build, recording):
    """Whether vehicles 1 and 9,999 of a swarm send what conform sends. None: sessions of tests/conform"""
    env = dict(os.environ) if recording is None else dict(os.environ, RECORDING=recording)
    done = subprocess.run([f'{build}/tests/sim/test_conformance'], env=env, capture_output=True, text=True, timeout=PATIENCE_S)
    if done.returncode != 0:
        print(f'stm32: a swarm sends something else than {recording or "conform"}: {done.stdout}{done.stderr}')
    return done.returncode == 0


def main():
    build = sys.argv[1]
    folder = os.path.join(build, 'cm4', 'same')
    os.makedirs(folder, exist_ok=True)
    good = True
    for name in SESSIONS:
        given = os.path.join(folder, name + '.txt')
        write_session(name, given)
        good = same(build, folder, name, given) and good
    given = os.path.join(folder, 'square.given.mfr')
    write_flight(build, folder, given)
    good = same(build, folder, 'square', given) and good
    # The recording of a drone as a process is what the chip has made of its input, too.
    compared = subprocess.run([f'{build}/replay', '--compare', os.path.join(folder, 'square.chip.mfr'), given],
                              capture_output=True, text=True)
    if compared.returncode != 0:
        print(f'stm32: square differs from what boards/posix has sent: {compared.stdout}{compared.stderr}')
        good = False
    good = same_in_swarm(build, None) and good
    for _ in range(TRIES - 1):
        if same_in_swarm(build, given):
            break
        write_flight(build, folder, given)
    good = good and same_in_swarm(build, given)
    print('stm32: the same bytes as from boards/conform, boards/posix and a swarm of 9,999' if good else 'stm32: not the same bytes')
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
