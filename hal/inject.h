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
/* clang-format off */
#define MF_FAULT_LIST(X) \
    X(GPS_OFF, "gps_off", 4, 1, \
      "GPS_RAW_INT.fix_type 0; SYS_STATUS GPS bit cleared; GLOBAL_POSITION_INT stops")            \
    X(GYRO_OFF, "gyro_off", 0, 1, "SYS_STATUS 3D_GYRO bit cleared; not armable")                  \
    X(GYRO_STUCK, "gyro_stuck", 0, 2, "SYS_STATUS 3D_GYRO bit cleared; not armable")              \
    X(ACCEL_OFF, "accel_off", 1, 1, "SYS_STATUS 3D_ACCEL bit cleared; not armable")               \
    X(ACCEL_STUCK, "accel_stuck", 1, 2, "SYS_STATUS 3D_ACCEL bit cleared; not armable")           \
    X(MAG_OFF, "mag_off", 2, 1, "SYS_STATUS 3D_MAG bit cleared; not armable")                     \
    X(MAG_STUCK, "mag_stuck", 2, 2, "SYS_STATUS 3D_MAG bit cleared; not armable")                 \
    X(BARO_OFF, "baro_off", 3, 1, "SYS_STATUS ABSOLUTE_PRESSURE bit cleared; not armable")        \
    X(BARO_STUCK, "baro_stuck", 3, 2, "SYS_STATUS ABSOLUTE_PRESSURE bit cleared; not armable")
/* clang-format on */

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
