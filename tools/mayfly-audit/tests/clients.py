# SPDX-License-Identifier: Apache-2.0
"""The clients of the corpus: built once, each with its command."""
from __future__ import annotations

import functools
import os
import pathlib
import shutil
import subprocess
import sys
from typing import Optional

CORPUS = pathlib.Path(__file__).parent / "corpus"
DEPENDENT = {"arrived_by_speed.py": "MA01", "flying_by_climb.ts": "MA02", "overshoot.py": "MA02",
             "fixed_sleep.py": "MA03", "finite_difference.py": "MA04",
             "low_pass.cpp": "MA05", "dwell.cpp": "MA06", "braking.cpp": "MA07", "distance_over_speed.py": "MA08", "motion_parameter.py": "MA09",
             "fixed_rate.py": "MA10", "mixed_clocks.py": "MA11", "ellipsoid.cpp": "MA12"}
CLEAN = ("mission_events.py", "by_place.py", "vehicle_time.py", "polls.py", "landed_state.cpp", "relative_height.cpp")
NODE_PACKAGES = ("node-mavlink@2.3.0", "mavlink-mappings@1.0.21-20250824-1", "typescript@5.9.3", "@types/node@20.19.9")
BUILT = pathlib.Path(os.environ.get("BUILD", "build")).resolve() / "audit"


def path_of(name: str) -> pathlib.Path:
    return CORPUS / ("dependent" if name in DEPENDENT else "clean") / name


def missing(name: str) -> Optional[str]:
    """What is not here to build a client; None: nothing."""
    if name.endswith(".cpp") and not (shutil.which("g++") or shutil.which("clang")):
        return "no C++ compiler"
    if name.endswith(".ts") and not (shutil.which("node") and shutil.which("npm")):
        return "no node or no npm (apt-get install nodejs npm)"
    return None


def command_of(name: str) -> list[str]:
    path = path_of(name)
    if name.endswith(".py"):
        return [sys.executable, str(path)]
    return [str(built(path))] if name.endswith(".cpp") else ["node", str(transpiled(path))]


@functools.lru_cache(maxsize=1)
def mavlink_headers() -> pathlib.Path:
    """pymavlink's generator makes them of its own definitions."""
    folder = BUILT / "mavlink"
    if not (folder / "common" / "mavlink.h").exists():
        import pymavlink
        definition = pathlib.Path(pymavlink.__file__).parent / "dialects" / "v20" / "common.xml"
        subprocess.run([sys.executable, "-m", "pymavlink.tools.mavgen", "--lang", "C", "--wire-protocol", "2.0", "--output", str(folder),
                        str(definition)], check=True, capture_output=True, timeout=300)
    return folder


def built(path: pathlib.Path) -> pathlib.Path:
    program = BUILT / path.stem
    if not program.exists() or program.stat().st_mtime < max(path.stat().st_mtime, (CORPUS / "vehicle.hpp").stat().st_mtime):
        # clang needs no C++ library: the clients use that of C
        compiler = ["g++"] if shutil.which("g++") else ["clang", "-x", "c++", "-fno-exceptions", "-fno-rtti"]
        subprocess.run([*compiler, "-std=c++17", "-O1", f"-I{CORPUS}", "-isystem", str(mavlink_headers()), str(path), "-lm", "-o", str(program)],
                       check=True, timeout=120)
    return program


def transpiled(path: pathlib.Path) -> pathlib.Path:
    folder = BUILT / "node"
    script = folder / (path.stem + ".js")
    if not (folder / "node_modules" / "typescript").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--prefix", str(folder),
                        *NODE_PACKAGES], check=True, timeout=180)
    if not script.exists() or script.stat().st_mtime < path.stat().st_mtime:
        shutil.copy(path, folder / path.name)
        subprocess.run(["node", str(folder / "node_modules/typescript/bin/tsc"), "--module", "commonjs", "--target", "es2020", "--esModuleInterop",
                        "--noEmitOnError", "--skipLibCheck", "--types", "node", path.name], cwd=folder, check=True, timeout=120)
    return script
