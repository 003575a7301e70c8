# SPDX-License-Identifier: Apache-2.0
"""Where values come from: follows telemetry through the names, members, parameters and results of one file.

Every expression has a Value: the facts about where it comes from, and its number if it is a constant. Functions of a file are
walked until nothing new comes out of them (at most ROUNDS times); rules look on in the last round.
"""
from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Callable, NamedTuple, Optional

from . import words as w
from .tree import Node, show

ROUNDS = 3
MEMBERS = 0         # the owner of all members


class Fact(NamedTuple):
    """A value comes from this."""
    quantity: str
    unit: str
    source: str             # as it was written
    trust: int
    how: str = "read"       # read, past, difference, derivative, filtered


class Value(NamedTuple):
    facts: frozenset[Fact] = frozenset()
    number: Optional[float] = None

    def has(self, *quantities: str, trust: int = w.NAME) -> Optional[Fact]:
        """The most trusted fact of these quantities."""
        best = None
        for fact in self.facts:
            if fact.quantity in quantities and fact.trust >= trust and (best is None or (fact.trust, fact.source) > (best.trust, best.source)):
                best = fact
        return best


EMPTY = Value()
SCRIPTS = (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".tsx")
SAYS_SELF = frozenset((".py", ".pyi", ".pyw", ".rs", ".go", *SCRIPTS))         # members are never bare names there
PAST_WORDS = frozenset({"last", "prev", "previous", "old", "prior", "before"})
# Functions of a value that are still that value.
SAME = frozenset({"abs", "fabs", "fabsf", "hypot", "sqrt", "norm", "float", "int", "round", "min", "max", "sum", "length", "magnitude", "linalg",
                  "double", "number", "parsefloat", "tofloat", "todouble", "unwrap", "copy", "average", "mean", "math", "getattr", "get",
                  "sqrtf", "hypotf", "sqrtl", "hypotl", "fminf", "fmaxf", "fmin", "fmax", "pow", "powf", "roundf", "abs_diff", "hypot3", "roundto", "ceil", "floor",
                  "parsedouble", "todecimal", "tosingle", "convert", "sqr", "square", "unwrap_or", "unwrap_or_default", "into", "as_f64", "lengthsquared",
                  "to_f64", "clone", "value", "powi", "squarednorm", "std", "as_ref", "str", "float64", "float32", "array"})
# They wait, and give time.
CLOCKS = frozenset({"time.time", "time.monotonic", "time.perf_counter", "datetime.now", "datetime.utcnow", "Date.now", "performance.now", "time.Now",
                    "steady_clock.now", "system_clock.now", "high_resolution_clock.now", "System.currentTimeMillis", "System.nanoTime",
                    "Instant.now", "SystemTime.now", "loop.time", "get_event_loop().time", "get_running_loop().time", "asyncio.get_event_loop().time", "ros.Time.now", "Time.now", "Date", "hrt_absolute_time", "millis",
                    "rospy.get_time", "get_clock", "time.time_ns", "monotonic", "perf_counter", "gettimeofday"})


@dataclass
class Scope:
    """A function: its names."""
    name: str
    node: Node
    names: dict[str, Value] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    result: Value = EMPTY
    outer: Optional[Scope] = None

    def holder(self, name: str) -> Optional[Scope]:
        """The scope around this one that knows a name: closures see those outside."""
        scope: Optional[Scope] = self
        while scope is not None and name not in scope.names:
            scope = scope.outer
        return scope


@dataclass
class Place:
    """Where the walk is: what encloses it."""
    scope: Scope
    tests: list[tuple[Node, Value]] = field(default_factory=list)       # of the ifs and loops around it
    loops: list[Node] = field(default_factory=list)
    block: Optional[Node] = None
    index: int = 0
    blocks: list[tuple[Node, int]] = field(default_factory=list)        # those around it, the outermost first, and where in each
    waits: bool = False         # in the condition of a loop: it is left when this is false
    negated: bool = False       # within a `not`


Look = Callable[[Node, "Flow", Place], None]


class Flow:
    def __init__(self, tree: Node, vehicle: bool = True, suffix: str = ".py"):
        """vehicle: the file is about vehicles, so that a bare `speed` is one's."""
        self.tree, self.vehicle, self.suffix = tree, vehicle, suffix
        self.functions: dict[str, Scope] = {}
        self.members: dict[str, Value] = {}         # of any object, by their last name
        self.member_types: dict[str, str] = {}
        self.counted: dict[tuple[int, str], Fact] = {}      # counters that a test of telemetry steps, by owner() and name
        self.started: dict[tuple[int, str], Fact] = {}      # clocks that a test of telemetry starts
        self.changed = False
        self.look: Optional[dict[str, list[Look]]] = None
        self.scopes: list[Scope] = []
        self.record_types: Optional[dict[tuple[int, str], str]] = None  # of members, as a compiler has them
        self.top = Scope("", tree)
        self.by_node: dict[int, Scope] = {}
        self._collect(tree, self.top, "")

    # ---- the walk

    def _collect(self, node: Node, outer: Scope, above: str) -> None:
        for n in node.kids:
            name, inner = above, outer
            if n.kind in ("func", "class"):
                name = f"{above}.{n.name}" if above else n.name
            if n.kind == "func":
                inner = Scope(name, n, outer=outer)
                self.scopes.append(inner)
                self.by_node[id(n)] = inner
                self.functions.setdefault(n.name, inner)
            self._collect(n, inner, name)

    def run(self, look: dict[str, list[Look]]) -> None:
        """Follows the values, then walks once more with the rules looking on."""
        for _ in range(ROUNDS):
            self.changed = False
            for scope in (self.top, *self.scopes):
                self._function(scope)
            if not self.changed:
                break
        self.look = look
        for scope in (self.top, *self.scopes):
            self._function(scope)

    def _function(self, scope: Scope) -> None:
        place = Place(scope)
        if scope.node.kind == "func":
            for name, kind in scope.node.value or ():
                if kind:
                    scope.types[name] = kind
            for kid in scope.node.kids[1:]:
                if kid.kind == "assign":            # the default of a parameter, as long as no call says otherwise
                    scope.names.setdefault(kid.kids[0].name, Value(number=kid.kids[1].value))
            for kid in scope.node.kids[:1]:
                self.walk(kid, place)
        else:
            self.walk(scope.node, place)

    def walk(self, node: Node, place: Place) -> Value:
        """The value of an expression; a statement has none."""
        kind = node.kind
        if kind in ("func", "class"):
            if kind == "class":
                for kid in node.kids:
                    self.walk(kid, place)
            return EMPTY
        value = getattr(self, "_" + kind, self._other)(node, place)
        if self.look is not None and kind in self.look:
            for rule in self.look[kind]:
                rule(node, self, place)
        return value

    @functools.cached_property
    def assigned(self) -> dict[str, list[Node]]:
        """All assignments of a file, by the last name of their target."""
        found: dict[str, list[Node]] = {}
        for node in self.tree.walk():
            if node.kind == "assign" and node.kids[0].kind in ("name", "attr"):
                found.setdefault(node.kids[0].name, []).append(node)
        return found

    def value(self, node: Node, place: Place) -> Value:
        """For rules: of an expression that was walked already; nothing is reported again."""
        look, self.look = self.look, None
        try:
            return self.walk(node, place)
        finally:
            self.look = look

    # ---- statements

    def _other(self, node: Node, place: Place) -> Value:
        facts: frozenset[Fact] = frozenset()
        mixed = False
        for kid in node.kids:
            value = self.walk(kid, place)
            mixed = mixed or (node.kind == "list" and not value.facts and kid.kind not in ("num", "assign"))
            facts |= value.facts
        return EMPTY if mixed or len(node.kids) > 7 else Value(facts)

    def _block(self, node: Node, place: Place) -> Value:
        before = place.block, place.index
        place.blocks.append((node, 0))
        for index, kid in enumerate(node.kids):
            place.block, place.index = node, index
            place.blocks[-1] = (node, index)
            self.walk(kid, place)
        place.blocks.pop()
        place.block, place.index = before
        return EMPTY

    def _if(self, node: Node, place: Place) -> Value:
        test = self.walk(node.kids[0], place)
        place.tests.append((node.kids[0], test))
        for kid in node.kids[1:]:
            self.walk(kid, place)
        place.tests.pop()
        return EMPTY

    def _while(self, node: Node, place: Place) -> Value:
        place.waits = True
        test = self.walk(node.kids[0], place)
        place.waits = False
        place.tests.append((node.kids[0], test))
        place.loops.append(node)
        self.walk(node.kids[1], place)
        place.loops.pop()
        place.tests.pop()
        return EMPTY

    def _for(self, node: Node, place: Place) -> Value:
        self._bind(node.kids[0], self.walk(node.kids[1], place), place)
        if node.kids[0].kind == "name" and node.kids[1].kind in ("call", "attr"):
            place.scope.types.setdefault(node.kids[0].name, show(node.kids[1]))
        place.loops.append(node)
        self.walk(node.kids[2], place)
        place.loops.pop()
        return EMPTY

    def _return(self, node: Node, place: Place) -> Value:
        for kid in node.kids:
            value = self.walk(kid, place)
            merged = Value(place.scope.result.facts | value.facts, value.number)
            if merged.facts != place.scope.result.facts:
                self.changed = True
            place.scope.result = merged
        return EMPTY

    def _assign(self, node: Node, place: Place) -> Value:
        target, right = node.kids
        value = self.walk(right, place)
        if target.kind not in ("name", "attr"):
            self.walk(target, place)
        if node.value and target.kind == "name":
            place.scope.types[target.name] = str(node.value)
        elif target.kind == "name" and right.kind == "call":
            kind = next((k.value for a in right.kids[1:] for k in (a.kids[0] if a.kind == "kw" else a,) if k.kind == "str"), show(right.kids[0]))
            place.scope.types[target.name] = kind
        if self._is_member(node, target, place):
            target = Node("attr", target.line, target.name, [Node("name", target.line, "this")])
        if node.name != "=":
            value = Value(value.facts | self._read(target, place).facts)
            self._count(target, place)
        elif target.kind in ("name", "attr") and right.kind == "call" and value.has(w.WALL_TIME):
            test = self._telemetry_test(place)
            if test is not None:
                self.started[owner(target, place)] = test
        self._bind(target, value, place, node.name == "=" and not place.tests and not place.loops)
        return value

    def _is_member(self, node: Node, target: Node, place: Place) -> bool:
        """Of a class that is declared in another file: a name that is assigned and declared nowhere here. Python and Rust say self."""
        if target.kind != "name" or node.value is not None or node.name == ":=" or self.suffix in SAYS_SELF:
            return False
        return place.scope.holder(target.name) is None and target.name not in [n for n, _ in place.scope.node.value or ()]

    def _count(self, target: Node, place: Place) -> None:
        test = self._telemetry_test(place)
        if test is not None and target.kind in ("name", "attr"):
            self.counted[owner(target, place)] = test

    def _telemetry_test(self, place: Place) -> Optional[Fact]:
        """The telemetry that the nearest enclosing tests compare."""
        for test, value in reversed(place.tests[-2:]):
            fact = value.has(*w.MOTION, w.ALT_REL, w.ALT_MSL, w.ATTITUDE, trust=w.MEMBER)
            if fact is not None and (any(n.kind == "cmp" for n in test.walk()) or all(n.kind in ("name", "attr", "bool", "unary") for n in test.walk())):
                return fact
        return None

    def _bind(self, target: Node, value: Value, place: Place, strong: bool = False) -> None:
        if target.kind == "list":
            for kid in target.kids:
                self._bind(kid, value, place, strong)
            return
        if target.kind == "index":
            target = target.kids[0]
            strong = False
        if target.kind == "name":
            holder = place.scope.holder(target.name)
            strong = strong and holder is place.scope
            known = (holder or place.scope).names
        elif target.kind == "attr":
            known, strong = self.members, False
        else:
            return
        before = known.get(target.name)
        if before is None or strong:
            after = value
        else:
            after = Value(before.facts | value.facts, before.number if before.number == value.number else None)
        if before != after:
            known[target.name] = after
            self.changed = True

    # ---- expressions

    def _num(self, node: Node, place: Place) -> Value:
        return Value(number=node.value)

    def _str(self, node: Node, place: Place) -> Value:
        return EMPTY

    def _read(self, node: Node, place: Place) -> Value:
        return self._name(node, place) if node.kind == "name" else self._attr(node, place) if node.kind == "attr" else EMPTY

    def _name(self, node: Node, place: Place) -> Value:
        holder = place.scope.holder(node.name)
        known = holder.names[node.name] if holder is not None else None
        if (known is None or not known.facts) and (holder is None or holder is self.top) and self.suffix not in SAYS_SELF:
            known = self.members.get(node.name, known)          # C++, Java, Swift: without this
        return self._named(node, known, "", False)

    def _attr(self, node: Node, place: Place) -> Value:
        base = node.kids[0]
        outer = self.walk(base, place)
        record = (self.record_types or {}).get((node.line, node.name))
        known = self.members.get(node.name)
        own = base.kind == "name" and (base.name in ("self", "this", "cls") or (self.suffix == ".go" and known is not None))
        if known is None and (own or node.name.isupper()):
            known, own = self.top.names.get(node.name), own or node.name in self.top.names      # of a class
        if record is not None and not w.is_record_of_vehicle(record) and not w.is_of_flight(node.name):
            return Value(known.facts) if known is not None else EMPTY       # what was put there, not what the name says
        if own and known is not None and known.facts:
            return self._named(node, known, "", False)
        near = base.name or (base.kids[0].name if base.kids else "")
        if base.kind == "attr" and near in ("linear", "angular"):
            near = near if near == "linear" else "gyro"
        value = self._named(node, known if own else None, near, not own)
        if not value.facts and node.name in ("x", "y", "z", "north", "east", "down", "norm", "magnitude", "value", "squaredNorm"):
            return outer
        return self._with_message_unit(value, base, place, record or "")

    def _named(self, node: Node, known: Optional[Value], base: str, member: bool) -> Value:
        """What is known of a name, or what it says."""
        if known is not None and known.facts:
            facts = known.facts
            if PAST_WORDS.intersection(w.words(node.name)):
                facts = frozenset(f._replace(how="past") for f in facts)
            return Value(facts, known.number)
        said = w.meaning(node.name, member, base)
        if said is None or w.is_foreign(base):
            return known or EMPTY
        trust = said.trust if self.vehicle else min(said.trust, w.NAME)
        how = "past" if PAST_WORDS.intersection(w.words(node.name)) else "read"
        return Value(frozenset([Fact(said.quantity, said.unit, show(node), trust, how)]), known.number if known is not None else None)

    def _with_message_unit(self, value: Value, base: Node, place: Place, kind: str = "") -> Value:
        kind = kind or (place.scope.types.get(base.name, "") if base.kind == "name" else "")
        kind = kind or base.name or show(base)
        facts = set()
        for fact in value.facts:
            unit = w.unit_in(kind, fact.quantity)
            facts.add(fact._replace(unit=unit) if unit else fact)
        return Value(frozenset(facts), value.number)

    def _index(self, node: Node, place: Place) -> Value:
        base = self.walk(node.kids[0], place)
        for kid in node.kids[1:]:
            self.walk(kid, place)
        if len(node.kids) > 1 and node.kids[1].kind == "str":
            key = Node("attr", node.line, str(node.kids[1].value), [node.kids[0]])
            said = self._attr(key, place)
            if said.facts:
                return said
        return Value(base.facts)

    def _kw(self, node: Node, place: Place) -> Value:
        return self.walk(node.kids[0], place)

    def _unary(self, node: Node, place: Place) -> Value:
        place.negated ^= node.name == "not"
        inner = self.walk(node.kids[0], place)
        place.negated ^= node.name == "not"
        return Value(inner.facts, -inner.number if inner.number is not None and node.name == "-" else None)

    def _bool(self, node: Node, place: Place) -> Value:
        facts: frozenset[Fact] = frozenset()
        for kid in node.kids:
            facts |= self.walk(kid, place).facts
        return Value(facts)

    _cmp = _bool

    def _cond(self, node: Node, place: Place) -> Value:
        self.walk(node.kids[0], place)
        return Value(self.walk(node.kids[1], place).facts | self.walk(node.kids[2], place).facts)

    def _bin(self, node: Node, place: Place) -> Value:
        left, right = self.walk(node.kids[0], place), self.walk(node.kids[1], place)
        number = fold(node.name, left.number, right.number)
        if node.name == "-":
            facts = self._difference(left, right)
        elif node.name == "/":
            facts = self._quotient(node, left, right)
        else:
            facts = left.facts | right.facts
        if node.name in ("*", "/"):
            facts = scaled(facts, left.number if left.number is not None else right.number, node.name)
        return Value(facts, number)

    @staticmethod
    def _difference(left: Value, right: Value) -> frozenset[Fact]:
        alike = {f.quantity for f in left.facts} & {f.quantity for f in right.facts}
        facts = left.facts | right.facts
        return frozenset(f._replace(how="difference") if f.quantity in alike else f for f in facts)

    @staticmethod
    def _quotient(node: Node, left: Value, right: Value) -> frozenset[Fact]:
        speed = right.has(w.SPEED, w.CLIMB, w.SET_SPEED)
        if speed is not None and left.has(w.DISTANCE, w.POSITION, w.ALT_REL):
            return frozenset([Fact(w.ETA, "s", show(node), speed.trust)])
        if any(f.how == "difference" for f in left.facts):
            return frozenset(derivative(f) for f in left.facts) | right.facts
        if {f.quantity for f in left.facts} & {f.quantity for f in right.facts}:
            return frozenset()              # a ratio
        return left.facts | right.facts

    def _call(self, node: Node, place: Place) -> Value:
        callee = node.kids[0]
        given = [self.walk(kid, place) for kid in node.kids[1:]]
        receiver = self.walk(callee.kids[0], place) if callee.kind == "attr" and callee.kids else EMPTY
        name = node.name
        if is_clock(show(callee)):
            return Value(frozenset([Fact(w.WALL_TIME, "s", show(callee), w.MEMBER)]))
        own = self.functions.get(name)
        if own is not None and (callee.kind == "name" or callee.kids[0].name in ("self", "this", "cls")):
            self._pass(own, node, given)
            if own.result.facts or own.result.number is not None:
                return own.result
        self._callbacks(node, place)
        key = next((k for k in node.kids[1:3] if k.kind == "str"), None) if name in ("get", "getattr", "getDouble", "GetValue", "getOrDefault", "value") else None
        if key is not None:
            said = self._attr(Node("attr", node.line, str(key.value), [callee.kids[0] if callee.kind == "attr" else node.kids[1]]), place)
            if said.facts:
                return said
        if name.lower() in SAME:
            facts = frozenset().union(receiver.facts, *(v.facts for v in given)) if given or receiver.facts else frozenset()
            return Value(facts, given[0].number if len(given) == 1 else None)
        if name in ("append", "push", "push_back", "add", "insert") and given and callee.kind == "attr":
            self._bind(callee.kids[0], given[0], place)
            return EMPTY
        if callee.kind == "attr" and not given:
            return self._with_message_unit(self._attr(callee, place), callee.kids[0], place)
        said = self._named(callee, None, "", callee.kind == "attr")
        return said if said.facts and not starts_like_setter(name) else EMPTY

    def _pass(self, scope: Scope, node: Node, given: list[Value]) -> None:
        names = [n for n, _ in scope.node.value or ()]
        if names and names[0] in ("self", "cls"):
            names = names[1:]
        positional = 0
        for kid, value in zip(node.kids[1:], given):
            name = kid.name if kid.kind == "kw" else names[positional] if positional < len(names) else ""
            positional += kid.kind != "kw"
            if not name or name not in names:
                continue
            before = scope.names.get(name)
            after = value if before is None else Value(before.facts | value.facts, before.number if before.number == value.number else None)
            if before != after:
                scope.names[name] = after
                self.changed = True

    def _callbacks(self, node: Node, place: Place) -> None:
        """subscribe_velocity([](VelocityNed v) {...}): the parameter is what is subscribed to."""
        said = w.meaning(node.name, True)
        for kid in node.kids[1:]:
            if kid.kind == "func" and said is not None:
                scope = self.by_node[id(kid)]
                for name, _ in kid.value or ():
                    if name not in scope.names:
                        scope.names[name] = Value(frozenset([Fact(said.quantity, said.unit, node.name, w.MEMBER)]))
                        self.changed = True


def derivative(fact: Fact) -> Fact:
    """Of a difference over a time."""
    if fact.how != "difference":
        return fact
    made = {w.SPEED: (w.ACCEL, "m/s2"), w.CLIMB: (w.ACCEL, "m/s2"), w.POSITION: (w.SPEED, "m/s"), w.DISTANCE: (w.SPEED, "m/s"),
            w.ALT_REL: (w.CLIMB, "m/s"), w.ALT_MSL: (w.CLIMB, "m/s"), w.ATTITUDE: (w.RATE, "rad/s")}
    quantity, unit = made.get(fact.quantity, (fact.quantity, fact.unit))
    return fact._replace(quantity=quantity, unit=unit, how="derivative")


def owner(target: Node, place: Place) -> tuple[int, str]:
    """A member is its class's; a name is its function's, or that of a closure around it."""
    if target.kind == "attr":
        return MEMBERS, target.name
    holder = place.scope.holder(target.name)
    return id((holder or place.scope).node), target.name


def is_clock(text: str) -> bool:
    return text in CLOCKS or any(text.endswith("." + c) for c in CLOCKS if "." in c)


def starts_like_setter(name: str) -> bool:
    return w.words(name)[:1] in (("set",), ("send",), ("change",), ("do",), ("publish",), ("update",), ("on",))


def fold(op: str, a: Optional[float], b: Optional[float]) -> Optional[float]:
    if a is None or b is None:
        return None
    try:
        return {"+": a + b, "-": a - b, "*": a * b, "/": a / b if b else None, "**": a ** b if abs(b) < 10 and (a or b > 0) else None}.get(op)
    except (OverflowError, TypeError, ValueError):
        return None


SCALES = {("cm/s", 100.0): "m/s", ("mm", 1000.0): "m", ("ms", 1000.0): "s", ("mG", 1000.0): "g"}


def scaled(facts: frozenset[Fact], by: Optional[float], op: str) -> frozenset[Fact]:
    """Units after / 100, / 1000.0, * 0.01."""
    if by is None or by == 0:
        return facts
    by = by if op == "/" else 1.0 / by
    return frozenset(f._replace(unit=SCALES.get((f.unit, round(by, 6)), f.unit)) for f in facts)
