# SPDX-License-Identifier: Apache-2.0
"""Python to the common tree, by ast."""
from __future__ import annotations

import ast
import warnings
from typing import Callable

from .tree import Node, block, nothing

BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "/", ast.Mod: "%", ast.Pow: "**",
          ast.LShift: "<<", ast.RShift: ">>", ast.BitOr: "|", ast.BitAnd: "&", ast.BitXor: "^", ast.MatMult: "@"}
COMPARE = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.Is: "is",
           ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in"}
UNARY = {ast.Not: "not", ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}


def parse(text: str) -> tuple[Node, list[str]]:
    """The tree, and what was wrong with the text: SyntaxError is for the caller."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return lower(ast.parse(text)), []


def lower(node: ast.AST) -> Node:
    make = TABLE.get(type(node))
    if make is not None:
        return make(node)
    return Node("other", getattr(node, "lineno", 0), kids=[lower(k) for k in ast.iter_child_nodes(node)
                                                          if not isinstance(k, ast.expr_context)])


def body(statements: list[ast.stmt], line: int) -> Node:
    return block([lower(s) for s in statements], line)


def _constant(n: ast.Constant) -> Node:
    if isinstance(n.value, (int, float)) and not isinstance(n.value, bool):
        try:
            return Node("num", n.lineno, value=float(n.value))
        except OverflowError:
            return nothing(n.lineno)
    if isinstance(n.value, str):
        return Node("str", n.lineno, value=n.value)
    return Node("name", n.lineno, str(n.value))


def _call(n: ast.Call) -> Node:
    callee = lower(n.func)
    kids = [callee, *(lower(a) for a in n.args)]
    kids += [Node("kw", k.value.lineno, k.arg or "**", [lower(k.value)]) for k in n.keywords]
    return Node("call", n.lineno, callee.name, kids)


def _compare(n: ast.Compare) -> Node:
    parts, left = [], lower(n.left)
    for op, right in zip(n.ops, n.comparators):
        low = lower(right)
        parts.append(Node("cmp", n.lineno, COMPARE[type(op)], [left, low]))
        left = low
    return parts[0] if len(parts) == 1 else Node("bool", n.lineno, "and", parts)


def _assign(n: ast.Assign) -> Node:
    value = lower(n.value)
    made = [Node("assign", n.lineno, "=", [lower(t), value]) for t in n.targets]
    return made[0] if len(made) == 1 else block(made, n.lineno)


def _ann(n: ast.AnnAssign) -> Node:
    return Node("assign", n.lineno, "=", [lower(n.target), lower(n.value)]) if n.value else nothing(n.lineno)


def _aug(n: ast.AugAssign) -> Node:
    return Node("assign", n.lineno, BINARY[type(n.op)] + "=", [lower(n.target), lower(n.value)])


def _func(n: ast.FunctionDef | ast.AsyncFunctionDef) -> Node:
    a = n.args
    names = [(p.arg, ast.unparse(p.annotation) if p.annotation else "") for p in (*a.posonlyargs, *a.args, *a.kwonlyargs)]
    kids = [body(n.body, n.lineno), *(lower(d) for d in n.decorator_list)]
    return Node("func", n.lineno, n.name, kids, names)


def _try(n: ast.Try) -> Node:
    return block([lower(s) for s in (*n.body, *(s for h in n.handlers for s in h.body), *n.orelse, *n.finalbody)], n.lineno)


def _with(n: ast.With | ast.AsyncWith) -> Node:
    bound = [Node("assign", n.lineno, "=", [lower(i.optional_vars), lower(i.context_expr)]) if i.optional_vars
             else lower(i.context_expr) for i in n.items]
    return block([*bound, *(lower(s) for s in n.body)], n.lineno)


def _comprehension(n: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Node:
    """[value for target in iterable if test]: the targets are bound first."""
    bound = [Node("assign", n.lineno, "=", [lower(g.target), Node("index", n.lineno, kids=[lower(g.iter), nothing(n.lineno)])])
             for g in n.generators]
    values = [n.key, n.value] if isinstance(n, ast.DictComp) else [n.elt]
    tests = [lower(t) for g in n.generators for t in g.ifs]
    return Node("list", n.lineno, kids=[*bound, *tests, *(lower(v) for v in values)])


TABLE: dict[type, Callable[..., Node]] = {
    ast.Module: lambda n: body(n.body, 0),
    ast.Name: lambda n: Node("name", n.lineno, n.id),
    ast.Attribute: lambda n: Node("attr", n.lineno, n.attr, [lower(n.value)]),
    ast.Subscript: lambda n: Node("index", n.lineno, kids=[lower(n.value), lower(n.slice)]),
    ast.Constant: _constant,
    ast.Call: _call,
    ast.BinOp: lambda n: Node("bin", n.lineno, BINARY[type(n.op)], [lower(n.left), lower(n.right)]),
    ast.UnaryOp: lambda n: Node("unary", n.lineno, UNARY[type(n.op)], [lower(n.operand)]),
    ast.BoolOp: lambda n: Node("bool", n.lineno, "and" if isinstance(n.op, ast.And) else "or", [lower(v) for v in n.values]),
    ast.Compare: _compare,
    ast.IfExp: lambda n: Node("cond", n.lineno, kids=[lower(n.test), lower(n.body), lower(n.orelse)]),
    ast.Tuple: lambda n: Node("list", n.lineno, kids=[lower(e) for e in n.elts]),
    ast.List: lambda n: Node("list", n.lineno, kids=[lower(e) for e in n.elts]),
    ast.ListComp: _comprehension, ast.SetComp: _comprehension, ast.GeneratorExp: _comprehension, ast.DictComp: _comprehension,
    ast.Await: lambda n: lower(n.value),
    ast.Starred: lambda n: lower(n.value),
    ast.Expr: lambda n: lower(n.value),
    ast.NamedExpr: lambda n: Node("assign", n.lineno, "=", [lower(n.target), lower(n.value)]),
    ast.Assign: _assign, ast.AnnAssign: _ann, ast.AugAssign: _aug,
    ast.If: lambda n: Node("if", n.lineno, kids=[lower(n.test), body(n.body, n.lineno), body(n.orelse, n.lineno)]),
    ast.While: lambda n: Node("while", n.lineno, kids=[lower(n.test), body([*n.body, *n.orelse], n.lineno)]),
    ast.For: lambda n: Node("for", n.lineno, kids=[lower(n.target), lower(n.iter), body([*n.body, *n.orelse], n.lineno)]),
    ast.AsyncFor: lambda n: Node("for", n.lineno, kids=[lower(n.target), lower(n.iter), body(n.body, n.lineno)]),
    ast.FunctionDef: _func, ast.AsyncFunctionDef: _func,
    ast.Lambda: lambda n: Node("func", n.lineno, "<lambda>", [Node("return", n.lineno, kids=[lower(n.body)])],
                               [(p.arg, "") for p in n.args.args]),
    ast.ClassDef: lambda n: Node("class", n.lineno, n.name, [body(n.body, n.lineno)]),
    ast.Return: lambda n: Node("return", n.lineno, kids=[lower(n.value)] if n.value else []),
    ast.Raise: lambda n: Node("raise", n.lineno, kids=[lower(n.exc)] if n.exc else []),
    ast.Assert: lambda n: Node("raise", n.lineno, "assert", [lower(n.test)]),
    ast.Try: _try,
    ast.With: _with, ast.AsyncWith: _with,
    ast.Import: lambda n: Node("other", n.lineno), ast.ImportFrom: lambda n: Node("other", n.lineno),
}
