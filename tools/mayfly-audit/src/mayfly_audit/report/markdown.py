# SPDX-License-Identifier: Apache-2.0
"""The ledger by component, as Markdown."""
from __future__ import annotations

from collections.abc import Sequence

from ..ledger import ACCEPTED, FIXED, OPEN, Entry
from ..text import markdown, markdown_code


def state_of(entry: Entry) -> str:
    if entry.status == FIXED:
        return f"fixed in {entry.commit}" + (f", verified by {entry.verified_by}" if entry.verified_by else "")
    if entry.status == ACCEPTED:
        return f"accepted: {entry.reason}"
    return "open, in the baseline" if entry.baseline else "open"


def by_component(entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    made: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=lambda e: (e.component, e.path, e.line, e.id)):
        made.setdefault(entry.component, []).append(entry)
    return made


COLUMNS = ("id", "where", "what", "quantity", "models", "remedy", "status", "owner", "commit scanned", "commit fixed")
COMMENT_MAX = 60_000            # characters: code hosts cut comments at 65,536


def row(e: Entry) -> str:
    where = f"{e.path}:{e.line}" if e.path else "(no source)"
    code = f"; {markdown_code(e.code)}" if markdown_code(e.code) else ""
    hints = f"; see {markdown(', '.join(e.suspects))}" if e.suspects else ""
    cells = (markdown(e.id), markdown(where), f"{markdown(e.what)}{code}{hints}", markdown(e.quantity), markdown(", ".join(e.models)),
             markdown(e.remedy), markdown(state_of(e)), markdown(e.owner), markdown(e.scanned), markdown(e.commit))
    return f"| {' | '.join(cells)} |"


def write(entries: Sequence[Entry], notes: Sequence[str] = ()) -> str:
    left = sum(e.status == OPEN for e in entries)
    lines = ["# Client audit", "", f"{len(entries)} findings, {left} open.", ""]
    lines += [f"* {markdown(note)}" for note in notes] + ([""] if notes else [])
    for component, group in by_component(entries).items():
        lines += [f"## {markdown(component)}", "", f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|", *(row(e) for e in group), ""]
    return "\n".join(lines)


def comment(entries: Sequence[Entry], failed: dict[str, str], notes: Sequence[str] = ()) -> str:
    """For a pull request: what fails the gate, and why, as far as a comment is long. failed: by id, in what way."""
    lines = ["# Client audit", "", *(f"* {markdown(note)}" for note in notes[:20]), ""]
    wanted = [e for group in by_component([e for e in entries if e.id in failed]).values() for e in group]
    if wanted:
        lines += ["| gate | component | owner | where | what | remedy | id |", "|---|---|---|---|---|---|---|"]
    length, shown = sum(map(len, lines)), 0
    for e in wanted:
        code = markdown_code(e.code)
        cells = (failed[e.id], e.component, e.owner, f"{e.path}:{e.line}" if e.path else "(no source)")
        line = f"| {' | '.join(map(markdown, cells))} | {markdown(e.what)}{'; ' + code if code else ''} | {markdown(e.remedy)} | {markdown(e.id)} |"
        length += len(line) + 1
        if length > COMMENT_MAX:
            break
        lines.append(line)
        shown += 1
    if shown < len(wanted):
        lines += ["", f"{len(wanted) - shown} more."]
    return "\n".join(lines) + "\n"
