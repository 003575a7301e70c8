# SPDX-License-Identifier: Apache-2.0
"""Types of C and C++ by libclang: with a compile database those of a whole translation unit, without one those of the file alone.

The tree itself comes from tree-sitter in either case: without its headers libclang drops the members of types that it does not
know, and these are the ones that matter. What libclang adds is the type whose member a name is: `vx` of a MAVLink message, or
`vx` of a particle.
"""
from __future__ import annotations

import functools
import json
import os
import shlex
from typing import Any, Optional, Union

# (line, name of the member) -> name of the type that has it
Types = dict[tuple[int, str], str]

ALONE = ("-x", "c++", "-std=c++20", "-ferror-limit=0", "-w")
ALONE_C = ("-x", "c", "-std=c17", "-ferror-limit=0", "-w")
ALONE_OPTIONS = 0x400 | 0x2     # CXTranslationUnit_SingleFileParse, _Incomplete: headers are not followed
LEFT_OUT = {"-c", "-o", "-MF", "-MT", "-MQ", "-MD", "-MMD", "-MP"}
WITH_VALUE = {"-o", "-MF", "-MT", "-MQ"}


@functools.lru_cache(maxsize=4)
def entries(database: str) -> dict[str, tuple[str, list[str]]]:
    """By real path: the folder of its command, and its arguments."""
    with open(database, encoding="utf-8-sig") as file:
        data = json.load(file)
    found = {}
    for entry in data:
        arguments = entry.get("arguments") or shlex.split(entry["command"])
        path = os.path.realpath(os.path.join(entry["directory"], entry["file"]))
        found[path] = (entry["directory"], kept(arguments[1:], entry["file"]))
    return found


def kept(arguments: list[str], source: str) -> list[str]:
    """What decides how the file reads."""
    result, skip = [], False
    for argument in arguments:
        if not skip and argument not in LEFT_OUT and argument != source:
            result.append(argument)
        skip = not skip and argument in WITH_VALUE
    return result


@functools.lru_cache(maxsize=1)
def resource_arguments() -> tuple[str, ...]:
    """The wheel has no headers of the compiler (stddef.h): those of an installed clang or gcc are taken."""
    import glob
    for pattern in ("/usr/lib/llvm-*/lib/clang/*/include", "/usr/lib/clang/*/include", "/usr/lib/gcc/*/*/include"):
        found = sorted(glob.glob(pattern))
        if found:
            return ("-isystem", found[-1])
    return ()


def types_of(database: Optional[str], path: str) -> Union[Types, str]:
    """What libclang knows of a file; a text says why it knows nothing."""
    try:
        from clang import cindex
    except ImportError:
        return "libclang is not installed"
    path = os.path.abspath(path)                # a relative one would be one of the database's folder
    if database is None:
        return parsed(cindex, path, list(ALONE_C if path.endswith(".c") else ALONE), ALONE_OPTIONS)
    try:
        entry = entries(database).get(os.path.realpath(path))
    except (OSError, ValueError, KeyError, TypeError) as error:
        return f"{database} is not a compile database ({error})"
    if entry is None:
        return "not in the compile database"
    folder, arguments = entry
    return parsed(cindex, path, [f"-working-directory={folder}", *arguments, *resource_arguments()], 0)


def parsed(cindex: Any, path: str, arguments: list[str], options: int) -> Union[Types, str]:
    try:
        unit = cindex.Index.create().parse(path, arguments, options=options)
    except cindex.TranslationUnitLoadError:
        return "libclang could not parse it"
    return members(unit, path, cindex)


def members(unit: Any, path: str, cindex: Any) -> Types:
    found: Types = {}
    wanted = cindex.CursorKind.MEMBER_REF_EXPR
    for top in unit.cursor.get_children():
        file = top.location.file
        if file is None or file.name != path:
            continue
        for cursor in top.walk_preorder():
            if cursor.kind == wanted:
                record = cursor.referenced.semantic_parent if cursor.referenced is not None else None
                if record is not None:
                    found[(cursor.location.line, cursor.spelling)] = record.type.spelling or record.spelling
    return found
