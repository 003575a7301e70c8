/* SPDX-License-Identifier: Apache-2.0 */
/* State of the mission, as MISSION_CURRENT has it, for messages and the API. */
#include "firmware/flight/fence_change.h"
#include "firmware/flight/mission.h"
#include "firmware/state/vehicle.h"
#include "mavlink/enums.h"

bool mf_mission_mode_active(enum mf_mode mode)
{
    return mode == MF_MODE_MISSION || mode == MF_MODE_TAKEOFF || mode == MF_MODE_LAND;
}

uint8_t mf_mission_state(const struct mf_vehicle *v)
{
    const struct mf_bounds bounds = mf_bounds_of(v);
    struct mf_text why;
    MF_ASSERT(v->mission.reached >= -1);
    if (!mf_mission_feasible(&v->mission, &bounds, &why)) {
        return MISSION_STATE_NO_MISSION;
    }
    /* complete is checked before active: a finished mission may stay in its mode */
    if (v->mission.finished) {
        return MISSION_STATE_COMPLETE;
    }
    if (mf_mission_mode_active((enum mf_mode)v->commander.mode)) {
        return MISSION_STATE_ACTIVE;
    }
    return v->mission.reached < 0 ? MISSION_STATE_NOT_STARTED : MISSION_STATE_PAUSED;
}
