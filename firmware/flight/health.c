/* SPDX-License-Identifier: Apache-2.0 */
/* Health of the parts, and the reason for which the vehicle may not arm, for messages and the
 * commander. */
#include "firmware/flight/health.h"

#include "firmware/core/param.h"
#include "firmware/core/tasks.h"
#include "firmware/flight/calibration.h"
#include "firmware/flight/control_inputs.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/fence.h"
#include "firmware/flight/fence_change.h"
#include "firmware/flight/mission.h"
#include "firmware/flight/mode.h"
#include "firmware/state/vehicle.h"
#include "mavlink/enums.h"

#define GYRO    MAV_SYS_STATUS_SENSOR_3D_GYRO
#define ACCEL   MAV_SYS_STATUS_SENSOR_3D_ACCEL
#define MAG     MAV_SYS_STATUS_SENSOR_3D_MAG
#define BARO    MAV_SYS_STATUS_SENSOR_ABSOLUTE_PRESSURE
#define GPS     MAV_SYS_STATUS_SENSOR_GPS
#define XY      MAV_SYS_STATUS_SENSOR_XY_POSITION_CONTROL
#define MOTORS  MAV_SYS_STATUS_SENSOR_MOTOR_OUTPUTS
#define RC      MAV_SYS_STATUS_SENSOR_RC_RECEIVER
#define BATTERY MAV_SYS_STATUS_SENSOR_BATTERY
#define PREARM  MAV_SYS_STATUS_PREARM_CHECK

/* Parts that are not there count as healthy, as in PX4; a fence too, else MAVProxy calls it
 * breached. */
static const uint32_t k_absent =
    MAV_SYS_STATUS_SENSOR_DIFFERENTIAL_PRESSURE | MAV_SYS_STATUS_SENSOR_ATTITUDE_STABILIZATION |
    MAV_SYS_STATUS_AHRS | MAV_SYS_STATUS_LOGGING | MAV_SYS_STATUS_GEOFENCE;
static const uint32_t k_fitted = GYRO | ACCEL | MAG | BARO | XY | MOTORS | PREARM;

/* The worst first. */
static const struct mf_charge k_charge[] = {
    {MF_PARAM_BAT_EMERGEN_THR, MAV_BATTERY_CHARGE_STATE_EMERGENCY, MF_EMERGENCY,
     "Emergency battery level"},
    {MF_PARAM_BAT_CRIT_THR, MAV_BATTERY_CHARGE_STATE_CRITICAL, MF_CRITICAL, "Critical battery"},
    {MF_PARAM_BAT_LOW_THR, MAV_BATTERY_CHARGE_STATE_LOW, MF_CRITICAL, "Low battery"},
};
#define CHARGES (sizeof k_charge / sizeof k_charge[0])

/* A negative charge was not measured: it is never low. */
size_t mf_health_charge_level(const struct mf_params *p, const struct mf_battery *battery)
{
    size_t i = 0;
    while (i < CHARGES &&
           !(battery->remaining >= 0.0f && battery->remaining < mf_param_f(p, k_charge[i].below))) {
        i++;
    }
    return i;
}

const struct mf_charge *mf_health_charge_at(size_t level)
{
    return level < CHARGES ? &k_charge[level] : NULL;
}

uint8_t mf_health_charge(const struct mf_params *p, const struct mf_battery *battery)
{
    const size_t level = mf_health_charge_level(p, battery);
    return level < CHARGES ? k_charge[level].state : (uint8_t)MAV_BATTERY_CHARGE_STATE_OK;
}

/* Sensors: SYS_STATUS bit, why the vehicle may not be armed without it. */
static const struct {
    uint32_t bit;
    const char *denial;
} k_sensor[MF_SENSOR_COUNT] = {
#define X(name, text) [MF_SENSOR_##name] = {name, "Preflight Fail: " text " 0 missing"},
    MF_SENSOR_LIST(X)
#undef X
};

struct mf_health mf_health_at(struct mf_vehicle *v, mf_us_t t_us)
{
    MF_ASSERT(t_us >= 0);
    struct mf_battery battery;
    struct mf_health h = {.present = k_fitted, .healthy = k_fitted | k_absent};
    if (v->options.px4_strict) {
        h.present &= ~(uint32_t)PREARM; /* PX4 says it in health only */
    }
    const struct mf_estimate *e = mf_estimate_at(v, t_us);
    h.healthy &= e->position ? UINT32_MAX : ~(uint32_t)XY;
    if (e->position && e->fix.type >= MF_FIX_3D) {
        h.present |= GPS; /* PX4 shows the receiver as present while its fix is used */
        h.healthy |= v->estimate.charted ? GPS : 0u;
    } else {
        h.enabled |= GPS;
    }
    const uint32_t lost = mf_sensors_lost(&v->hal, t_us);
    for (size_t i = 0; i < MF_SENSOR_COUNT; i++) {
        h.healthy &= (lost >> i & 1u) != 0 ? ~k_sensor[i].bit : UINT32_MAX;
    }
    if (v->watched.motors_failed) {
        h.healthy &= ~(uint32_t)MOTORS;
    }
    /* A receiver of sticks counts as fitted from its first message on, as in PX4; imposed loss
     * means that there is one. */
    const bool had_sticks = v->inputs.manual.heard.rx_us != 0 || v->inputs.manual.live;
    if (had_sticks || v->imposed.rc_lost) {
        h.present |= RC;
        h.healthy |= v->inputs.manual.live ? RC : 0u;
    }
    /* PX4 calls a battery unhealthy from low on: its check of the charge fails then. */
    if (mf_power_read(&v->hal, t_us, &battery) == MF_E_OK) {
        h.present |= BATTERY;
        if (mf_health_charge_level(&v->params, &battery) == CHARGES) {
            h.healthy |= BATTERY;
        }
    }
    const struct mf_bounds bounds = mf_bounds_of(v);
    if (mf_fence_watched(&bounds) && !v->options.px4_strict) { /* PX4 says nothing of it */
        h.present |= MAV_SYS_STATUS_GEOFENCE;
    }
    if (v->fence.breach != 0 && !v->options.px4_strict) {
        h.healthy &= ~(uint32_t)MAV_SYS_STATUS_GEOFENCE;
    }
    /* PREARM_CHECK is what MAVSDK shows as armable. */
    if (mf_health_denial(v, t_us)[0] != '\0') {
        h.healthy &= ~(uint32_t)PREARM;
    }
    /* PX4's SYS_STATUS.hpp: enabled is what is present or unhealthy. */
    h.enabled |= h.present;
    return h;
}

/* PX4 arms where a flight can begin, if what the mode needs is there. */
static bool px4_arms_in(struct mf_vehicle *v, mf_us_t t_us, enum mf_mode mode)
{
    return mf_mode_begins_flights(mode) &&
           (mf_mode_info(mode)->needs & ~mf_health_have(v, t_us)) == 0;
}

/* COM_ARM_BAT_MIN; below zero, low is enough to arm and critical is not. */
static const char *battery_denial(struct mf_vehicle *v, mf_us_t t_us)
{
    const float least = mf_param_f(&v->params, MF_PARAM_COM_ARM_BAT_MIN);
    struct mf_battery battery;
    if (mf_power_read(&v->hal, t_us, &battery) != MF_E_OK || battery.remaining < 0.0f) {
        return "";
    }
    const size_t level = mf_health_charge_level(&v->params, &battery);
    MF_ASSERT(level <= CHARGES);
    /* PX4 warns of a low battery and denies arming from critical on, unless COM_ARM_BAT_MIN says
     * more. */
    if (least >= 0.0f) {
        return battery.remaining < least ? "Low battery" : "";
    }
    return level < CHARGES && k_charge[level].below != MF_PARAM_BAT_LOW_THR ? k_charge[level].text
                                                                            : "";
}

const char *mf_health_denial(struct mf_vehicle *v, mf_us_t t_us)
{
    MF_ASSERT(v->commander.mode < MF_MODE_COUNT);
    /* The first reason found is reported: those that cannot be repaired first, then those in PX4's
     * order. */
    const enum mf_mode mode = (enum mf_mode)v->commander.mode;
    if (mode == MF_MODE_TERMINATION) {
        return "Preflight Fail: flight terminated, reboot";
    }
    if (v->imposed.denial[0] != '\0') {
        return v->imposed.denial;
    }
    /* A body that is turned on its sides must not start its motors. */
    if (mf_calibration_runs(&v->calibration)) {
        return "Preflight Fail: calibration in progress";
    }
    if (!mf_estimate_at(v, t_us)->position) {
        return "Preflight Fail: no GNSS position";
    }
    const uint32_t lost = mf_sensors_lost(&v->hal, t_us);
    for (size_t i = 0; i < MF_SENSOR_COUNT; i++) {
        if ((lost >> i & 1u) != 0) {
            return k_sensor[i].denial;
        }
    }
    /* If the undulation is unknown, every altitude above the ellipsoid would be wrong by tens of
     * metres. */
    if (!v->estimate.charted) {
        return "Preflight Fail: " MF_DATUM_NONE;
    }
    if (v->watched.motors_failed) {
        return "Preflight Fail: Motor failure detected";
    }
    if (v->options.px4_strict && !px4_arms_in(v, t_us, mode)) {
        return "Preflight Fail: mode not suitable for arming";
    }
    if (mf_param_i(&v->params, MF_PARAM_COM_ARM_MIS_REQ) == 1 &&
        (mf_health_have(v, t_us) & (unsigned)MF_NEED_MISSION) == 0) {
        return "Preflight Fail: no valid mission";
    }
    const struct mf_bounds bounds = mf_bounds_of(v);
    const char *fence = mf_fence_denial(&bounds);
    return fence[0] != '\0' ? fence : battery_denial(v, t_us);
}

unsigned mf_health_have(struct mf_vehicle *v, mf_us_t t_us)
{
    /* PX4's mode requirements as bits. Position is one thing here: local and global come and go
     * together. */
    unsigned have = 0;
    MF_ASSERT(!(v->home.valid && v->home.hidden));
    if (mf_estimate_at(v, t_us)->position) {
        have |= MF_NEED_POSITION;
    }
    if (v->home.valid) {
        have |= MF_NEED_HOME;
    }
    if (mf_mission_state(v) != MISSION_STATE_NO_MISSION) {
        have |= MF_NEED_MISSION;
    }
    return have | mf_inputs_have(&v->inputs);
}

void mf_health_look(struct mf_vehicle *v, mf_us_t now_us)
{
    /* A device that answers otherwise now has answered for this instant before. */
    mf_estimate_forget(v);
    mf_wake_at(v, MF_TASK_HEALTH, now_us);
}

void mf_health_happened(struct mf_vehicle *v, mf_us_t now_us, enum mf_happening what,
                        uint16_t index)
{
    /* A fault that waits for this event begins at its instant, whatever the clock. */
    if (mf_inject_happened(&v->hal, now_us, what, index)) {
        mf_health_look(v, now_us);
    }
}
