# SPDX-License-Identifier: Apache-2.0
"""What the last accepted runs said: tests/fire/expected, a table in plain text. `varies` stands where runs differ."""
import pathlib
import re

FILE = pathlib.Path(__file__).with_name("expected")
HEAD = """# Verdicts of clients under fire; `make clients-under-fire ARGS='--runs 3 --accept'` writes this file.
# operation and misbehaviour, then one column per client; varies: runs differ, so it is not compared; - : not its business
"""
NONE, VARIES = "-", "varies"


def read():
    """{(operation, rule, client): verdict}"""
    if not FILE.exists():
        return {}
    lines = [line for line in FILE.read_text().splitlines() if line.strip() and not line.startswith("#")]
    table = [re.split(r"\s{2,}", line.strip()) for line in lines]
    head = table[0][2:]
    return {(row[0], row[1], name): verdict
            for row in table[1:] for name, verdict in zip(head, row[2:]) if verdict != NONE}


def write(rows, names, verdicts):
    """verdicts: as of read()."""
    table = [["operation", "misbehaviour", *names]]
    for row in rows:
        table.append([row.operation, row.rule, *(verdicts.get((row.operation, row.rule, name), NONE) for name in names)])
    widths = [max(len(line[i]) for line in table) for i in range(len(table[0]))]
    FILE.write_text(HEAD + "".join(
        "  ".join(word.ljust(width) for word, width in zip(line, widths)).rstrip() + "\n" for line in table))
