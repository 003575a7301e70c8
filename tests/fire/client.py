# SPDX-License-Identifier: Apache-2.0
"""What the programs around each client share. Such a program is started with PORT and a folder for its files, reads the names of
operations from standard input and answers each with one line of JSON: `claim` is done (with `value`), error or crash (with
`text`). done and error are what the client told its user; a crash is any exception that its documentation does not name."""
import json
import os
import pathlib
import sys

from facts import *  # noqa: F401,F403

port, folder = int(sys.argv[1]), pathlib.Path(sys.argv[2])
OUTPUT = os.fdopen(os.dup(1), "w")      # the clients' own prints go to standard error
os.dup2(2, 1)


class Reported(Exception):
    """The client told its user that it did not work."""


def answer(**what):
    OUTPUT.write(json.dumps(what) + "\n")
    OUTPUT.flush()


def judged(error, documented):
    """What an exception is to the user."""
    if isinstance(error, (Reported, *documented)):
        return {"claim": "error", "text": str(error) or type(error).__name__}
    return {"claim": "crash", "text": f"{type(error).__name__}: {error}"}


def serve(operations, documented=()):
    """For clients that block: one operation after the other."""
    for line in sys.stdin:
        try:
            answer(claim="done", value=operations[line.strip()]())
        except Exception as error:
            answer(**judged(error, documented))
