# SPDX-License-Identifier: Apache-2.0
"""One page without scripts or foreign files: each finding with its code beside the trajectories of the runs."""
from __future__ import annotations

import html
import os
import pathlib
from collections.abc import Sequence
from typing import Optional

from ..ledger import Entry
from ..run.campaign import Audit
from ..run.findings import RunFinding
from ..run.flight import Run
from .markdown import by_component, state_of

AROUND = 6                  # lines of code on each side
WIDTH, HEIGHT, EDGE = 460.0, 170.0, 28.0
COLOURS = ("#111", "#c03", "#06c", "#083", "#b60", "#639", "#0aa", "#777", "#a05", "#5a2")
STYLE = ("body{font:15px/1.45 sans-serif;max-width:75em;margin:2em auto;padding:0 1em}pre{background:#f4f4f4;padding:.7em;overflow:auto;"
         "font-size:13px}mark{background:#fd6}.pair{display:flex;gap:1.5em;flex-wrap:wrap}.pair>*{flex:1 1 26em;min-width:0}"
         "h3{margin-bottom:.2em}.say{margin:.2em 0}svg{background:#fafafa;max-width:100%}small{color:#555}")


def code(root: str, entry: Entry) -> str:
    """Lines around the place; empty without a source."""
    if not entry.path:
        return ""
    place, top = os.path.realpath(os.path.join(root, entry.path)), os.path.realpath(root)
    if os.path.commonpath((place, top)) != top:
        return ""                       # a ledger or a link of the tree names a file elsewhere
    try:
        lines = pathlib.Path(place).read_text(encoding="utf-8-sig", errors="replace").splitlines()
    except OSError:
        return ""
    first = max(1, entry.line - AROUND)
    made = []
    for number, line in enumerate(lines[first - 1:entry.line + AROUND], first):
        text = f"{number:5d}  {html.escape(line)}"
        made.append(f"<mark>{text}</mark>" if number == entry.line else text)
    return "<pre>" + "\n".join(made) + "</pre>"


def curves(runs: Sequence[Run], index: int) -> str:
    """Speed over vehicle time of the first run of each model; a dot where the client decided."""
    shown = [(r.model.name, [(s.t_s, (s.speed_mps ** 2 + s.vd_mps ** 2) ** 0.5) for s in r.story.samples],
              r.story.actions[index].t_s if index < len(r.story.actions) else None) for r in runs if r.story.samples]
    if not shown:
        return ""
    end = max(r.story.actions[min(index, len(r.story.actions) - 1)].t_s if r.story.actions else r.story.end_s for r in runs) + 5.0
    top = max((v for _, points, _ in shown for t, v in points if t <= end), default=1.0) or 1.0
    parts = [f'<svg viewBox="0 0 {WIDTH:g} {HEIGHT:g}" width="{WIDTH:g}" role="img" aria-label="speed over vehicle time">',
             f'<text x="2" y="12" font-size="11">{top:.1f} m/s</text><text x="{WIDTH - 40:g}" y="{HEIGHT - 4:g}" font-size="11">{end:.0f} s</text>']
    for number, (name, points, decided) in enumerate(shown):
        colour = COLOURS[number % len(COLOURS)]
        kept = [(t, v) for t, v in points if t <= end]
        step = max(1, len(kept) // 400)
        line = " ".join(f"{x_of(t, end):.1f},{y_of(v, top):.1f}" for t, v in kept[::step])
        parts.append(f'<polyline fill="none" stroke="{colour}" points="{line}"><title>{html.escape(name)}</title></polyline>')
        if decided is not None:
            value = min(kept, key=lambda p: abs(p[0] - decided), default=(0.0, 0.0))[1]
            parts.append(f'<circle cx="{x_of(decided, end):.1f}" cy="{y_of(value, top):.1f}" r="4" fill="{colour}"><title>{html.escape(name)}: '
                         f'{decided:.2f} s</title></circle>')
        parts.append(f'<text x="{EDGE + 60 * (number % 7):g}" y="{24 + 12 * (number // 7):g}" font-size="10" fill="{colour}">{html.escape(name)}</text>')
    return "".join(parts) + "</svg>"


def x_of(t: float, end: float) -> float:
    return EDGE + (WIDTH - 2 * EDGE) * t / end


def y_of(v: float, top: float) -> float:
    return HEIGHT - EDGE + 8 - (HEIGHT - 2 * EDGE) * v / top


def write(root: str, entries: Sequence[Entry], notes: Sequence[str] = (), audit: Optional[Audit] = None,
          found: Sequence[RunFinding] = ()) -> str:
    by_id = {f.id: f for f in found}
    parts = [f"<!DOCTYPE html><html lang=en><meta charset=utf-8><title>Client audit</title><style>{STYLE}</style><h1>Client audit</h1>",
             f"<p>{len(entries)} findings.</p><ul>", *(f"<li>{html.escape(note)}" for note in notes), "</ul>"]
    for component, group in by_component(entries).items():
        parts.append(f"<h2>{html.escape(component)}</h2>")
        for e in group:
            parts.append(f"<h3 id='{html.escape(e.id)}'>{html.escape(e.id)}: {html.escape(e.what)}</h3><p class=say>{html.escape(where(e))} {html.escape(e.remedy)}. "
                         f"<small>{html.escape(e.quantity)}; {html.escape(', '.join(e.models))}; {html.escape(state_of(e))}"
                         f"{html.escape(columns(e))}</small>")
            run = by_id.get(e.id)
            drawn = curves([runs[0] for runs in audit.groups.values()], run.divergence.index) if audit is not None and run is not None else ""
            more = f"<p>What the client had just seen: {html.escape(run.divergence.seen)}" if run is not None else ""
            parts.append(f"<div class=pair><div>{code(root, e)}</div><div>{drawn}{more}</div></div>")
    return "\n".join(parts) + "</html>\n"


def columns(entry: Entry) -> str:
    told = (("owner", entry.owner), ("client", entry.client), ("commit scanned", entry.scanned), ("commit fixed", entry.commit))
    return "".join(f"; {name} {value}" for name, value in told if value)


def where(entry: Entry) -> str:
    return f"{entry.path}:{entry.line}." if entry.path else ""
