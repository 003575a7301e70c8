#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long scans and runs take, each against its limit in ci/budgets (AUDIT=nightly make audit).

Trees of 100,000 lines are made of the corpus, so every file is full of what the rules look at. Times are those of an idle machine:
processor time divided by the processors, where nothing waits.
"""
import contextlib
import io
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "pytest-mayfly" / "src"), str(HERE.parent / "src"), str(HERE.parents[2] / "ci")]
import clients  # noqa: E402
from figures import Figures  # noqa: E402
from mayfly_audit.run import campaign  # noqa: E402
from mayfly_audit.run.flight import Order  # noqa: E402
from mayfly_audit.scan import scanner  # noqa: E402

LINES = 100_000
COMPILED = 10           # files of C++ that clang is compared with
PARTS = 30              # of such a file: a tree of files that are long enough to be real
C_FLAGS = ["-std=c++17", f"-I{clients.CORPUS}", "-isystem"]


def processor_s():
    return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


@contextlib.contextmanager
def spent():
    """Processor time, and that of the wall, of what is done within."""
    took = []
    begin = processor_s(), time.monotonic()
    yield took
    took += [processor_s() - begin[0], time.monotonic() - begin[1]]


def tree(folder, suffix, text, lines=LINES):
    folder.mkdir()
    for number in range(lines // (text.count("\n") + 1) + 1):
        (folder / f"f{number}{suffix}").write_text(text)
    return sorted(folder.iterdir())


def cpp_text():
    """All clients of the corpus as one program, several times."""
    parts = [p.read_text().replace('#include "vehicle.hpp"', "").replace("int main()", "int run()") for p in sorted(clients.CORPUS.rglob("*.cpp"))]
    spaces = [f"namespace part{n} {{\n{parts[n % len(parts)]}\n}}\n" for n in range(PARTS)]
    return '// mavlink\n#include "vehicle.hpp"\n' + "".join(spaces)


def sources(suffix):
    return "\n".join(p.read_text() for p in sorted(clients.CORPUS.rglob("*" + suffix)))


def scans(figures, folder):
    processors = os.cpu_count() or 1
    for name, suffix, text in (("python", ".py", sources(".py")), ("typescript", ".ts", sources(".ts")), ("cpp", ".cpp", cpp_text())):
        tree(folder / name, suffix, text)
        cache = str(folder / (name + ".cache"))
        with spent() as took:
            result = scanner.scan(str(folder / name), cache)
        assert result.lines >= LINES and result.findings and not result.problems, result.problems[:3]
        figures.add(f"audit.scan.{name}", took[0] / processors, "s")
        assert scanner.scan(str(folder / name), cache).read == 0
    with_database(figures, folder)


def with_database(figures, folder):
    flags = [*C_FLAGS, str(clients.mavlink_headers())]
    files = tree(folder / "compiled", ".cpp", cpp_text(), COMPILED * cpp_text().count("\n"))
    database = folder / "compile_commands.json"
    database.write_text(json.dumps([{"directory": str(folder), "file": str(f), "arguments": ["c++", *flags, "-c", str(f)]} for f in files]))
    with spent() as ours:
        result = scanner.scan(str(folder / "compiled"), database=str(database))
    assert result.findings and not result.problems, result.problems[:3]
    with spent() as theirs:
        for file in files:
            subprocess.run(["clang", *flags, "-fsyntax-only", str(file)], check=True, timeout=120)
    figures.add("audit.scan.database", ours[0] / theirs[0], "times")


def runs(figures, folder):
    for name, clock in (("events", "auto"), ("barriers", "event")):
        order = Order([sys.executable, str(clients.CORPUS / "long" / (name + ".py"))], str(folder), timeout_s=300.0)
        with spent() as took, contextlib.redirect_stderr(io.StringIO()):
            made = campaign.audit(order, clock=clock)
        reference = next(iter(made.groups.values()))
        assert made.unrepeatable is None and made.findings == [] and reference[0].story.end_s > 600, (made.unrepeatable, made.findings)
        figures.add(f"audit.run.{name}", took[1] if clock == "event" else took[0] / (os.cpu_count() or 1), "s")


def main():
    os.environ["MAYFLY"] = os.path.abspath(os.environ.get("MAYFLY", "build/mayfly"))
    figures = Figures()
    with tempfile.TemporaryDirectory() as folder:
        scans(figures, pathlib.Path(folder))
        runs(figures, pathlib.Path(folder))
    return figures.exit_code()


if __name__ == "__main__":
    sys.exit(main())
