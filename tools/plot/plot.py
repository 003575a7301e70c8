#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""mayfly-swarm plot RUN [PLOT...]: plots of what a run or a sweep has written, as SVG.

RUN is the folder of --out, or one CSV file. Beside each table that is known by its columns come its plots: ring.csv becomes
ring-tracks.svg, ring-altitude.svg and ring-spacing.svg. Without PLOT all of them are drawn:
"""
import csv
import glob
import math
import os
import sys

try:
    import matplotlib
    matplotlib.use('svg')
    import matplotlib.pyplot as plt
    import numpy as np
    from matplotlib.collections import LineCollection
except ImportError:
    sys.exit('mayfly-swarm plot: /usr/bin/python3 has no matplotlib: apt-get install python3-matplotlib')

MOST_POINTS = 100_000       # of lines in an SVG; more become an image in it
STYLE = {'figure.figsize': (9, 5), 'figure.constrained_layout.use': True, 'figure.constrained_layout.h_pad': 0.12,
         'figure.constrained_layout.w_pad': 0.12, 'axes.grid': True, 'grid.alpha': 0.3, 'axes.axisbelow': True,
         'axes.spines.top': False, 'axes.spines.right': False, 'svg.hashsalt': 'mayfly', 'svg.fonttype': 'none', 'font.size': 11,
         'font.family': 'sans-serif', 'legend.frameon': False}
PLACES = {'t_s', 'member', 'lat_deg', 'lon_deg', 'alt_amsl_m'}          # outputs.csv
LOCAL = {'time_s', 'north_m', 'east_m', 'up_m'}                         # that of searches and of worlds of cells


class Table:
    """A CSV file, by columns; each row is of a group: its run of a sweep, else what PLOT chooses."""

    def __init__(self, path, names, rows):
        self.path, self.names = path, names
        self.columns = dict(zip(names, zip(*rows)))
        self.labels = run_labels(os.path.dirname(path)) if 'run' in names else {}

    def __len__(self):
        return len(next(iter(self.columns.values())))

    def numbers(self, name):
        """Values of a column; NaN where a row has none."""
        return np.array([float(value) if value else math.nan for value in self.columns[name]])

    def words(self, name):
        return np.array(self.columns[name]) if name in self.columns else np.full(len(self), '')

    def runs(self):
        """(label, rows) of each run of a sweep in the order of their numbers; of a single run ('', all rows)."""
        runs = self.words('run')
        for run in sorted(set(runs), key=lambda run: (len(run), run)):
            yield self.labels.get(run, f'run {run}' if run else ''), runs == run


def run_labels(folder):
    """{number of a run: its number, variation and values}, of the table that a sweep writes beside the merged ones."""
    path = os.path.join(folder, 'runs.csv')
    if not os.path.exists(path):
        return {}
    with open(path, newline='', encoding='utf-8') as f:
        rows = list(csv.DictReader(f))
    names = list(rows[0]) if rows else []
    swept = names[names.index('hash') + 1:] if 'hash' in names else []
    if len({row['seed'] for row in rows}) > 1:
        swept.insert(0, 'seed')
    return {row['run']: ' '.join(filter(None, [f'run {row["run"]}', row['variation'], *(f'{name}={row[name]}' for name in swept)]))
            for row in rows}


# ---- places and ways

def places(table):
    """Metres east, north and up of each row, from the first one of the table."""
    if LOCAL <= table.columns.keys():
        return tuple(table.numbers(name) for name in ('east_m', 'north_m', 'up_m'))
    lat, lon = np.radians(table.numbers('lat_deg')), np.radians(table.numbers('lon_deg'))
    flat = 6.69437999014e-3                                 # WGS84: eccentricity squared, and the half axis below
    w = math.sqrt(1 - flat * math.sin(lat[0]) ** 2)
    east = (lon - lon[0]) * math.cos(lat[0]) * 6378137 / w
    return east, (lat - lat[0]) * 6378137 * (1 - flat) / w ** 3, table.numbers('alt_amsl_m')


def times(table):
    return table.numbers('t_s' if 't_s' in table.columns else 'time_s')


def members(table):
    return table.words(next(name for name in ('member', 'drone', 'name') if name in table.columns))


def legend(ax):
    """Beside the plot, where it hides nothing."""
    ax.legend(loc='upper left', bbox_to_anchor=(1.01, 1))


def colours(labels):
    """A colour for each label."""
    few = plt.get_cmap('tab10')
    many = plt.get_cmap('turbo', len(labels))
    return {label: few(i) if len(labels) <= 10 else many(i) for i, label in enumerate(labels)}


def groups(table):
    """{label: rows}: runs of a sweep, else entities, whose members are NAME.NUMBER."""
    runs = dict(table.runs())
    if len(runs) > 1:
        return runs
    entities = np.array([name.rsplit('.', 1)[0] for name in members(table)])
    return {entity: entities == entity for entity in sorted(set(entities))}


def lines(ax, table, x, y):
    """A line for each member of each run, in the colour of its group."""
    chosen = groups(table)
    name = np.char.add(np.char.add(table.words('run'), ' '), members(table))
    for label, colour in colours(chosen).items():
        rows = chosen[label]
        order = np.argsort(name[rows], kind='stable')
        points, who = np.column_stack([x[rows], y[rows]])[order], name[rows][order]
        ways = np.split(points, np.flatnonzero(who[1:] != who[:-1]) + 1)
        ax.add_collection(LineCollection(ways, colors=[colour], linewidths=1, alpha=0.6, rasterized=len(table) > MOST_POINTS))
        ax.plot([], [], color=colour, label=label)
    ax.autoscale_view()
    if len(chosen) > 1:
        legend(ax)


def tracks(ax, table):
    """ways of members from above"""
    east, north, _ = places(table)
    ax.figure.set_size_inches(8, 8)
    lines(ax, table, east, north)
    zero = '' if LOCAL <= table.columns.keys() else f' of the start of {members(table)[0]}'
    ax.set(xlabel=f'east{zero} [m]', ylabel=f'north{zero} [m]', aspect='equal', title='Tracks from above')


def altitude(ax, table):
    """altitude of members over time"""
    up = places(table)[2]
    lines(ax, table, times(table), up)
    ax.set(xlabel='time [s]', ylabel='altitude above mean sea level [m]' if 'alt_amsl_m' in table.columns else 'height [m]', title='Altitude')


def nearest(places_m):
    """Distance from each place to the nearest other one; places [n, 3], n of 2 or more."""
    at = places_m[np.argsort(places_m[:, 0])]
    found = np.full(len(at), np.inf)
    for step in range(1, len(at)):      # pairs whose east differs by more than what both have found are no nearer
        apart = at[step:] - at[:-step]
        if np.all(apart[:, 0] > np.maximum(found[step:], found[:-step])):
            break
        distance = np.sqrt((apart ** 2).sum(axis=1))
        found[step:] = np.minimum(found[step:], distance)
        found[:-step] = np.minimum(found[:-step], distance)
    return found


def spacing(ax, table):
    """distance to the nearest member over time: the least of all, and the median"""
    at, t_s, chosen = np.column_stack(places(table)), times(table), list(table.runs())
    for label, colour in colours([label for label, _ in chosen]).items():
        rows = dict(chosen)[label]
        order = np.argsort(t_s[rows], kind='stable')
        t, here = t_s[rows][order], at[rows][order]
        starts = np.flatnonzero(np.r_[True, t[1:] != t[:-1]])
        found = [(t[start], nearest(part)) for start, part in zip(starts, np.split(here, starts[1:])) if len(part) > 1]
        for style, what, of in (('-', 'least', np.min), ('--', 'median', np.median)):
            ax.plot([when for when, _ in found], [of(all_m) for _, all_m in found], style, color=colour, label=f'{label} {what}'.strip())
    ax.set(xlabel='time [s]', ylabel='distance to the nearest member [m]', title='Spacing')
    ax.set_ylim(bottom=0)
    legend(ax)


# ---- what happened

def steps(ax, table, t, word):
    """How often each word has come by a time."""
    found = {f'{label} {one}'.strip(): rows & (word == one) for label, rows in table.runs() for one in sorted(set(word))}
    found = {label: rows for label, rows in found.items() if rows.any()}
    for label, colour in colours(found).items():
        when = np.sort(t[found[label]])
        ax.step([0, *when, t.max()], [*range(len(when) + 1), len(when)], where='post', color=colour, label=label)
    legend(ax)
    ax.set(xlabel='time [s]', ylabel='number so far')


def events(ax, table):
    """number of each event so far"""
    steps(ax, table, times(table), table.words('event'))
    ax.set(title='Events')


def hive(ax, table):
    """what a hive has sent, found, visited, lost so far"""
    steps(ax, table, times(table), table.words('what'))
    ax.set(title='Hive')


def contacts(ax, table):
    """number of contacts so far, by what was met"""
    steps(ax, table, times(table), np.array([name.split('.')[0] for name in table.words('with')]))
    ax.set(title='Contacts')


def messages(ax, table):
    """number of messages so far, by type"""
    steps(ax, table, table.numbers('tick'), table.words('type'))
    ax.set(title='Messages', xlabel='tick')


def radio(ax, table):
    """strength of each received packet, and packets a second"""
    t_s, strength = times(table), table.numbers('strength_dbm')
    ax.plot(t_s, strength, '.', markersize=2, alpha=0.5, rasterized=len(table) > MOST_POINTS)
    ax.set(xlabel='time [s]', ylabel='strength [dBm]', title='Received packets')
    seconds = np.bincount(t_s.astype(int))
    right = ax.twinx()
    right.step(range(len(seconds) + 1), [*seconds, seconds[-1]], where='post', color='tab:red')
    right.set_ylabel('packets a second', color='tab:red')
    right.set_ylim(bottom=0)
    right.grid(False)


def sensors(ax, table):
    """first value of each sensor's measurements"""
    t_s, value, sensor = times(table), table.numbers('a'), table.words('sensor')
    for one, colour in colours(sorted(set(sensor))).items():
        ax.plot(t_s[sensor == one], value[sensor == one], '.', markersize=3, color=colour, label=one, rasterized=len(table) > MOST_POINTS)
    legend(ax)
    ax.set(xlabel='time [s]', ylabel='first value, in the unit of its sensor', title='Sensors')


# ---- searches, worlds of cells, cost

def bars(ax, table, names, labels):
    """A bar for each row and column."""
    rows = [' '.join(filter(None, [f'run {run}' if run else '', name])) for run, name in zip(table.words('run'), table.words('Name'))]
    width = 0.8 / len(names)
    for i, (name, label) in enumerate(zip(names, labels)):
        ax.bar(np.arange(len(rows)) + i * width, np.nan_to_num(table.numbers(name)), width, label=label)
    ax.set_xticks(np.arange(len(rows)) + 0.4 - width / 2, rows, rotation=90 if len(rows) > 12 else 0)
    legend(ax)


def coverage(ax, table):
    """parts of the area that cameras have covered, and of the objects that they have spotted"""
    bars(ax, table, ('PCT_Covered', 'PCT_Spotted', 'Precision', 'Recall'), ('area covered', 'objects spotted', 'precision', 'recall'))
    ax.set(ylabel='part', ylim=(0, 1.05), title='Coverage')


def counts(ax, table):
    """pictures with and without an object, judged right or wrong"""
    names = ('True_Positives', 'False_Positives', 'False_Negatives', 'True_Negatives')
    bars(ax, table, names, [name.lower().replace('_', ' ') for name in names])
    ax.set(ylabel='number', yscale='symlog', title='Detections')


def detections(ax, table):
    """where cameras reported objects: right and wrong reports"""
    east, north, report = table.numbers('east_m'), table.numbers('north_m'), table.words('report')
    ax.figure.set_size_inches(8, 8)
    for one in sorted(set(report)):
        ax.plot(east[report == one], north[report == one], '.', markersize=4, alpha=0.6, label=one)
    legend(ax)
    ax.set(xlabel='east [m]', ylabel='north [m]', aspect='equal', title='Detections from above')


def tasks(ax, table):
    """time that tasks took over what drones had estimated"""
    outcome, estimated, actual = table.words('outcome'), table.numbers('estimated'), table.numbers('actual')
    for one in sorted(set(outcome)):
        ax.plot(estimated[outcome == one], actual[outcome == one], 'o', alpha=0.6, label=one)
    ax.axline((0, 0), slope=1, color='grey', linewidth=0.8)
    legend(ax)
    ax.set(xlabel='estimated [ticks]', ylabel='actual [ticks]', title='Tasks')


def cost(ax, table):
    """time of the wall that each part of the program has spent"""
    parts = [name[:-2] for name in table.names if name.endswith('_s') and name not in ('t_s', 'wall_s')]
    spent = {part: np.cumsum(table.numbers(part + '_s')) for part in parts}
    spent = {part: total for part, total in spent.items() if total[-1] > 0}
    t_s = np.r_[0, times(table)]
    ax.stackplot(t_s, *(np.r_[0, total] for total in spent.values()), labels=spent)
    ax.plot(t_s, np.r_[0, table.numbers('wall_s')], color='black', label='all')
    legend(ax)
    ax.set(xlabel='time of the swarm [s]', ylabel='time of the wall [s]', title='Cost')


# What the columns of a table must be, and the plots of such a table.
PLOTS = [
    (PLACES, (tracks, altitude, spacing)),
    (LOCAL | {'object', 'report'}, (detections,)),
    (LOCAL, (tracks, altitude, spacing)),
    ({'t_s', 'member', 'event'}, (events,)),
    ({'t_s', 'receiver', 'sender', 'strength_dbm'}, (radio,)),
    ({'t_s', 'member', 'sensor', 'a'}, (sensors,)),
    ({'t_s', 'member', 'with'}, (contacts,)),
    ({'t_s', 'member', 'what', 'pollen'}, (hive,)),
    ({'Name', 'PCT_Covered', 'PCT_Spotted'}, (coverage,)),
    ({'Name', 'True_Positives'}, (counts,)),
    ({'tick', 'task', 'estimated', 'actual', 'outcome'}, (tasks,)),
    ({'tick', 'type', 'sender', 'receiver'}, (messages,)),
    ({'t_s', 'wall_s', 'bodies_s'}, (cost,)),
]
ALL = {plot.__name__: plot for _, plots in PLOTS for plot in plots}


def read(path):
    """A table, and its plots; (None, ()) for another file or one without rows."""
    try:
        with open(path, newline='', encoding='utf-8') as f:
            rows = csv.reader(f)
            names = next(rows, [])
            plots = next((plots for columns, plots in PLOTS if columns <= set(names)), ())
            rows = [row for row in rows if len(row) == len(names)] if plots else []
    except OSError as error:
        fail(f'{path}: {error.strerror}')
    except (UnicodeDecodeError, csv.Error) as error:
        fail(f'{path}: {error}')
    return (Table(path, names, rows), plots) if rows else (None, ())


def draw(table, plot):
    path = f'{os.path.splitext(table.path)[0]}-{plot.__name__}.svg'
    figure, ax = plt.subplots()
    plot(ax, table)
    ax.set_title(f'{ax.get_title() or plot.__name__} of {os.path.basename(table.path)}')
    figure.savefig(path, metadata={'Date': None})
    plt.close(figure)
    print(f'wrote     {path}, {os.path.getsize(path) / 1000:.1f} kB')


def fail(why):
    sys.stderr.write(f'mayfly-swarm plot: {why}\n')
    sys.exit(2)


def main(arguments):
    listed = '\n'.join(f'  {name:12}{plot.__doc__}' for name, plot in ALL.items())
    if not arguments or arguments[0] in ('-h', '--help'):
        print(__doc__ + listed)
        return 0 if arguments else 2
    run, *chosen = arguments
    for name in chosen:
        if name not in ALL:
            fail(f'no plot is named {name}: {", ".join(ALL)}')
    paths = sorted(glob.glob(os.path.join(glob.escape(run), '*.csv'))) if os.path.isdir(run) else [run]
    drawn = 0
    with plt.rc_context(STYLE):
        for table, plots in map(read, paths):
            for plot in plots:
                if not chosen or plot.__name__ in chosen:
                    draw(table, plot)
                    drawn += 1
    return 0 if drawn else fail(f'{run} has no table for {" or ".join(chosen) or "a plot"}: give the folder of --out, or a CSV of "outputs"')


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
