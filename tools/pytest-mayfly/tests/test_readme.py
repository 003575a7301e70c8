# SPDX-License-Identifier: Apache-2.0
"""The examples of README.md, and of the pages that speak of tests, are run as they stand."""
import importlib.metadata
import os
import pathlib
import re
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parents[1]
TOP = HERE.parents[1]
PAGES = [page for page in (HERE / "README.md", TOP / "docs" / "testing.md", TOP / "README.md") if page.exists()]



def mavsdk_version():
    """3, 4, or 0: not there. They are packages of one name with different interfaces, and examples are of one or the other."""
    try:
        return int(importlib.metadata.version("mavsdk").split(".")[0])
    except importlib.metadata.PackageNotFoundError:
        return 0


def is_for_this_mavsdk(code):
    version = mavsdk_version()
    return version == 0 or ("from mavsdk import System" if version >= 4 else "from mavsdk.asyncio") not in code


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)


TESTS = [(page, code) for page in PAGES for code in blocks(page, "python") if "def test_" in code and is_for_this_mavsdk(code)]
CONFTESTS = [code for page in PAGES for code in blocks(page, "python") if "def mayfly_settings" in code]
SCRIPTS = [code for page in PAGES for code in blocks(page, "python") if "from pytest_mayfly import" in code]
WORKFLOWS = [(page, code) for page in PAGES for code in blocks(page, "yaml") if "runs-on:" in code]


@pytest.mark.parametrize("code", [code for _, code in TESTS], ids=lambda code: re.search(r"def (test_\w+)", code)[1])
def test_examples(inner, code):
    for module in ("mavsdk", "pymavlink"):
        if module in code.replace("mavsdk_", "").replace("pymavlink_", ""):
            pytest.importorskip(module)
    inner(code).assert_outcomes(passed=code.count("def test_"))


def test_the_page_begins_with_ten_tests():
    section = re.search(r"^## Ten tests\n(.*?)^## ", (TOP / "docs" / "testing.md").read_text(encoding="utf-8"), re.M | re.S)[1]
    assert section.count("\n### ") == section.count("\n```python\n") == section.count("\ndef test_") == 10


def test_the_conftest(inner):
    assert CONFTESTS
    for code in CONFTESTS:
        result = inner('def test_a(mayfly): assert mayfly.clock()["mode"] == "event"', conftest=code)
        result.assert_outcomes(passed=1)


def test_scripts(tmp_path, request):
    assert SCRIPTS
    given = request.config.getoption("--mayfly")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **({"MAYFLY": os.path.abspath(given)} if given else {})}
    for code in SCRIPTS:
        path = tmp_path / "script.py"
        path.write_text(code, encoding="utf-8")
        subprocess.run([sys.executable, path], env=env, check=True, timeout=60)


def test_workflows():
    yaml = pytest.importorskip("yaml")
    for _, code in WORKFLOWS:
        for job in yaml.safe_load(code)["jobs"].values():
            assert job["runs-on"] and all("uses" in step or "run" in step for step in job["steps"])
            assert any("mayfly-failures" in str(step.get("with", "")) for step in job["steps"])
