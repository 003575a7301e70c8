# SPDX-License-Identifier: Apache-2.0
"""Detection tables from labelled field data: `python -m mayfly_bus.fit LABELLED.csv -o TABLE.csv` (docs/papers.md).

Labelled data has a line for each object that a picture shows: `height_m,speed_mps,place,sought,reported`. `place` is 0 in the middle of
the picture and 1 at its corner; `sought` is 1 for what is looked for and 0 for what may be mistaken for it; `reported` is 1 if the
detector reported it. Other columns are ignored.
"""
import argparse
import csv
import hashlib
import sys
from typing import Iterable, List, Optional, Sequence, Tuple

import numpy as np

AXES = ('height_m', 'speed_mps', 'place')
NODES_MAX = 16
HEADER = 'height_m,speed_mps,place,recall,false_alarm'


def read(lines: Iterable[str]) -> np.ndarray:
    """Rows of (height, speed, place, sought, reported). Raises ValueError with the line that is wrong."""
    reader = csv.DictReader(lines)
    wanted = (*AXES, 'sought', 'reported')
    missing = [name for name in wanted if name not in (reader.fieldnames or [])]
    if missing:
        raise ValueError(f'1: lacks the column {missing[0]}; there must be {",".join(wanted)}')
    rows = []
    for row in reader:
        try:
            values = [float(row[name]) for name in wanted]
        except (TypeError, ValueError):
            raise ValueError(f'{reader.line_num}: {",".join(wanted)} must be numbers') from None
        if not (np.isfinite(values).all() and values[0] >= 0 and values[1] >= 0 and 0 <= values[2] <= 1 and {*values[3:]} <= {0.0, 1.0}):
            raise ValueError(f'{reader.line_num}: height and speed are not negative, place is from 0 to 1, sought and reported are 0 or 1')
        rows.append(values)
    if not rows:
        raise ValueError('1: has no data')
    return np.array(rows)


def nodes_of(values: np.ndarray, count: int = 4) -> np.ndarray:
    """Values for an axis: the medians of equally many data each, fewer where they are equal."""
    parts = np.array_split(np.sort(values), min(count, len(values)))
    return np.unique(np.round([np.median(part) for part in parts], 3))


def rates(data: np.ndarray, nodes: Sequence[np.ndarray], sought: bool) -> Tuple[np.ndarray, np.ndarray]:
    """(rate, count) at each node: what was reported of the data that lie nearest to it. Where there are none the rate is that of the
    nearest nodes that have some, by steps on the axes; without any data it is 0."""
    data = data[data[:, 3] == sought]
    at = tuple(np.abs(data[:, axis, None] - nodes[axis][None, :]).argmin(axis=1) for axis in range(3))
    shape = tuple(len(node) for node in nodes)
    count, hit = np.zeros(shape), np.zeros(shape)
    np.add.at(count, at, 1)
    np.add.at(hit, at, data[:, 4])
    rate = np.divide(hit, count, out=np.zeros(shape), where=count > 0)
    full = np.argwhere(count > 0)
    for empty in np.argwhere(count == 0) if len(full) else ():
        steps = np.abs(full - empty).sum(axis=1)
        near = full[steps == steps.min()]
        rate[tuple(empty)] = rate[tuple(near.T)].mean()
    return rate, count


def fit(data: np.ndarray, nodes: Optional[Sequence[Optional[np.ndarray]]] = None) -> str:
    """The table as text, for ``detection: {model: table, file: ...}``. ``nodes``: values of height, speed and place; None: chosen from
    the data. Raises ValueError for more than 16 of an axis."""
    given = nodes or (None, None, None)
    axes: List[np.ndarray] = [nodes_of(data[:, i]) if given[i] is None else np.unique(np.asarray(given[i], float)) for i in range(3)]
    if any(len(axis) > NODES_MAX or len(axis) == 0 for axis in axes):
        raise ValueError(f'an axis has from 1 to {NODES_MAX} values')
    recall, seen = rates(data, axes, True)
    alarm, other = rates(data, axes, False)
    lines = [f'# from {len(data)} labelled objects: {int(seen.sum())} sought, {int(other.sum())} others',
             f'# nodes without data take the rate of their neighbours: {int((seen == 0).sum())} of recall, {int((other == 0).sum())} of '
             'false_alarm', HEADER]
    for at in np.ndindex(*recall.shape):
        place = [f'{axes[i][at[i]]:g}' for i in range(3)]
        lines.append(','.join([*place, f'{recall[at]:.6g}', f'{alarm[at]:.6g}']))
    return '\n'.join(lines) + '\n'


def fingerprint(text: str) -> str:
    """What stats.csv shows of a table: the first 16 digits of its SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def numbers(text: str) -> np.ndarray:
    return np.array([float(number) for number in text.split(',')])


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog='mayfly-fit-detection', description='A detection table from labelled field data (docs/papers.md)')
    parser.add_argument('labelled', help='CSV: height_m,speed_mps,place,sought,reported')
    parser.add_argument('-o', '--output', required=True, help='the table')
    for axis in ('heights', 'speeds', 'places'):
        parser.add_argument(f'--{axis}', type=numbers, help='its values, 10,20,40; otherwise 4 from the data')
    a = parser.parse_args(arguments)
    try:
        with open(a.labelled, encoding='utf-8-sig', newline='') as file:
            table = fit(read(file), (a.heights, a.speeds, a.places))
    except ValueError as error:
        print(f'mayfly-fit-detection: {a.labelled}:{error}', file=sys.stderr)
        return 2
    except OSError as error:
        print(f'mayfly-fit-detection: {error}', file=sys.stderr)
        return 2
    with open(a.output, 'w', encoding='utf-8', newline='') as file:
        file.write(table)
    print(f'{a.output}: fingerprint {fingerprint(table)}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
