/* SPDX-License-Identifier: Apache-2.0 */
/** Contract: the battery. */
#ifndef MF_HAL_POWER_H
#define MF_HAL_POWER_H

#include "hal/types.h"

struct mf_battery {
    float voltage_v;
    float current_a;    /**< negative: not measured */
    float remaining;    /**< 0 .. 1 of the charge; negative: not known */
    float consumed_mah; /**< negative: not measured */
    uint8_t cells;      /**< 1 .. 10 */
};

struct mf_power_ops {
    /** Read the battery at @p t_us. @return MF_E_OK, or MF_E_IO: without a battery. */
    int (*read)(void *ctx, mf_us_t t_us, struct mf_battery *battery);
    /** The first instant, not before @p t_us, at which the charge is below @p remaining (0 .. 1) if
     * everything goes on as it is planned now. @param at_us  out: the instant, or MF_NEVER
     * @return MF_E_OK; MF_E_NOSUPP: unknown, poll instead. */
    int (*next)(void *ctx, mf_us_t t_us, float remaining, mf_us_t *at_us);
};

#endif
