/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The correction is one vector, not a filter of position and velocity as in PX4's EKF2: the
 * airframe's own solution is smooth, and what a receiver adds to it is an offset that changes
 * slowly or jumps.
 */
#include "firmware/flight/estimate.h"

#include "firmware/core/units.h"
#include "math/trig.h"

#include <string.h>

/* Resolution of a receiver's reports: one unit of places [1e-7 deg] and altitudes [mm]. */
#define RESOLUTION 1.0
/* Weight of a new report of a receiver that measures periodically. It leaves a third of the
 * standard deviation of its noise. */
#define SHARE 0.2
/* A report that differs by this number of its claimed accuracies is not noise: it counts fully. */
#define GATE 5.0

/* A report that says to be older does not know the vehicle's time [us]. */
#define AGE_MAX_US MF_SECOND_US

/* Moves a place by the correction, once (sign 1) or back (sign -1). */
static void shift(double *lat_deg, double *lon_deg, double *alt_amsl_m, const double ned_m[3],
                  double sign)
{
    MF_ASSERT(sign == 1.0 || sign == -1.0);
    /* A geodesic costs more than all the rest of an estimate, and most receivers are exact. */
    if (ned_m[0] != 0.0 || ned_m[1] != 0.0) {
        const struct mf_geo there = mf_geo_from_local((struct mf_geo){*lat_deg, *lon_deg},
                                                      sign * ned_m[0], sign * ned_m[1]);
        *lat_deg = there.lat_deg;
        *lon_deg = there.lon_deg;
    }
    *alt_amsl_m -= sign * ned_m[2];
}

/* Reported position minus pose at the report's time, NED [m]; 0 while the report cannot tell the
 * two apart. */
static void measure(const struct mf_pose *pose, const struct mf_fix *fix, mf_us_t t_us,
                    double ned_m[3])
{
    const mf_us_t age_us = t_us - fix->t_us;
    const double age_s = age_us > 0 && age_us < AGE_MAX_US ? (double)age_us * 1e-6 : 0.0;
    /* A report says where the vehicle was when it was measured. The body has gone on since then,
     * nearly with the velocity that it has now. */
    struct mf_geo then = {pose->lat_deg, pose->lon_deg};
    if (age_s > 0.0) {
        then = mf_geo_from_local(then, -(double)pose->vel_ned_mps[0] * age_s,
                                 -(double)pose->vel_ned_mps[1] * age_s);
    }
    MF_ASSERT(age_s >= 0.0 && age_s < 1.0);
    const double alt_m = pose->alt_amsl_m + (double)pose->vel_ned_mps[2] * age_s;
    const double off_lat = (double)fix->lat_e7 - then.lat_deg * 1e7;
    const double off_lon = (double)fix->lon_e7 - then.lon_deg * 1e7;
    const double off_mm = (double)fix->alt_amsl_mm - alt_m * 1e3;
    ned_m[0] = ned_m[1] = ned_m[2] = 0.0;
    /* Compare in units of the report, not in metres: a longitude near a pole is coarse in degrees,
     * fine in metres. */
    if (mf_abs(off_lat) < RESOLUTION && mf_abs(off_lon) < RESOLUTION &&
        mf_abs(off_mm) < RESOLUTION) {
        return;
    }
    const struct mf_geo there = {(double)fix->lat_e7 / 1e7, (double)fix->lon_e7 / 1e7};
    mf_geo_to_local(then, there, ned_m);
    ned_m[2] = alt_m - (double)fix->alt_amsl_mm * 1e-3;
}

/* Both accuracies must hold: an error in one axis alone is a glitch, too. */
static bool is_noise(const struct mf_fix *fix, const double before_m[3], const double now_m[3])
{
    const double h_m = GATE * (double)fix->h_acc_mm * 1e-3;
    const double v_m = GATE * (double)fix->v_acc_mm * 1e-3;
    return mf_length2(now_m[0] - before_m[0], now_m[1] - before_m[1]) < h_m &&
           mf_abs(now_m[2] - before_m[2]) < v_m;
}

/* Is the fix another report than the one before? A receiver with a period may be read at any time
 * in between: then the number of the period tells, not the time or the values. */
static bool is_new(const struct mf_fix *fix, const struct mf_fix *before)
{
    return fix->period_us > 0
               ? fix->t_us / fix->period_us != before->t_us / fix->period_us
               : fix->t_us != before->t_us || fix->lat_e7 != before->lat_e7 ||
                     fix->lon_e7 != before->lon_e7 || fix->alt_amsl_mm != before->alt_amsl_mm;
}

/* Update the correction from a fix. A repeated report changes nothing: the airframe moves on from
 * there. @param before  fix before the last one; may be NULL @return true: the correction
 * changed */
static bool correct(struct mf_estimate *e, const struct mf_fix *before)
{
    double ned_m[3];
    if (before != NULL && !is_new(&e->fix, before)) {
        return false;
    }
    measure(&e->pose, &e->fix, e->t_us, ned_m);
    MF_ASSERT(mf_finite(ned_m[0]) && mf_finite(ned_m[1]) && mf_finite(ned_m[2]));
    /* The first report counts wholly: there is nothing yet that it could be averaged with. */
    const bool filters =
        before != NULL && e->fix.period_us > 0 && is_noise(&e->fix, e->correction_ned_m, ned_m);
    bool changed = false;
    for (int i = 0; i < 3; i++) {
        const double before_m = e->correction_ned_m[i];
        e->correction_ned_m[i] = filters ? before_m + SHARE * (ned_m[i] - before_m) : ned_m[i];
        changed = changed || e->correction_ned_m[i] != before_m;
    }
    return changed;
}

/* Update the undulation: from the receiver, even with an error, or from the geoid's model without a
 * fix. Without both it stays. */
static void find_undulation(struct mf_estimate *e, const struct mf_hal *hal)
{
    const int err = mf_earth_undulation(hal, e->pose.lat_deg, e->pose.lon_deg, &e->undulation_m);
    e->charted = err == MF_E_OK || err == MF_E_NOSUPP;
    if (e->fix.type >= MF_FIX_3D) {
        e->undulation_m = ((double)e->fix.alt_ellipsoid_mm - (double)e->fix.alt_amsl_mm) * 1e-3;
    }
}

int32_t mf_estimate_ellipsoid_mm(const struct mf_estimate *e, double alt_amsl_m)
{
    return mf_mm(alt_amsl_m + e->undulation_m);
}

/* Dead reckoning: the noise of PX4's accelerometer, 0.35 m/s^2, makes the accuracy worse meanwhile.
 * @return does position still hold? */
static bool coast(struct mf_estimate *e, const struct mf_fix *before, mf_us_t t_us)
{
    if (e->lost_us == MF_NEVER) {
        e->lost_us = t_us;
        e->h_acc_m = (float)before->h_acc_mm * 1e-3f;
        e->v_acc_m = (float)before->v_acc_mm * 1e-3f;
    }
    return t_us - e->lost_us < e->coast_us;
}

void mf_estimate_accuracy(const struct mf_estimate *e, float *h_m, float *v_m)
{
    *h_m = (float)e->fix.h_acc_mm * 1e-3f;
    *v_m = (float)e->fix.v_acc_mm * 1e-3f;
    if (e->fix.type < MF_FIX_3D && e->coast_us > 0) {
        const double past_s = (double)(e->t_us - e->lost_us) * 1e-6;
        const float more_m = (float)(0.2 * past_s * mf_sqrt(past_s)); /* 0.35 / sqrt(3) */
        *h_m = e->h_acc_m + more_m;
        *v_m = e->v_acc_m + more_m;
    }
}

bool mf_estimate_update(struct mf_estimate *e, const struct mf_hal *hal, mf_us_t t_us)
{
    MF_ASSERT(t_us >= 0);
    if (e->t_us == t_us) {
        return false;
    }
    e->t_us = t_us;
    const struct mf_fix before = e->fix;
    bool moved = false;
    const bool body = mf_airframe_sample(hal, t_us, &e->pose) == MF_E_OK;
    if (mf_gnss_read(hal, t_us, &e->fix) != MF_E_OK) {
        memset(&e->fix, 0, sizeof e->fix);
    }
    const bool fixed = e->fix.type >= MF_FIX_3D;
    e->position = body && (fixed || (e->position && coast(e, &before, t_us)));
    e->lost_us = fixed ? MF_NEVER : e->lost_us;
    if (e->position) {
        moved = fixed && correct(e, before.type >= MF_FIX_3D ? &before : NULL);
        shift(&e->pose.lat_deg, &e->pose.lon_deg, &e->pose.alt_amsl_m, e->correction_ned_m, 1.0);
        MF_ASSERT(mf_abs(e->pose.lat_deg) <= 90.0 && mf_abs(e->pose.lon_deg) <= 180.0);
    }
    if (body) { /* at the place as believed: that is the one that messages show */
        find_undulation(e, hal);
    }
    return moved;
}

void mf_estimate_expire(struct mf_estimate *e)
{
    e->t_us = -1; /* of no instant: vehicle time begins at 0 */
}

void mf_estimate_ahead(const struct mf_estimate *e, const struct mf_hal *hal, mf_us_t t_us,
                       struct mf_pose *pose)
{
    *pose = e->pose;
    /* A body without a future leaves the pose of now; the correction is in that already. */
    if (mf_airframe_sample(hal, t_us, pose) == MF_E_OK && e->position) {
        shift(&pose->lat_deg, &pose->lon_deg, &pose->alt_amsl_m, e->correction_ned_m, 1.0);
    }
}

bool mf_estimate_drifts(const struct mf_estimate *e)
{
    return e->correction_ned_m[0] != 0.0 || e->correction_ned_m[1] != 0.0 ||
           e->correction_ned_m[2] != 0.0;
}

void mf_estimate_aim(const struct mf_estimate *e, struct mf_leg *leg)
{
    if (e->position) {
        shift(&leg->lat_deg, &leg->lon_deg, &leg->alt_amsl_m, e->correction_ned_m, -1.0);
    }
}

void mf_estimate_believe(const struct mf_estimate *e, struct mf_leg *leg)
{
    if (e->position) {
        shift(&leg->lat_deg, &leg->lon_deg, &leg->alt_amsl_m, e->correction_ned_m, 1.0);
    }
}

void mf_origin_set(struct mf_origin *origin, struct mf_geo place, double amsl_m)
{
    MF_ASSERT(mf_finite(place.lat_deg) && mf_finite(place.lon_deg) && mf_finite(amsl_m));
    *origin = (struct mf_origin){.place = place, .amsl_m = amsl_m, .valid = true};
}

void mf_estimate_local(const struct mf_origin *origin, const struct mf_pose *pose, float ned_m[3])
{
    double north_east_m[2] = {0.0, 0.0};
    double down_m = 0.0;
    if (origin->valid) {
        mf_geo_to_local(origin->place, (struct mf_geo){pose->lat_deg, pose->lon_deg}, north_east_m);
        down_m = origin->amsl_m - pose->alt_amsl_m;
    }
    ned_m[0] = (float)north_east_m[0];
    ned_m[1] = (float)north_east_m[1];
    ned_m[2] = (float)down_m;
}
