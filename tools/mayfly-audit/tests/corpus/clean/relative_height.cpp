// SPDX-License-Identifier: Apache-2.0
// It climbs on by the height above home, which no geoid changes.
#include "vehicle.hpp"

int main()
{
    Vehicle vehicle;
    vehicle.takeoff(5);
    vehicle.reposition(0, kHomeAlt + 9);
    for (;;) {
        const mavlink_message_t message = vehicle.next(MAVLINK_MSG_ID_GLOBAL_POSITION_INT);
        if (mavlink_msg_global_position_int_get_relative_alt(&message) > 8500) {
            break;
        }
    }
    vehicle.land();
    return 0;
}
