# SPDX-License-Identifier: Apache-2.0
"""A gymnasium environment: one drone flies to a place. `python reach_gymnasium.py` flies an episode with a controller by hand.

An observation is the way to the target and the velocity, north, east, up [m, m/s]; an action is a velocity as a part of 5 m/s; the reward
is the way made good in a step [m]. An episode ends within 1 m of the target, and is cut off after 60 s.
"""
import os

import gymnasium
import numpy as np

import mayfly_bus

SCENARIO = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'reach.yaml')
SPEED, NEAR, LIMIT = 5.0, 1.0, 60.0


def airborne(swarm, height=10.0):
    """All take off, and obey setpoints. Returns the turn in which they do."""
    for member in range(swarm.members):
        swarm.arm(member)
        swarm.take_off(member, height)
    turn = swarm.step(8.0)
    swarm.velocity(range(swarm.members), [0.0, 0.0, 0.0])
    for member in range(swarm.members):
        swarm.offboard(member)
    return swarm.step() or turn


class Reach(gymnasium.Env):
    """See the top of this file. ``program``: mayfly-swarm."""
    metadata = {'render_modes': []}

    def __init__(self, program=None):
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (3,), np.float32)
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (6,), np.float32)
        self._program, self._swarm = program, None

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.close()
        self._swarm = mayfly_bus.Swarm(SCENARIO, program=self._program)
        self._target = np.array([*self.np_random.uniform(-30.0, 30.0, 2), self.np_random.uniform(10.0, 20.0)])
        turn = airborne(self._swarm)
        self._begin, self._way = turn.time, np.linalg.norm(self._target - turn.state['place'][0])
        return self._see(turn), {}

    def _see(self, turn):
        return np.concatenate([self._target - turn.state['place'][0], turn.state['velocity'][0]]).astype(np.float32)

    def step(self, action):
        self._swarm.velocity(0, SPEED * np.clip(action, -1.0, 1.0))
        turn = self._swarm.step()
        way = np.linalg.norm(self._target - turn.state['place'][0])
        reward, self._way = float(self._way - way), way
        return self._see(turn), reward, bool(way < NEAR), bool(turn.time - self._begin > LIMIT), {'time': turn.time}

    def close(self):
        if self._swarm is not None:
            self._swarm.close()
            self._swarm = None


def fly(seed=1):
    """An episode: straight to the target. Returns its steps, its return, and whether it came there."""
    env = Reach()
    seen, _ = env.reset(seed=seed)
    steps, total, there, over = 0, 0.0, False, False
    while not (there or over):
        seen, reward, there, over, _ = env.step(seen[:3] / SPEED)
        steps, total = steps + 1, total + reward
    env.close()
    return steps, total, there


if __name__ == '__main__':
    print('steps %d, return %.3f m, there: %s' % fly())
