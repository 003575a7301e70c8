#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""picture.py SAMPLES.csv PICTURE.svg: the tracks of a swarm from above, for a browser.

Reads what mayfly-swarm writes for `outputs: csv`, also merged by a sweep: then each run has a colour of its own, and the name of its
variation, of runs.csv beside SAMPLES.csv. Standard library only; take it as a beginning of your own. `mayfly-swarm plot` draws more.
"""
import colorsys
import csv
import html
import math
import os
import sys

SIZE = 800  # pixels of the longer side
MARGIN = 40


def read_tracks(path):
    """{(run, member): [(metres east, metres north), ...]} from the first sample's place"""
    tracks, origin = {}, None
    with open(path, newline='', encoding='utf-8') as f:
        for row in csv.DictReader(f):
            lat, lon = math.radians(float(row['lat_deg'])), math.radians(float(row['lon_deg']))
            origin = origin or (lat, lon)
            east, north = 6371000 * (lon - origin[1]) * math.cos(origin[0]), 6371000 * (lat - origin[0])
            tracks.setdefault((row.get('run', ''), row['member']), []).append((east, north))
    return tracks


def read_names(path):
    """{run: its number and variation} of the table of a sweep; empty without one"""
    if not os.path.exists(path):
        return {}
    with open(path, newline='', encoding='utf-8') as f:
        return {row['run']: f"{row['run']} {row['variation']}".strip() for row in csv.DictReader(f)}


def scale_bar(metres):
    """A round length of about a quarter of the picture"""
    power = 10 ** math.floor(math.log10(metres / 4))
    return max(step * power for step in (1, 2, 5) if step * power <= metres / 4)


def draw(tracks, names):
    points = [point for track in tracks.values() for point in track]
    west, south = (min(point[axis] for point in points) for axis in (0, 1))
    extent = max(max(point[axis] for point in points) - low for axis, low in ((0, west), (1, south))) or 1.0
    scale = (SIZE - 2 * MARGIN) / extent
    runs = sorted({run for run, _ in tracks}, key=lambda run: (len(run), run))
    colour = {run: '#%02x%02x%02x' % tuple(int(255 * part) for part in colorsys.hsv_to_rgb(i / len(runs), 0.9, 0.7))
              for i, run in enumerate(runs)}
    yield f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIZE}" height="{SIZE}" font-family="sans-serif" font-size="14">'
    yield '<rect width="100%" height="100%" fill="white"/>'
    for (run, member), track in tracks.items():
        line = ' '.join(f'{MARGIN + (e - west) * scale:.1f},{SIZE - MARGIN - (n - south) * scale:.1f}' for e, n in track)
        yield f'<polyline fill="none" stroke="{colour[run]}" stroke-opacity="0.6" points="{line}"><title>{member}</title></polyline>'
    bar = scale_bar(extent)
    yield f'<path d="M{MARGIN},{SIZE - 14}h{bar * scale:.1f}" stroke="black"/><text x="{MARGIN}" y="{SIZE - 18}">{bar:g} m</text>'
    for i, run in enumerate(runs if runs != [''] else []):
        yield f'<text x="{MARGIN}" y="{20 + 18 * i}" fill="{colour[run]}">run {html.escape(names.get(run, run))}</text>'
    yield '</svg>'


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.splitlines()[0])
    tracks = read_tracks(sys.argv[1])
    if not tracks:
        sys.exit(f'{sys.argv[1]}: no samples')
    names = read_names(os.path.join(os.path.dirname(sys.argv[1]), 'runs.csv'))
    with open(sys.argv[2], 'w', encoding='utf-8') as f:
        f.writelines(line + '\n' for line in draw(tracks, names))


if __name__ == '__main__':
    main()
