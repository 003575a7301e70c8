/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mayfly-swarm, but for one thing: within vehicles BREAKS (numbers with commas) an assertion fails
 * at the first step after ten seconds. The linker puts this between the crowd and the drone
 * (--wrap).
 */
#include "drone/drone.h"

#include <stdlib.h>

#define BREAKS_AFTER_US (10 * MF_SECOND_US)

// NOLINTBEGIN(bugprone-reserved-identifier): names that the linker asks for
struct mf_wake __real_mf_drone_step(struct mf_drone *drone);
struct mf_wake __wrap_mf_drone_step(struct mf_drone *drone);

static bool is_named(uint64_t uid)
{
    const char *at = getenv("BREAKS");
    while (at != NULL && *at != '\0') {
        char *end;
        if (strtoull(at, &end, 10) == uid) {
            return true;
        }
        at = *end == ',' ? end + 1 : end;
    }
    return false;
}

struct mf_wake __wrap_mf_drone_step(struct mf_drone *drone)
{
    const bool late = mf_clock_read(&drone->vehicle.hal).vehicle_us > BREAKS_AFTER_US;
    MF_ASSERT(!late || !is_named(drone->vehicle.uid));
    return __real_mf_drone_step(drone);
}
// NOLINTEND(bugprone-reserved-identifier)
