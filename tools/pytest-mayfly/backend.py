# SPDX-License-Identifier: Apache-2.0
"""Builds the package: for pip (PEP 517 and 660) from its sources alone, for `make dist` with static programs in it.

    python3 backend.py FOLDER PROCESSOR FILE...    puts a wheel of programs and libraries into FOLDER; with a program goes PROGRAM.spdx.json, its
                                                   list of contents

The same input gives the same bytes: files stand in the order of their names and bear the time SOURCE_DATE_EPOCH. The command `mayfly`
is only in a wheel that has the program.
"""
import base64
import hashlib
import io
import os
import pathlib
import re
import stat
import sys
import tarfile
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = ("pytest_mayfly", "mayfly")
PROGRAMS = "pytest_mayfly/bin/"      # where find_binary() looks
COMMAND = "mayfly = mayfly.__main__:main"
# A static program needs Linux alone: any glibc and any musl will do. These are the oldest that pip knows names for.
TAGS = {processor: f"manylinux_2_17_{name}.musllinux_1_1_{name}"
        for processor, name in (("amd64", "x86_64"), ("arm64", "aarch64"), ("riscv64", "riscv64"))}
ZIP_EPOCH = 315532800                # a zip file knows no time before 1980


def project():
    try:
        import tomllib
    except ImportError:              # Python before 3.11
        import tomli as tomllib
    with open(HERE / "pyproject.toml", "rb") as f:
        return tomllib.load(f)["project"]


def version():
    text = (HERE / "src" / "pytest_mayfly" / "__init__.py").read_text(encoding="utf-8")
    return re.search(r'^__version__ = "(.+)"', text, re.M)[1]


def epoch():
    return max(int(os.environ.get("SOURCE_DATE_EPOCH") or ZIP_EPOCH), ZIP_EPOCH)


def base_name():
    return f"{project()['name'].replace('-', '_')}-{version()}"


def sources():
    """{path in the package: content} of its modules"""
    return {path.relative_to(HERE / "src").as_posix(): path.read_bytes() for package in PACKAGES
            for path in (HERE / "src" / package).rglob("*") if path.is_file() and path.suffix != ".pyc"}


def metadata():
    about = project()
    lines = ["Metadata-Version: 2.1", f"Name: {about['name']}", f"Version: {version()}", f"Summary: {about['description']}",
             f"License: {about['license']['text']}", f"Requires-Python: {about['requires-python']}",
             *(f"Classifier: {one}" for one in about["classifiers"]), *(f"Requires-Dist: {one}" for one in about["dependencies"]),
             "Description-Content-Type: text/markdown"]
    return "\n".join(lines) + "\n\n" + (HERE / about["readme"]).read_text(encoding="utf-8")


def about_wheel(tag, with_programs):
    """{name in .dist-info: content}"""
    interpreter, abi, platforms = tag.split("-")
    groups = {name: [f"{key} = {value}" for key, value in points.items()] for name, points in project()["entry-points"].items()}
    if with_programs:
        groups["console_scripts"] = [COMMAND]
    tags = "".join(f"Tag: {interpreter}-{abi}-{platform}\n" for platform in platforms.split("."))
    return {"METADATA": metadata().encode(),
            "WHEEL": f"Wheel-Version: 1.0\nGenerator: mayfly\nRoot-Is-Purelib: {str(not with_programs).lower()}\n{tags}".encode(),
            "entry_points.txt": "\n".join(f"[{name}]\n" + "\n".join(lines) + "\n" for name, lines in groups.items()).encode(),
            **{"licenses/LICENSE": path.read_bytes() for path in [HERE.parents[1] / "LICENSE"] if path.exists()}}


def write_wheel(folder, files, tag="py3-none-any", programs=(), boms=()):
    """Writes {path: content} and programs as a wheel. Returns its name."""
    info = base_name() + ".dist-info/"
    files = {**files, **{PROGRAMS + path.name: path.read_bytes() for path in programs},
             **{info + name: content for name, content in about_wheel(tag, bool(programs)).items()},
             **{info + "sboms/" + path.name: path.read_bytes() for path in boms}}
    record = "".join("{},sha256={},{}\n".format(
        path, base64.urlsafe_b64encode(hashlib.sha256(files[path]).digest()).decode().rstrip("="), len(files[path]))
        for path in sorted(files))
    files[info + "RECORD"] = (record + info + "RECORD,,\n").encode()
    name = f"{base_name()}-{tag}.whl"
    with zipfile.ZipFile(pathlib.Path(folder) / name, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(files, key=lambda path: (path.startswith(info), path)):
            entry = zipfile.ZipInfo(path, time.gmtime(epoch())[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix: the mode counts
            entry.external_attr = (stat.S_IFREG | (0o755 if path.startswith(PROGRAMS) and not path.endswith(".so") else 0o644)) << 16
            archive.writestr(entry, files[path])
    return name


# ---- what pip calls

def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(wheel_directory, sources())


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(wheel_directory, {"pytest_mayfly_editable.pth": f"{HERE / 'src'}\n".encode()})


def build_sdist(sdist_directory, config_settings=None):
    name = base_name()
    files = {**{f"src/{path}": content for path, content in sources().items()}, "PKG-INFO": metadata().encode(),
             **{path: (HERE / path).read_bytes() for path in ("pyproject.toml", "README.md", "backend.py")}}
    with tarfile.open(pathlib.Path(sdist_directory) / f"{name}.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(files):
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size, entry.mtime = len(files[path]), epoch()
            archive.addfile(entry, io.BytesIO(files[path]))
    return f"{name}.tar.gz"


def main():
    folder, processor, *programs = sys.argv[1:]
    paths = [pathlib.Path(program) for program in programs]
    print(write_wheel(folder, sources(), f"py3-none-{TAGS[processor]}", paths,
                      [path.with_name(path.name + ".spdx.json") for path in paths if path.suffix != ".so"]))


if __name__ == "__main__":
    main()
