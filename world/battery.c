/* SPDX-License-Identifier: Apache-2.0 */
#include "world/battery.h"

void mf_battery_static_init(struct mf_battery_static *battery)
{
    MF_ASSERT(battery != NULL);
    battery->state = (struct mf_battery){
        .voltage_v = 16.2f,
        .current_a = -1.0f,
        .remaining = 1.0f,
        .consumed_mah = -1.0f,
        .cells = 4,
    };
}

static int static_read(void *ctx, mf_us_t t_us, struct mf_battery *battery)
{
    const struct mf_battery_static *b = ctx;
    MF_ASSERT(b != NULL && battery != NULL);
    (void)t_us;
    *battery = b->state;
    return MF_E_OK;
}

const struct mf_power_ops mf_battery_static_ops = {.read = static_read};
