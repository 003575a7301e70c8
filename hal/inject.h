/* SPDX-License-Identifier: Apache-2.0 */
/** Contract: faults on request. The firmware only passes the request on; decorators around the
 * devices make it true. */
#ifndef MF_HAL_INJECT_H
#define MF_HAL_INJECT_H

#include "hal/types.h"

/**
 * Every fault there is: name, spelling in configuration, MAVLink FAILURE_UNIT and FAILURE_TYPE that
 * ask for it, what changes in which message. FAILURE_TYPE_OK (0) of the same unit clears it.
 */
#define MF_FAULT_LIST(X)        \
    X(GPS_OFF, "gps_off", 4, 1, \
      "GPS_RAW_INT.fix_type 0; SYS_STATUS GPS bit cleared; GLOBAL_POSITION_INT stops")

/* clang-format off */
enum mf_fault {
#define X(name, spelling, unit, type, effect) MF_FAULT_##name,
    MF_FAULT_LIST(X)
#undef X
    MF_FAULT_COUNT
};
/* clang-format on */

struct mf_inject_ops {
    /** Switch a fault on or off from @p t_us on. @return MF_E_OK; MF_E_NOSUPP: no device here shows
     * it. */
    int (*set)(void *ctx, mf_us_t t_us, enum mf_fault fault, bool on);
};

#endif
