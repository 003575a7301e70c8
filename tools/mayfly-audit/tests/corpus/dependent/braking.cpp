// SPDX-License-Identifier: Apache-2.0
// MA07: it stops the vehicle where it believes that braking must begin.
#include "vehicle.hpp"

constexpr float kDeceleration = 2.0f;

int main()
{
    Vehicle vehicle;
    vehicle.takeoff(6);
    vehicle.reposition(60, kHomeAlt + 6);
    for (;;) {
        const mavlink_message_t message = vehicle.next(MAVLINK_MSG_ID_LOCAL_POSITION_NED);
        mavlink_local_position_ned_t position;
        mavlink_msg_local_position_ned_decode(&message, &position);
        const float speed = position.vx;
        const float braking_distance = speed * speed / (2.0f * kDeceleration);
        if (60.0f - position.x < braking_distance + 1.0f) {
            break;
        }
    }
    vehicle.command(MAV_CMD_DO_PAUSE_CONTINUE, 0);
    vehicle.land();
    return 0;
}
