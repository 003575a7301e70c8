# SPDX-License-Identifier: Apache-2.0
"""figure11.py [SECONDS [BEES]]: Figure 11 of Simbeeotic's paper over the bus (docs/bus.md): the bees of figure11.yaml obey this program.

What the paper's bee does in updateKinematics(), in its timers and in messageReceived() is a method of the same meaning here. Prints how many
packets have been sent and received: 55,550 are sent in the paper's 100 s by 550 bees.
"""
import os
import sys

try:
    import numpy as np

    import mayfly_bus
except ImportError as missing:
    sys.exit(f'figure11.py: {missing}: pip install ./tools/python')

FOLDER = os.path.dirname(os.path.abspath(__file__))
PACKET = bytes([1, 2, 3, 4])


class Bees:
    """All bees at once: arrays have a row for each."""
    max_vel, velocity_sigma, heading_sigma = 2.0, 0.2, np.pi / 16

    def __init__(self, swarm, count, seed):
        self.swarm, self.count = swarm, count
        self.random = np.random.default_rng(seed)
        self.heading = np.zeros(count)
        self.velocity = np.zeros((count, 2))      # ahead and up [m/s]
        self.compass = np.full(count, np.nan)
        self.sent = self.received = 0
        self.strongest = -np.inf

    def update_kinematics(self):
        """Ten times a second: randomly vary heading and velocity, cap the velocity."""
        self.heading += self.random.normal(0.0, self.heading_sigma, self.count)
        self.velocity += self.random.normal(0.0, self.velocity_sigma, (self.count, 2))
        speed = np.linalg.norm(self.velocity, axis=1)
        self.velocity *= np.minimum(1.0, self.max_vel / np.maximum(speed, 1e-9))[:, None]
        ahead, up = self.velocity.T
        every = range(self.count)
        self.swarm.velocity(every, np.column_stack([ahead * np.cos(self.heading), ahead * np.sin(self.heading), up]), self.heading)

    def read_compass(self, sensed):
        self.compass[sensed['member']] = sensed['value'][:, 0]

    def transmit(self):
        for bee in range(self.count):
            self.swarm.transmit(bee, PACKET)
        self.sent += self.count

    def message_received(self, heard):
        self.received += 1
        self.strongest = max(self.strongest, heard.strength)


def fly(seconds=100.0, count=550, program=None, out=None):
    sets = {'time.end': seconds, 'entities.0.count': count, 'plugins': '[]', 'entities.0.behaviour': '{kind: none}', 'bus.heard': 'bee',
            'bus.sensed': 'bee', 'bus.tick': 0.1}
    with mayfly_bus.Swarm(os.path.join(FOLDER, 'figure11.yaml'), sets, program=program, out=out) as swarm:
        bees, turn, turns = Bees(swarm, count, swarm.seed), swarm.now, 0
        while turn is not None:
            for heard in turn.heard:
                bees.message_received(heard)
            if turns == 0:
                bees.update_kinematics()          # a setpoint comes first
                for bee in range(count):
                    swarm.offboard(bee)
            else:
                bees.update_kinematics()
            if turns % 10 == 0:                   # both timers have a period of a second
                bees.read_compass(turn.sensed)
                bees.transmit()
            turns += 1
            turn = swarm.step()
        return bees, swarm.end


if __name__ == '__main__':
    all_bees, end = fly(*(kind(text) for kind, text in zip((float, int), sys.argv[1:])))
    print(f'{all_bees.sent} packets sent, {all_bees.received} received by {all_bees.count} bees in {end.time:g} s, '
          f'the strongest with {all_bees.strongest:.2f} dBm')
    sys.exit(end.code)
