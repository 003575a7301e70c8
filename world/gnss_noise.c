/* SPDX-License-Identifier: Apache-2.0 */
/* Noise and drift of a satellite receiver. Called by world/world, and through the HAL. */
#include "world/gnss_noise.h"

#include "math/geodesic.h"
#include "math/trig.h"

#define PERIOD_US    (200 * MF_MS_US)
#define CMPS_MAX     65534 /* 65535 means unknown */
#define HUNDREDS_MAX 65534.0

void mf_gnss_noise_init(struct mf_gnss_noise *noise, const struct mf_gnss_ops *gnss, void *gnss_ctx,
                        const struct mf_seed *seed, const struct mf_gnss_errors *errors)
{
    MF_ASSERT(noise != NULL && gnss != NULL && seed != NULL && errors != NULL);
    *noise = (struct mf_gnss_noise){
        .gnss = gnss, .gnss_ctx = gnss_ctx, .errors = *errors, .period_us = PERIOD_US};
    for (uint32_t i = 0; i < 3; i++) {
        noise->fix_key[i] = mf_noise_key(seed, (enum mf_noise_stream)(MF_NOISE_FIX_NORTH + i));
        noise->drift[i] =
            mf_noise_smooth(mf_noise_key(seed, (enum mf_noise_stream)(MF_NOISE_DRIFT_NORTH + i)),
                            errors->drift_time_s);
    }
    for (uint32_t i = 0; i < 2; i++) {
        noise->speed_key[i] = mf_noise_key(seed, (enum mf_noise_stream)(MF_NOISE_SPEED_NORTH + i));
    }
}

/* Error of one axis of a fix [m]. */
static double axis_error(const struct mf_gnss_noise *g, size_t axis, uint64_t fix)
{
    const double noise_m = axis == 2 ? g->errors.noise_vertical_m : g->errors.noise_m;
    const double drift_m = axis == 2 ? g->errors.drift_vertical_m : g->errors.drift_m;
    double error_m = 0.0;
    if (drift_m > 0.0) {
        error_m = drift_m * mf_noise_at(&g->drift[axis], (mf_us_t)fix * g->period_us).x;
    }
    if (noise_m > 0.0) {
        error_m += noise_m * mf_noise_gauss(g->fix_key[axis], fix);
    }
    return error_m;
}

static void move(const struct mf_gnss_noise *g, uint64_t n, struct mf_fix *fix)
{
    double e[3];
    for (size_t i = 0; i < 3; i++) {
        e[i] = axis_error(g, i, n);
    }
    if (e[0] != 0.0 || e[1] != 0.0) {
        const struct mf_geo here = {(double)fix->lat_e7 * 1e-7, (double)fix->lon_e7 * 1e-7};
        const struct mf_geo there = mf_geo_from_local(here, e[0], e[1]);
        fix->lat_e7 = mf_round_i32(there.lat_deg * 1e7);
        fix->lon_e7 = mf_round_i32(there.lon_deg * 1e7);
    }
    const double up_mm = (double)mf_round_i32(e[2] * -1e3);
    fix->alt_amsl_mm = mf_round_i32((double)fix->alt_amsl_mm + up_mm);
    fix->alt_ellipsoid_mm = mf_round_i32((double)fix->alt_ellipsoid_mm + up_mm);
    mf_earth_settle(g->earth, fix);
}

/* Add noise to the speed. A receiver that stands reports no course. */
static void hurry(const struct mf_gnss_noise *g, uint64_t n, struct mf_fix *fix)
{
    if (!(g->errors.noise_mps > 0.0) || fix->vel_cmps == UINT16_MAX) {
        return;
    }
    const bool moves = fix->cog_cdeg != UINT16_MAX;
    const double course = moves ? mf_rad((double)fix->cog_cdeg * 1e-2) : 0.0;
    const double speed = (double)fix->vel_cmps;
    const double sd = g->errors.noise_mps * 1e2;
    const double north = speed * mf_cos(course) + sd * mf_noise_gauss(g->speed_key[0], n);
    const double east = speed * mf_sin(course) + sd * mf_noise_gauss(g->speed_key[1], n);
    const int cmps = mf_round_i32(mf_length2(north, east));
    fix->vel_cmps = (uint16_t)(cmps > CMPS_MAX ? CMPS_MAX : cmps);
    if (moves) {
        const int cdeg = mf_round_i32(mf_deg(mf_atan2(east, north)) * 1e2);
        fix->cog_cdeg = (uint16_t)((cdeg + 36000) % 36000);
    }
}

/* Increase an accuracy, and the dilution in proportion. */
static void worsen(double noise, double drift, uint32_t *accuracy_mm, uint16_t *dop_x100)
{
    const double sd_mm = 1e3 * mf_sqrt(noise * noise + drift * drift);
    if (!(sd_mm > (double)*accuracy_mm)) {
        return;
    }
    const double dop = *accuracy_mm > 0 ? (double)*dop_x100 * (sd_mm / (double)*accuracy_mm) : 0.0;
    *accuracy_mm = (uint32_t)mf_round_i32(sd_mm);
    if (dop > (double)*dop_x100) {
        *dop_x100 = (uint16_t)mf_round_i32(dop < HUNDREDS_MAX ? dop : HUNDREDS_MAX);
    }
}

static int noisy_read(void *ctx, mf_us_t t_us, struct mf_fix *fix)
{
    const struct mf_gnss_noise *g = ctx;
    MF_ASSERT(g != NULL && fix != NULL && t_us >= 0);
    const int err = g->gnss->read(g->gnss_ctx, t_us, fix);
    if (err != MF_E_OK || fix->type < MF_FIX_3D) {
        return err;
    }
    const struct mf_gnss_errors *e = &g->errors;
    const uint64_t n = (uint64_t)(t_us / g->period_us);
    uint16_t none = 0;
    move(g, n, fix);
    hurry(g, n, fix);
    worsen(e->noise_m, e->drift_m, &fix->h_acc_mm, &fix->hdop_x100);
    worsen(e->noise_vertical_m, e->drift_vertical_m, &fix->v_acc_mm, &fix->vdop_x100);
    worsen(e->noise_mps, 0.0, &fix->vel_acc_mmps, &none);
    fix->period_us = g->period_us;
    return MF_E_OK;
}

static int noisy_next(void *ctx, mf_us_t t_us, mf_us_t *at_us)
{
    const struct mf_gnss_noise *g = ctx;
    MF_ASSERT(g != NULL && at_us != NULL);
    const int err = g->gnss->next(g->gnss_ctx, t_us, at_us);
    /* a change before the next report would not be visible */
    if (err == MF_E_OK || err == MF_E_NOSUPP) {
        const mf_us_t report_us = (t_us / g->period_us + 1) * g->period_us;
        *at_us = err == MF_E_OK ? mf_earlier(*at_us, report_us) : report_us;
        return MF_E_OK;
    }
    return err;
}

const struct mf_gnss_ops mf_gnss_noise_ops = {.read = noisy_read, .next = noisy_next};
