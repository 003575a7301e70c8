# SPDX-License-Identifier: Apache-2.0
"""Where the tree and its programs are."""
import os

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get('BUILD', os.path.join(TOP, 'build')))
MAYFLY, SWARM, FLY, REPLAY, CONFORM, SIMCTL = (
    os.path.join(BUILD, name) for name in ('mayfly', 'mayfly-swarm', 'fly', 'replay', 'conform', 'simctl'))
EXAMPLES = os.path.join(TOP, 'examples', 'scenarios')
