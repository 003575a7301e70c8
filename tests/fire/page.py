# SPDX-License-Identifier: Apache-2.0
"""The table on the terminal, and docs/clients-under-fire.md."""
import pathlib

import cell
import expected
import matrix

FILE = pathlib.Path(__file__).parents[2] / "docs/clients-under-fire.md"
HEAD = """# Clients under fire

This page is for authors and users of clients. It shows which real clients survive which [misbehaviour](misbehaviour.md) of the
protocol and which [quality of link](links.md#quality). `make clients-under-fire ARGS=--page` writes it; every cell is a new drone
and a new client.

{versions}

| verdict | |
|---|---|
| survives | the operation ends well in spite of it, and the drone agrees |
| reports | the client says clearly that it failed, within its own time-outs, and works afterwards |
| hangs | no answer within {limit} s |
| wrong | it says that it worked though it did not, or takes a wrong value |
| dies | it crashes, raises what its documentation does not name, or is of no use afterwards |
| untouched | it never does what the misbehaviour is for |
| varies | runs differ |

All clients are on TCP, and the drone is on the real clock.

* MAVSDK, MAVProxy, DroneKit and fly are used as they are, with their time-outs and retries. fly starts anew for each operation.
* pymavlink is a library. The test uses its ready functions (`arducopter_arm`, `param_fetch_all`, `mavparm`, `mavftp`). The other
  operations are the loops of typical scripts: ask once, wait three seconds, report if nothing comes.
* node-mavlink has no ready functions, so its column shows the shortest such loops.

The drone itself reports over HTTP what it did. The test removes a misbehaviour that never ends before it asks the client again.

MAVProxy does not report that it waits in vain; where this table says that it hangs, its user sees no message. DroneKit has no
FTP. Of MAVProxy's FTP only lists count: its `ftp get` waits for an answer in a session that it chose itself, as ArduPilot gives
it. PX4, and therefore this drone, chooses the session. MAVProxy requests five mission items at once, and requests a lost one
again after later ones came. PX4, and therefore this drone, refuses that ("Req. WP was unexpected").
"""


def word(verdicts, row, name):
    return verdicts.get((row.operation, row.rule, name), "-")


def table(rows, names, verdicts):
    lines = [["", "", *names]]
    last = None
    for row in rows:
        lines.append([row.operation if row.operation != last else "", row.rule, *(word(verdicts, row, n) for n in names)])
        last = row.operation
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return "\n".join("  ".join(w.ljust(width) for w, width in zip(line, widths)).rstrip() for line in lines)


def notes(rows, clients, verdicts, found):
    """A line for each cell that is not `survives`."""
    for row in rows:
        for client in clients:
            key = (row.operation, row.rule, client.name)
            if verdicts.get(key, "survives") not in ("survives", "untouched"):
                yield f"{client.name}, {row.operation}, {row.rule}: {verdicts[key]}: {found[key]}"


def write(rows, clients, verdicts, found):
    names = [c.name for c in clients]
    versions = ", ".join(f"{c.name} {c.version()}" for c in clients) + "."
    text = [HEAD.format(versions=versions, limit=cell.LIMIT_S).rstrip()]
    text += ["", "| cells | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for verdict in (*cell.VERDICTS, expected.VARIES):
        counts = [sum(v == verdict for key, v in verdicts.items() if key[2] == name) for name in names]
        text.append(f"| {verdict} | " + " | ".join(str(count or "") for count in counts) + " |")
    for operation, what in (*matrix.OPERATIONS.items(), ("tour", "over bad links: " + ", ".join(matrix.TOUR))):
        mine = [row for row in rows if row.operation == operation]
        if not mine:
            continue
        text.append(f"\n## {what[0].upper() + what[1:]}\n")
        text.append("| | " + " | ".join(names) + " |")
        text.append("|---" * (len(names) + 1) + "|")
        text += [f"| {row.rule if not row.flag else f'`{row.rule}`'} | "
                 + " | ".join(word(verdicts, row, name).replace("-", " ") for name in names) + " |" for row in mine]
        if any(verdicts.get((row.operation, row.rule, name), "survives") not in ("survives", "untouched")
               for row in mine for name in names):
            text.append("")
        for row in mine:
            for name in names:
                key = (row.operation, row.rule, name)
                if verdicts.get(key, "survives") not in ("survives", "untouched"):
                    text.append(f"* {name}, `{row.rule}`: {verdicts[key]}: {found[key]}")
    FILE.write_text("\n".join(text).rstrip() + "\n")
