# SPDX-License-Identifier: Apache-2.0
"""Where the tree and its programs are. BUILD=build is the folder of programs; MAYFLY and FLY name other ones than those there."""
import os

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get('BUILD', os.path.join(TOP, 'build')))


def built(name):
    return os.path.join(BUILD, name)


MAYFLY, FLY = (os.path.abspath(os.environ.get(name.upper(), built(name))) for name in ('mayfly', 'fly'))
TIME_LIBRARY = os.path.join(os.path.dirname(MAYFLY), 'libmayflytime.so')
SWARM, REPLAY, CONFORM, SIMCTL, GEOID, ELEVATION, NS3_BRIDGE = (
    built(name) for name in ('mayfly-swarm', 'replay', 'conform', 'simctl', 'geoid', 'elevation', 'ns3-bridge'))
SCENARIOS, COSIM, PLUGINS, PAPERS = (os.path.join(TOP, 'examples', name) for name in ('scenarios', 'cosim', 'plugins', 'papers'))
DATA = os.path.join(TOP, 'tests', 'data')
PLANS = os.path.join(DATA, 'plans')
GEOID_DATA = os.path.join(os.path.dirname(TOP), 'shared', 'data', 'geoid')      # published grids
HAS_MATPLOTLIB = os.path.isdir('/usr/lib/python3/dist-packages/matplotlib')      # Debian's, for mayfly-swarm plot
