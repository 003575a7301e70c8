#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""size.py BUILD: bytes of the binary, of the images that were built, of an instance by sub-room, of static RAM, and of the largest
stack frame, against ci/budgets. The limits led to drones of 3.9 kB instead of 12.7, and to requests, plans and candidates that are no
longer on the stack.
"""
import collections
import glob
import json
import os
import re
import subprocess
import sys
import tarfile

import calls
import figures

INSTANCE = r'''
#include <stddef.h>
#include <stdio.h>
#include "drone/drone.h"
int main(void)
{
    const size_t hot = offsetof(struct mf_vehicle, hal);
    printf("size.vehicle.hot %zu bytes\nsize.vehicle.cold %zu bytes\nsize.drone %zu bytes\nsize.link %zu bytes\n",
           hot, sizeof(struct mf_vehicle) - hot, sizeof(struct mf_drone), sizeof(struct mf_link));
    return 0;
}
'''
MEMBERS = """
#include <stdio.h>
#include "firmware/state/vehicle.h"
int main(void)
{
%s
    return 0;
}
"""


def ask_compiler(build, text):
    """Lines that a program prints."""
    program = os.path.join(build, 'instance_size')
    compiler = os.environ.get('CC', 'gcc').split()
    subprocess.run(compiler + ['-std=c11', '-I.', '-x', 'c', '-', '-o', program], input=text, text=True, check=True)
    return subprocess.run([os.path.abspath(program)], capture_output=True, text=True, check=True).stdout.splitlines()


def struct_homes():
    """{struct: sub-room of the header that defines it}"""
    homes = {}
    for path in calls.sources('firmware'):
        if path.endswith('.h'):
            with open(os.path.join(calls.TOP, path), encoding='utf-8') as f:
                for name in re.findall(r'^struct (\w+) \{', f.read(), re.M):
                    homes[name] = calls.sub_room(calls.module(path))
    return homes


def instance_rooms(build):
    """{sub-room: bytes of its state in struct mf_vehicle}; the HAL's tables and plain members are the vehicle's."""
    with open(os.path.join(calls.TOP, 'firmware', 'state', 'vehicle.h'), encoding='utf-8') as f:
        body = re.search(r'^struct mf_vehicle \{\n(.*?)^\};', f.read(), re.M | re.S)[1]
    homes = struct_homes()
    members = re.findall(r'^    (?:const )?(?:struct (\w+)|\w+) \**(\w+)(?:\[\w+\])?;', body, re.M)
    lines = ''.join(f'    printf("{homes.get(kind, "vehicle")} %zu\\n", sizeof ((struct mf_vehicle *)0)->{name});\n'
                    for kind, name in members)
    rooms = collections.Counter()
    for line in ask_compiler(build, MEMBERS % lines):
        room, size = line.split()
        rooms[room] += int(size)
    return rooms


def archive_sizes(path):
    """{processor: compressed bytes} of the images in an OCI archive"""
    with tarfile.open(path) as tar:
        def blob(descriptor):
            return json.load(tar.extractfile('blobs/' + descriptor['digest'].replace(':', '/')))

        manifests = [blob(m) for m in json.load(tar.extractfile('index.json'))['manifests']]
        manifests = [m for top in manifests for m in (map(blob, top['manifests']) if 'manifests' in top else [top])]
        return {blob(m['config'])['architecture']: sum(part['size'] for part in (m['config'], *m['layers'])) for m in manifests}


def image_sizes(build):
    """{figure: compressed bytes} of the images that have been built"""
    sizes = {}
    for archive, name in (('image', 'image'), ('images', 'image'), ('tools-image', 'image.tools')):
        path = os.path.join(build, f'mayfly-{archive}.tar')
        if os.path.exists(path):
            sizes |= {f'size.{name}.{processor}': size for processor, size in archive_sizes(path).items()}
        else:
            print(f'size.{name}: no {path} yet; "make {archive}" builds and measures it')
    return sizes


def static_bytes(build):
    """Mutable data of the drone's process: .data, .bss, and the buffers that it maps at the start (boards/posix/pools.h)."""
    binary = os.path.join(build, 'mayfly.debug')
    sections = subprocess.run(['size', '-A', '-d', binary], capture_output=True, text=True, check=True).stdout
    symbols = subprocess.run(['nm', binary], capture_output=True, text=True, check=True).stdout
    at = int(re.search(r'^([0-9a-f]+) R board_pool_bytes$', symbols, re.M)[1], 16)
    dump = subprocess.run(['objdump', '-s', f'--start-address={at}', f'--stop-address={at + 4}', binary],
                          capture_output=True, text=True, check=True).stdout
    mapped = int.from_bytes(bytes.fromhex(re.search(rf'^ {at:x} ([0-9a-f]{{8}})', dump, re.M)[1]), 'little')
    return mapped + sum(int(size) for size in re.findall(r'^\.(?:data|bss) +(\d+)', sections, re.M))


def largest_frame(build):
    """(bytes, place and function) of programs that ship, as gcc notes them (-fstack-usage)"""
    found = []
    for path in glob.glob(os.path.join(build, 'obj', '**', '*.su'), recursive=True):
        if not path.startswith((f'{build}/obj/tests/', f'{build}/obj/tools/')):
            with open(path, encoding='utf-8') as f:
                found += [(int(size), place) for place, size, _ in (line.split('\t') for line in f)]
    return max(found)


def main():
    build = sys.argv[1]
    result = figures.Figures()
    result.add('size.mayfly', os.path.getsize(os.path.join(build, 'mayfly')) / 1e6, 'MB')
    for line in ask_compiler(build, INSTANCE):
        name, value, unit = line.split()
        result.add(name, float(value), unit)
    for room, size in sorted(instance_rooms(build).items()):
        result.add(f'size.vehicle.{room}', size, 'bytes')
    result.add('memory.static', static_bytes(build), 'bytes')
    size, place = largest_frame(build)
    print(f'largest frame: {place}')
    result.add('memory.stack', size, 'bytes')
    for name, size in image_sizes(build).items():
        result.add(name, size / 1e6, 'MB')
    return result.exit_code()


if __name__ == '__main__':
    sys.exit(main())
