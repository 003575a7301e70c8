# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin: fixtures mayfly, mayfly_factory and mayfly_settings, marker mayfly, and what becomes of recordings."""
from __future__ import annotations

import functools
import hashlib
import os
import pathlib
import re
import secrets
import shutil
from collections.abc import Generator, Iterator, Sequence
from typing import Any, Callable, Optional

import pytest

from .api import MayflyCrash, MayflyError
from .controller import Controller, Instance, from_environment
from .drone import Drone
from .settings import find_binary, merged
from .world import World

FOLDER = "mayfly-failures"
NAME_MAX = 120
DRONES = pytest.StashKey[list[Drone]]()
CONTROLLER = pytest.StashKey[Controller]()
FAILED = pytest.StashKey[bool]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("mayfly", "drones")
    group.addoption("--mayfly", metavar="PATH", help="the program mayfly")
    group.addoption("--mayfly-keep", choices=("failed", "all", "none"), default="failed",
                    help=f"tests whose recordings, logs and configurations are kept in {FOLDER}/ (default: failed)")
    group.addoption("--mayfly-controller", metavar="URL",
                    help="drones are instances of this Simulation Controller, on its machine or in its cluster")
    group.addoption("--mayfly-template", metavar="NAME", help="template of the controller (default: drone)")
    parser.addini("mayfly_binary", "the program mayfly, relative to this file")
    parser.addini("mayfly_controller", "as --mayfly-controller")
    parser.addini("mayfly_template", "as --mayfly-template")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "mayfly(**settings): settings of this test's drones: flags of mayfly --help with "
                                       "underscores, such as home, clock, faults, params, geoid; args=[...] for more")


def binary_of(config: pytest.Config) -> str:
    given = config.getoption("--mayfly")
    ini = config.getini("mayfly_binary")
    if not given and ini:
        given = (config.inipath.parent if config.inipath else config.rootpath) / ini
    return find_binary(given, config.rootpath)


def controller_of(config: pytest.Config) -> Optional[Controller]:
    """The controller whose instances the drones are; None: they are processes of this one. Each worker has its own, and so
    a label of its own: workers do not end each other's instances."""
    url = config.getoption("--mayfly-controller") or config.getini("mayfly_controller")
    if url and CONTROLLER not in config.stash:
        run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or secrets.token_hex(8)
        config.stash[CONTROLLER] = from_environment(url, labels={"run": run})
    return config.stash.get(CONTROLLER, None)


def pytest_unconfigure(config: pytest.Config) -> None:
    controller = config.stash.get(CONTROLLER, None)
    if controller is not None:
        controller.close()


def pytest_report_header(config: pytest.Config) -> Optional[str]:
    url = config.getoption("--mayfly-controller") or config.getini("mayfly_controller")
    if url:
        return f"mayfly: instances of {url}"
    try:
        return f"mayfly: {binary_of(config)}"
    except MayflyError:
        return None             # a test that wants a drone says so


# ---- fixtures

@pytest.fixture(scope="session")
def mayfly_settings() -> dict[str, Any]:
    """Settings of all drones; a conftest.py overrides it: return {"clock": "event"}."""
    return {}


def maker_of(request: pytest.FixtureRequest) -> Callable[..., Drone]:
    """What makes a drone: a process, or an instance of a controller."""
    controller = controller_of(request.config)
    if controller is None:
        return functools.partial(Drone, binary=binary_of(request.config))
    template = request.config.getoption("--mayfly-template") or request.config.getini("mayfly_template") or "drone"
    return functools.partial(Instance, controller, template=template, labels={"test": request.node.nodeid})


@pytest.fixture
def mayfly_factory(request: pytest.FixtureRequest, mayfly_settings: dict[str, Any]) -> Iterator[Callable[..., Drone]]:
    """Starts drones: mayfly_factory(**settings). The n-th has instance n, and so system id n + 1. Settings: those of
    mayfly_settings, of the marker, and of the call; later ones win. All end with the test."""
    drones = request.node.stash.setdefault(DRONES, [])
    marks = [mark for mark in request.node.iter_markers("mayfly")][::-1]
    for mark in marks:
        if mark.args:
            pytest.fail(f"the marker mayfly takes settings by name, not {mark.args[0]!r}", pytrace=False)

    try:
        make = maker_of(request)
    except MayflyError as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None

    def start(**settings: Any) -> Drone:
        given = merged({"instance": len(drones)}, mayfly_settings, *(mark.kwargs for mark in marks), settings)
        drone = make(**{"name": f"drone{len(drones) + 1}", **given})
        drones.append(drone)
        try:
            drone.start()
            drone.reported = True
            return drone
        except MayflyError:
            drones.remove(drone)
            raise

    yield start
    finish(request.node, drones)


@pytest.fixture
def mayfly(mayfly_factory: Callable[..., Drone]) -> Drone:
    """A drone, flying since now, alone, on free ports; it ends with the test."""
    try:
        return mayfly_factory()
    except MayflyError as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None


@pytest.fixture
def mayfly_world(request: pytest.FixtureRequest, mayfly_settings: dict[str, Any]) -> Iterator[Callable[..., World]]:
    """Drones and clients with one time, as fast as all can: mayfly_world(2, [["python3", "a.py"], ["python3", "b.py"]]) returns
    when the clients have ended. Settings as those of mayfly_factory, but for the clock, which is the world's."""
    drones = request.node.stash.setdefault(DRONES, [])
    marks = [mark.kwargs for mark in request.node.iter_markers("mayfly")][::-1]

    def run(count: int = 1, clients: Sequence[Sequence[str]] = (), **settings: Any) -> World:
        given = merged(mayfly_settings, *marks)
        for name in ("clock", "event_gap", "event_streams"):
            given.pop(name, None)
        world = World(count, clients, **merged({"binary": binary_of(request.config)}, given, settings))
        drones.extend(world.drones)
        return world.run()

    yield run
    finish(request.node, drones)


# ---- end of a test

def finish(item: pytest.Item, drones: list[Drone]) -> None:
    """Ends the drones, and keeps of them what is wanted. One that does not end well is an error of the test."""
    problems = []
    for drone in drones:
        try:
            drone.end()
        except MayflyCrash as error:
            if not item.stash.get(FAILED, False):   # else it has been said
                problems.append(f"{error}\nkept in {shown(item, folder_of(item))}")
    wanted = item.config.getoption("--mayfly-keep")
    if wanted == "all" or (wanted == "failed" and (problems or item.stash.get(FAILED, False))):
        folder = folder_of(item)
        shutil.rmtree(folder, ignore_errors=True)
        for drone in drones:
            drone.keep(folder, item.config.invocation_params.dir)
    for drone in drones:
        drone.stop(check=False)
    drones.clear()
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)


def folder_of(item: pytest.Item) -> pathlib.Path:
    """Of a test: a name that every file system and every store of artifacts takes, and no other test has."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", item.nodeid.replace("::", "."))
    if name != item.nodeid.replace("::", ".").replace("/", "-") or len(name) > NAME_MAX:
        name = f"{name[:NAME_MAX].strip('-')}-{hashlib.sha256(item.nodeid.encode()).hexdigest()[:8]}"
    return pathlib.Path(item.config.invocation_params.dir) / FOLDER / name


def shown(item: pytest.Item, path: pathlib.Path) -> str:
    return os.path.relpath(path, item.config.invocation_params.dir)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """A test whose drone has died has failed, whatever it found."""
    result = yield
    crashes = [drone.crash for drone in item.stash.get(DRONES, []) if drone.crash]
    if crashes:
        pytest.fail("\n".join(crashes), pytrace=False)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item,
                              call: pytest.CallInfo[None]) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        item.stash[FAILED] = True
        for drone in item.stash.get(DRONES, []):
            report.sections.append((f"mayfly: {drone.name}", describe(item, drone)))
    return report


def describe(item: pytest.Item, drone: Drone) -> str:
    """What the report of a failure says of a drone that was there."""
    lines = [" ".join(drone.command)]
    if drone.crash:
        lines.append(drone.crash)
    elif drone.running:
        try:
            state = drone.vehicle()
            lines.append(f"{state['vehicle_time_s']:.3f} s: mode {state['mode']}, {'' if state['armed'] else 'not '}armed, "
                         f"{state['landed_state']}, position {state['position']}")
        except MayflyError as error:
            lines.append(str(error).split("\n", maxsplit=1)[0])
    if item.config.getoption("--mayfly-keep") != "none":
        folder = folder_of(item)
        lines.append(f"kept in {shown(item, folder)}")
        if drone.record:
            start, file, page = item.config.invocation_params.dir, folder / f"{drone.name}.mfr", shown(item, folder / f"{drone.name}.html")
            lines.append(f"replay: {drone.replay_command(file, start)}")
            lines.append(f"page: {page if drone.makes_pages else drone.replay_command(file, start, '--html', page)}")
    return "\n".join([*lines, drone.log_tail(40)])
