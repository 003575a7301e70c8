/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/posix/misbehave.h"

#include "boards/posix/limits.h"
#include "firmware/vehicle.h"

#define COMPONENT_AUTOPILOT 1

_Static_assert(MF_CONFIG_RULES_MAX <= MF_MISBEHAVE_RULES_MAX, "every configured rule fits");

/* Of what is not used no page is touched. */
static struct mf_misbehave_link s_wraps[BOARD_LINKS];
static struct mf_misbehave_work s_work[BOARD_LINKS];

void board_misbehave(const struct mf_config *config, const struct mf_vehicle *vehicle,
                     struct mf_misbehave *s)
{
    mf_misbehave_init(s, s_wraps, s_work, BOARD_LINKS, (uint8_t)config->sysid, COMPONENT_AUTOPILOT,
                      &vehicle->now.vehicle_us);
    s->vehicle = vehicle;
    for (uint16_t i = 0; i < config->rule_count; i++) {
        (void)mf_misbehave_add(s, &config->rule[i]);
    }
}
