// SPDX-License-Identifier: Apache-2.0
// MA05: it has arrived when the filtered speed is low.
#include "vehicle.hpp"

static float g_speed;

static void wait_until_calm(Vehicle &vehicle)
{
    bool fast = false;
    for (;;) {
        const mavlink_message_t message = vehicle.next(MAVLINK_MSG_ID_LOCAL_POSITION_NED);
        mavlink_local_position_ned_t position;
        mavlink_msg_local_position_ned_decode(&message, &position);
        g_speed = 0.9f * g_speed + 0.1f * position.vx;
        fast = fast || g_speed > 2.5f;
        if (fast && g_speed < 0.3f) {
            return;
        }
    }
}

int main()
{
    Vehicle vehicle;
    vehicle.takeoff(6);
    vehicle.reposition(30, kHomeAlt + 6);
    wait_until_calm(vehicle);
    vehicle.land();
    return 0;
}
