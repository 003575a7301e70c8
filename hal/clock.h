/* SPDX-License-Identifier: Apache-2.0 */
/** Contract: the two clocks of a vehicle, both of them inputs. */
#ifndef MF_HAL_CLOCK_H
#define MF_HAL_CLOCK_H

#include "hal/types.h"

struct mf_now {
    mf_us_t vehicle_us; /**< vehicle time since boot, what time_boot_ms carries; may be scaled, jump
                           ahead or stand still */
    mf_us_t transport_us; /**< since boot: timeouts towards clients; wall time, or vehicle time */
};

struct mf_clock_ops {
    /** Both clocks at one instant; neither ever decreases. */
    struct mf_now (*read)(void *ctx);
};

#endif
