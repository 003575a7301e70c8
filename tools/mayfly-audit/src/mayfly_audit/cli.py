# SPDX-License-Identifier: Apache-2.0
"""The command line: scan, run, ledger."""
from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from typing import Optional

from . import __version__
from .scan import scanner
from .scan.rules import BY_ID, threshold_text

FOUND, BAD = 1, 2       # exit codes: findings that the ledger does not know; the command line or the input is wrong


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="mayfly-audit", description="What in a MAVLink client depends on the physics of its vehicle?")
    top.add_argument("--version", action="version", version=f"mayfly-audit {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    scan = commands.add_parser("scan", help="read the client's source code")
    scan.add_argument("path", metavar="PATH", help="a folder, or a file")
    scan.add_argument("--compile-commands", metavar="FILE", help="compile_commands.json of C and C++: types decide, too")
    scan.add_argument("--cache", metavar="FILE", help="what is remembered of unchanged files (PATH/.mayfly-audit-cache)")
    scan.add_argument("--no-cache", action="store_true", help="read every file")
    scan.add_argument("--jobs", type=int, metavar="N", help="processes side by side (one per processor)")
    scan.set_defaults(act=do_scan)
    return top


def do_scan(given: argparse.Namespace) -> int:
    if not os.path.exists(given.path):
        return fail(f"{given.path}: no such file or folder")
    database = given.compile_commands
    if database and not os.path.isfile(database):
        return fail(f"{database}: no such file; a build system writes it, e.g. cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
    cache = None if given.no_cache else given.cache or (os.path.join(given.path, ".mayfly-audit-cache") if os.path.isdir(given.path) else None)
    begin = time.monotonic()
    result = scanner.scan(given.path, cache, given.jobs, database)
    for finding in result.findings:
        limit = threshold_text(finding)
        print(f"{finding.path}:{finding.line}: {finding.rule} {BY_ID[finding.rule].title}: {finding.expression}"
              f" [{finding.quantity}{', ' + limit if limit else ''}] {finding.id}")
    for problem in result.problems:
        print(problem, file=sys.stderr)
    print(f"{len(result.findings)} findings in {result.files} files ({result.read} read), {result.lines} lines, {time.monotonic() - begin:.1f} s",
          file=sys.stderr)
    return 0


def fail(text: str) -> int:
    print(f"mayfly-audit: {text}", file=sys.stderr)
    return BAD


def main(arguments: Optional[Sequence[str]] = None) -> int:
    given = parser().parse_args(arguments)
    code: int = given.act(given)
    return code
