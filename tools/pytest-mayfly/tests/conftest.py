# SPDX-License-Identifier: Apache-2.0
"""The plugin is tested as pytest loads it: installed, or by -p from src/."""
import importlib.metadata
import os
import pathlib

import pytest

import pytest_mayfly

pytest_plugins = ["pytester"]

INSTALLED = any(dist.metadata["Name"] == "pytest-mayfly" for dist in importlib.metadata.distributions())


@pytest.fixture
def inner(pytester, request, monkeypatch):
    """Runs a pytest of its own in an empty folder: inner(text of a test file, *arguments)."""
    binary = request.config.getoption("--mayfly")
    source = pathlib.Path(pytest_mayfly.__file__).parents[1]
    monkeypatch.setenv("PYTHONPATH", f"{source}{os.pathsep}{os.environ.get('PYTHONPATH', '')}".rstrip(os.pathsep))
    if not binary:
        monkeypatch.setenv("MAYFLY", pytest_mayfly.find_binary(start=request.config.rootpath))

    def run(text, *args, **files):
        pytester.makepyfile(test_inner=text, **files)
        plugin = [] if INSTALLED else ["-p", "pytest_mayfly.plugin"]
        given = [f"--mayfly={os.path.abspath(binary)}"] if binary else []
        return pytester.runpytest_subprocess(*plugin, *given, "-p", "no:cacheprovider", *args)
    return run
