// SPDX-License-Identifier: Apache-2.0
// It waits for the drone's own states, and shows the speed on the way.
#include "vehicle.hpp"

int main()
{
    Vehicle vehicle;
    vehicle.takeoff(6);
    const mavlink_message_t message = vehicle.next(MAVLINK_MSG_ID_VFR_HUD);
    printf("%.1f m/s\n", static_cast<double>(mavlink_msg_vfr_hud_get_groundspeed(&message)));
    vehicle.land();
    return 0;
}
