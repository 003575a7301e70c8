/* SPDX-License-Identifier: Apache-2.0 */
#include "world/faults.h"

#include "world/gnss.h"

void mf_faults_init(struct mf_faults *faults, const struct mf_gnss_ops *gnss, void *gnss_ctx)
{
    MF_ASSERT(faults != NULL && gnss != NULL);
    *faults = (struct mf_faults){.gnss = gnss, .gnss_ctx = gnss_ctx};
}

static bool exists(enum mf_fault fault)
{
    return (uint32_t)fault < (uint32_t)MF_FAULT_COUNT;
}

int mf_faults_schedule(struct mf_faults *faults, enum mf_fault fault, mf_us_t from_us,
                       mf_us_t to_us)
{
    MF_ASSERT(faults != NULL);
    if (!exists(fault)) {
        return MF_E_NOSUPP;
    }
    if (from_us >= to_us) {
        return MF_E_RANGE;
    }
    if (faults->count >= MF_FAULT_INTERVALS_MAX) {
        return MF_E_FULL;
    }
    faults->interval[faults->count++] = (struct mf_fault_interval){from_us, to_us, fault};
    return MF_E_OK;
}

static bool covers(const struct mf_fault_interval *i, enum mf_fault fault, mf_us_t t_us)
{
    return i->fault == fault && i->from_us <= t_us && t_us < i->to_us;
}

bool mf_faults_active(const struct mf_faults *faults, enum mf_fault fault, mf_us_t t_us)
{
    MF_ASSERT(faults != NULL && exists(fault));
    if (faults->asked[fault].on && t_us >= faults->asked[fault].since_us) {
        return true;
    }
    for (uint32_t i = 0; i < faults->count; i++) {
        if (covers(&faults->interval[i], fault, t_us)) {
            return true;
        }
    }
    return false;
}

/* The first instant after t_us at which an interval or a request begins or ends. */
static mf_us_t next_boundary_us(const struct mf_faults *faults, enum mf_fault fault, mf_us_t t_us)
{
    mf_us_t next_us = MF_NEVER;
    for (uint32_t i = 0; i < faults->count; i++) {
        const struct mf_fault_interval *v = &faults->interval[i];
        if (v->fault == fault && v->from_us > t_us && v->from_us < next_us) {
            next_us = v->from_us;
        }
        if (v->fault == fault && v->to_us > t_us && v->to_us < next_us) {
            next_us = v->to_us;
        }
    }
    const mf_us_t since_us = faults->asked[fault].since_us;
    return since_us > t_us && since_us < next_us ? since_us : next_us;
}

/* The first of them that makes a difference: intervals may overlap. */
static mf_us_t next_change_us(const struct mf_faults *faults, enum mf_fault fault, mf_us_t t_us)
{
    const bool active = mf_faults_active(faults, fault, t_us);
    mf_us_t next_us = t_us;
    do {
        next_us = next_boundary_us(faults, fault, next_us);
    } while (next_us != MF_NEVER && mf_faults_active(faults, fault, next_us) == active);
    return next_us;
}

static int faulty_read(void *ctx, mf_us_t t_us, struct mf_fix *fix)
{
    const struct mf_faults *f = ctx;
    MF_ASSERT(f != NULL && fix != NULL);
    if (mf_faults_active(f, MF_FAULT_GPS_OFF, t_us)) {
        *fix = mf_gnss_without_fix(MF_FIX_NONE);
        return MF_E_OK;
    }
    return f->gnss->read(f->gnss_ctx, t_us, fix);
}

static int faulty_next(void *ctx, mf_us_t t_us, mf_us_t *at_us)
{
    const struct mf_faults *f = ctx;
    MF_ASSERT(f != NULL && at_us != NULL);
    const mf_us_t change_us = next_change_us(f, MF_FAULT_GPS_OFF, t_us);
    if (mf_faults_active(f, MF_FAULT_GPS_OFF, t_us)) { /* what happens behind does not show */
        *at_us = change_us;
        return MF_E_OK;
    }
    const int err = f->gnss->next(f->gnss_ctx, t_us, at_us);
    if (err == MF_E_OK && change_us < *at_us) {
        *at_us = change_us;
    }
    return err;
}

static uint32_t faulty_lost(void *ctx, mf_us_t t_us)
{
    static const struct {
        enum mf_fault fault;
        enum mf_sensor sensor;
    } k_loses[] = {
        {MF_FAULT_GYRO_OFF, MF_SENSOR_GYRO},   {MF_FAULT_GYRO_STUCK, MF_SENSOR_GYRO},
        {MF_FAULT_ACCEL_OFF, MF_SENSOR_ACCEL}, {MF_FAULT_ACCEL_STUCK, MF_SENSOR_ACCEL},
        {MF_FAULT_MAG_OFF, MF_SENSOR_MAG},     {MF_FAULT_MAG_STUCK, MF_SENSOR_MAG},
        {MF_FAULT_BARO_OFF, MF_SENSOR_BARO},   {MF_FAULT_BARO_STUCK, MF_SENSOR_BARO},
    };
    uint32_t lost = 0;
    for (size_t i = 0; i < sizeof k_loses / sizeof k_loses[0]; i++) {
        if (mf_faults_active(ctx, k_loses[i].fault, t_us)) {
            lost |= 1u << k_loses[i].sensor;
        }
    }
    return lost;
}

static int faults_set(void *ctx, mf_us_t t_us, enum mf_fault fault, bool on)
{
    struct mf_faults *f = ctx;
    MF_ASSERT(f != NULL);
    if (!exists(fault)) {
        return MF_E_NOSUPP;
    }
    for (uint32_t i = 0; !on && i < f->count; i++) {
        if (covers(&f->interval[i], fault, t_us)) {
            f->interval[i].to_us = t_us;
        }
    }
    f->asked[fault].on = on;
    f->asked[fault].since_us = t_us;
    return MF_E_OK;
}

const struct mf_gnss_ops mf_faults_gnss_ops = {.read = faulty_read, .next = faulty_next};
const struct mf_sensors_ops mf_faults_sensors_ops = {.lost = faulty_lost};
const struct mf_inject_ops mf_faults_inject_ops = {.set = faults_set};
