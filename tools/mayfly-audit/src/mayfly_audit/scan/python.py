# SPDX-License-Identifier: Apache-2.0
"""Python to the common tree, by tree-sitter: of any version, 2.7 or newer than the one that runs the scan."""
from __future__ import annotations

import ast
from typing import Any, Callable

from .grammar import errors_of, field, line_of, named, parser_of, text_of
from .tree import Node, block, nothing


def parse(text: bytes) -> tuple[Node, list[tuple[int, str]]]:
    """The tree, and the line and the text of what is no Python; what is around it is read."""
    root = parser_of(".py").parse(text).root_node
    return lower(root), errors_of(root)


def lower(n: Any) -> Node:
    if n is None:
        return nothing(0)
    make = TABLE.get(n.type)
    if make is not None:
        return make(n)
    return Node("other", line_of(n), kids=[lower(k) for k in named(n)])


def _block(n: Any) -> Node:
    return block([lower(k) for k in named(n)], line_of(n))


def _first(n: Any) -> Node:
    kids = named(n)
    return lower(kids[0]) if len(kids) == 1 else Node("other", line_of(n), kids=[lower(k) for k in kids])


def _last(n: Any) -> Node:
    """`*values`, `await x`, `(x)`"""
    kids = named(n)
    return lower(kids[-1]) if kids else nothing(line_of(n))


def _number(n: Any) -> Node:
    text = text_of(n).replace("_", "").rstrip("lLjJ")
    try:
        return Node("num", line_of(n), value=float(int(text, 0)) if text[:2].lower() in ("0x", "0b", "0o") else float(text))
    except (ValueError, OverflowError):
        return nothing(line_of(n))


def _string(n: Any) -> Node:
    line, filled = line_of(n), [k for k in named(n) if k.type == "interpolation"]
    if filled:
        return Node("other", line, kids=[lower(k) for part in filled for k in named(part)[:1]])
    text = text_of(n)
    if n.type == "concatenated_string":
        return Node("str", line, value="".join(str(lower(k).value or "") for k in named(n)))
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError):
        value = text.lstrip("rRuUbBfF").strip("\"'")
    return Node("str", line, value=value) if isinstance(value, str) else Node("name", line, str(value))


def _attribute(n: Any) -> Node:
    return Node("attr", line_of(n), text_of(field(n, "attribute")), [lower(field(n, "object"))])


def _subscript(n: Any) -> Node:
    given = [lower(k) for k in n.children_by_field_name("subscript")]
    inner = given[0] if len(given) == 1 else Node("list", line_of(n), kids=given)
    return Node("index", line_of(n), kids=[lower(field(n, "value")), inner])


def _call(n: Any) -> Node:
    callee, given = lower(field(n, "function")), field(n, "arguments")
    if given is not None and given.type == "generator_expression":
        kids = [lower(given)]
    else:
        kids = [lower(k) for k in named(given)] if given is not None else []
    return Node("call", line_of(n), callee.name, [callee, *kids])


def _keyword(n: Any) -> Node:
    value = field(n, "value")
    return Node("kw", line_of(value), text_of(field(n, "name")), [lower(value)])


def _spread(n: Any) -> Node:
    return Node("kw", line_of(n), "**", [_last(n)])


def _binary(n: Any) -> Node:
    return Node("bin", line_of(n), text_of(field(n, "operator")), [lower(field(n, "left")), lower(field(n, "right"))])


def _boolean(n: Any) -> Node:
    """`a and b and c` is one of three."""
    name, left, right = text_of(field(n, "operator")), lower(field(n, "left")), lower(field(n, "right"))
    first = left.kids if left.kind == "bool" and left.name == name and field(n, "left").type == "boolean_operator" else [left]
    return Node("bool", line_of(n), name, [*first, right])


def _compare(n: Any) -> Node:
    """`a < b < c` is two, and the first is the first operand of the second no more."""
    operands = [lower(k) for k in named(n)]
    operators = [" ".join(text_of(k).split()).replace("<>", "!=") for k in n.children_by_field_name("operators")]
    parts = [Node("cmp", line_of(n), op, [a, b]) for op, a, b in zip(operators, operands, operands[1:])]
    return parts[0] if len(parts) == 1 else Node("bool", line_of(n), "and", parts)


def _not(n: Any) -> Node:
    return Node("unary", line_of(n), "not", [lower(field(n, "argument"))])


def _unary(n: Any) -> Node:
    return Node("unary", line_of(n), text_of(field(n, "operator")), [lower(field(n, "argument"))])


def _condition(n: Any) -> Node:
    then, test, other = (lower(k) for k in named(n)[:3])
    return Node("cond", line_of(n), kids=[test, then, other])


def _list(n: Any) -> Node:
    return Node("list", line_of(n), kids=[lower(k) for k in named(n)])


def _pairs(n: Any) -> Node:
    """The values of a dictionary after its keys."""
    pairs = [k for k in named(n) if k.type == "pair"]
    rest = [lower(k) for k in named(n) if k.type != "pair"]
    return Node("other", line_of(n), kids=[*(lower(field(k, "key")) for k in pairs), *(lower(field(k, "value")) for k in pairs), *rest])


def _comprehension(n: Any) -> Node:
    """[value for target in iterable if test]: the targets are bound first."""
    line, bound, tests = line_of(n), [], []
    for k in named(n):
        if k.type == "for_in_clause":
            over = Node("index", line, kids=[lower(field(k, "right")), nothing(line)])
            bound.append(Node("assign", line, "=", [lower(field(k, "left")), over]))
        elif k.type == "if_clause":
            tests.append(_last(k))
    body = field(n, "body")
    values = [lower(field(body, "key")), lower(field(body, "value"))] if body.type == "pair" else [lower(body)]
    return Node("list", line, kids=[*bound, *tests, *values])


def _assignment(n: Any) -> Node:
    """`a = b = c` gives both the value; `a: int` alone gives none."""
    value, targets, kind = n, [], ""
    while value is not None and value.type == "assignment":
        targets.append(field(value, "left"))
        value = field(value, "right")
    if value is None:
        return nothing(line_of(n))
    low = lower(value)
    made = [Node("assign", line_of(n), "=", [lower(t), low], kind or None) for t in targets]
    return made[0] if len(made) == 1 else block(made, line_of(n))


def _augmented(n: Any) -> Node:
    return Node("assign", line_of(n), text_of(field(n, "operator")), [lower(field(n, "left")), lower(field(n, "right"))])


def _named_expression(n: Any) -> Node:
    return Node("assign", line_of(n), "=", [lower(field(n, "name")), lower(field(n, "value"))])


def body_of(n: Any, name: str = "body") -> Node:
    found = field(n, name)
    return _block(found) if found is not None else block([], line_of(n))


def _if(n: Any) -> Node:
    """`elif` is an if in the else."""
    others = n.children_by_field_name("alternative")
    made = block([], line_of(n))
    for other in reversed(others):
        if other.type == "elif_clause":
            low = Node("if", line_of(other), kids=[lower(field(other, "condition")), body_of(other, "consequence"), made])
            made = block([low], line_of(other))
        else:
            made = body_of(other)
    return Node("if", line_of(n), kids=[lower(field(n, "condition")), body_of(n, "consequence"), made])


def with_else(n: Any) -> Node:
    inner, other = body_of(n), field(n, "alternative")
    return block([*inner.kids, *(body_of(other).kids if other is not None else [])], line_of(n))


def _while(n: Any) -> Node:
    return Node("while", line_of(n), kids=[lower(field(n, "condition")), with_else(n)])


def _for(n: Any) -> Node:
    return Node("for", line_of(n), kids=[lower(field(n, "left")), lower(field(n, "right")), with_else(n)])


def _try(n: Any) -> Node:
    """All of its blocks, one after the other."""
    kids = []
    for part in named(n):
        inner = [part] if part.type == "block" else [k for k in named(part) if k.type == "block"]
        kids += [lower(k) for b in inner for k in named(b)]
    return block(kids, line_of(n))


def _with(n: Any) -> Node:
    items = [field(i, "value") for k in named(n) if k.type == "with_clause" for i in named(k)]
    return block([*(lower(i) for i in items), *body_of(n).kids], line_of(n))


def _as(n: Any) -> Node:
    """`with x as y`"""
    kids = named(n)
    return Node("assign", line_of(n), "=", [lower(kids[-1]), lower(kids[0])]) if len(kids) > 1 else _first(n)


def _function(n: Any) -> Node:
    given = field(n, "parameters")
    return Node("func", line_of(n), text_of(field(n, "name")), [body_of(n), *defaults(given)], parameters(given))


def defaults(n: Any) -> list[Node]:
    """`wait=5`: what a parameter is if the caller says nothing, where it is a number."""
    found = [(field(k, "name"), lower(field(k, "value"))) for k in named(n) if k.type in ("default_parameter", "typed_default_parameter")]
    return [Node("assign", line_of(name), "=", [lower(name), value]) for name, value in found if value.kind == "num"]


def _lambda(n: Any) -> Node:
    inner = lower(field(n, "body"))
    return Node("func", line_of(n), "<lambda>", [Node("return", line_of(n), kids=[inner])], parameters(field(n, "parameters")))


def parameters(n: Any) -> list[tuple[str, str]]:
    found = []
    for k in named(n) if n is not None else ():
        if k.type in ("list_splat_pattern", "dictionary_splat_pattern", "keyword_separator", "positional_separator"):
            continue
        name = k if k.type == "identifier" else field(k, "name") or (named(k) or [k])[0]
        if name.type == "identifier":
            found.append((text_of(name), text_of(field(k, "type")) if k.type != "identifier" else ""))
    return found


def _decorated(n: Any) -> Node:
    made = lower(field(n, "definition"))
    if made.kind == "func":
        made.kids += [lower(named(k)[0]) for k in named(n) if k.type == "decorator" and named(k)]
    return made


def _class(n: Any) -> Node:
    return Node("class", line_of(n), text_of(field(n, "name")), [body_of(n)])


def _return(n: Any) -> Node:
    return Node("return", line_of(n), kids=[lower(k) for k in named(n)[:1]])


def _raise(n: Any) -> Node:
    return Node("raise", line_of(n), "assert" if n.type == "assert_statement" else "", [lower(k) for k in named(n)[:1]])


def _print(n: Any) -> Node:
    """Of Python 2, without parentheses."""
    return Node("call", line_of(n), "print", [Node("name", line_of(n), "print"), *(lower(k) for k in named(n))])


def _match(n: Any) -> Node:
    """Its subject, then what each case does."""
    cases = [k for b in named(n) for k in ([b] if b.type == "case_clause" else named(b)) if k.type == "case_clause"]
    return block([lower(k) for k in n.children_by_field_name("subject")] + [body_of(k, "consequence") for k in cases], line_of(n))


ROWS: tuple[tuple[Callable[[Any], Node], str], ...] = (
    (_block, "module block"),
    (lambda n: Node("name", line_of(n), text_of(n)), "identifier none true false ellipsis"),
    (_number, "integer float"),
    (_string, "string concatenated_string"),
    (_attribute, "attribute"), (_subscript, "subscript"), (_call, "call"), (_keyword, "keyword_argument"), (_spread, "dictionary_splat"),
    (_binary, "binary_operator"), (_boolean, "boolean_operator"), (_compare, "comparison_operator"), (_not, "not_operator"),
    (_unary, "unary_operator"), (_condition, "conditional_expression"),
    (_list, "list tuple expression_list pattern_list tuple_pattern list_pattern"), (_pairs, "dictionary"),
    (_comprehension, "list_comprehension set_comprehension dictionary_comprehension generator_expression"),
    (_last, "await parenthesized_expression list_splat list_splat_pattern as_pattern_target"), (_first, "expression_statement"),
    (_assignment, "assignment"), (_augmented, "augmented_assignment"), (_named_expression, "named_expression"),
    (_if, "if_statement"), (_while, "while_statement"), (_for, "for_statement"), (_try, "try_statement"), (_with, "with_statement"),
    (_as, "as_pattern"), (_function, "function_definition"), (_lambda, "lambda"), (_decorated, "decorated_definition"),
    (_class, "class_definition"), (_return, "return_statement"), (_raise, "raise_statement assert_statement"), (_print, "print_statement"),
    (_match, "match_statement"),
    (lambda n: nothing(line_of(n)), "import_statement import_from_statement future_import_statement pass_statement global_statement "
                                    "nonlocal_statement break_statement continue_statement comment"),
)
TABLE: dict[str, Callable[[Any], Node]] = {name: make for make, names in ROWS for name in names.split()}
