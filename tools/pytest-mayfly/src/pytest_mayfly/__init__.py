# SPDX-License-Identifier: Apache-2.0
"""Mayfly drones for tests: `Drone` is one process, the pytest plugin hands them out. See README.md."""
from .api import Event, MayflyCrash, MayflyError, MayflyRefused, MayflyTimeout
from .controller import Controller, Instance
from .drone import Drone, find_binary
from .world import Client, World

__version__ = "0.2.0"
__all__ = ["Client", "Controller", "Drone", "Event", "Instance", "MayflyCrash", "MayflyError", "MayflyRefused", "MayflyTimeout",
           "World", "find_binary"]
