/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/posix/misbehave.h"

#define COMPONENT_AUTOPILOT 1

_Static_assert(MF_CONFIG_RULES_MAX <= MF_MISBEHAVE_RULES_MAX, "every configured rule fits");

void board_misbehave(struct board *b)
{
    struct mf_misbehave *s = &b->misbehave;
    mf_misbehave_init(s, b->memory.misbehave, b->memory.work, BOARD_LINKS, (uint8_t)b->config.sysid,
                      COMPONENT_AUTOPILOT, &b->drone.vehicle.now.vehicle_us);
    s->vehicle = &b->drone.vehicle;
    for (uint16_t i = 0; i < b->config.rule_count; i++) {
        (void)mf_misbehave_add(s, &b->config.rule[i]);
    }
}
