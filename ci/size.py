#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""size.py BUILD: bytes of the binary, of the image if it was built, and of an instance, against ci/budgets."""
import os
import subprocess
import sys

import figures

INSTANCE = r'''
#include <stddef.h>
#include <stdio.h>
#include "firmware/vehicle.h"
int main(void)
{
    const size_t hot = offsetof(struct mf_vehicle, hal);
    printf("size.vehicle.hot %zu bytes\nsize.vehicle.cold %zu bytes\nsize.link %zu bytes\n",
           hot, sizeof(struct mf_vehicle) - hot, sizeof(struct mf_link));
    return 0;
}
'''


def instance_sizes(build):
    """Lines 'name value unit' of a program that the compiler is asked for."""
    program = os.path.join(build, 'instance_size')
    compiler = os.environ.get('CC', 'gcc').split()
    subprocess.run(compiler + ['-std=c11', '-I.', '-x', 'c', '-', '-o', program], input=INSTANCE, text=True, check=True)
    return subprocess.run([os.path.abspath(program)], capture_output=True, text=True, check=True).stdout.splitlines()


def main():
    build = sys.argv[1]
    result = figures.Figures()
    result.add('size.mayfly', os.path.getsize(os.path.join(build, 'mayfly')) / 1e6, 'MB')
    for line in instance_sizes(build):
        name, value, unit = line.split()
        result.add(name, float(value), unit)
    image = os.path.join(build, 'mayfly-image.tar')
    if os.path.exists(image):
        result.add('size.image', os.path.getsize(image) / 1e6, 'MB')
    else:
        print(f'size.image: no {image} yet; "make image" builds and measures it')
    return result.exit_code()


if __name__ == '__main__':
    sys.exit(main())
