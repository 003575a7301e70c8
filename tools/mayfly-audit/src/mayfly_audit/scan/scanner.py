# SPDX-License-Identifier: Apache-2.0
"""One file after the other: which are read, what is found in them, and what is remembered of them."""
from __future__ import annotations

import concurrent.futures
import hashlib
import json
import os
import pathlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib import metadata
from typing import Any, Optional, Union

from ..files import write_whole
from ..finding import Finding, context_of, digest, no_component, shortened, with_ids
from ..git import git
from . import grammar, python
from . import source as sources
from . import words as w
from .flow import Flow
from .rules import RULES, UNJUDGED
from .tree import show

AT_ONCE = 40                    # files, or more, are worth several processes
ERRORS_MAX = 20                 # of one file, told one by one; with more it counts as a whole
WHOLE = -200                    # depth of show(): an expression is named by all of it


@dataclass
class Seen:
    """A file, as it was found."""
    path: str
    lines: int = 0
    findings: list[Finding] = field(default_factory=list)
    problem: str = ""
    unjudged: list[Finding] = field(default_factory=list)       # what could not be read, of rule MA00
    whole: bool = True          # False: nothing of it was read
    lasting: bool = True        # False: another installation may read it


@dataclass
class Result:
    root: str
    findings: list[Finding] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    files: int = 0
    read: int = 0
    lines: int = 0
    unjudged: list[Finding] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)           # what was not read on purpose, and why
    paths: frozenset[str] = frozenset()                         # of files without anything unjudged, from the repository's root


def files_of(root: str) -> Iterator[str]:
    """Paths of source files beneath, relative to it."""
    return sources.Tree(root).paths()


def unjudged(path: str, line: int, why: str, content: str) -> Finding:
    """Something that hides what it may depend on. Its id changes with its content: who accepts it has accepted no other."""
    return Finding(UNJUDGED.id, path, line, "", "source", "", f"{why} ({digest(content, 10)})" if content else why)


def blind(path: str, why: str, content: Union[bytes, str] = "", lasting: bool = True) -> Seen:
    text = content if isinstance(content, str) else hashlib.sha256(content).hexdigest()
    return Seen(path, content.count(b"\n") + 1 if isinstance(content, bytes) else 0, problem=f"{path}: {why}", unjudged=[unjudged(path, 1, why, text)], whole=False, lasting=lasting)


def scan_text(content: bytes, path: str, types: Optional[dict[tuple[int, str], str]] = None, vehicle: bool = False) -> Seen:
    """types: of a compile database (clang.py), if there is one. vehicle: another file of the tree says that it is about vehicles."""
    source = sources.source_of(content, path)
    if isinstance(source, str):
        suffix = os.path.splitext(path)[1].lower()
        named = sources.SELDOM.get(suffix, b"") in content and (w.VEHICLE_TEXT.search(content) or (vehicle and suffix in sources.UNREAD))
        aside = (suffix in sources.UNREAD or suffix in sources.SELDOM) and not (named and w.CANDIDATE_TEXT.search(content))
        return Seen(path, content.count(b"\n") + 1) if aside else blind(path, source, content)
    text, suffix, lines = source
    seen = Seen(path, text.count(b"\n") + 1)
    if not w.CANDIDATE_TEXT.search(text):
        return seen
    if (len(text) > sources.LINE_MEAN_MAX * seen.lines and suffix in SCRIPTS) or path.endswith(".min.js"):
        return blind(path, "minified; left out", content)
    if sources.GENERATED.search(text[:sources.HEAD]):
        return blind(path, "made by a generator; left out", content)
    try:
        tree, errors = python.parse(text) if suffix in PYTHON else grammar.parse(text, suffix)
        flow = Flow(tree, vehicle or bool(w.VEHICLE_TEXT.search(text)), suffix)
        flow.record_types = types
        seen.findings = find(flow, path)
    except ImportError as error:
        return blind(path, f"not read: {error}", content, lasting=False)
    except RecursionError:
        return blind(path, "not read: its expressions are nested too deeply", content)
    seen.unjudged = of_errors(path, errors, content)
    if errors:
        seen.problem = f"{path}: line {errors[0][0]}: syntax error; the rest was read"
    shown = text.decode("utf-8", "replace").split("\n")
    placed = [replace(f, context=context_of(shown, f.line)) for f in seen.findings]
    if lines is not None:
        placed = [replace(f, line=lines[f.line - 1]) for f in placed]
        seen.unjudged = [replace(f, line=lines[min(f.line, len(lines)) - 1]) for f in seen.unjudged]
    seen.findings = placed
    return seen


SCRIPTS = frozenset({".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"})
PYTHON = frozenset({".py", ".pyi", ".pyw"})


def of_errors(path: str, errors: list[tuple[int, str]], content: bytes) -> list[Finding]:
    """The pieces of a file that its grammar does not know."""
    if len(errors) > ERRORS_MAX:
        return [unjudged(path, errors[0][0], f"{len(errors)} syntax errors", hashlib.sha256(content).hexdigest())]
    return [unjudged(path, line, f"syntax error: {' '.join(text.split())[:60]}", text) for line, text in errors]


def find(flow: Flow, path: str) -> list[Finding]:
    found: dict[tuple[str, int, str], Finding] = {}

    def looker(rule: Any) -> Any:
        def look(node: Any, flow: Flow, place: Any) -> None:
            hit = rule.check(node, flow, place)
            if hit is not None:
                text = shortened(show(node, WHOLE))
                made = Finding(rule.id, path, node.line, place.scope.name, hit.fact.quantity, hit.fact.unit, text, hit.threshold, hit.dwell_s,
                               hit.fact.source[:80])
                found.setdefault((rule.id, node.line, text), made)
        return look

    looks: dict[str, list[Any]] = {}
    for rule in RULES:
        for kind in rule.kinds:
            looks.setdefault(kind, []).append(looker(rule))
    flow.run(looks)
    return list(found.values())


# ---------------------------------------------------------------- what is remembered

def version() -> str:
    """Changes with each file of the scanner, and with the grammars that are installed."""
    digest = hashlib.sha256()
    for file in (*sorted(pathlib.Path(__file__).parent.glob("*.py")), pathlib.Path(__file__).parents[1] / "finding.py"):
        digest.update(file.read_bytes())
    for package in sorted({name for name, _ in grammar.LANGUAGES.values()} | {"tree_sitter", "libclang"}):
        digest.update(f"{package} {installed(package)}\n".encode())
    return digest.hexdigest()[:16]


def installed(package: str) -> str:
    try:
        return metadata.version(package.replace("_", "-"))
    except metadata.PackageNotFoundError:
        return ""


def cache_of(root: str) -> Optional[str]:
    """Of a tree, in the user's own folder: a tree that brought it could say what is found in it. None: the user has no such folder."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".cache")
    name = hashlib.sha256(os.fsencode(os.path.realpath(root))).hexdigest()[:32]
    return os.path.join(base, "mayfly-audit", name + ".json") if os.path.isabs(base) else None


class Cache:
    """Findings by path, with the digest of the file's content. A damaged one is none."""

    def __init__(self, path: Optional[str], key: str):
        self.path, self.key = path, key
        self.known: dict[str, Any] = {}
        if path:
            try:
                data = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
                self.known = dict(data["files"]) if data["version"] == key else {}
            except (OSError, ValueError, KeyError, TypeError, RecursionError):
                pass

    def get(self, path: str, digest: str) -> Optional[Seen]:
        try:
            was, lines, findings, problem, hidden, whole = self.known[path]
            return Seen(path, int(lines), [Finding.from_dict(f) for f in findings], str(problem), [Finding.from_dict(f) for f in hidden],
                        bool(whole)) if was == digest else None
        except (KeyError, TypeError, ValueError):
            return None

    def put(self, seen: Seen, digest: str) -> None:
        if seen.lasting:
            self.known[seen.path] = [digest, seen.lines, [f.as_dict() for f in seen.findings], seen.problem,
                                     [f.as_dict() for f in seen.unjudged], seen.whole]

    def save(self, paths: Iterable[str]) -> None:
        if not self.path:
            return
        kept = set(paths)
        data = {"version": self.key, "files": {k: v for k, v in self.known.items() if k in kept}}
        try:
            os.makedirs(os.path.dirname(self.path) or ".", mode=0o700, exist_ok=True)
            write_whole(self.path, json.dumps(data), private=True)
        except OSError:
            pass                        # without a cache a tree is scanned all the same


def scan_file(root: str, path: str, database: Optional[str] = None, vehicle: bool = False) -> Seen:
    """Whatever one file does to its reader, the others are read."""
    content = sources.content_of(root, path)
    if isinstance(content, str):
        return blind(path, content)
    try:
        types = types_of(root, path, content, database)
        seen = scan_text(content, path, None if isinstance(types, str) else types, vehicle)
    except Exception as error:                          # pylint: disable=broad-except
        return blind(path, f"not read: {type(error).__name__}: {error}", content)
    if isinstance(types, str) and database and not seen.problem:
        seen.problem = f"{path}: {types}; read without types"
    return seen


def types_of(root: str, path: str, content: bytes, database: Optional[str]) -> Any:
    if grammar.suffix_of(path) not in (CLANG_SUFFIXES if database else CLANG_ALONE) or not w.CANDIDATE_TEXT.search(content):
        return None
    from . import clang
    return clang.types_of(database, os.path.join(root, path))


CLANG_SUFFIXES = frozenset({".c", ".cc", ".cpp", ".cxx"})
CLANG_ALONE = CLANG_SUFFIXES | {".h", ".hpp", ".hh", ".hxx"}


def scan(root: str, cache: Optional[str] = None, jobs: Optional[int] = None, database: Optional[str] = None,
         only: Optional[Sequence[str]] = None, top: Optional[str] = None, component_of: Callable[[str], str] = no_component,
         vehicle: bool = False) -> Result:
    """Everything beneath root. cache: a file. database: compile_commands.json, or its folder. top: the repository's root, from which
    paths are told; root itself without one. component_of: such a path. vehicle: this tree is known to be
    about vehicles, also if none of these files says so."""
    result = Result(root)
    base = os.path.dirname(root) or "." if os.path.isfile(root) else root
    tree = sources.Tree(root)
    paths = list(only) if only is not None else list(tree.paths())
    vehicle = vehicle or about_vehicles(base, paths)
    key = version() + "v" * vehicle + (hashlib.sha256(pathlib.Path(database).read_bytes()).hexdigest()[:16] if database else "")
    remembered = Cache(None if database else cache, key)        # a header that changes would change what was found in other files
    todo: list[tuple[str, str]] = []
    seen: list[Seen] = []
    for path in paths:
        text = sources.content_of(base, path)
        if isinstance(text, str):
            seen.append(blind(path, text))
            continue
        sum_ = hashlib.sha256(text).hexdigest()
        known = remembered.get(path, sum_)
        if known is not None:
            seen.append(known)
        else:
            todo.append((path, sum_))
    for (_, sum_), one in zip(todo, scanned(base, [p for p, _ in todo], jobs, database, vehicle)):
        remembered.put(one, sum_)
        seen.append(one)
    if todo:
        remembered.save(paths)
    result.files, result.read, result.lines = len(paths), len(todo), sum(s.lines for s in seen)
    result.problems = sorted(s.problem for s in seen if s.problem)
    prefix = "" if top is None else os.path.relpath(os.path.realpath(base), os.path.realpath(top))
    result.findings = with_ids((rooted(prefix, f) for s in seen for f in s.findings), component_of)
    held = [(path, f"left out: {why}", source_within(tree.root, path)) for path, why in tree.left_out]
    folders = [unjudged(path, 0, why, content) for path, why, content in (*held, *(absent(base) if os.path.isdir(root) else ())) if content]
    result.left_out = [f"{path}: left out: {why}" for path, why in tree.left_out]
    result.unjudged = with_ids((rooted(prefix, f) for f in [*folders, *(f for s in seen for f in s.unjudged)]), component_of)
    result.paths = frozenset(os.path.normpath(os.path.join(prefix, s.path)) for s in seen if s.whole and not s.unjudged)
    return result


def about_vehicles(base: str, paths: Sequence[str]) -> bool:
    """Is any file of the tree? A helper beside the client need not name its protocol."""
    return any(not isinstance(text, str) and w.VEHICLE_TEXT.search(text) for text in (sources.content_of(base, p) for p in paths))


def rooted(prefix: str, finding: Finding) -> Finding:
    return replace(finding, path=os.path.normpath(os.path.join(prefix, finding.path))) if prefix not in ("", ".") else finding


def source_within(root: str, path: str) -> str:
    """What tells apart the files of source in a folder that was left out; empty: none are kept there. git says which are; without it those
    with the name of a tool hold none."""
    full = os.path.join(root, path)
    if os.path.islink(full):
        return os.readlink(full)
    if os.path.basename(path) in REPOSITORIES:
        return ""
    known = kept_in(full)
    if known is not None:
        return "\0".join(f"{name} {content}" for _, mode, content, name in known if mode == SUBMODULE or is_named(name))
    if os.path.basename(path).lower() in sources.TOOLS_OWN or path.endswith(".egg-info"):
        return ""
    files = [os.path.join(folder, name) for folder, _, names in os.walk(full) for name in sorted(names) if is_named(name)]
    return "\0".join(f"{os.path.relpath(file, full)} {os.path.getsize(file) if os.path.isfile(file) else 0}" for file in sorted(files)) \
        or ("" if os.access(full, os.R_OK | os.X_OK) else "not readable")


SUBMODULE, NOT_CHECKED_OUT = "160000", "S"
REPOSITORIES = (".git", ".hg")      # git, asked from within its own folder, lists the whole tree


def kept_in(folder: str) -> Optional[list[tuple[str, str, str, str]]]:
    """Of each file that git keeps there: its tag, its mode, its content and its name. None: no repository is there."""
    listed = git(folder, "ls-files", "-t", "-s", "-z", ".")
    if listed is None:
        return None
    made = []
    for row in listed.split(b"\0"):
        about, _, name = os.fsdecode(row).partition("\t")
        if name:
            tag, mode, content, _ = about.split(" ", 3)
            made.append((tag, mode, content, name))
    return made


def absent(base: str) -> list[tuple[str, str, str]]:
    """Source that the repository keeps, and that is not here: submodules and folders that are not checked out."""
    rest: dict[str, str] = {}
    made = []
    for tag, mode, content, name in kept_in(base) or ():
        full = os.path.join(base, name)
        if mode == SUBMODULE and not (os.path.isdir(full) and os.listdir(full)):
            made.append((name, "left out: a submodule that is not checked out", content))
        elif tag == NOT_CHECKED_OUT and is_named(name) and not os.path.lexists(full):
            folder = os.path.dirname(name) or "."
            rest[folder] = rest.get(folder, "") + f"{name} {content}\0"
    return made + [(folder, "left out: not checked out", content) for folder, content in rest.items()]


def is_named(name: str) -> bool:
    return bool(grammar.suffix_of(name)) or name.lower().endswith(sources.NOTEBOOK)


def scanned(base: str, paths: list[str], jobs: Optional[int], database: Optional[str], vehicle: bool) -> Iterable[Seen]:
    jobs = jobs or os.cpu_count() or 1
    if jobs < 2 or len(paths) < AT_ONCE:
        return [scan_file(base, path, database, vehicle) for path in paths]
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        count = len(paths)
        return list(pool.map(scan_file, [base] * count, paths, [database] * count, [vehicle] * count, chunksize=8))
