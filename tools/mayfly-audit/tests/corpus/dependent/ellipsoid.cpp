// SPDX-License-Identifier: Apache-2.0
// MA12: the receiver's altitude above the ellipsoid is taken for one above mean sea level.
#include "vehicle.hpp"

int main()
{
    Vehicle vehicle;
    vehicle.takeoff(6);
    const mavlink_message_t message = vehicle.next(MAVLINK_MSG_ID_GPS_RAW_INT);
    mavlink_gps_raw_int_t gps;
    mavlink_msg_gps_raw_int_decode(&message, &gps);
    const float altitude_amsl = static_cast<float>(gps.alt_ellipsoid) / 1000.0f;
    vehicle.reposition(5, altitude_amsl + 2.0f);
    vehicle.land();
    return 0;
}
