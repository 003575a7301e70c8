/* SPDX-License-Identifier: Apache-2.0 */
/* A vehicle far from everything, for the tests of the encoders. Include it after cmocka.h. */
#ifndef MF_TESTS_ENCODE_FIXTURE_H
#define MF_TESTS_ENCODE_FIXTURE_H

#include <math.h>

#include "firmware/report/encode.h"
#include "tests/unit/support/firmware.h"
#include "tests/unit/support/mock.h"

#define T_US 12345678 /* of most messages: 12345 ms */

#define assert_near(got, want, within)                        \
    do {                                                      \
        const double g_ = (double)(got), w_ = (double)(want); \
        if (!(fabs(g_ - w_) <= (within))) {                   \
            fail_msg("%s is %.9g, not %.9g", #got, g_, w_);   \
        }                                                     \
    } while (0)

static struct mf_mock mock;
static struct mf_vehicle v;

/* Near Santiago, where rounding shows in every digit: moving north, west and up, turning. */
static inline void place_far(void)
{
    mock.airframe.pose = (struct mf_pose){
        .lat_deg = -33.44889006, /* 1e-7 deg: ...900.6 */
        .lon_deg = -70.66926547, /* ...654.7 */
        .alt_amsl_m = 567.8916,
        .ground_amsl_m = 519.5,
        .vel_ned_mps = {3.456f, -7.891f, -1.235f},
        .acc_ned_mps2 = {0.5f, -1.0f, 0.25f},
        .roll_rad = 0.1f,
        .pitch_rad = -0.2f,
        .yaw_rad = -0.5f,
        .yawspeed_rps = 0.25f,
    };
    mock.gnss.fix.lat_e7 = -334488901;
    mock.gnss.fix.lon_e7 = -706692655;
    mock.gnss.fix.alt_amsl_mm = 567892;
    mock.gnss.fix.alt_ellipsoid_mm = 594123;
    mock.gnss.fix.vel_cmps = 861;
    mock.gnss.fix.cog_cdeg = 29365;
    mock.gnss.fix.t_us = T_US;
}

static inline void set_home(void)
{
    v.home = (struct mf_home){.valid = true,
                              .lat_deg = -33.44950004,
                              .lon_deg = -70.67000006,
                              .alt_amsl_m = 520.0004,
                              .yaw_rad = -0.5f,
                              .takeoff_amsl_m = 520.0004,
                              .set_us = 2500000};
    v.origin.place = (struct mf_geo){-33.44950004, -70.67000006};
    v.origin.amsl_m = 520.0004;
    v.origin.valid = true;
}

static inline int setup(void **state)
{
    (void)state;
    mf_mock_init(&mock);
    static struct mf_ftp s_ftp;
    const struct mf_setup s = {.ftp = &s_ftp,
                               .hal = mf_mock_hal(&mock),
                               .sysid = 1,
                               .compid = 1,
                               .uid = 0x1122334455667788u};
    const int err = mf_vehicle_init(&v, &s);
    place_far();
    set_home();
    mf_estimate_forget(&v);
    (void)mf_estimate_at(
        &v, T_US); /* the report is taken in: where a test moves the body alone it says nothing */
    mf_estimate_forget(&v);
    return err;
}

static inline void lose_gps(void)
{
    mock.gnss.result = MF_E_IO;
    mf_estimate_forget(&v);
}

#endif
