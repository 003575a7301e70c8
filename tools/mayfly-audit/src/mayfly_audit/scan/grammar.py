# SPDX-License-Identifier: Apache-2.0
"""C, C++, C#, Go, Java, JavaScript, Kotlin, Rust, Swift and TypeScript to the common tree, by tree-sitter.

One table for all languages: the grammars name the same things differently, but hardly ever different things the same.
"""
from __future__ import annotations

import importlib
import re
from typing import Any, Callable, Optional

from .tree import Node, block, nothing

# suffix: package of its grammar, function of the package
LANGUAGES: dict[str, tuple[str, str]] = {
    **{s: ("tree_sitter_cpp", "language") for s in (".cc", ".cpp", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".h", ".ino", ".inl", ".ipp", ".tpp", ".tcc", ".txx",
                                                   ".cppm", ".ixx", ".cu", ".cuh")},
    ".c": ("tree_sitter_c", "language"),
    ".go": ("tree_sitter_go", "language"),
    ".java": ("tree_sitter_java", "language"),
    **{s: ("tree_sitter_javascript", "language") for s in (".js", ".mjs", ".cjs", ".jsx")},
    ".kt": ("tree_sitter_kotlin", "language"), ".kts": ("tree_sitter_kotlin", "language"),
    ".py": ("tree_sitter_python", "language"), ".pyi": ("tree_sitter_python", "language"), ".pyw": ("tree_sitter_python", "language"),
    ".rs": ("tree_sitter_rust", "language"),
    ".cs": ("tree_sitter_c_sharp", "language"),
    ".swift": ("tree_sitter_swift", "language"),
    ".ts": ("tree_sitter_typescript", "language_typescript"), ".mts": ("tree_sitter_typescript", "language_typescript"),
    ".cts": ("tree_sitter_typescript", "language_typescript"),
    ".tsx": ("tree_sitter_typescript", "language_tsx"),
}
COMPARE = {"<", "<=", ">", ">=", "==", "!=", "===", "!=="}
BOOL = {"&&": "and", "||": "or", "and": "and", "or": "or", "??": "or", "?:": "or"}
CASTS = {"static_cast", "dynamic_cast", "reinterpret_cast", "const_cast", "float32", "float64", "int64", "int32", "int"}
NUMBER = re.compile(r"[-+]?0[xX][0-9a-fA-F_']+|[-+]?[0-9][0-9_']*\.?[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?\.[0-9_]+(?:[eE][-+]?[0-9]+)?")
COMMENTS = {"comment", "line_comment", "block_comment", "multiline_comment"}

_parsers: dict[str, Any] = {}


def parser_of(suffix: str) -> Any:
    """Raises ImportError if the grammar is not installed."""
    if suffix not in _parsers:
        from tree_sitter import Language, Parser
        package, function = LANGUAGES[suffix]
        _parsers[suffix] = Parser(Language(getattr(importlib.import_module(package), function)()))
    return _parsers[suffix]


def parse(text: bytes, suffix: str) -> tuple[Node, list[tuple[int, str]]]:
    """The tree, and the line and the text of its errors; what is between them is read."""
    root = parser_of(suffix).parse(text).root_node
    return lower(root), errors_of(root)


def errors_of(root: Any) -> list[tuple[int, str]]:
    """The outermost ones, by line; a text that is missing is shown by what it is missing in."""
    found, todo = [], [root] if root.has_error else []
    while todo:
        node = todo.pop()
        if node.is_error or node.is_missing:
            shown = node if node.is_error or node.parent is None else node.parent
            found.append((line_of(node), text_of(shown)))
        else:
            todo.extend(k for k in reversed(node.children) if k.has_error or k.is_error or k.is_missing)
    return found


def text_of(n: Any) -> str:
    return n.text.decode("utf-8", "replace") if n is not None else ""


def line_of(n: Any) -> int:
    return n.start_point[0] + 1


def named(n: Any) -> list[Any]:
    return [k for k in n.named_children if k.type not in COMMENTS]


def field(n: Any, *names: str) -> Any:
    for name in names:
        found = n.child_by_field_name(name)
        if found is not None:
            return found
    return None


def lower(n: Any) -> Node:
    if n is None:
        return nothing(0)
    make = TABLE.get(n.type)
    if make is not None:
        return make(n)
    kids = named(n)
    if len(kids) == 1:
        return lower(kids[0])
    return Node("other", line_of(n), kids=[lower(k) for k in kids])


def unwrapped(n: Any) -> Any:
    """Out of parentheses and lists of one."""
    while n is not None and n.type in WRAPPERS and len(named(n)) == 1:
        n = named(n)[0]
    return n


WRAPPERS = {"expression_list", "parenthesized_expression", "directly_assignable_expression", "pattern", "variable_declaration",
            "reference_declarator", "pointer_declarator", "condition_clause", "array_declarator", "mut_pattern"}


def _block(n: Any) -> Node:
    return block([lower(k) for k in named(n)], line_of(n))


def _name(n: Any) -> Node:
    return Node("name", line_of(n), text_of(n))


def _number(n: Any) -> Node:
    text = text_of(n)
    found = NUMBER.match(text)
    try:
        digits = found[0].replace("_", "").replace("'", "") if found else "x"
        return Node("num", line_of(n), value=float(int(digits, 16)) if digits.lstrip("+-")[:2] in ("0x", "0X") else float(digits))
    except (ValueError, OverflowError):
        return _name(n)


def _literal_with_suffix(n: Any) -> Node:
    """3s and 500ms of std::chrono: a call of their unit."""
    number, suffix = named(n)[0], text_of(named(n)[-1])
    return Node("call", line_of(n), suffix, [Node("name", line_of(n), suffix), _number(number)])


def _string(n: Any) -> Node:
    return Node("str", line_of(n), value=text_of(n).strip("\"'`"))


def _qualified(n: Any) -> Node:
    """a::b::c: as attributes, the last is the name."""
    kids = named(n)
    last = kids[-1]
    if len(kids) < 2:
        return lower(last)
    inner = lower(last)
    base = Node("name", line_of(n), text_of(kids[0]))
    return Node("attr", line_of(n), inner.name, [base]) if inner.kind == "name" else inner


def _attr(n: Any) -> Node:
    base = field(n, "object", "operand", "argument", "value", "target", "expression")
    name = field(n, "property", "field", "suffix", "name")
    kids = named(n)
    base, name = base or kids[0], name or kids[-1]
    while name.type == "navigation_suffix":
        name = named(name)[0]
    if name.type in ("integer_literal",):
        return lower(base)
    return Node("attr", line_of(name), text_of(name), [lower(base)])


def _index(n: Any) -> Node:
    base = field(n, "object", "operand", "argument", "array", "expression") or named(n)[0]
    rest = [k for k in named(n) if k.id != base.id]
    return Node("index", line_of(n), kids=[lower(base), *(lower(k) for k in rest)])


def arguments(n: Any) -> list[Node]:
    """Of an argument list, in any depth of wrapping."""
    found: list[Node] = []
    for k in named(n):
        if k.type in ("value_arguments", "call_suffix", "annotated_lambda"):
            found += arguments(k)
        elif k.type in ("value_argument", "argument") and named(k):
            label, value = field(k, "name"), field(k, "value") or named(k)[-1]
            low = lower(value)
            found.append(Node("kw", line_of(k), text_of(label), [low]) if label is not None else low)
        else:
            found.append(lower(k))
    return found


def _call(n: Any) -> Node:
    callee = field(n, "function", "constructor") or (None if n.type == "method_invocation" else named(n)[0])
    if n.type == "method_invocation":
        target = Node("name", line_of(field(n, "name")), text_of(field(n, "name")))
        if field(n, "object") is not None:
            target = Node("attr", target.line, target.name, [lower(field(n, "object"))])
        return Node("call", target.line, target.name, [target, *arguments(field(n, "arguments"))])
    args = field(n, "arguments")
    given = arguments(args) if args is not None else [a for k in named(n)[1:] for a in
                                                      (arguments(k) if k.type != "lambda_literal" else [lower(k)])]
    if callee.type == "template_function":
        callee = field(callee, "name")
    name = lower(callee)
    if name.name in CASTS and len(given) == 1:
        return given[0]
    return Node("call", name.line if name.kind == "attr" else line_of(n), name.name, [name, *given])     # of a chain: its own line


def _binary(n: Any) -> Node:
    left, right = field(n, "left", "lhs"), field(n, "right", "rhs")
    kids = named(n)
    operator = text_of(field(n, "operator", "op")) or next((text_of(k) for k in n.children if not k.is_named), "?")
    l, r = lower(left or kids[0]), lower(right or kids[-1])
    if operator in BOOL:
        return Node("bool", line_of(n), BOOL[operator], [l, r])
    if operator in COMPARE:
        op = operator.replace("===", "==").replace("!==", "!=")
        if r.kind == "bool" and (right or kids[-1]).type in ("conjunction_expression", "disjunction_expression"):
            first = Node("cmp", line_of(n), op, [l, r.kids[0]])       # Swift's grammar binds them the wrong way
            return Node("bool", line_of(n), r.name, [first, *r.kids[1:]])
        return Node("cmp", line_of(n), op, [l, r])
    return Node("bin", line_of(n), operator, [l, r])


def _unary(n: Any) -> Node:
    operator = next((text_of(k) for k in n.children if not k.is_named or k.type == "bang"), "")
    inner = lower(field(n, "argument", "operand", "target") or named(n)[-1])
    if operator in ("++", "--"):
        return Node("assign", line_of(n), operator[0] + "=", [inner, Node("num", line_of(n), value=1.0)])
    if operator in ("*", "&"):
        return inner
    return Node("unary", line_of(n), {"!": "not"}.get(operator, operator), [inner])


def _update(n: Any) -> Node:
    text = text_of(n)
    target = lower(field(n, "argument") or named(n)[0])
    return Node("assign", line_of(n), "+=" if "++" in text else "-=", [target, Node("num", line_of(n), value=1.0)])


def _assign(n: Any) -> Node:
    left, right = field(n, "left", "target"), field(n, "right", "result")
    kids = named(n)
    left, right = unwrapped(left or kids[0]), unwrapped(right or kids[-1])
    operator = text_of(field(n, "operator")) or next((text_of(k) for k in n.children if not k.is_named and "=" in text_of(k)), "=")
    return Node("assign", line_of(n), "=" if operator == ":=" else operator, [lower(left), lower(right)], "" if operator == ":=" else None)


def declared(n: Any) -> Any:
    """The name within a declarator."""
    while n is not None and n.type not in ("identifier", "field_identifier", "simple_identifier", "shorthand_property_identifier_pattern"):
        down = field(n, "declarator", "pattern", "name", "bound_identifier")
        kids = named(n)
        n = down if down is not None else (kids[0] if kids else None)
    return n


def _declarator(n: Any, kind: str = "") -> Node:
    name, value = declared(n), field(n, "value", "default_value")
    if value is None and n.type == "variable_declarator" and len(named(n)) > 1 and named(n)[-1].type not in DECLARED:
        value = named(n)[-1]                                                                # C#
    line = line_of(n)
    target = Node("name", line, text_of(name))
    made = Node("assign", line, "=", [target, lower(unwrapped(value)) if value is not None else nothing(line)], kind)
    return made


DECLARED = frozenset({"type_annotation", "dimensions", "bracketed_argument_list", "identifier", "object_pattern", "array_pattern"})


def _variables(n: Any) -> Node:
    """C#: one type, several declarators. Others write a name and its type so, or wrap one declarator."""
    kind = text_of(field(n, "type"))
    made = [_declarator(k, kind) if k.type == "variable_declarator" else lower(k) for k in named(n) if k.type == "variable_declarator" or not kind]
    return made[0] if len(made) == 1 else block(made, line_of(n))


PLACEHOLDER = "?"


def _conditional_access(n: Any) -> Node:
    """C#: a?.b.c()"""
    kids = named(n)
    base, rest = lower(kids[0]), lower(kids[-1])
    hole = next((k for k in rest.walk() if k.kind == "name" and k.name == PLACEHOLDER), None)
    if hole is not None:
        hole.kind, hole.name, hole.kids, hole.value = base.kind, base.name, base.kids, base.value
    return rest


def _binding(n: Any) -> Node:
    return Node("attr", line_of(n), text_of(named(n)[-1]), [Node("name", line_of(n), PLACEHOLDER)])


def _postfix(n: Any) -> Node:
    return _update(n) if text_of(n).endswith(("++", "--")) else _first(n)


def _declaration(n: Any) -> Node:
    """C, C++, Java: one type, several declarators."""
    kind = text_of(field(n, "type"))
    if n.type == "field_declaration" and field(n, "type") is None:
        return block([lower(k) for k in named(n) if k.type == "variable_declaration"], line_of(n))
    found = n.children_by_field_name("declarator")
    if any(contains(d, "function_declarator") for d in found if field(d, "value") is None):
        return nothing(line_of(n))
    made = [_declarator(d, kind) for d in found]
    return made[0] if len(made) == 1 else block(made, line_of(n))


def contains(n: Any, kind: str) -> bool:
    while n is not None:
        if n.type == kind:
            return True
        n = field(n, "declarator")
    return False


def _property(n: Any) -> Node:
    """Kotlin, Swift, TypeScript's fields: `let x = value`. C#: a function that is read as a member."""
    kids, value = named(n), field(n, "value")
    if value is not None and value.type == "arrow_expression_clause":
        inner = Node("return", line_of(value), kids=[lower(value)])
        return Node("func", line_of(n), text_of(field(n, "name")), [block([inner], line_of(n))], [])
    if field(n, "accessors") is not None:
        return Node("other", line_of(n), kids=[lower(k) for k in named(field(n, "accessors"))])
    name = next((k for k in kids if k.type in ("variable_declaration", "pattern", "identifier", "property_identifier")), None)
    if value is None and len(kids) > 1 and kids[-1].type not in ("user_type", "type_annotation", "variable_declaration", "getter"):
        value = kids[-1]
    if name is None:
        return Node("other", line_of(n), kids=[lower(k) for k in kids])
    inner = declared(name) if name.type != "property_identifier" else name
    return Node("assign", line_of(n), "=", [Node("name", line_of(n), text_of(inner)),
                                            lower(value) if value is not None else nothing(line_of(n))], "")


def _if(n: Any) -> Node:
    kids = named(n)
    test = field(n, "condition") or (kids[0] if kids else None)
    then, other = field(n, "consequence"), field(n, "alternative")
    if then is None:
        rest = [k for k in kids if test is None or k.id != test.id]
        bodies = [k for k in rest if k.type in ("block", "statements", "control_structure_body") or k.type.endswith(("_expression", "statement"))]
        then, other = (bodies + [None, None])[:2]
    begin = field(n, "initializer")
    made = Node("if", line_of(n), kids=[lower(test), lower(then), lower(other)])
    return made if begin is None else block([lower(begin), made], line_of(n))


def _while(n: Any) -> Node:
    test = field(n, "condition")
    inner = field(n, "body") or named(n)[-1]
    return Node("while", line_of(n), kids=[lower(test) if test is not None else nothing(line_of(n)), lower(inner)])


def _for(n: Any) -> Node:
    """The counting ones are a while; those over something are a for."""
    inner = field(n, "body") or named(n)[-1]
    target = field(n, "left", "pattern", "item", "name", "declarator")
    over = field(n, "right", "value", "collection")
    kids = named(n)
    if n.type == "for_statement" and kids and kids[0].type == "range_clause":
        target, over = field(kids[0], "left"), field(kids[0], "right")
    elif over is None and n.type == "for_statement" and len(kids) == 3 and kids[0].type == "variable_declaration":
        target, over = kids[0], kids[1]                                                     # Kotlin
    if over is not None and target is not None:
        name = declared(named(target)[-1] if target.type == "expression_list" else unwrapped(target))
        return Node("for", line_of(n), kids=[Node("name", line_of(n), text_of(name)), lower(over), lower(inner)])
    begin, test = field(n, "initializer", "init"), field(n, "condition")
    if test is None and len(kids) == 2:
        test = kids[0]                                                                      # Go: for condition {}
    if test is not None and test.type == "for_clause":
        begin, test = field(test, "initializer"), field(test, "condition")
    loop = Node("while", line_of(n), kids=[lower(test), lower(inner)])
    return block([lower(begin), loop], line_of(n)) if begin is not None else loop


PARAMETERS = {"parameter_declaration", "parameter", "formal_parameter", "required_parameter", "optional_parameter",
              "class_parameter", "identifier", "simple_identifier", "optional_parameter_declaration", "lambda_parameters",
              "variable_declaration"}


def parameters(n: Any) -> list[tuple[str, str]]:
    if n is None:
        return []
    if n.type == "identifier":
        return [(text_of(n), "")]
    found = []
    for k in named(n):
        if k.type not in PARAMETERS:
            continue
        if k.type == "lambda_parameters":
            found += parameters(k)
            continue
        names = k.children_by_field_name("name") if k.type in ("parameter", "parameter_declaration") else []
        names = [x for x in names if x.type in ("identifier", "simple_identifier")] or [declared(k)]
        kind = field(k, "type") or next((x for x in named(k) if x.type == "user_type"), None)
        found += [(text_of(x), text_of(kind).lstrip(": ")) for x in names if x is not None]
    return found


def _function(n: Any) -> Node:
    head = field(n, "declarator")
    while head is not None and head.type not in ("function_declarator", "abstract_function_declarator"):
        head = field(head, "declarator") or (named(head)[0] if named(head) else None)
    name = field(n, "name") or (field(head, "declarator") if head is not None else None)
    given = field(n, "parameters", "parameter") or (field(head, "parameters") if head is not None else None)
    if given is None:
        given = next((k for k in named(n) if k.type in ("function_value_parameters", "lambda_parameters")), None)
    if given is None or given.type == "parameter":      # Swift: no list
        given = n
    inner = field(n, "body") or next((k for k in reversed(named(n)) if k.type in ("function_body", "block", "statements")), None)
    text = text_of(name).split("::")[-1] if name is not None else "<lambda>"
    low = lower(inner)
    if inner is not None and inner.type not in ("block", "compound_statement", "statement_block", "function_body", "statements") \
            and low.kind not in ("block",):
        low = Node("return", low.line, kids=[low])
    return Node("func", line_of(n), text, [low], parameters(given))


def _class(n: Any) -> Node:
    name = field(n, "name", "type")
    inner = field(n, "body") or next((k for k in named(n) if k.type in ("class_body", "declaration_list")), None)
    return Node("class", line_of(n), text_of(name), [lower(inner)])


def _arm(n: Any) -> Node:
    """Rust's `VFR_HUD(h) => ...`: h is one of these."""
    pattern, value = field(n, "pattern"), field(n, "value")
    line = line_of(n)
    inner = unwrapped(named(pattern)[0]) if pattern is not None and named(pattern) else None
    if inner is not None and inner.type == "tuple_struct_pattern" and len(named(inner)) == 2:
        kind, name = named(inner)
        return block([Node("assign", line, "=", [Node("name", line, text_of(name)), nothing(line)], text_of(kind)), lower(value)], line)
    return lower(value)


def _type_switch(n: Any) -> Node:
    """Go's `switch m := msg.(type) { case *MessageVfrHud: ... }`."""
    alias, line = unwrapped(field(n, "alias")), line_of(n)
    made = []
    for case in named(n):
        if case.type == "type_case":
            kind = field(case, "type")
            bound = Node("assign", line_of(case), "=", [Node("name", line, text_of(alias)), nothing(line)], text_of(kind))
            made += [bound, *(lower(k) for k in named(case)[1:])]
    return block(made, line)


def _return(n: Any) -> Node:
    kids = named(n)
    if n.type == "control_transfer_statement" and not text_of(n).startswith(("return", "throw")):
        return nothing(line_of(n))
    kind = "raise" if n.type.startswith("throw") or text_of(n).startswith("throw") else "return"
    return Node(kind, line_of(n), kids=[lower(unwrapped(k)) for k in kids])


def _cond(n: Any) -> Node:
    test, then, other = field(n, "condition"), field(n, "consequence", "if_true"), field(n, "alternative", "if_false")
    return Node("cond", line_of(n), kids=[lower(test), lower(then), lower(other)])


def _last(n: Any) -> Node:
    value = field(n, "value", "operand")
    return lower(value if value is not None else named(n)[-1])


def _first(n: Any) -> Node:
    kids = named(n)
    return lower(kids[0]) if kids else nothing(line_of(n))


def _list(n: Any) -> Node:
    return Node("list", line_of(n), kids=[lower(k) for k in named(n)])


def _pair(n: Any) -> Node:
    return Node("kw", line_of(n), text_of(field(n, "key", "field", "name")), [lower(field(n, "value") or named(n)[-1])])


def _macro(n: Any) -> Node:
    """#define NAME 0.3f is a constant, #define NAME(x) ((x) < 0.3f) a function; others are nothing."""
    line, name, value = line_of(n), text_of(field(n, "name")), field(n, "value")
    root = parser_of(".cpp").parse(b"auto x = " + value.text.strip() + b";").root_node if value is not None else None
    if root is None or root.has_error:
        return nothing(line)
    made = lower(named(root)[0])
    for node in made.walk():
        node.line = line
    if n.type == "preproc_def":
        return Node("assign", line, "=", [Node("name", line, name), made.kids[1]]) if made.kind == "assign" else nothing(line)
    given = [(text_of(k), "") for k in named(field(n, "parameters"))]
    return Node("func", line, name, [Node("return", line, kids=made.kids[1:])], given)


def _range(n: Any) -> Node:
    """0..10, 0..<10: as Python's range(0, 10)"""
    return Node("call", line_of(n), "range", [Node("name", line_of(n), "range"), *(lower(k) for k in named(n))])


def _nothing(n: Any) -> Node:
    return nothing(line_of(n))


def table(rows: dict[Callable[[Any], Node], str]) -> dict[str, Callable[[Any], Node]]:
    return {name: make for make, names in rows.items() for name in names.split()}


TABLE: dict[str, Callable[[Any], Node]] = table({
    _block: "translation_unit source_file program compound_statement statement_block block statements statement_list class_body "
            "declaration_list field_declaration_list function_body match_block switch_body switch_block when_expression "
            "expression_switch_statement case_statement expression_case default_case enum_class_body control_structure_body",
    _name: "identifier field_identifier property_identifier simple_identifier this self type_identifier this_expression "
           "self_expression true false null nullptr nil none boolean_literal shorthand_property_identifier namespace_identifier",
    _number: "number_literal number int_literal float_literal integer_literal real_literal decimal_integer_literal "
             "decimal_floating_point_literal hex_integer_literal hex_literal long_literal unsigned_literal",
    _literal_with_suffix: "user_defined_literal",
    _string: "string_literal string interpreted_string_literal raw_string_literal template_string line_string_literal char_literal "
             "multi_line_string_literal",
    _qualified: "qualified_identifier scoped_identifier scoped_type_identifier",
    _variables: "variable_declaration",
    _conditional_access: "conditional_access_expression",
    _binding: "member_binding_expression",
    _postfix: "postfix_unary_expression",
    _attr: "member_access_expression field_expression member_expression selector_expression field_access navigation_expression",
    _index: "element_access_expression subscript_expression index_expression array_access indexing_expression",
    _call: "invocation_expression call_expression method_invocation new_expression object_creation_expression macro_invocation",
    _binary: "binary_expression additive_expression multiplicative_expression comparison_expression equality_expression "
             "conjunction_expression disjunction_expression nil_coalescing_expression elvis_expression",
    _unary: "prefix_unary_expression unary_expression prefix_expression pointer_expression reference_expression",
    _update: "update_expression inc_statement dec_statement postfix_expression",
    _assign: "assignment_expression assignment_statement assignment compound_assignment_expr augmented_assignment_expression "
             "short_var_declaration",
    _declarator: "init_declarator variable_declarator let_declaration var_spec const_spec const_item static_item",
    _declaration: "declaration field_declaration local_variable_declaration",
    _property: "property_declaration public_field_definition field_definition",
    _if: "if_statement if_expression guard_statement",
    _while: "while_statement while_expression do_statement loop_expression do_while_statement repeat_while_statement",
    _for: "foreach_statement for_statement for_range_loop for_in_statement enhanced_for_statement for_expression",
    _function: "local_function_statement function_definition function_declaration method_declaration method_definition function_item lambda_expression "
               "arrow_function function_expression func_literal closure_expression lambda_literal constructor_declaration "
               "generator_function_declaration anonymous_function init_declaration",
    _class: "record_declaration class_declaration class_specifier struct_specifier impl_item struct_declaration object_declaration class",
    _arm: "match_arm",
    _type_switch: "type_switch_statement",
    _return: "return_statement return_expression control_transfer_statement throw_statement throw_expression",
    _cond: "conditional_expression ternary_expression",
    _last: "try_expression cast_expression non_null_expression await_expression parenthesized_expression condition_clause",
    _range: "range_expression",
    _first: "as_expression type_cast_expression satisfies_expression type_assertion",
    _list: "initializer_list list_literal array expression_list composite_literal literal_value array_expression tuple_expression "
           "object array_literal field_initializer_list struct_expression",
    _pair: "pair field_initializer initializer_pair keyed_element",
    _macro: "preproc_def preproc_function_def",
    _nothing: "comment line_comment block_comment preproc_include using_declaration import_declaration import_statement "
              "type_alias_declaration interface_declaration package_clause namespace_alias_definition",
})


# Code that a program fills in: client.py.in
TEMPLATES = frozenset({".em", ".erb", ".in", ".j2", ".jinja", ".jinja2", ".template", ".tmpl"})


def suffix_of(path: str) -> Optional[str]:
    dot = path.rfind(".")
    suffix = path[dot:].lower() if dot >= 0 else ""
    if suffix in TEMPLATES:
        return suffix_of(path[:dot])
    return suffix if suffix in LANGUAGES else None
