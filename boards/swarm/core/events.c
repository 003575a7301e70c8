/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the events of a member by comparing two of its states. members/arrivals.c, ghosts/ and
 * outside/foreigns.c call it. */
#include "boards/swarm/core/events.h"

#include "firmware/state/state.h"
#include "fleet/scenario.h"

uint32_t swarm_events(const struct mf_crowd_state *before, const struct mf_crowd_state *now)
{
    const bool is[MF_SCENARIO_EVENTS] = {
        [MF_SCENARIO_EVENT_ARMED] = now->armed && !before->armed,
        [MF_SCENARIO_EVENT_DISARMED] = before->armed && !now->armed,
        [MF_SCENARIO_EVENT_IN_AIR] =
            now->landed == MF_LANDED_IN_AIR && before->landed != now->landed,
        [MF_SCENARIO_EVENT_LANDED] =
            now->landed == MF_LANDED_ON_GROUND && before->landed != now->landed,
        [MF_SCENARIO_EVENT_ITEM] = now->reached >= 0 && before->reached != now->reached,
        [MF_SCENARIO_EVENT_FINISHED] = now->finished && !before->finished,
        [MF_SCENARIO_EVENT_MODE] = now->mode != before->mode,
        [MF_SCENARIO_EVENT_FAILSAFE] = now->failsafe && !before->failsafe,
        [MF_SCENARIO_EVENT_BREACH] = now->breach && !before->breach,
        [MF_SCENARIO_EVENT_CRASHED] = before->falling && now->landed == MF_LANDED_ON_GROUND,
    };
    uint32_t events = 0;
    for (unsigned i = 0; i < MF_SCENARIO_EVENTS; i++) {
        events |= is[i] ? 1u << i : 0u;
    }
    return events;
}
