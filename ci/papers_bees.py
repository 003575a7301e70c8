# SPDX-License-Identifier: Apache-2.0
"""Figures of Simbeeotic's paper and program beside those of scenarios here, for papers.py."""
import csv
import importlib.util
import math
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FIGURE_11 = os.path.join(TOP, 'examples', 'papers', 'simbeeotic', 'figure11')
FIGURE_12 = os.path.join(TOP, 'examples', 'scenarios', 'bees.yaml')
C_MPS = 299792458.0
# Packets at a signal over noise of the published curve of a CC2420, 46 bytes: (1 - pse)^46, pse = (1 - erf(0.9794 (snr - 2.3851) / sqrt 2)) / 2.
CURVE = {4.0: 0.067665, 4.5: 0.410618, 5.0: 0.786109, 6.0: 0.990853}
PACKETS = 10000
TWO = """swarm: 1
time: {{clock: fast, end: 9.9995}}
medium: {{kind: free_space, noise: [{noise}, 0], range: 1000, compat: {compat}}}
entities:
  - {{name: a, as: agent, place: [0, 0, 10], radio: {{kind: cc2420, level: 31}}, send: {{every: {every}, bytes: [1]}}}}
  - {{name: b, as: agent, place: [{north}, 0, 10], radio: {{kind: cc2420, level: 31}}}}
outputs: {{csv: {{file: two.csv, every: 1}}}}
"""
HOVER = """swarm: 1
time: {clock: fast, end: 10}
entities:
  - {name: bee, as: agent, place: [0, 0, 10], body: {kind: bee, compat: simbeeotic}}
outputs: {csv: {file: two.csv, every: 10}}
"""
WALLS = """swarm: 1
time: {{clock: fast, end: 100}}
space:
  obstacles:
{boxes}
entities:
  - {{name: bee, count: 100, as: agent, start: 0, place: {{cube: [0, 20]}}, body: {{kind: bee, compat: simbeeotic}},
     behaviour: {{kind: walk, rate: 10, speed_max: 2, speed_sigma: 0.2, heading_sigma: 0.2}}}}
"""


def run(program, folder, scenario, *more):
    return subprocess.run([program, scenario, '--out', folder, *more], check=True, capture_output=True, text=True).stdout


def made(folder, text):
    path = os.path.join(folder, 'made.yaml')
    with open(path, 'w', encoding='ascii') as file:
        file.write(text)
    return path


def last(folder, name='two.csv'):
    with open(os.path.join(folder, name), encoding='utf-8') as file:
        return {row['member']: row for row in csv.DictReader(file)}


def packets(out):
    return int(re.search(r'([0-9]+) packets sent', out).group(1))


def pace(out):
    return float(re.search(r's: x([0-9.]+);', out).group(1))


def strength(metres, wavelength_part):
    """Free space [dBm] of 0 dBm at 2405 MHz; Simbeeotic computes with a tenth of the wavelength."""
    return 20 * math.log10(C_MPS / 2405e6 * wavelength_part / (4 * math.pi * metres))


def figure_11(program, folder, tell):
    plugin = os.path.join(folder, 'figure11.so')
    subprocess.run([*os.environ.get('CC', 'gcc').split(), '-std=c11', '-O2', '-shared', '-fPIC', '-I', TOP, FIGURE_11 + '.c', '-o', plugin, '-lm'],
                   check=True)
    own = ('--set', f'plugins=[{plugin}]')
    out = run(program, folder, FIGURE_11 + '.yaml', *own)
    tell('Figure 11 packets, 550 in 100 s', 55550, packets(out), packets(out) == 55550, 'equal')
    tell('550 with a broadcast, x real time', 1, pace(out), pace(out) >= 1, 'at least')
    out = run(program, folder, FIGURE_11 + '.yaml', *own, '--variation', 'quiet')
    tell('Figure 11 packets without use-radio', 0, packets(out), packets(out) == 0, 'equal')
    tell('3,074 without radio, x real time', 1, pace(out), pace(out) >= 1, 'at least')
    sys.path.insert(0, os.path.join(TOP, 'tools', 'python'))
    spec = importlib.util.spec_from_file_location('figure11', FIGURE_11 + '.py')   # not the plug-in beside it
    figure11 = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(figure11)
    except ImportError as error:
        print(f'Figure 11 in Python: left out: {error} (pip install numpy)')
        return
    bees, _ = figure11.fly(2.0, 550, program=program)
    tell('Figure 11 in Python, packets in 2 s', 550 * 3, bees.sent, bees.sent == 550 * 3, 'equal')


def figure_12(program, folder, tell):
    out = run(program, folder, FIGURE_12, '--set', 'time.end=0.1')
    booted = float(re.search(r'booted in ([0-9.]+) s', out).group(1))
    tell('Figure 12: 8,192 are placed [s]', '', booted, booted < 1.0, 'less than 1')


def radio(program, folder, tell):
    for compat, part in (('simbeeotic', 0.1), ('none', 1.0)):
        for metres in (20, 30):
            run(program, folder, made(folder, TWO.format(noise=-150, compat=compat, every=1, north=metres)))
            got, want = float(last(folder)['b']['strength_dbm']), strength(metres, part)
            tell(f'strength at {metres} m, compat {compat} [dBm]', f'{want:.2f}', got, abs(got - want) < 0.011, '0.01')
    for snr, part in CURVE.items():
        noise = strength(100, 1.0) - snr
        run(program, folder, made(folder, TWO.format(noise=f'{noise:.6f}', compat='none', every=0.001, north=100)))
        rows = last(folder)
        got = int(rows['b']['heard']) / int(rows['a']['sent'])
        tell(f'packets received at {snr} dB', part, f'{got:.4f}', abs(got - part) <= 3 * math.sqrt(part * (1 - part) / PACKETS), '3 sigma')
    run(program, folder, made(folder, HOVER))
    got = float(last(folder)['bee']['body_mas'])
    tell('charge of 10 s of hovering [mA s]', 5000, got, abs(got - 5000) < 1e-3, 'equal')


def figure_6(program, folder):
    """The published time grows with the number of obstacles. That of a tree hardly does."""
    seconds = {}
    for count in (10, 100, 1000):
        boxes = '\n'.join(f'    - {{kind: box, at: [{i % 40 - 10}, {i // 40 - 3}, 25], size: [0.2, 0.2, 0.2]}}' for i in range(count))
        out = run(program, folder, made(folder, WALLS.format(boxes=boxes)))
        seconds[count] = float(re.search(r'; ([0-9.]+) s of processors', out).group(1))
    print(f'{"Figure 6: 10, 100, 1000 obstacles [s]":34} {"linear":>16} {", ".join(f"{s:.2f}" for s in seconds.values()):>28}')


def compare(program, folder, tell):
    """tell(what, published, ours, good, how) for each figure."""
    figure_11(program, folder, tell)
    figure_12(program, folder, tell)
    radio(program, folder, tell)
    figure_6(program, folder)
