# SPDX-License-Identifier: Apache-2.0
"""Foreign names and code on their way out. Each place has characters that it obeys instead of showing them."""
from __future__ import annotations

import re

# "##vso[" (Azure Pipelines), "##teamcity[" and GitHub's old "##[" are commands of a CI system wherever they stand in a line.
COMMAND = re.compile(r"#(?=#\w*\[)")
# Characters of Markdown that may change what is around them.
MARKUP = re.compile(r"([\\`*_\[\]|~])")


def line(text: str) -> str:
    """One line for a terminal or the log of a CI system: no control characters, no line breaks, no commands."""
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    shown = COMMAND.sub(r"\\x23", shown)
    return "\\x3a" + shown.lstrip()[1:] if shown.lstrip().startswith("::") else shown


def markdown(text: str) -> str:
    """Plain text within a line of Markdown, or a cell of its tables."""
    shown = MARKUP.sub(r"\\\1", line(text))
    return shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def markdown_code(text: str) -> str:
    """A span of code in a cell of a table; empty without a text."""
    shown = line(text).replace("`", "").replace("|", "\\|").strip()
    return f"`{shown}`" if shown else ""


def sarif(text: str) -> str:
    """A message of SARIF, in which [text](target) is a link."""
    return re.sub(r"([\\\[\]])", r"\\\1", line(text))
