#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""serial_radio.py ADDRESS GHOST DEVICE [BAUD]: a real radio behind a serial line is the radio of a ghost (docs/ghosts.md#their-radios).

ADDRESS is the scenario's bus.listen, GHOST a member's number from 0. The line speaks text, a line for each packet:

    > NUMBER HEX                       the radio has sent this packet
    < SENDER NUMBER DBM HEX            it has heard it, from a member's number, with this strength

What the ghost hears in the swarm is written to the line in the same form, "< SENDER NUMBER DBM HEX".
"""
import os
import select
import socket
import struct
import sys
import termios
import tty

HEADER = struct.Struct('<BBHIQ')       # version, type, length of the payload, tick, ns
PACKET = struct.Struct('<IIIIfI')      # member, heard, sender, number, strength [dBm], length
HELLO, PACKETS, END, ERROR, HEARD = 1, 7, 75, 76, 78


def connect(address):
    host, _, port = address.rpartition(':')
    bus = socket.socket(socket.AF_UNIX if host == 'unix' else socket.AF_INET)
    bus.connect(port if host == 'unix' else (host or '127.0.0.1', int(port)))
    send(bus, HELLO, b'\3' + b'serial radio'.ljust(32, b'\0') + os.environ.get('TOKEN', '').encode())
    return bus


def send(bus, kind, payload):
    bus.sendall(HEADER.pack(1, kind, len(payload), 0, 0) + payload)


def open_line(device, baud):
    line = os.open(device, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(line, termios.TCSANOW)
    settings = termios.tcgetattr(line)
    settings[4] = settings[5] = getattr(termios, f'B{baud}')
    termios.tcsetattr(line, termios.TCSANOW, settings)
    return line


def packet_of(ghost, text):
    words = text.split()
    heard = words[0] == '<'
    sender, number, dbm, payload = words[1:] if heard else ['0', words[1], '0', words[2]]
    body = bytes.fromhex(payload)
    return PACKET.pack(ghost, heard, int(sender), int(number), float(dbm), len(body)) + body


def main():
    bus, ghost, line = connect(sys.argv[1]), int(sys.argv[2]), open_line(sys.argv[3], *sys.argv[4:5] or ['57600'])
    data = text = b''
    while True:
        ready = select.select([bus, line], [], [])[0]
        if line in ready:
            *whole, text = (text + os.read(line, 4096)).split(b'\n')
            for one in whole:
                send(bus, PACKETS, packet_of(ghost, one.decode()))
        if bus in ready:
            more = bus.recv(65536)
            data += more
            while len(data) >= HEADER.size and len(data) >= HEADER.size + HEADER.unpack_from(data)[2]:
                _, kind, n, _, _ = HEADER.unpack_from(data)
                payload, data = data[HEADER.size:HEADER.size + n], data[HEADER.size + n:]
                if kind == HEARD:
                    _, _, sender, number, dbm, _ = PACKET.unpack_from(payload)
                    os.write(line, f'< {sender} {number} {dbm:.2f} {payload[PACKET.size:].hex()}\n'.encode())
                elif kind in (END, ERROR):
                    sys.exit(payload.decode(errors='replace') if kind == ERROR else 0)
            if not more:
                return


main()
