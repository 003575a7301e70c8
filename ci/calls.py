#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""calls.py BUILD [--list]: who calls whom among the files of a room, as the preprocessor shows their text.

A file that needs a symbol stands above the symbol's home: no circle of files, and no call from a lower sub-room (a folder
of the room) into a higher one, nor an include of its headers. An address counts as a call: a pointer to a function of a
higher room is a call up, too. ci/budgets says how many there may be. --list names all of them, and the headers of firmware/ that
the main file of a host program needs.
"""
import os
import re
import subprocess
import sys

from figures import Figures

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Sub-rooms of a room from the bottom up. What stands in the room itself is above all of them.
# firmware: 'state' is the layout of the instance, without functions; then those who work on it.
ROOMS = {'firmware': ['state', 'core', 'link', 'flight', 'report', 'protocol'],
         'host': ['base', 'spec', 'record', 'time', 'config', 'http', 'api'],
         'mavlink': [], 'math': [], 'world': [], 'drone': [], 'hal-sim': [], 'hal-posix': [], 'fleet': [],
         'boards/swarm': ['core', 'members', 'links', 'space', 'minds', 'radio', 'processes', 'ghosts', 'outside', 'hosts', 'time', 'cells', 'search',
                          'output', 'api', 'page', 'program'],
         'hal-stm32': [], 'boards/posix': [], 'boards/conform': [], 'boards/minimal': [], 'boards/view': [], 'boards/stm32f405': [],
         'tools/simctl': ['base', 'kube', 'local', 'api'], 'tools/geoid/embed': [],
         **{'tools/' + tool: [] for tool in ('body', 'elevation', 'fly', 'generate', 'geoid', 'replay', 'standin', 'virtual-time', 'web')}}
# A host program: how much of the autopilot must it know to serve it?
HOST = 'boards/posix/main.c'
MARK = re.compile(r'^# \d+ "(?:\./)?([^"\n]*)"( [12])?.*\n', re.M)
BLANKS = bytes(i if chr(i).isalnum() and i < 128 or i == ord('_') else ord(' ') for i in range(256))
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')


def height(path):
    """Of the sub-room of a file, by its path from the top."""
    room = next(room for room in ROOMS if path.startswith(room + '/'))
    sub = path[len(room) + 1:].split('/')[0]
    return ROOMS[room].index(sub) if sub in ROOMS[room] else len(ROOMS[room])


def sub_room(path):
    """The sub-room of a file of firmware/, by its path from the top."""
    return (ROOMS['firmware'] + ['vehicle'])[height(path)]


def module(path):
    """Whose state a header of firmware/state/ describes: the file of that name in another sub-room, else itself."""
    name = os.path.splitext(os.path.basename(path))[0]
    for room in ROOMS['firmware'][1:]:
        for ending in ('.h', '.c'):
            other = os.path.join('firmware', room, name + ending)
            if os.path.exists(os.path.join(TOP, other)):
                return other
    return path


def sources(room):
    """Paths from the top; of a room without those of another one within it."""
    inner = tuple(f'{other}/' for other in ROOMS if room in ROOMS and other.startswith(room + '/'))
    found = (os.path.relpath(os.path.join(folder, name), TOP) for folder, _, names in os.walk(os.path.join(TOP, room))
             for name in names if name.endswith(('.c', '.h', '.def')))
    return sorted(path for path in found if not path.startswith(inner))


def words_of(text):
    """The words of C; a name of a type is none. Faster than an expression: these are megabytes."""
    blank = b' ' + text.encode().translate(BLANKS)
    return blank.replace(b' struct ', b' struct_').replace(b' enum ', b' enum_').decode().split()


def read_words(paths):
    """{file: its words}, macros expanded; words of an inline function of a header count where it is named. One run for all of
    them: a compiler would see names twice, its preprocessor does not mind."""
    compiler = os.environ.get('CC', 'gcc').split()
    compiler += ['-DCURL_DISABLE_TYPECHECK'] + ([] if 'clang' in compiler[0] else ['-ftrack-macro-expansion=0'])  # half of the text, and of the time
    text = subprocess.run([*compiler, '-std=c11', '-D_GNU_SOURCE', '-I.', '-E', '-w', '-x', 'c', '-'], cwd=TOP, check=True,
                          input=''.join(f'#include "{path}"\n' for path in paths), capture_output=True, text=True).stdout
    pieces, inline = {path: [] for path in paths}, {}
    stack, home, function = [], '', None
    parts = MARK.split(text)
    for name, how, part in zip(parts[1::3], parts[2::3], parts[3::3]):
        if how:
            stack = stack + [name] if how == ' 1' else stack[:-1]
            home = next((path for path in reversed(stack) if not path.endswith('.def')), '')
        if home in pieces:
            pieces[home].append(part)
        elif home[:1] != '/' and (function is not None or 'static inline' in part):
            for line in part.splitlines():
                if line.startswith('static inline'):
                    function = ''
                if function == '':
                    function = (re.findall(r'(\w+)\(', line) or [''])[0]
                if function:
                    inline.setdefault(function, set()).update(words_of(line))
                if line.startswith('}'):
                    function = None
    words = {path: set(words_of(' '.join(said))) for path, said in pieces.items()}
    for said in words.values():
        for name in said & inline.keys():
            said |= inline[name]
    return words


def defined(path):
    """Names of a file that others see."""
    with open(os.path.join(TOP, path), encoding='utf-8') as f:
        return set(re.findall(r'^(?!static|extern|typedef|(?:struct|enum|union) \w+ ?[;{])[a-z_][\w *]*[ *](\w+)(?:\(|\[| =|;)', f.read(), re.M))


def read_calls(room):
    """{file: {file that it calls: [symbols]}}, by their paths from the top"""
    paths = [path for path in sources(room) if path.endswith('.c')]
    words = read_words(paths)
    home = {symbol: path for path in paths for symbol in defined(path) if symbol != 'main'}
    calls = {path: {} for path in paths}
    for path in paths:
        for symbol in sorted(words[path] & home.keys()):
            if home[symbol] != path:
                calls[path].setdefault(home[symbol], []).append(symbol)
    return calls


def reach(calls, start):
    seen, todo = set(), list(calls[start])
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += calls[name]
    return seen


def circles(calls):
    """Sets of files of which each calls all others, by whatever way."""
    below = {name: reach(calls, name) for name in calls}
    found = []
    for name in sorted(calls):
        if name in below[name] and not any(name in circle for circle in found):
            found.append({name} | {other for other in below[name] if name in below[other]})
    return found


def headers_of_host(build):
    """Headers of firmware/ that HOST includes, directly or not, as the compiler has noted them."""
    with open(os.path.join(build, 'obj', HOST[:-2] + '.d'), encoding='utf-8') as f:
        return sorted(set(re.findall(r'\bfirmware/[\w/]+\.(?:h|def)', f.read())))


def upward_includes(room):
    found = []
    for path in sources(room):
        with open(os.path.join(TOP, path), encoding='utf-8') as f:
            for line in f:
                included = INCLUDE.match(line)
                if included and included[1].startswith(room + '/') and height(included[1]) > height(path):
                    found.append(f'{path}: {included[1]}')
    return found


def main():
    build = sys.argv[1] if len(sys.argv) > 1 else 'build'
    rings, upward, includes = [], [], []
    for room, subs in ROOMS.items():
        strange = [name for name in sorted(os.listdir(os.path.join(TOP, room)))
                   if os.path.isdir(os.path.join(TOP, room, name)) and name not in subs and f'{room}/{name}' not in ROOMS]
        if strange:
            print(f'{room}/ has a folder that is no sub-room: {" ".join(strange)}')
            return 1
        calls = read_calls(room)
        rings += circles(calls)
        upward += [f'{a} calls {b}: {" ".join(calls[a][b])}' for a in sorted(calls) for b in sorted(calls[a])
                   if height(b) > height(a)]
        includes += upward_includes(room)
    headers = headers_of_host(build)
    figures = Figures()
    figures.add('rooms.circles', sum(len(ring) for ring in rings), 'files')
    figures.add('rooms.upward', len(upward), 'calls')
    figures.add('rooms.includes', len(includes), 'includes')
    figures.add('rooms.headers', len(headers), 'headers')
    if figures.broken or '--list' in sys.argv:
        for ring in rings:
            print('circle: ' + ' '.join(sorted(ring)))
        print('\n'.join(upward + includes + [f'{HOST}: {header}' for header in headers]))
        print('    why: what goes up is a posted event or a wake-up; a file that calls down only is tested without those above it')
    return figures.exit_code()


if __name__ == '__main__':
    sys.exit(main())
