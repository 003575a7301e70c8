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


def write(entries: Sequence[Entry], notes: Sequence[str] = ()) -> str:
    left = sum(e.status == OPEN for e in entries)
    lines = ["# Client audit", "", f"{len(entries)} findings, {left} open.", ""]
    lines += [f"* {markdown(note)}" for note in notes] + ([""] if notes else [])
    for component, group in by_component(entries).items():
        lines += [f"## {markdown(component)}", "", "| id | where | what | quantity | models | remedy | status |", "|---|---|---|---|---|---|---|"]
        for e in group:
            where = f"{e.path}:{e.line}" if e.path else "(no source)"
            code = f"; {markdown_code(e.code)}" if markdown_code(e.code) else ""
            hints = f"; see {markdown(', '.join(e.suspects))}" if e.suspects else ""
            lines.append(f"| {markdown(e.id)} | {markdown(where)} | {markdown(e.what)}{code}{hints} | {markdown(e.quantity)} | {markdown(', '.join(e.models))} | {markdown(e.remedy)} | "
                         f"{markdown(state_of(e))} |")
        lines.append("")
    return "\n".join(lines)
