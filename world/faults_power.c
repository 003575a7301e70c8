/* SPDX-License-Identifier: Apache-2.0 */
/* The battery with its faults; the table in hal/inject.h says what each fault changes. Called by
 * world/world, and through the HAL. */
#include "world/faults.h"

#define MINUTE_US (60.0 * 1e6)
/* An empty battery has eight ninths of the full one's voltage (world/battery.h). */
#define EMPTY_SHARE (8.0 / 9.0)
/* Drop of the voltage under a drain: per percent a minute, and its least value, which is visible in
 * spite of rounding [V]. */
#define SAG_V       1e-3
#define LEAST_SAG_V 2e-3

/* Faults that limit the charge [%]. */
static const struct {
    enum mf_fault fault;
    float percent;
} k_level[] = {{MF_FAULT_BATTERY_OFF, 0.0f},
               {MF_FAULT_BATTERY_EMERGENCY, MF_FAULT_EMERGENCY_PERCENT},
               {MF_FAULT_BATTERY_CRITICAL, MF_FAULT_CRITICAL_PERCENT},
               {MF_FAULT_BATTERY_LOW, MF_FAULT_LOW_PERCENT}};
#define LEVELS (sizeof k_level / sizeof k_level[0])

/* Charge 0 .. 1 with the active faults. */
static float charge(const struct mf_faults *f, mf_us_t t_us, float remaining)
{
    struct mf_fault_active active;
    if (mf_faults_active(f, MF_FAULT_BATTERY, t_us, &active)) {
        remaining = active.with->value[0] / 100.0f;
    }
    for (size_t i = 0; i < LEVELS; i++) {
        const float most = k_level[i].percent / 100.0f;
        if (remaining > most && mf_faults_active(f, k_level[i].fault, t_us, NULL)) {
            remaining = most;
        }
    }
    if (mf_faults_active(f, MF_FAULT_BATTERY_DRAIN, t_us, &active)) {
        const double lost =
            (double)active.with->value[0] / 100.0 * ((double)(t_us - active.since_us) / MINUTE_US);
        remaining = (double)remaining > lost ? (float)((double)remaining - lost) : 0.0f;
    }
    return remaining;
}

static double share_of_voltage(double remaining)
{
    return EMPTY_SHARE + (1.0 - EMPTY_SHARE) * remaining;
}

/* Voltage under the load of a drain, which drops before the charge does. */
static float sagged(float voltage_v, float percent_per_min)
{
    const double sag_v = SAG_V * (double)percent_per_min;
    const double left_v = (double)voltage_v - (sag_v > LEAST_SAG_V ? sag_v : LEAST_SAG_V);
    return (float)(left_v > 0.0 ? left_v : 0.0);
}

static int faulty_read(void *ctx, mf_us_t t_us, struct mf_battery *battery)
{
    const struct mf_faults *f = ctx;
    struct mf_fault_active active;
    MF_ASSERT(f != NULL && battery != NULL);
    const int result = f->power->read(f->power_ctx, t_us, battery);
    if (result != MF_E_OK) {
        return result;
    }
    const float before = battery->remaining < 0.0f ? 1.0f : battery->remaining;
    const float left = charge(f, t_us, before);
    if (left != before) {
        battery->voltage_v = (float)((double)battery->voltage_v * share_of_voltage((double)left) /
                                     share_of_voltage((double)before));
        battery->remaining = left;
    }
    if (mf_faults_active(f, MF_FAULT_BATTERY_DRAIN, t_us, &active)) {
        battery->voltage_v = sagged(battery->voltage_v, active.with->value[0]);
    }
    if (mf_faults_active(f, MF_FAULT_BATTERY_VOLTAGE, t_us, &active)) {
        battery->voltage_v = active.with->value[0];
    }
    return MF_E_OK;
}

/* While a fault drains the battery, the caller must poll the charge; a charge that a fault sets is
 * constant. mf_faults_next() announces the instants at which faults begin and end. */
static int faulty_next(void *ctx, mf_us_t t_us, float remaining, mf_us_t *at_us)
{
    const struct mf_faults *f = ctx;
    struct mf_battery battery;
    MF_ASSERT(f != NULL && at_us != NULL);
    if (mf_faults_active(f, MF_FAULT_BATTERY_DRAIN, t_us, NULL)) {
        return MF_E_NOSUPP;
    }
    if (faulty_read(ctx, t_us, &battery) == MF_E_OK && battery.remaining >= 0.0f &&
        battery.remaining < remaining) {
        *at_us = t_us;
        return MF_E_OK;
    }
    if (mf_faults_active(f, MF_FAULT_BATTERY, t_us, NULL)) {
        *at_us = MF_NEVER;
        return MF_E_OK;
    }
    return f->power->next(f->power_ctx, t_us, remaining, at_us);
}

const struct mf_power_ops mf_faults_power_ops = {.read = faulty_read, .next = faulty_next};
