#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""study.py FOLDER [--check]: fetches the packages of packages.txt into FOLDER, scans them, and writes docs/audit/packages.md.

Each finding was read and judged by hand (judged.tsv: id of package and finding, true or false, why). A finding that is not
judged, or a judgement without its finding, fails; so does a precision below 80 %. No foreign code enters the repository.
"""
from __future__ import annotations

import pathlib
import subprocess
import sys
import tarfile
import zipfile

HERE = pathlib.Path(__file__).parent
TOP = HERE.parents[2]
sys.path[:0] = [str(HERE.parent / "src"), str(HERE.parents[1] / "pytest-mayfly" / "src")]
from mayfly_audit.scan import scanner  # noqa: E402

PAGE = TOP / "docs" / "audit" / "packages.md"
PRECISION = 0.8
LEFT_OUT = ("MAVProxy/modules/mavproxy_cesium/app/static",)     # other people's programs within a package


def packages() -> list[tuple[str, str, str, str]]:
    """(registry, package, version, when it was first scanned) of each."""
    lines = (HERE / "packages.txt").read_text().splitlines()
    return [tuple(line.split()) for line in lines if line and not line.startswith("#")]        # type: ignore[misc]


def fetch(folder: pathlib.Path, registry: str, name: str, version: str) -> pathlib.Path:
    into = folder / f"{name}-{version}"
    if not into.is_dir():
        archives = folder / "archives" / name
        archives.mkdir(parents=True, exist_ok=True)
        if registry == "npm":
            subprocess.run(["npm", "pack", "--silent", f"{name}@{version}"], cwd=archives, check=True, timeout=120, capture_output=True)
        else:
            subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", f"{name}=={version}", "-d", str(archives)], check=True,
                           timeout=120)
        archive = next(archives.iterdir())
        with (zipfile.ZipFile(archive) if archive.suffix == ".whl" else tarfile.open(archive)) as file:
            file.extractall(into)
    return into


def main() -> int:
    folder = pathlib.Path(sys.argv[1])
    judged = {}
    for line in (HERE / "judged.tsv").read_text().splitlines():
        package, finding, verdict, why = line.split("\t")
        judged[package, finding] = (verdict, why)
    rows, lines, problems = [], 0, []
    for registry, name, version, _ in packages():
        result = scanner.scan(str(fetch(folder, registry, name, version)))
        lines += result.lines
        for f in result.findings:
            if any(part in f.path for part in LEFT_OUT):
                continue
            verdict, why = judged.get((name, f.id), ("", ""))
            if not verdict:
                problems.append(f"{name}: {f.path}:{f.line}: {f.id} is not judged: {f.expression}")
            rows.append((name, version, f.path, f.line, f.rule, verdict, why, f.id))
    known = {(r[0], r[7]) for r in rows}
    problems += [f"{name}: {finding} is judged, and was not found" for name, finding in judged if (name, finding) not in known]
    true = sum(r[5] == "true" for r in rows)
    print(f"study: {len(rows)} findings in {lines} lines of {len(packages())} packages, {true} true: precision {true / max(len(rows), 1):.0%}")
    if true < PRECISION * len(rows):
        problems.append(f"the precision is below {PRECISION:.0%}")
    table = ["| package | version | place | rule | judged | why |", "|---|---|---|---|---|---|"]
    table += [f"| {n} | {v} | {path}:{line} | [{rule}](rules/{rule}.md) | {verdict} | {why} |" for n, v, path, line, rule, verdict, why, _ in rows]
    text = PAGE.read_text() if PAGE.exists() else ""
    before, _, after = text.partition("<!-- findings -->\n")
    _, _, after = after.partition("<!-- end -->\n")
    if "--check" not in sys.argv:
        PAGE.write_text(before + "<!-- findings -->\n" + "\n".join(table) + "\n<!-- end -->\n" + after)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
