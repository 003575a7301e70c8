/* SPDX-License-Identifier: Apache-2.0 */
/* Exact satellite receiver. Called by world/world and faults_gnss, and through the HAL. */
#include "world/gnss.h"

#include "math/trig.h"

#define SPEED_MAX_CMPS 65534 /* 65535 means unknown */

void mf_gnss_exact_init(struct mf_gnss_exact *gnss, const struct mf_airframe_ops *airframe,
                        void *airframe_ctx)
{
    MF_ASSERT(gnss != NULL && airframe != NULL);
    *gnss = (struct mf_gnss_exact){
        .airframe = airframe,
        .airframe_ctx = airframe_ctx,
        .satellites = 10,
    };
}

struct mf_fix mf_gnss_without_fix(enum mf_fix_type type)
{
    return (struct mf_fix){
        .type = (uint8_t)type,
        .hdop_x100 = UINT16_MAX,
        .vdop_x100 = UINT16_MAX,
        .vel_cmps = UINT16_MAX,
        .cog_cdeg = UINT16_MAX,
    };
}

static uint16_t speed_cmps(const struct mf_pose *pose)
{
    const double north = (double)pose->vel_ned_mps[0];
    const double east = (double)pose->vel_ned_mps[1];
    const int cmps = mf_round_i32(mf_length2(north, east) * 100.0);
    return (uint16_t)(cmps > SPEED_MAX_CMPS ? SPEED_MAX_CMPS : cmps);
}

static uint16_t course_cdeg(const struct mf_pose *pose)
{
    const double north = (double)pose->vel_ned_mps[0];
    const double east = (double)pose->vel_ned_mps[1];
    if (north == 0.0 && east == 0.0) {
        return UINT16_MAX;
    }
    const int cdeg = mf_round_i32(mf_deg(mf_atan2(east, north)) * 100.0);
    return (uint16_t)((cdeg + 36000) % 36000);
}

static void put_position(struct mf_gnss_exact *g, const struct mf_pose *pose, struct mf_fix *fix)
{
    if (g->earth != NULL) {
        (void)mf_earth_at(g->earth, pose->lat_deg, pose->lon_deg, &g->undulation_m);
    }
    fix->lat_e7 = mf_round_i32(pose->lat_deg * 1e7);
    fix->lon_e7 = mf_round_i32(pose->lon_deg * 1e7);
    fix->alt_amsl_mm = mf_round_i32(pose->alt_amsl_m * 1e3);
    fix->alt_ellipsoid_mm = mf_round_i32((pose->alt_amsl_m + g->undulation_m) * 1e3);
}

static int exact_read(void *ctx, mf_us_t t_us, struct mf_fix *fix)
{
    struct mf_gnss_exact *g = ctx;
    MF_ASSERT(g != NULL && fix != NULL);
    struct mf_pose pose;
    *fix = mf_gnss_without_fix(MF_FIX_NO_FIX);
    if (t_us < g->fix_after_us) {
        return MF_E_OK;
    }
    if (g->airframe->sample(g->airframe_ctx, t_us, &pose) != MF_E_OK) {
        return MF_E_IO;
    }
    *fix = (struct mf_fix){
        .type = MF_FIX_3D,
        .satellites = g->satellites,
        .hdop_x100 = 70,
        .vdop_x100 = 110,
        .vel_cmps = speed_cmps(&pose),
        .cog_cdeg = course_cdeg(&pose),
        .h_acc_mm = 900,
        .v_acc_mm = 1780,
        .vel_acc_mmps = 400,
        .utc_us = g->epoch_utc_us == 0 ? 0 : g->epoch_utc_us + t_us,
        .t_us = t_us,
    };
    put_position(g, &pose, fix);
    return MF_E_OK;
}

/* Does the body stay in its place until the next order? */
static bool rests(const struct mf_gnss_exact *g, mf_us_t t_us)
{
    mf_us_t rest_us;
    return g->airframe->next(g->airframe_ctx, t_us, MF_WHEN_REST, 0.0, &rest_us) == MF_E_OK &&
           rest_us <= t_us;
}

static int exact_next(void *ctx, mf_us_t t_us, mf_us_t *at_us)
{
    const struct mf_gnss_exact *g = ctx;
    MF_ASSERT(g != NULL && at_us != NULL);
    *at_us = t_us < g->fix_after_us ? g->fix_after_us : MF_NEVER;
    return t_us < g->fix_after_us || g->earth == NULL || g->earth->everywhere || rests(g, t_us)
               ? MF_E_OK
               : MF_E_NOSUPP;
}

const struct mf_gnss_ops mf_gnss_exact_ops = {.read = exact_read, .next = exact_next};
