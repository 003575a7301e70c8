# SPDX-License-Identifier: Apache-2.0
"""The table on the terminal, and docs/clients-under-fire.md."""
import pathlib

import cell
import expected
import matrix

FILE = pathlib.Path(__file__).parents[2] / "docs/clients-under-fire.md"
HEAD = """# Clients under fire

Which of the real clients survive which misbehaviour of the protocol (`docs/misbehaviour.md`) and which quality of link
(`docs/links.md`). Written by `make clients-under-fire ARGS=--page`; every cell is a drone and a client of its own.

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

How they are driven: MAVSDK, MAVProxy, DroneKit and fly are used as they are: their time-outs, their retries. pymavlink is a
library; what it has ready is taken (`arducopter_arm`, `param_fetch_all`, `mavparm`, `mavftp`), the rest are the loops that scripts
have: ask once, wait three seconds, say so if nothing comes. node-mavlink has nothing ready, so its column shows the shortest such
loops. fly starts anew for each operation. All are on TCP, the drone is on the real clock. What the drone really did it says itself
over HTTP. A misbehaviour that never ends is taken away before the client is asked again.

MAVProxy says nothing of what it waits for in vain; where this table says that it hangs, its user sees nothing happen. DroneKit has no
FTP. Of MAVProxy's FTP only lists count: its `ftp get` waits for an answer in a session that it chose itself, as ArduPilot gives it;
PX4, and so this drone, chooses the session. MAVProxy asks for five mission items at once, and again for one that is lost after later
ones came: PX4, and so this drone, refuses that ("Req. WP was unexpected").
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
