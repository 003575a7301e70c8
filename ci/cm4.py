#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cm4.py FOLDER PREFIX: the Cortex-M4 objects of rooms without an operating system need nothing that a microcontroller lacks.

They may take memory and string functions, the square root and the compiler's own arithmetic from outside. A linker would find
sin() of newlib, and the bytes of a flight would differ from those of other builds. No commit records that one was found.
"""
import glob
import re
import subprocess
import sys

import style

# __aeabi_*, __*di* and __*df* are the compiler's arithmetic; mf_assert_failed is the board's.
FROM_OUTSIDE = re.compile(r'^(mem(cpy|move|set|cmp|chr)|str(len|nlen|cmp|ncmp|ncpy|chr|rchr)|sqrtf?|mf_assert_failed|'
                          r'__aeabi_\w+|__\w*(di|df|sf|si|ti)\w*\d?|__errno)$')


def main():
    folder, prefix = sys.argv[1:]
    defined, wanted = set(), {}
    for path in (path for room in style.PURE for path in glob.glob(f'{folder}/{room}/**/*.o', recursive=True)):
        for line in subprocess.run([prefix + 'nm', path], capture_output=True, text=True, check=True).stdout.splitlines():
            kind, name = line.split()[-2:]
            if kind == 'U':
                wanted.setdefault(name, path)
            elif kind.isupper():
                defined.add(name)
    strange = {name: path for name, path in wanted.items() if name not in defined and not FROM_OUTSIDE.match(name)}
    for name, path in sorted(strange.items()):
        print(f'{path} needs {name}, which a microcontroller does not have')
    return 1 if strange or not defined else 0


if __name__ == '__main__':
    sys.exit(main())
