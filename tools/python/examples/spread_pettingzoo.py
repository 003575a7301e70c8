# SPDX-License-Identifier: Apache-2.0
"""A pettingzoo environment: drones in a row change places, and keep apart. `python spread_pettingzoo.py` flies an episode by hand.

An observation is the way to the own target, the own velocity, and the way to the nearest other, north, east, up [m, m/s]; an action is a
velocity as a part of 5 m/s; the reward is the way made good in a step [m], less 1 while another is nearer than 3 m. An agent is done within
1 m of its target, and all are cut off after 60 s.
"""
import os

import gymnasium
import numpy as np
from pettingzoo import ParallelEnv

import mayfly_bus
from reach_gymnasium import LIMIT, NEAR, SCENARIO, SPEED, airborne

APART = 3.0


class Spread(ParallelEnv):
    """See the top of this file. ``count``: drones; ``program``: mayfly-swarm."""
    metadata = {'name': 'spread_v0', 'render_modes': []}

    def __init__(self, count=4, program=None):
        self.possible_agents = [f'drone_{i}' for i in range(count)]
        self.agents = []
        self._see_space = {agent: gymnasium.spaces.Box(-np.inf, np.inf, (9,), np.float32) for agent in self.possible_agents}
        self._act_space = {agent: gymnasium.spaces.Box(-1.0, 1.0, (3,), np.float32) for agent in self.possible_agents}
        self._program, self._swarm = program, None

    def observation_space(self, agent):
        return self._see_space[agent]

    def action_space(self, agent):
        return self._act_space[agent]

    def reset(self, seed=None, options=None):
        self.close()
        self._swarm = mayfly_bus.Swarm(SCENARIO, program=self._program, arguments=['--set', f'COUNT={len(self.possible_agents)}'])
        self.agents = list(self.possible_agents)
        turn = airborne(self._swarm)
        chance = np.random.default_rng(seed)
        self._target = turn.state['place'][chance.permutation(len(self.agents))] + [20.0, 0.0, 0.0]
        self._begin, self._way = turn.time, self._ways(turn)
        return self._see(turn), {agent: {} for agent in self.agents}

    def _ways(self, turn):
        return np.linalg.norm(self._target - turn.state['place'], axis=1)

    def _nearest(self, turn):
        way = turn.state['place'][None, :, :] - turn.state['place'][:, None, :]
        away = np.linalg.norm(way, axis=2) + np.diag(np.full(len(way), np.inf))
        return way[np.arange(len(way)), away.argmin(axis=1)], away.min(axis=1)

    def _see(self, turn):
        all_of = np.hstack([self._target - turn.state['place'], turn.state['velocity'], self._nearest(turn)[0]]).astype(np.float32)
        return {agent: all_of[self.possible_agents.index(agent)] for agent in self.agents}

    def step(self, actions):
        velocity = np.zeros((len(self.possible_agents), 3))
        for agent, action in actions.items():
            velocity[self.possible_agents.index(agent)] = SPEED * np.clip(action, -1.0, 1.0)
        self._swarm.velocity(range(len(velocity)), velocity)
        turn = self._swarm.step()
        ways, away = self._ways(turn), self._nearest(turn)[1]
        gained, self._way = self._way - ways, ways
        seen, over = self._see(turn), bool(turn.time - self._begin > LIMIT)
        rank = {agent: self.possible_agents.index(agent) for agent in self.agents}
        rewards = {agent: float(gained[i] - (away[i] < APART)) for agent, i in rank.items()}
        done = {agent: bool(ways[i] < NEAR) for agent, i in rank.items()}
        cut = {agent: over for agent in self.agents}
        infos = {agent: {'time': turn.time, 'nearest': float(away[i])} for agent, i in rank.items()}
        self.agents = [agent for agent in self.agents if not (done[agent] or over)]
        return seen, rewards, done, cut, infos

    def close(self):
        if self._swarm is not None:
            self._swarm.close()
            self._swarm = None


def fly(count=4, seed=1):
    """An episode: each straight to its target. Returns its steps, and how many came there."""
    env = Spread(count)
    seen, _ = env.reset(seed=seed)
    steps, there = 0, 0
    while env.agents:
        seen, _, done, _, _ = env.step({agent: seen[agent][:3] / SPEED for agent in env.agents})
        steps, there = steps + 1, there + sum(done.values())
    env.close()
    return steps, there


if __name__ == '__main__':
    print('steps %d, %d came to their places' % fly())
