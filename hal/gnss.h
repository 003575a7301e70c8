/* SPDX-License-Identifier: Apache-2.0 */
/** Contract: the satellite receiver. */
#ifndef MF_HAL_GNSS_H
#define MF_HAL_GNSS_H

#include "hal/types.h"

/** GPS_FIX_TYPE of MAVLink, as far as a receiver here gives it. */
enum mf_fix_type { MF_FIX_NONE = 0, MF_FIX_NO_FIX = 1, MF_FIX_2D = 2, MF_FIX_3D = 3 };

struct mf_fix {
    uint8_t type; /**< enum mf_fix_type; below 3D the rest may be zero */
    uint8_t satellites;
    int32_t lat_e7; /**< [1e-7 deg] WGS84 */
    int32_t lon_e7;
    int32_t alt_amsl_mm;      /**< above the configured geoid */
    int32_t alt_ellipsoid_mm; /**< above WGS84: alt_amsl_mm plus the geoid's undulation here */
    uint16_t hdop_x100;
    uint16_t vdop_x100;
    uint16_t vel_cmps; /**< over ground */
    uint16_t cog_cdeg; /**< course over ground 0 .. 35999; 65535 when it does not move */
    uint32_t h_acc_mm;
    uint32_t v_acc_mm;
    uint32_t vel_acc_mmps;
    int64_t utc_us; /**< since 1970-01-01; 0 unknown */
    mf_us_t t_us;   /**< vehicle time of the measurement */
    mf_us_t
        period_us; /**< time between two measurements, which are at multiples of it in vehicle time.
                      0: the receiver measures at every instant of a read, without noise */
};

struct mf_gnss_ops {
    /** The receiver's answer for @p t_us. @return MF_E_OK, or MF_E_IO: silence. */
    int (*read)(void *ctx, mf_us_t t_us, struct mf_fix *fix);
    /** First instant after @p t_us at which the kind of answer (fix or none) changes, or the error
     * of its position: with a period, the next report at the latest.
     * @return MF_E_OK with MF_NEVER or the instant; MF_E_NOSUPP: unknown, poll instead. */
    int (*next)(void *ctx, mf_us_t t_us, mf_us_t *at_us);
};

#endif
