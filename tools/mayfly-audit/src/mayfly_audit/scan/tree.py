# SPDX-License-Identifier: Apache-2.0
"""The tree that all languages are turned into: expressions and statements, as far as the rules look at them.

A node is one class with a kind, because a file has a hundred thousand of them:

    name   name                          num    value (float)              str    value (str)
    attr   name, [base]                  index  [base, index]              call   name (of the callee), [callee, argument...]
    kw     name, [value]                 bin    name (operator), [l, r]    cmp    name (operator), [l, r]
    unary  name, [x]                     bool   name (and, or), [...]      cond   [test, then, else]
    list   [...]                         assign name (=, +=, ...), value (declared type), [target, value]
    if     [test, then, else]            while  [test, body]               for    [target, iterable, body]
    block  [...]                         func   name, value (parameters and types), [body]
    class  name, [body]                  return [value]                    raise  [...]
    other  [...]
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Optional


class Node:
    __slots__ = ("kind", "name", "kids", "line", "value")

    def __init__(self, kind: str, line: int, name: str = "", kids: Optional[list[Node]] = None, value: Any = None):
        self.kind, self.line, self.name, self.value = kind, line, name, value
        self.kids: list[Node] = kids if kids is not None else []

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name or self.value or ''} {self.kids}>"

    def walk(self) -> Iterator[Node]:
        """This node and all beneath it, parents first."""
        todo = [self]
        while todo:
            node = todo.pop()
            yield node
            todo.extend(reversed(node.kids))


def block(kids: list[Node], line: int) -> Node:
    return Node("block", line, kids=kids)


def nothing(line: int) -> Node:
    return Node("other", line)


def number_text(value: float) -> str:
    return f"{value:g}"


def show(node: Node, depth: int = 0) -> str:
    """The expression in one spelling for all languages: what ids are made of, and what reports print."""
    kids = node.kids
    if depth > 12:
        return "..."
    if node.kind == "name":
        return node.name
    if node.kind == "num":
        return number_text(node.value)
    if node.kind == "str":
        return repr(node.value)
    down = depth + 1
    if node.kind == "attr":
        return f"{show(kids[0], down)}.{node.name}"
    if node.kind == "index":
        return f"{show(kids[0], down)}[{', '.join(show(k, down) for k in kids[1:])}]"
    if node.kind == "call":
        return f"{show(kids[0], down)}({', '.join(show(k, down) for k in kids[1:])})"
    if node.kind == "kw":
        return f"{node.name}={show(kids[0], down)}"
    if node.kind in ("bin", "cmp"):
        return f"{operand(kids[0], down)} {node.name} {operand(kids[1], down)}"
    if node.kind == "bool":
        return f" {node.name} ".join(operand(k, down) for k in kids)
    if node.kind == "unary":
        return f"{node.name}{' ' if node.name.isalpha() else ''}{operand(kids[0], down)}"
    if node.kind == "assign":
        return f"{show(kids[0], down)} {node.name} {show(kids[1], down)}"
    if node.kind == "cond":
        return f"{show(kids[1], down)} if {show(kids[0], down)} else {show(kids[2], down)}"
    return f"({', '.join(show(k, down) for k in kids)})"


def operand(node: Node, depth: int) -> str:
    text = show(node, depth)
    return f"({text})" if node.kind in ("bin", "cmp", "bool", "cond") else text
