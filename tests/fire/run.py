# SPDX-License-Identifier: Apache-2.0
"""Which real clients survive which misbehaviour of protocol and links: a drone and a client for every cell of a table.

The run fails if Mayfly itself does what it must not, if a client fails with a healthy drone, or if a verdict is not the one in
`expected`. docs/clients-under-fire.md explains the verdicts.
"""
import argparse
import concurrent.futures
import os
import pathlib
import signal
import sys
import tempfile
import threading
import time

sys.path.append(str(pathlib.Path(__file__).parents[1] / "lib"))
import cell  # noqa: E402
import expected  # noqa: E402
import matrix  # noqa: E402
import page  # noqa: E402

LATE_S = 0.1        # a machine that is so late itself excuses a deadline


class Machine:
    """How late this machine is when somebody wants to sleep for 10 ms."""

    def __init__(self):
        self.late = []
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        while True:
            begin = time.monotonic()
            time.sleep(0.01)
            end = time.monotonic()
            if end - begin > LATE_S:
                self.late.append((begin, end))

    def was_late(self, begin, end):
        return any(late_begin < end and late_end > begin for late_begin, late_end in self.late)


def options():
    parser = argparse.ArgumentParser(prog="make clients-under-fire ARGS=", description=__doc__.split("\n")[0])
    parser.add_argument("--short", action="store_true", help="a few rows that stand for the rest, below two minutes")
    parser.add_argument("--only", metavar="WORD", default="", help="rows and clients with this in their name: 'flight', 'MAVSDK'")
    parser.add_argument("--jobs", type=int, default=6 * (os.cpu_count() or 2), help="cells at once (6 per processor)")
    parser.add_argument("--runs", type=int, default=1, help="play all so often; what differs varies")
    parser.add_argument("--page", action="store_true", help="write docs/clients-under-fire.md")
    parser.add_argument("--accept", action="store_true", help="write tests/fire/expected")
    o = parser.parse_args()
    if o.page and (o.short or o.only):
        parser.error("--page needs all rows and clients")
    return o


def chosen(o, clients):
    """The cells of this run, those that are known to take long first."""
    known = expected.read()
    for row in matrix.ROWS:
        for client in clients:
            name = f"{row.operation} {row.rule} {client.name}"
            if (o.short and not row.short) or o.only.lower() not in name.lower() or not row.concerns(client):
                continue
            verdict = known.get((row.operation, row.rule, client.name))
            yield {"hangs": 0, "dies": 1, "reports": 2, expected.VARIES: 0}.get(verdict, 3), row, client


def play(o, cells, folder, truth):
    """{(operation, rule, client): Result}"""
    results = {}

    def one(number, row, client):
        place = folder / f"{number}"
        place.mkdir()
        return row, client, cell.run(row, client, place, truth)

    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        todo = [pool.submit(one, number, row, client) for number, (row, client) in enumerate(cells)]
        try:
            for count, future in enumerate(concurrent.futures.as_completed(todo), 1):
                row, client, result = future.result()
                results[row.operation, row.rule, client.name] = result
                print(f"  [{count}/{len(cells)}] {client.name}, {row.operation}, {row.rule}: {result.verdict}"
                      f" in {result.end - result.begin:.1f} s" + (f": {result.note}" if result.note else ""), flush=True)
        except BaseException:
            pool.shutdown(cancel_futures=True)      # those that run end their drones and clients
            raise
    return results


def judge(results, machine, known):
    """What makes the run fail, a line each."""
    for (operation, rule, name), result in results.items():
        what = f"{name}, {operation}, {rule}"
        if result.fault:
            yield f"{what}: Mayfly {result.fault}"
        if result.overruns and not machine.was_late(result.begin, result.end):
            yield f"{what}: Mayfly missed {result.overruns} deadlines on a machine that was not late"
        if operation == "everything" and result.verdict != "survives":
            yield f"{what}: {result.verdict}: {result.note}"
        want = known.get((operation, rule, name), expected.VARIES)
        if want not in (expected.VARIES, result.verdict):
            yield f"{what}: {result.verdict} instead of {want}: {result.note}"


def merged(all_runs):
    """{cell: verdict, or varies} and {cell: note} of several runs."""
    verdicts, notes = {}, {}
    for key in all_runs[0]:
        seen = sorted({run[key].verdict for run in all_runs}, key=cell.VERDICTS.index)
        verdicts[key] = seen[0] if len(seen) == 1 else expected.VARIES
        note = next((run[key].note for run in all_runs if run[key].verdict == seen[-1]), "")
        notes[key] = f"{' or '.join(seen)}; {note}" if len(seen) > 1 else note
    return verdicts, notes


def main():
    o = options()
    clients, missing = matrix.available()
    cells = [(row, client) for _, row, client in sorted(chosen(o, clients), key=lambda c: c[0])]
    machine = Machine()
    begin = time.monotonic()
    all_runs, failures = [], []
    with tempfile.TemporaryDirectory(prefix="mayfly-fire-", ignore_cleanup_errors=True) as folder:
        folder = pathlib.Path(folder)
        truth = cell.learn(next(c for c in clients if c.name == "pymavlink"), folder)
        for run in range(o.runs):
            place = folder / f"run{run}"
            place.mkdir()
            results = play(o, cells, place, truth)
            failures += judge(results, machine, {} if o.accept else expected.read())
            all_runs.append(results)
    verdicts, notes = merged(all_runs)
    rows = [row for row in matrix.ROWS if any(key[:2] == (row.operation, row.rule) for key in verdicts)]
    print(page.table(rows, [c.name for c in clients], verdicts))
    print("\n".join(page.notes(rows, clients, verdicts, notes)))
    if o.accept:
        # what once varied is compared again when somebody takes the word out of the file
        known = expected.read()
        fresh = {key: v for key, v in verdicts.items() if known.get(key) != expected.VARIES}
        expected.write(matrix.ROWS, [c.name for c in matrix.CLIENTS], {**known, **fresh})
    if o.page:
        page.write(rows, clients, verdicts, notes)
    for line in missing:
        print(f"left out: {line}")
    for line in failures:
        print(f"FAILED {line}")
    print(f"{len(cells)} cells, {o.runs} runs, {len(failures)} failures, {time.monotonic() - begin:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
