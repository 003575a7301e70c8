# SPDX-License-Identifier: Apache-2.0
"""Runs whose client lives within an instance of a Simulation Controller: a template is started once per model and clock."""
from __future__ import annotations

import pathlib
import time
from typing import Any

from pytest_mayfly import MayflyError
from pytest_mayfly.controller import from_environment, label_of, recording_of
from pytest_mayfly.settings import flags_of

from .flight import VIRTUAL, Order, Run, settings_of, told
from .models import Model
from .recording import read

AGAIN_S = 0.5
FAILED, NO_DRONE = "failed", "emulator_failed"
LIFETIME_MARGIN_S = 30.0
WHOLE_S = 10.0


class Fleet:
    """Instances of one template. The onboard software's end ends an instance; its outcome stands for the exit code."""

    def __init__(self, url: str, template: str):
        self.controller, self.template = from_environment(url), template
        said = self.controller.template(template)
        self.takes, self.virtual = said["values"], bool(said.get("virtualTime"))
        if not said.get("recording", True):
            raise MayflyError(f"template {template} has no `recording`: without one nothing can be compared")

    def values(self, settings: dict[str, Any]) -> dict[str, Any]:
        """Settings that are values of the template, and flags in `arguments` for the others."""
        made = {k: v for k, v in settings.items() if k in self.takes and k != "arguments"}
        rest = flags_of({k: v for k, v in settings.items() if k not in made})
        if rest and "arguments" not in self.takes:
            raise MayflyError(f"template {self.template} takes no {rest[0]}: give it a value `arguments` for the drone's flags")
        return {**made, **({"arguments": rest} if rest else {})}

    def fly(self, order: Order, model: Model, repeat: int, clock: str) -> Run:
        clock = VIRTUAL if self.virtual else model.clock or clock
        name = f"{model.name.replace(' ', '-')}-{repeat}"
        body = {"template": self.template, "values": self.values(settings_of(order, model, clock)), "labels": {"audit": label_of(name)},
                "lifetime": f"{int(order.timeout_s + LIFETIME_MARGIN_S)}s"}
        begin = time.monotonic()
        made = self.controller.request("POST", "/v1/instances", body)["instances"][0]
        try:
            state = self.wait(str(made["id"]), begin + order.timeout_s)
            if state.get("outcome") == NO_DRONE:
                raise MayflyError(f"instance {made['id']} of template {self.template}: the drone failed: {state['reason'] or 'without a word'}")
            wall_s = time.monotonic() - begin
            hung = state["state"] != "ended"
            path = pathlib.Path(order.folder, name + ".mfr")
            self.take(str(made["id"]), path, not hung)
            output = "" if hung else f"{state['outcome']}: {state['reason'] or ''}"
            code = None if hung else 1 if state["outcome"] == FAILED else 0
            run = told(Run(model, repeat, clock, code, wall_s, output, str(path)))
            if self.virtual:
                run.story.own_time_s = 0.0      # the wall of this recording is the vehicle's time
            return run
        finally:
            try:
                self.controller.request("DELETE", f"/v1/instances/{made['id']}")
            except MayflyError:
                pass                    # it has ended, and is gone

    def wait(self, wanted: str, end: float) -> dict[str, Any]:
        while True:
            state: dict[str, Any] = self.controller.request("GET", f"/v1/instances/{wanted}")
            if state["state"] == "ended" or time.monotonic() > end:
                return state
            time.sleep(AGAIN_S)

    def take(self, wanted: str, path: pathlib.Path, whole: bool) -> None:
        """The recording. whole: its drone has ended, or is about to; its last records may come a moment later."""
        end = time.monotonic() + WHOLE_S
        while True:
            path.write_bytes(recording_of(self.controller, wanted))
            if not whole or read(str(path)).complete or time.monotonic() > end:
                return
            time.sleep(AGAIN_S)
