# SPDX-License-Identifier: Apache-2.0
"""The hostile texts of the readers in C, read from their source."""
import ast
import itertools
import pathlib
import re

SOURCE = pathlib.Path(__file__).resolve().parents[3] / "tests/unit/support/readers.c"
BYTES = 65536
TIMES = {"TEN": 10, "THIRTY": 30}


def texts():
    """Each a head and then a part as often as there is room, with its number in place of each '@'."""
    body = re.search(r"k_texts\[\] = \{\n(.*?)\n\};", SOURCE.read_text(), re.DOTALL)[1]
    for entry in re.split(r"^    \{", body, flags=re.MULTILINE)[1:]:
        words, times = [""], 1
        for token in re.findall(r'"(?:[^"\\]|\\.)*"|\w+|[,)}]', entry):
            if token.startswith('"'):
                words[-1] += ast.literal_eval("b" + token).decode("latin-1") * times
            elif token in TIMES:
                times = TIMES[token]
            elif token == ")":
                times = 1
            elif token == ",":
                words.append("")
            elif token == "}":
                break
        text, part = words
        for number in itertools.count():
            more = part.replace("@", str(number))
            if len(text) + len(more) > BYTES:
                break
            text += more
        yield text.encode("latin-1")
