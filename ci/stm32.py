#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""stm32.py FOLDER PREFIX: flash and RAM of boards/stm32f405, and which room takes how much of them, by the map of the linker.

The limits hold an image to a quarter of the flash of an STM32F405.
"""
import collections
import os
import re
import subprocess
import sys

import figures

CORE = ('firmware', 'mavlink', 'math', 'hal')
FLASH, SRAM, END = 0x08000000, 0x20000000, 0x20020000
# A piece of a section in the map: address, size, and the file or the archive with its member
PIECE = re.compile(r'^ (?:\S+)?\s+0x([0-9a-f]+)\s+0x([0-9a-f]+) (\S+\.o\)?)$', re.M)


def sections(prefix, image):
    """{section: (size, address)} of what is loaded or reserved"""
    lines = subprocess.run([prefix + 'size', '-A', image], capture_output=True, text=True, check=True).stdout.splitlines()
    words = [line.split() for line in lines if line.startswith('.')]
    return {w[0]: (int(w[1]), int(w[2])) for w in words if int(w[2]) != 0}


def room_of(path):
    room = re.search(r'/obj/([\w-]+)(/\w+(?=/))?', path)
    return 'C library' if room is None else 'board' if room[1] == 'boards' else room[1] + (room[2] or '')


def rooms(map_file):
    """Two counters by room: flash, RAM"""
    with open(map_file, encoding='utf-8') as f:
        text = f.read().split('Linker script and memory map')[1]
    flash, ram = collections.Counter(), collections.Counter()
    for address, size, path in PIECE.findall(text):
        home = int(address, 16)
        if FLASH <= home < END:     # else it is for a debugger
            (ram if home >= SRAM else flash)[room_of(path)] += int(size, 16)
    return flash, ram


def main():
    folder, prefix = sys.argv[1], sys.argv[2]
    result = figures.Figures()
    image = os.path.join(folder, 'simulated.elf')
    found = sections(prefix, image)
    flash, ram = rooms(os.path.join(folder, 'simulated.map'))
    for room, size in sorted(flash.items()):
        print(f'stm32: {room}: {size} bytes of flash, {ram[room]} of RAM')
    result.add('stm32.flash', os.path.getsize(os.path.join(folder, 'simulated.bin')), 'bytes')
    result.add('stm32.flash.core', sum(size for room, size in flash.items() if room.split('/')[0] in CORE), 'bytes')
    result.add('stm32.flash.absent', os.path.getsize(os.path.join(folder, 'absent.bin')), 'bytes')
    result.add('stm32.ram', sum(size for size, address in found.values() if SRAM <= address < END), 'bytes')
    return result.exit_code()


if __name__ == '__main__':
    sys.exit(main())
