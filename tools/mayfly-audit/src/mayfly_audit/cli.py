# SPDX-License-Identifier: Apache-2.0
"""The command line: scan, run, and the ledger's commands."""
from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from typing import Any, Optional, TextIO

from pytest_mayfly import MayflyError

from . import __version__, change, ledger, repository
from .change import Change, Scope
from .files import write_whole
from .ledger import Entry, Ledger, LedgerError
from .repository import is_within
from .report import html, markdown, sarif
from .run import campaign
from .run.campaign import Audit, NeverConnected
from .run.findings import RunFinding, findings_of
from .run.flight import VIRTUAL, Order, fly
from .run.instance import Fleet
from .run.models import BY_NAME, MODELS, REFERENCE
from .scan import scanner
from .scan.rules import BY_ID, threshold_text
from .text import line

FOUND, BAD, SHAKY = 1, 2, 3     # exit codes: findings; wrong input; the client is not repeatable
PORTS = {"tcp": "tcp", "udp": "udp", "udp-out": "udp_out"}


class Wrong(ValueError):
    """The command line, or what it names."""


def say(*lines: str, to: Optional[TextIO] = None) -> None:
    """Lines with foreign names and code in them."""
    for text in lines:
        print(line(text), file=to)


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="mayfly-audit", description="What in a MAVLink client depends on the physics of its vehicle?")
    top.add_argument("--version", action="version", version=f"mayfly-audit {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    scan = commands.add_parser("scan", help="read the client's source code")
    scan.add_argument("path", metavar="PATH", help="a folder, or a file")
    add_scan(scan)
    add_reports(scan)
    scan.set_defaults(act=do_scan)

    run = commands.add_parser("run", help="fly the client against all motion models, and compare", usage="mayfly-audit run [OPTION]... -- COMMAND [ARGUMENT]...")
    run.add_argument("words", nargs="*", metavar="COMMAND", help="the client's command; {pymavlink}, {mavsdk}, {tcp_port} in it are the drone's")
    run.add_argument("--models", metavar="NAME,...", help=f"some of: {', '.join(BY_NAME)}")
    run.add_argument("--clock", default="auto", metavar="virtual|real|fast|event|xN|auto", help="clock of the models that have none of their own")
    run.add_argument("--repeat", type=int, default=campaign.REPEATS, metavar="N", help="runs per model (3)")
    run.add_argument("--jobs", type=int, metavar="N", help="runs side by side")
    run.add_argument("--timeout", type=float, default=300.0, metavar="S", help="wall time of one run (300); a command that takes longer hangs")
    run.add_argument("--port", action="append", default=[], metavar="KIND:PORT", help="a port that the client insists on: tcp:5760, udp:14580, udp-out:14540")
    run.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="an option of mayfly for every drone, e.g. home=47.4,8.5,488")
    run.add_argument("--mayfly", metavar="PROGRAM", help="the drone's program")
    run.add_argument("--no-audit-switch", action="store_true", help="start the drones without --audit")
    run.add_argument("--no-bisect", action="store_true", help="fly no further ramps and rates for a threshold")
    run.add_argument("--keep", metavar="FOLDER", help="recordings, logs and output of all runs")
    run.add_argument("--source", metavar="PATH", help="the client's source: each divergence names the findings of its scan")
    run.add_argument("--client", default="", metavar="NAME", help="name of the client, if a ledger has several (the file that the command names)")
    run.add_argument("--template", metavar="NAME", help="the client lives in this template of a Simulation Controller")
    run.add_argument("--mayfly-controller", metavar="URL", default="http://127.0.0.1:5790", help="address of the controller (http://127.0.0.1:5790)")
    add_scan(run)
    add_reports(run)
    run.set_defaults(act=do_run)

    gate = commands.add_parser("gate", help="scan, and fail if a finding is new or open")
    gate.add_argument("path", metavar="PATH")
    add_scan(gate)
    add_ledger(gate, None)
    add_reports(gate, False)
    gate.set_defaults(act=do_gate)

    for name, act, text in (("baseline", do_baseline, "accept all open findings in one step; they are worked off later"),
                            ("report", do_report, "write reports of the ledger")):
        one = commands.add_parser(name, help=text)
        add_ledger(one)
        if name == "report":
            add_reports(one, False)
            one.add_argument("--root", metavar="PATH", help="root of the repository, to which paths are relative")
        one.set_defaults(act=act)
    close = commands.add_parser("close", help="a finding is fixed, or accepted with a reason")
    close.add_argument("id", metavar="ID")
    close.add_argument("--fixed", metavar="COMMIT", help="the commit after which it is not found any more")
    close.add_argument("--accepted", metavar="REASON")
    close.add_argument("--moved-from", metavar="ID", help="it is this finding, moved: keep that finding's decision")
    close.add_argument("--root", metavar="PATH", help="root of the repository")
    close.add_argument("--verified-by", default="", metavar="TEXT", help="a recording or a test")
    add_ledger(close)
    close.set_defaults(act=do_close)
    return top


def add_scan(one: argparse.ArgumentParser) -> None:
    one.add_argument("--compile-commands", metavar="FILE", help="compile_commands.json of C and C++: types decide, too")
    one.add_argument("--cache", metavar="FILE", help="results of unchanged files, kept for the next scan; not in PATH (one for each PATH in ~/.cache/mayfly-audit)")
    one.add_argument("--no-cache", action="store_true", help="read every file")
    one.add_argument("--root", metavar="PATH", help="root of the repository, to which paths are relative (git's, or the ledger's folder)")
    one.add_argument("--component", default="", metavar="NAME", help="component of what the ledger's components do not name; part of the ids")
    one.add_argument("--processes", type=int, metavar="N", help="number of processes of a scan (one per processor)")


def add_ledger(one: argparse.ArgumentParser, default: Optional[str] = ledger.NAME) -> None:
    one.add_argument("--ledger", default=default, metavar="FILE", help=f"the ledger ({ledger.NAME})")


def add_reports(one: argparse.ArgumentParser, with_ledger: bool = True) -> None:
    if with_ledger:
        one.add_argument("--ledger", metavar="FILE", help="enter the findings here")
    for kind in ("markdown", "html", "sarif"):
        one.add_argument(f"--{kind}", metavar="FILE", help=f"write a report: {kind}")


# ---------------------------------------------------------------- scan

def scanned(given: argparse.Namespace, path: str, book: Ledger) -> scanner.Result:
    if not os.path.exists(path):
        raise Wrong(f"{path}: no such file or folder")
    database = given.compile_commands
    if database and not os.path.isfile(database):
        raise Wrong(f"{database}: no such file; a build system writes it, e.g. cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
    cache = None if given.no_cache else given.cache or (scanner.cache_of(path) if os.path.isdir(path) else None)
    if given.cache and not given.no_cache and is_within(path, given.cache):
        raise Wrong(f"--cache {given.cache}: lies in {path}, whose author could bring it along: give a file elsewhere")
    begin = time.monotonic()
    result = scanner.scan(path, cache, given.processes, database, top=root_of(given, path), component_of=book.name_of, vehicle=bool(book.entries))
    for problem in (*result.problems, *result.left_out):
        say(problem, to=sys.stderr)
    say(f"{len(result.findings)} findings in {result.files} files ({result.read} read), {result.lines} lines, {time.monotonic() - begin:.1f} s",
          to=sys.stderr)
    return result


def root_of(given: argparse.Namespace, path: str) -> str:
    """Of the repository."""
    if given.root and not os.path.isdir(given.root):
        raise Wrong(f"--root {given.root}: no such folder")
    if given.root and not is_within(given.root, path):
        raise Wrong(f"{path}: lies outside of --root {given.root}")
    return repository.root_of(path, given.root, given.ledger)


def entered(given: argparse.Namespace, book: Ledger, path: str, result: scanner.Result) -> Change:
    """A scan's findings, in the ledger."""
    root = root_of(given, path)
    there = frozenset(e.path for e in book.entries if e.path and os.path.lexists(os.path.join(root, e.path)))
    under = os.path.relpath(os.path.realpath(path), os.path.realpath(root))
    every = (*result.findings, *result.unjudged)
    scope = Scope(paths=result.paths, under=under, exists=there, commit=repository.head_of(root), plain={f.id: f.plain for f in every},
                  foreign=book.foreign())
    made = change.update(book, [ledger.of_scan(f) for f in every], scope)
    for place, entry in made.moved:
        say(f"{entry.path}:{entry.line}: {entry.id} is {entry.moved_from} of {place}, moved: it keeps its entry ({entry.status})", to=sys.stderr)
    return made


def book_of(given: argparse.Namespace) -> Ledger:
    book = ledger.load(given.ledger) if given.ledger else Ledger("")
    book.component = given.component
    return book


def do_scan(given: argparse.Namespace) -> int:
    book = book_of(given)
    result = scanned(given, given.path, book)
    for finding in result.findings:
        limit = threshold_text(finding)
        say(f"{finding.path}:{finding.line}: {finding.rule} {BY_ID[finding.rule].title}: {finding.expression}"
              f" [{finding.quantity}{', ' + limit if limit else ''}] {finding.id}")
    made = entered(given, book, given.path, result)
    notes = [f"scan of {result.files} files, {result.lines} lines", *result.left_out]
    finish(given, book, made, root_of(given, given.path), notes)
    return 0


def do_gate(given: argparse.Namespace) -> int:
    root = root_of(given, given.path)
    book = ledger.load(ledger_of(given, root))
    book.component = given.component
    result = scanned(given, given.path, book)
    if not result.files and not result.unjudged:
        raise Wrong(f"{given.path}: no file of source is in it, so nothing was judged")
    made = entered(given, book, given.path, result)
    for entries, text in ((made.new, "new"), (made.back, "was fixed, and is back"), (made.open, "open"), (made.elsewhere, f"open, outside of {given.path}"), (made.hidden, "not judged: its file was not read")):
        for e in entries:
            say(f"{e.path}:{e.line}: {e.id} {text}: {e.what}: {e.code}")
    here = book.own_entries()
    runs = [e for e in here if not change.of_scan(e) and e.status == ledger.OPEN and not e.baseline]
    for e in runs:
        say(f"{e.path or '(no source)'}: {e.id} open: {e.what}")
    doubts = unproven(root, here)
    for e, why in doubts:
        say(f"{e.path or '(no source)'}: {e.id} is said to be fixed in {e.commit}: {why}")
    say(f"gate: {len(made.new)} new, {len(made.back)} back, {len(made.open) + len(made.elsewhere) + len(runs)} open, {len(made.hidden)} not judged, "
          f"{len(doubts)} fixed by no commit, {len(made.baseline)} in the baseline, {len(made.gone)} not found any more", to=sys.stderr)
    failed = {e.id: "new" for e in made.new} | {e.id: "back" for e in made.back} | {e.id: "open" for e in (*made.open, *made.elsewhere, *runs)} \
        | {e.id: "not judged" for e in made.hidden} | {e.id: "fixed by no commit" for e, _ in doubts}
    write_reports(given, book.entries, root, gate_notes(made, failed), failed=failed)
    return FOUND if failed else 0


def ledger_of(given: argparse.Namespace, root: str) -> str:
    """The one that was named has to be there; else that of this folder, or of the repository's root."""
    if given.ledger is not None:
        if not os.path.exists(given.ledger):
            raise Wrong(f"{given.ledger}: no such file; mayfly-audit scan PATH --ledger {given.ledger} makes it")
        return str(given.ledger)
    return ledger.NAME if os.path.exists(ledger.NAME) else os.path.join(root, ledger.NAME)


def unproven(root: str, entries: list[Entry]) -> list[tuple[Entry, str]]:
    """Entries that no commit has fixed, whatever the ledger says."""
    made = ((e, refused(root, e, e.commit)) for e in entries if e.status == ledger.FIXED)
    return [(e, why) for e, why in made if why]


def refused(root: str, entry: Entry, commit: str) -> str:
    """Why a commit is none that has fixed an entry. What a run saw needs no more than a commit that exists."""
    scan = change.of_scan(entry) and not entry.id.startswith("MA00")
    component = "" if entry.component == ledger.NO_COMPONENT else entry.component
    return repository.refusal(root, commit, entry.path if scan else "", entry.id if scan else "", component,
                              "" if change.of_scan(entry) else entry.scanned)


def gate_notes(made: Change, failed: dict[str, str]) -> list[str]:
    notes = [f"{len(failed)} findings fail the gate"] if failed else ["the gate passes"]
    notes += [f"{e.id} was {e.moved_from} at {place}" for place, e in made.moved]
    return notes + [f"{e.id} is not found any more: mayfly-audit close {e.id} --fixed COMMIT" for e in made.gone]


# ---------------------------------------------------------------- run

def do_run(given: argparse.Namespace) -> int:
    book = book_of(given)
    if bool(given.words) == bool(given.template):
        raise Wrong("give a command after --, or --template" if not given.words else "a template has its own command: leave out the one after --")
    models = [BY_NAME[REFERENCE], *(m for m in chosen(given.models) if m.name != REFERENCE)] if given.models else list(MODELS)
    result = scanned(given, given.source, book) if given.source else None
    root = root_of(given, given.source or ".")
    client = given.client or client_of(given.words, root)
    folder = given.keep or tempfile.mkdtemp(prefix="mayfly-audit-")
    os.makedirs(folder, exist_ok=True)
    try:
        audit = flown(given, models, folder)
        found = findings_of(audit.findings, result.findings if result else None, client, given.component)
        tell(audit, found)
        notes = notes_of(audit)
        scope = Scope(runs=True, client=client, commit=repository.head_of(root))
        made = change.update(book, [ledger.of_run(f) for f in found], scope) if not audit.unrepeatable else Change()
        finish(given, book, made, root, notes, audit, found)
    finally:
        if not given.keep:
            shutil.rmtree(folder, ignore_errors=True)
    return SHAKY if audit.unrepeatable else FOUND if found else 0


def client_of(words: Sequence[str], root: str) -> str:
    """A name that is the same on every machine: the file of the client that its command names, from the repository's root."""
    files = [w for w in words if os.path.isfile(w)]
    own = next((w for w in files if is_within(root, w)), None)
    if own is not None:
        return os.path.relpath(os.path.realpath(own), os.path.realpath(root))
    return os.path.basename((files or list(words) or ["template"])[-1 if files else 0])


def chosen(names: str) -> list[Any]:
    strange = [n for n in names.split(",") if n not in BY_NAME]
    if strange:
        raise Wrong(f"--models {strange[0]}: must be some of {', '.join(BY_NAME)}")
    return [BY_NAME[n] for n in names.split(",")]


def flown(given: argparse.Namespace, models: Sequence[Any], folder: str) -> Audit:
    settings: dict[str, Any] = {}
    for text in given.set:
        key, equals, value = text.partition("=")
        if not equals:
            raise Wrong(f"--set {text}: must be KEY=VALUE")
        settings[key.replace("-", "_")] = value
    jobs = given.jobs
    for text in given.port:
        kind, colon, number = text.rpartition(":")
        if not colon or kind not in PORTS or not number.isdigit():
            raise Wrong(f"--port {text}: must be KIND:PORT, where KIND is tcp, udp or udp-out")
        settings[PORTS[kind]] = f"127.0.0.1:{number}"
        jobs = 1                # one after the other: the port is one
    order = Order(given.words, folder, settings, given.timeout, given.mayfly, not given.no_audit_switch)
    if not given.template:
        return campaign.audit(order, models, given.repeat, given.clock, jobs, fly, not given.no_bisect)
    fleet = Fleet(given.mayfly_controller, given.template)
    clock = given.clock
    if fleet.virtual:
        if clock not in ("auto", VIRTUAL):
            raise Wrong(f"--clock {clock}: template {given.template} says virtualTime: its clock is the drone's")
        clock, models = VIRTUAL, [m for m in models if not m.clock]     # the others have clocks of their own
    return campaign.audit(order, models, given.repeat, clock, jobs, fleet.fly, not given.no_bisect)


def notes_of(audit: Audit) -> list[str]:
    command = " ".join(audit.command) or "the template's own client"
    runs = sum(len(r) for r in audit.groups.values())
    notes = [f"{runs} runs of `{command}` over {len(audit.groups)} models, clock {audit.clock}, in {audit.wall_s:.1f} s",
             f"the client's own time (it sleeps or thinks): {audit.own_share:.0%} of the wall",
             "mitigations off (--audit)" if audit.settings.get("audit") == "1" else "mitigations on (without --audit)"]
    if audit.unrepeatable:
        notes.insert(0, f"the client is not repeatable even against one model: {audit.unrepeatable}; nothing was compared")
    return notes + audit.problems


def tell(audit: Audit, found: Sequence[RunFinding]) -> None:
    if audit.unrepeatable:
        say(f"not repeatable: against one and the same model the client {audit.unrepeatable}")
        say("Runs of it cannot be compared. Give it a fixed seed, a barrier or --clock real, then run again.")
    for f in found:
        d = f.divergence
        place = f" {f.path}:{f.line}" if f.path else ""
        say(f"{f.id} {d.what}{place}: {f.text}")
        say(f"    models: {', '.join(f.models)}")
        say(f"    had just seen: {d.seen}")
        if not d.explanation:
            for text in d.candidates:
                say(f"    fits as well as others: {text}")
        if f.suspects:
            say(f"    in the source: {', '.join(f.suspects)}")
    for note in notes_of(audit):
        say(note, to=sys.stderr)


# ---------------------------------------------------------------- ledger and reports

def finish(given: argparse.Namespace, book: Ledger, made: Change, root: str, notes: Sequence[str], audit: Optional[Audit] = None,
           found: Sequence[RunFinding] = ()) -> None:
    for e in made.back:
        say(f"{e.id} was fixed, and is back", to=sys.stderr)
    for e in made.gone:
        say(f"{e.id} is not found any more: mayfly-audit close {e.id} --fixed COMMIT", to=sys.stderr)
    for e in made.hidden:
        say(f"{e.id} is not judged: {e.path} was not read", to=sys.stderr)
    if given.ledger:
        book.save()
    write_reports(given, book.entries, root, notes, audit, found)


def write_reports(given: argparse.Namespace, entries: Sequence[Entry], root: str, notes: Sequence[str], audit: Optional[Audit] = None,
                  found: Sequence[RunFinding] = (), failed: Optional[dict[str, str]] = None) -> None:
    for path, text in ((given.markdown, lambda: markdown.write(entries, notes) if failed is None else markdown.comment(entries, failed, notes)),
                       (given.sarif, lambda: sarif.write(entries, root)), (given.html, lambda: html.write(root, entries, notes, audit, found))):
        if path:
            write_whole(path, text())


def existing(path: str) -> Ledger:
    if not os.path.exists(path):
        raise Wrong(f"{path}: no such file; mayfly-audit scan PATH --ledger {path} makes it")
    return ledger.load(path)


def do_baseline(given: argparse.Namespace) -> int:
    book = existing(given.ledger)
    say(f"{change.accept_baseline(book)} findings are in the baseline now")
    book.save()
    return 0


def do_report(given: argparse.Namespace) -> int:
    book = existing(given.ledger)
    if not (given.markdown or given.html or given.sarif):
        say(*markdown.write(book.entries).split("\n"))
    write_reports(given, book.entries, repository.root_of(os.path.dirname(given.ledger) or ".", given.root), [])
    return 0


def do_close(given: argparse.Namespace) -> int:
    book = existing(given.ledger)
    entry = book.by_id(given.id)
    if entry is None:
        raise Wrong(f"{given.ledger} has no finding {given.id}")
    if sum(given_one is not None for given_one in (given.fixed, given.accepted, given.moved_from)) != 1:
        raise Wrong("give one of --fixed COMMIT, --accepted REASON, --moved-from ID")
    if given.moved_from is not None:
        old = book.by_id(given.moved_from)
        if old is None or old is entry:
            raise Wrong(f"{given.ledger} has no other finding {given.moved_from}")
        change.take_over(book, entry, old)
        book.save()
        return 0
    if given.fixed is not None:
        root = repository.root_of(os.path.dirname(given.ledger) or ".", given.root)
        why = refused(root, entry, given.fixed)
        if why:
            raise Wrong(f"--fixed {given.fixed}: {why}")
    elif not given.accepted.strip():
        raise Wrong("--accepted needs a reason")
    entry.status, entry.commit, entry.reason = (ledger.FIXED, given.fixed, "") if given.fixed else (ledger.ACCEPTED, "", given.accepted)
    entry.verified_by, entry.baseline = given.verified_by or entry.verified_by, False
    book.save()
    return 0


def main(arguments: Optional[Sequence[str]] = None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    client: list[str] = []
    if words[:1] == ["run"] and "--" in words:
        cut = words.index("--")
        words, client = words[:cut], words[cut + 1:]
    given = parser().parse_args(words)
    if given.command == "run":
        given.words = given.words + client
    try:
        code: int = given.act(given)
        return code
    except (Wrong, LedgerError, NeverConnected, MayflyError) as error:
        say(f"mayfly-audit: {error}", to=sys.stderr)
    except FileNotFoundError as error:
        say(f"mayfly-audit: {error.filename}: {error.strerror}", to=sys.stderr)
    except OSError as error:
        say(f"mayfly-audit: {error}", to=sys.stderr)
    return BAD
