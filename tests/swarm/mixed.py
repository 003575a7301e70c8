#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The live main job of a swarm, at five times real time: three build/mayfly (one moves by physics, one loses 5 % of its packets,
one is killed and started anew) fly as ghosts beside 45 agents and 2 vehicles. A hive has 200 flowers visited, each once: cells of
the killed one are given to others, and it takes part again. MAVSDK flies vehicle full.1 meanwhile, through the window, and Chromium
looks at the live page. Then the two largest worlds of radios: 550 in 20 m for 100 s, and 10,000 in 2 x 2 km.
"""
import asyncio
import csv
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TESTS, folder) for folder in ('lib', 'perf', '../ci')]
import figures  # noqa: E402
import http_client  # noqa: E402
from drone import environment  # noqa: E402
from geography import HOME  # noqa: E402
from mavsdk_client import client, hop  # noqa: E402
from paths import MAYFLY, SCENARIOS, SWARM  # noqa: E402
from ports import free_port  # noqa: E402
from radio import AREA, used_s  # noqa: E402
from swarm_case import options  # noqa: E402
from waiting import wait_until  # noqa: E402

SCENARIO = os.path.join(SCENARIOS, 'mixed.yaml')
RATE, KILL_S, ANEW_S, WALL_S = 5, 40, 75, 120


def check(good, what):
    if not good:
        sys.exit(f'mixed: {what}')


def drone(port, *args):
    return subprocess.Popen([MAYFLY, '--clock', f'x{RATE}', '--tcp', str(port), '--udp', 'none', '--udp-out', 'none', '--api', '0',
                             '--home', ','.join(map(str, HOME)), *args], env=environment(), stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Window:
    """Where MAVSDK connects to."""

    def __init__(self, port):
        self.port = port

    def url(self, _):
        return f'tcpout://127.0.0.1:{self.port}'


async def fly(port):
    """full.1 is no bee of the hive."""
    async with client(Window(port), 'tcp') as system:
        await hop(system, 0.05)


def now_s(api):
    return http_client.ask_document(api, 'GET', '/v1/clock')[1]['time_s']


def wait_for(swarm, api, time_s):
    while swarm.poll() is None and now_s(api) < time_s:
        time.sleep(0.05)
    check(swarm.poll() is None, f'the swarm has ended before {time_s} s')


def look(port):
    """The page as Chromium has it; None: there is no Chromium."""
    if shutil.which('chromium') is None:
        print('page      skipped: chromium is not installed')
        return None
    done = subprocess.run(['chromium', '--headless', '--no-sandbox', '--disable-gpu', '--virtual-time-budget=4000', '--dump-dom',
                           f'http://127.0.0.1:{port}/'], capture_output=True, text=True, timeout=60, check=False)
    shown = {key: re.search(rf'id="{key}"[^>]*>([^<]*)<', done.stdout) for key in ('time', 'count', 'link')}
    check(all(shown.values()), f'the page in Chromium: {done.stdout[-500:]}{done.stderr[-500:]}')
    shown = {key: found[1] for key, found in shown.items()}
    print(f'page      in Chromium: {shown["time"]}, {shown["count"]}, {shown["link"]}')
    return shown


class Flight:
    def __init__(self, folder):
        self.folder, self.flown, self.drones = folder, [], []

    def client(self, port):
        try:
            asyncio.run(asyncio.wait_for(fly(port), WALL_S))
            self.flown.append(True)
        except Exception as e:      # it is told at the end, by the main thread
            self.flown.append(e)

    def run(self):
        ports = [free_port() for _ in range(6)]
        more = (['--motion', 'physics'], ['--link-quality', 'loss=5%'], [])
        self.drones = [drone(port, *args) for port, args in zip(ports, more)]
        api, window, page = ports[3:]
        sets = options(*(f'REAL{k + 1}=127.0.0.1:{ports[k]}' for k in range(3)), f'API={api}', f'links.window.port={window}',
                       f'outputs.page=127.0.0.1:{page}')
        began = time.monotonic()
        time.sleep(1)
        swarm = subprocess.Popen([SWARM, SCENARIO, '--out', self.folder, *sets], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.drones.append(swarm)
        wait_until(lambda: now_s(api) is not None, 'the swarm listens', 10)
        user = threading.Thread(target=self.client, args=(window,))
        user.start()
        wait_for(swarm, api, KILL_S)
        self.drones[2].send_signal(signal.SIGKILL)
        self.drones[2].wait()
        shown = look(page)
        check(shown is None or (shown['time'] > '0:20' and shown['count'] == '251 members' and shown['link'] == 'live'), f'the page shows {shown}')
        wait_for(swarm, api, ANEW_S)
        self.drones[2] = drone(ports[2])
        out, err = swarm.communicate(timeout=WALL_S)
        user.join()
        took_s = time.monotonic() - began
        print(out + err, end='')
        check(swarm.returncode == 0, f'exit code {swarm.returncode}')
        check(self.flown == [True], f'MAVSDK: {self.flown!r}')
        check(took_s <= WALL_S, f'{took_s:.0f} s of the wall')
        return out

    def end(self):
        for process in self.drones:
            if process.poll() is None:
                process.kill()
            process.wait()


def judge(rows):
    """By the file of the hive."""
    visited = [row['object'] for row in rows if row['what'] == 'visited']
    check(sorted(visited) == sorted(f'flowers.{i}' for i in range(1, 201)), f'{len(visited)} visits, of {len(set(visited))} flowers')
    check(int(rows[-1]['pollen']) == 200, f'{rows[-1]["pollen"]} pollen')
    for member in ('real.1', 'real.2', 'real.3', 'full.2', 'sim.1', 'sim.45'):
        done = [row for row in rows if row['member'] == member and row['what'] in ('surveyed', 'visited')]
        check(len(done) > 0, f'{member} has done nothing')
    killed = [k for k, row in enumerate(rows) if row['member'] == 'real.3' and row['what'] == 'lost']
    back = [k for k, row in enumerate(rows) if row['member'] == 'real.3' and row['what'] == 'back']
    check(len(killed) == 1 and len(back) == 1 and killed[0] < back[0], f'real.3: lost {len(killed)} times, back {len(back)} times')
    left = [row['cell'] for row in rows[:killed[0]] if row['member'] == 'real.3' and row['what'] == 'left'][-1:]
    others = [row for row in rows[killed[0]:] if row['cell'] in left and row['what'] in ('sent', 'surveyed') and row['member'] != 'real.3']
    check(left and others, f'nobody took the cell {left} of real.3')
    again = [row for row in rows[back[0]:] if row['member'] == 'real.3' and row['what'] in ('surveyed', 'visited')]
    check(len(again) > 0, 'real.3 takes no part after it is back')
    print(f'real.3    lost at {rows[killed[0]]["t_s"]} s, cell {left[0]} to {others[0]["member"]}; back at {rows[back[0]]["t_s"]} s, '
          f'then {len(again)} cells and flowers')


def radios():
    for name, count, seconds, more in (('550 in 20 m', 550, 100, {}), ('10,000 in 2 x 2 km', 10000, 20, {'entities.0.place': AREA})):
        run_s = used_s(SWARM, count, seconds, more)
        print(f'radios    {name}: {seconds} s in {run_s:.3f} s of a processor, x{seconds / run_s:.0f}')


def main():
    with tempfile.TemporaryDirectory() as folder:
        flight = Flight(folder)
        try:
            out = flight.run()
        finally:
            flight.end()
        with open(os.path.join(folder, 'hive.csv'), encoding='utf-8') as f:
            judge(list(csv.DictReader(f)))
    radios()
    worst_s, punctual, wall_s, used = (float(re.search(pattern, out, re.M)[1]) for pattern in (
        r'^lateness +([\d.]+) s', r'; ([\d.]+) % of', r'simulated in ([\d.]+) s', r'([\d.]+) s of processors'))
    kept = figures.Figures()
    kept.add('mixed.punctual', punctual, '%')
    kept.add('mixed.worst', 1000 * worst_s, 'ms')
    kept.add('mixed.core', 100 * used / wall_s, '%')
    sys.exit(kept.exit_code())


if __name__ == '__main__':
    main()
