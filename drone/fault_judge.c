/* SPDX-License-Identifier: Apache-2.0 */
/* Judgement whether a fault that begins now would be visible, from the vehicle and its devices.
 * Called by drone/fault_policy for every request and plan. */
#include "drone/fault_judge.h"

#include "firmware/flight/estimate.h"
#include "firmware/flight/health.h"
#include "firmware/report/encode.h"
#include "firmware/report/encode_units.h"
#include "firmware/state/vehicle.h"

static bool is_active(const struct mf_fault_policy *p, mf_us_t t_us, enum mf_fault fault)
{
    return p->inject->active(p->inject_ctx, t_us, fault, NULL);
}

#define BIT(name)      (UINT64_C(1) << MF_FAULT_##name)
#define NO_POSITION    (UINT64_C(1) << MF_FAULT_COUNT) /* without a position for any other reason */
#define SILENT         (BIT(GPS_OFF) | BIT(GPS_JAM))
#define WITHOUT_FIX    (SILENT | BIT(GPS_NO_FIX) | NO_POSITION)
#define STANDS         (WITHOUT_FIX | BIT(GPS_STUCK))
#define BELOW_CRITICAL (BIT(BATTERY_OFF) | BIT(BATTERY_EMERGENCY))
#define BELOW_LOW      (BELOW_CRITICAL | BIT(BATTERY_CRITICAL))

/* Active faults that hide another one completely. */
static const struct {
    enum mf_fault fault;
    uint64_t by;
} k_hidden[] = {
    {MF_FAULT_GPS_JAM, BIT(GPS_OFF)},
    {MF_FAULT_GPS_NO_FIX, SILENT | NO_POSITION},
    {MF_FAULT_GPS_STUCK, WITHOUT_FIX},
    {MF_FAULT_GPS_GLITCH, STANDS},
    {MF_FAULT_GPS_DRIFT, STANDS},
    {MF_FAULT_GPS_SATELLITES, STANDS},
    {MF_FAULT_GPS_ACCURACY, STANDS},
    {MF_FAULT_GPS_DATUM, STANDS},
    {MF_FAULT_UTC_STEP, STANDS},
    {MF_FAULT_BATTERY, BELOW_LOW | BIT(BATTERY_LOW)},
    {MF_FAULT_BATTERY_DRAIN, BIT(BATTERY_VOLTAGE)},
    {MF_FAULT_BATTERY_LOW, BELOW_LOW},
    {MF_FAULT_BATTERY_CRITICAL, BELOW_CRITICAL},
    {MF_FAULT_BATTERY_EMERGENCY, BIT(BATTERY_OFF)},
    {MF_FAULT_GYRO_OFF, BIT(GYRO_STUCK)},
    {MF_FAULT_GYRO_STUCK, BIT(GYRO_OFF)},
    {MF_FAULT_ACCEL_OFF, BIT(ACCEL_STUCK)},
    {MF_FAULT_ACCEL_STUCK, BIT(ACCEL_OFF)},
    {MF_FAULT_MAG_OFF, BIT(MAG_STUCK)},
    {MF_FAULT_MAG_STUCK, BIT(MAG_OFF)},
    {MF_FAULT_BARO_OFF, BIT(BARO_STUCK)},
    {MF_FAULT_BARO_STUCK, BIT(BARO_OFF)},
    {MF_FAULT_BREACH_TELEPORT, WITHOUT_FIX},
    {MF_FAULT_BREACH_DRIFT, WITHOUT_FIX},
    {MF_FAULT_HEARTBEAT_LATE, BIT(HEARTBEAT_OFF)},
};

_Static_assert(MF_FAULT_COUNT < 64, "faults and one bit more");

/* Active faults, and NO_POSITION: the position is missing though no fault of the receiver is
 * active. */
static uint64_t hiding(const struct mf_fault_policy *p, mf_us_t now_us, enum mf_fault fault)
{
    uint64_t active = 0;
    for (int i = 0; i < MF_FAULT_COUNT; i++) {
        if (is_active(p, now_us, (enum mf_fault)i)) {
            active |= UINT64_C(1) << i;
        }
    }
    const uint64_t reasons =
        SILENT | BIT(GPS_NO_FIX) | (fault == MF_FAULT_GPS_SATELLITES ? BIT(GPS_SATELLITES) : 0u);
    if ((active & reasons) == 0 && mf_estimate_at(p->vehicle, now_us)->fix.type < MF_FIX_3D) {
        active |= NO_POSITION;
    }
    return active;
}

bool mf_fault_hidden(const struct mf_fault_policy *p, mf_us_t now_us, enum mf_fault fault,
                     uint64_t among)
{
    uint64_t by = 0;
    for (size_t i = 0; i < sizeof k_hidden / sizeof k_hidden[0]; i++) {
        by |= k_hidden[i].fault == fault ? k_hidden[i].by & among : 0u;
    }
    return by != 0 && (hiding(p, now_us, fault) & by) != 0;
}

/* Would the fault change a value? An unknown time cannot step, a geoid equal to the ellipsoid
 * cannot be missed, a voltage of 0 or beyond the displayed range cannot sag, and only a known home
 * can be lost. */
static bool would_show(const struct mf_fault_policy *p, mf_us_t now_us, enum mf_fault fault)
{
    const struct mf_fix *fix = &mf_estimate_at(p->vehicle, now_us)->fix;
    switch ((int)fault) {
    case MF_FAULT_UTC_STEP:
        return fix->utc_us != 0;
    case MF_FAULT_GPS_DATUM:
        return fix->alt_ellipsoid_mm != fix->alt_amsl_mm || is_active(p, now_us, fault);
    case MF_FAULT_BATTERY_DRAIN: /* reached only if changes_battery() is false */
        return is_active(p, now_us, fault);
    case MF_FAULT_HOME_LOST:
        return p->vehicle->home.valid || p->vehicle->home.hidden;
    default:
        return true;
    }
}

static int32_t rounded(float value, double times)
{
    return mf_round_i32((double)value * times);
}

#define OF_BATTERY                                                                  \
    (BIT(BATTERY) | BIT(BATTERY_DRAIN) | BIT(BATTERY_LOW) | BIT(BATTERY_CRITICAL) | \
     BIT(BATTERY_EMERGENCY) | BIT(BATTERY_OFF) | BIT(BATTERY_VOLTAGE))

struct shown_battery {
    struct mf_msg_sys_status sys;
    struct mf_msg_battery_status status;
};

static struct shown_battery shown_battery(const struct mf_fault_policy *p, mf_us_t now_us)
{
    struct shown_battery shown = {0};
    (void)mf_encode_sys_status(p->vehicle, now_us, &shown.sys);
    (void)mf_encode_battery_status(p->vehicle, now_us, &shown.status);
    return shown;
}

/* Would an inactive fault of the battery change the displayed values? Tries it, since only the
 * device knows charge and voltage under several faults. */
static bool changes_battery(const struct mf_fault_policy *p, mf_us_t now_us, enum mf_fault fault,
                            const struct mf_fault_values *with)
{
    MF_ASSERT(!is_active(p, now_us, fault));
    const struct shown_battery before = shown_battery(p, now_us);
    if (p->inject->set(p->inject_ctx, now_us, fault, true, with) != MF_E_OK) {
        return true; /* out of range: the later call that sets it reports the error */
    }
    const struct shown_battery after = shown_battery(p, now_us);
    (void)p->inject->set(p->inject_ctx, now_us, fault, false, NULL);
    return before.sys.voltage_battery != after.sys.voltage_battery ||
           before.sys.battery_remaining != after.sys.battery_remaining ||
           before.status.battery_remaining != after.status.battery_remaining ||
           before.status.charge_state != after.status.charge_state;
}

/* Are the displayed values already those that the fault would set? */
static bool shows_already(const struct mf_fault_policy *p, mf_us_t now_us, enum mf_fault fault,
                          const struct mf_fault_values *with)
{
    const struct mf_fault_values values = with != NULL ? *with : mf_fault_default(fault);
    const float a = values.value[0], b = values.value[1];
    const struct mf_fix *fix = &mf_estimate_at(p->vehicle, now_us)->fix;
    switch ((int)fault) {
    case MF_FAULT_GPS_SATELLITES:
        return fix->satellites == rounded(a, 1.0);
    case MF_FAULT_GPS_ACCURACY:
        return fix->h_acc_mm == (uint32_t)rounded(a, 1e3) &&
               fix->v_acc_mm == (uint32_t)rounded(b, 1e3);
    case MF_FAULT_PREARM:
        return mf_health_denial(p->vehicle, now_us)[0] != '\0';
    default:
        return false;
    }
}

int mf_fault_judge(const struct mf_fault_policy *p, mf_us_t now_us, enum mf_fault fault,
                   const struct mf_fault_values *with)
{
    MF_ASSERT((uint32_t)fault < (uint32_t)MF_FAULT_COUNT); /* faults are bits below */
    const bool active = is_active(p, now_us, fault);
    const bool tried = !active && (OF_BATTERY >> fault & 1u) != 0;
    const bool few = fault == MF_FAULT_GPS_SATELLITES && with != NULL &&
                     /* too few satellites show even if a position is missing */
                     with->value[0] < MF_FAULT_LEAST_SATELLITES;
    if (tried && changes_battery(p, now_us, fault, with)) {
        return MF_E_OK;
    }
    if (mf_fault_hidden(p, now_us, fault, few ? ~BIT(GPS_STUCK) : UINT64_MAX)) {
        return MF_E_AGAIN;
    }
    if (!would_show(p, now_us, fault)) {
        return MF_E_NOSUPP;
    }
    return tried || (!active && shows_already(p, now_us, fault, with)) ? MF_E_DENIED : MF_E_OK;
}
