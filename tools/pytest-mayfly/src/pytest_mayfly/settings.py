# SPDX-License-Identifier: Apache-2.0
"""Settings as Python has them, and as the command line of mayfly does; and where mayfly is."""
from __future__ import annotations

import os
import pathlib
import shutil
from collections.abc import Iterable, Mapping
from typing import Any, Optional, Union

from .api import MayflyError

Path = Union[str, "os.PathLike[str]"]

# A mapping gives one flag for each of its pairs.
PAIRS = {"params": "--param", "streams": "--stream"}

NOT_FOUND = ("mayfly was not found. A wheel of pytest-mayfly for this processor brings it along (the project mayfly on PyPI is "
             "another's). Or build it (make) and say where it is: pytest --mayfly PATH, mayfly_binary = PATH in the ini file, "
             "MAYFLY=PATH in the environment, or put it on the PATH. build/mayfly is found by itself from the repository, or a "
             "folder in it.")


def inside() -> Optional[str]:
    """The program that a wheel brings along, if this is one."""
    return shutil.which(str(pathlib.Path(__file__).parent.absolute() / "bin" / "mayfly"))


def find_binary(given: Optional[Path] = None, start: Optional[Path] = None) -> str:
    """The program: as given, MAYFLY in the environment, inside this package, on the PATH, or build/mayfly in `start` (the
    present folder) or one above it. Raises MayflyError, which says what to do."""
    for path, who in ((given, "it was given"), (os.environ.get("MAYFLY"), "MAYFLY names it")):
        if path:
            found = shutil.which(os.path.abspath(path))
            if found is None:
                raise MayflyError(f"{path} is not a program that can be run ({who}). {NOT_FOUND}")
            return found
    brought = inside()
    if brought:
        return brought
    found = shutil.which("mayfly")
    if found:
        return os.path.abspath(found)
    here = pathlib.Path(start or ".").resolve()
    for folder in (here, *here.parents):
        found = shutil.which(str(folder / "build" / "mayfly"))
        if found:
            return found
    raise MayflyError(NOT_FOUND)


def text_of(value: Any) -> str:
    """One value as flags spell it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        return ",".join(text_of(part) for part in value)
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def flags_of(settings: Mapping[str, Any]) -> list[str]:
    """Flags of mayfly --help: home=(47.4, 8.5, 488), clock="event", params={"MPC_XY_CRUISE": 15}, px4_strict=True,
    args=["--any", "flag"]. None: not set."""
    flags: list[str] = []
    for name, value in settings.items():
        flag = "--" + name.replace("_", "-")
        if value is None or name == "args":
            continue
        if name in PAIRS and isinstance(value, Mapping):
            for key, one in value.items():
                flags += [PAIRS[name], f"{key}={text_of(one)}"]
        elif name in PAIRS:
            flags.append(f"{PAIRS[name]}={text_of(value)}")
        else:
            flags.append(f"{flag}={text_of(value)}")
    return flags + [text_of(arg) for arg in settings.get("args") or ()]


def has_flag(flags: Iterable[str], flag: str) -> bool:
    return any(given == flag or given.startswith(flag + "=") for given in flags)


def merged(*layers: Mapping[str, Any]) -> dict[str, Any]:
    """Later ones win; params and streams are merged, args follow each other."""
    result: dict[str, Any] = {}
    for layer in layers:
        for name, value in layer.items():
            before = result.get(name)
            if name in PAIRS and isinstance(before, Mapping) and isinstance(value, Mapping):
                value = {**before, **value}
            elif name == "args" and before:
                value = [*before, *(value or ())]
            result[name] = value
    return result


def packs_of(flags: Iterable[str]) -> list[str]:
    """What `replay` has to be told of files that a drone with these flags flies by."""
    found: list[str] = []
    given = list(flags)
    for flag, following in zip(given, given[1:] + [""]):
        name, equals, value = flag.partition("=")
        if name in ("--geoid", "--terrain"):
            for part in (value if equals else following).split(","):
                if name == "--terrain" or (":" in part and not part.startswith("constant:")):
                    found += [name, part]
    return found
