/* SPDX-License-Identifier: Apache-2.0 */
/* The satellite receiver with its faults; the table in hal/inject.h says what each fault changes.
 * Called by world/world, and through the HAL. */
#include "math/geodesic.h"
#include "math/trig.h"
#include "world/faults.h"
#include "world/gnss.h"

#define BIT(name) (UINT64_C(1) << MF_FAULT_##name)

static const uint64_t k_shown = BIT(GPS_OFF) | BIT(GPS_NO_FIX) | BIT(GPS_STUCK) | BIT(GPS_JAM) |
                                BIT(GPS_GLITCH) | BIT(GPS_DRIFT) | BIT(GPS_SATELLITES) |
                                BIT(GPS_ACCURACY) | BIT(GPS_DATUM) | BIT(UTC_STEP);

static void shift(const struct mf_faults *f, struct mf_fix *fix, const struct mf_fault_values *by,
                  double times)
{
    const double ned_m[3] = {(double)by->value[0] * times, (double)by->value[1] * times,
                             (double)by->value[2] * times};
    const double down_mm = mf_round_i32(ned_m[2] * 1e3);
    const struct mf_geo from = {(double)fix->lat_e7 / 1e7, (double)fix->lon_e7 / 1e7};
    const struct mf_geo to = mf_geo_from_local(from, ned_m[0], ned_m[1]);
    fix->lat_e7 = mf_round_i32(to.lat_deg * 1e7);
    fix->lon_e7 = mf_round_i32(to.lon_deg * 1e7);
    fix->alt_amsl_mm = mf_round_i32((double)fix->alt_amsl_mm - down_mm);
    fix->alt_ellipsoid_mm = mf_round_i32((double)fix->alt_ellipsoid_mm - down_mm);
    mf_earth_settle(f->earth, fix);
}

static double magnitude(const struct mf_fault_values *with)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        sum += (double)with->value[i] * (double)with->value[i];
    }
    return mf_sqrt(sum);
}

/* Increase a dilution in proportion to an accuracy. */
static uint16_t grown(uint16_t dop_x100, uint32_t from_mm, uint32_t to_mm)
{
    const double dop = from_mm == 0 ? 65534.0 : (double)dop_x100 * to_mm / from_mm;
    return (uint16_t)mf_round_i32(dop > 65534.0 ? 65534.0 : dop);
}

static void claim(struct mf_fix *fix, const struct mf_fault_values *with)
{
    const uint32_t h_mm = (uint32_t)mf_round_i32((double)with->value[0] * 1e3);
    const uint32_t v_mm = (uint32_t)mf_round_i32((double)with->value[1] * 1e3);
    fix->hdop_x100 = grown(fix->hdop_x100, fix->h_acc_mm, h_mm);
    fix->vdop_x100 = grown(fix->vdop_x100, fix->v_acc_mm, v_mm);
    fix->h_acc_mm = h_mm;
    fix->v_acc_mm = v_mm;
}

/* Apply the faults that leave a fix. */
static void spoil(const struct mf_faults *f, mf_us_t t_us, struct mf_fix *fix)
{
    struct mf_fault_active active;
    if (mf_faults_active(f, MF_FAULT_GPS_GLITCH, t_us, &active)) {
        shift(f, fix, active.with, 1.0);
    }
    if (mf_faults_active(f, MF_FAULT_GPS_DRIFT, t_us, &active)) {
        shift(f, fix, active.with, mf_faults_drifted_s(&active, t_us, magnitude(active.with)));
    }
    if (mf_faults_active(f, MF_FAULT_GPS_ACCURACY, t_us, &active)) {
        claim(fix, active.with);
    }
    if (mf_faults_active(f, MF_FAULT_GPS_SATELLITES, t_us, &active)) {
        fix->satellites = (uint8_t)mf_round_i32((double)active.with->value[0]);
    }
    if (fix->utc_us != 0 && mf_faults_active(f, MF_FAULT_UTC_STEP, t_us, &active)) {
        const int64_t utc_us = fix->utc_us + (int64_t)((double)active.with->value[0] * 1e6);
        fix->utc_us = utc_us > 0 ? utc_us : 1; /* 0 would mean unknown */
    }
    if (mf_faults_active(f, MF_FAULT_GPS_DATUM, t_us, NULL)) {
        fix->alt_ellipsoid_mm = fix->alt_amsl_mm;
    }
}

/* Return the fix of the instant at which the receiver got stuck. */
static int stuck(struct mf_faults *f, mf_us_t since_us, struct mf_fix *fix)
{
    if (f->book->stuck.since_us != since_us) {
        f->book->stuck.fix = *fix;
        f->book->stuck.since_us = since_us;
    }
    *fix = f->book->stuck.fix;
    return MF_E_OK;
}

static bool lost(const struct mf_faults *f, mf_us_t t_us, struct mf_fix *fix)
{
    if (mf_faults_active(f, MF_FAULT_GPS_OFF, t_us, NULL)) {
        *fix = mf_gnss_without_fix(MF_FIX_NONE);
        return true;
    }
    if (mf_faults_active(f, MF_FAULT_GPS_JAM, t_us, NULL)) {
        *fix = mf_gnss_without_fix(MF_FIX_NO_FIX);
        return true;
    }
    return false;
}

static int faulty_read(void *ctx, mf_us_t t_us, struct mf_fix *fix)
{
    struct mf_faults *f = ctx;
    struct mf_fault_active active;
    MF_ASSERT(f != NULL && fix != NULL);
    if (lost(f, t_us, fix)) {
        return MF_E_OK;
    }
    const int result = f->gnss->read(f->gnss_ctx, t_us, fix);
    if (result != MF_E_OK || fix->type < MF_FIX_3D) {
        return result;
    }
    spoil(f, t_us, fix);
    const bool few = fix->satellites < MF_FAULT_LEAST_SATELLITES;
    if (few || mf_faults_active(f, MF_FAULT_GPS_NO_FIX, t_us, NULL)) {
        const uint8_t satellites = few ? fix->satellites : (uint8_t)(MF_FAULT_LEAST_SATELLITES - 1);
        *fix = mf_gnss_without_fix(MF_FIX_NO_FIX);
        fix->satellites = satellites;
        return MF_E_OK;
    }
    if (mf_faults_active(f, MF_FAULT_GPS_STUCK, t_us, &active)) {
        return stuck(f, active.since_us, fix);
    }
    if (f->book != NULL) {
        f->book->stuck.since_us = -1;
    }
    return MF_E_OK;
}

static int faulty_next(void *ctx, mf_us_t t_us, mf_us_t *at_us)
{
    const struct mf_faults *f = ctx;
    struct mf_fix fix;
    MF_ASSERT(f != NULL && at_us != NULL);
    const mf_us_t change_us = mf_faults_next(f, k_shown, t_us);
    if (lost(f, t_us, &fix)) { /* a lost fix hides changes of the receiver */
        *at_us = change_us;
        return MF_E_OK;
    }
    const int err = f->gnss->next(f->gnss_ctx, t_us, at_us);
    if (err == MF_E_OK && change_us < *at_us) {
        *at_us = change_us;
    }
    return err;
}

const struct mf_gnss_ops mf_faults_gnss_ops = {.read = faulty_read, .next = faulty_next};
