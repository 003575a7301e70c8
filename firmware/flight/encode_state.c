/* SPDX-License-Identifier: Apache-2.0 */
/* Messages about the state of the flight, which leave at a change, too. */
#include "firmware/flight/encode_state.h"

#include "firmware/core/rotation.h"
#include "firmware/core/units.h"
#include "firmware/flight/calibration.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/health.h"
#include "firmware/flight/mission.h"
#include "firmware/flight/mode.h"
#include "firmware/state/vehicle.h"
#include "mavlink/enums.h"

/* MISSION_CURRENT: no mission; and whether it is being flown. */
#define NO_MISSION_TOTAL       65535u
#define MISSION_MODE_ACTIVE    1
#define MISSION_MODE_SUSPENDED 2

#define CELLS_MAX 10

static uint8_t system_status(struct mf_vehicle *v)
{
    MF_ASSERT(v->commander.mode < MF_MODE_COUNT);
    /* PX4's HEARTBEAT.hpp, in this order. */
    if (v->commander.mode == MF_MODE_TERMINATION) {
        return MAV_STATE_FLIGHT_TERMINATION;
    }
    if (v->commander.armed) {
        return v->commander.failsafe || v->watched.motors_failed ? MAV_STATE_CRITICAL
                                                                 : MAV_STATE_ACTIVE;
    }
    if (mf_calibration_runs(&v->calibration)) {
        return MAV_STATE_CALIBRATING;
    }
    return mf_health_denial(v, v->instant_us)[0] == '\0' ? MAV_STATE_STANDBY : MAV_STATE_UNINIT;
}

void mf_encode_heartbeat(struct mf_vehicle *v, struct mf_msg_heartbeat *m)
{
    const enum mf_mode mode = (enum mf_mode)v->commander.mode;
    const unsigned armed = v->commander.armed ? MAV_MODE_FLAG_SAFETY_ARMED : 0u;
    MF_ASSERT((unsigned)mode < MF_MODE_COUNT);
    *m = (struct mf_msg_heartbeat){
        .custom_mode = mf_mode_custom(mode),
        .type = MAV_TYPE_QUADROTOR,
        /* QGroundControl, MAVSDK and MAVROS choose their plugins by it. */
        .autopilot = MAV_AUTOPILOT_PX4,
        .base_mode = (uint8_t)(mf_mode_info(mode)->base_mode | armed),
        .system_status = system_status(v),
        .mavlink_version = 3,
    };
}

bool mf_encode_current_mode(const struct mf_vehicle *v, mf_us_t t_us, struct mf_msg_current_mode *m)
{
    MF_ASSERT(v->commander.mode < MF_MODE_COUNT);
    const enum mf_mode mode = (enum mf_mode)v->commander.mode;
    (void)t_us;
    *m = (struct mf_msg_current_mode){
        .custom_mode = mf_mode_custom(mode),
        .intended_custom_mode = mf_mode_custom(mode),
        .standard_mode = mf_mode_info(mode)->standard,
    };
    return true;
}

/* Values of a battery; a negative one was not measured, and becomes -1. */
static uint16_t millivolts(const struct mf_battery *b)
{
    return (uint16_t)mf_clamp_i32(mf_round_i32((double)b->voltage_v * 1e3), 0, UINT16_MAX - 1);
}

static int16_t centiamperes(const struct mf_battery *b)
{
    return (int16_t)(b->current_a < 0.0f
                         ? -1
                         : mf_clamp_i32(mf_round_i32((double)b->current_a * 1e2), 0, INT16_MAX));
}

/* Charge left [1e-6]: fine enough to be exact, coarse enough not to round 0.15f up to 16 %. */
static int32_t remaining_ppm(const struct mf_battery *b)
{
    return mf_clamp_i32(mf_round_i32((double)b->remaining * 1e6), 0, 1000000);
}

static int8_t percent_up(const struct mf_battery *b)
{
    return (int8_t)(b->remaining < 0.0f ? -1 : (remaining_ppm(b) + 9999) / 10000);
}

static int8_t percent(const struct mf_battery *b)
{
    return (int8_t)(b->remaining < 0.0f ? -1 : (remaining_ppm(b) + 5000) / 10000);
}

bool mf_encode_sys_status(struct mf_vehicle *v, mf_us_t t_us, struct mf_msg_sys_status *m)
{
    const struct mf_health health = mf_health_at(v, t_us);
    struct mf_battery b;
    *m = (struct mf_msg_sys_status){
        .onboard_control_sensors_present = health.present,
        .onboard_control_sensors_enabled = health.enabled,
        .onboard_control_sensors_health = health.healthy,
        .voltage_battery = UINT16_MAX,
        .current_battery = -1,
        .battery_remaining = -1,
    };
    /* Rounded up: a battery that is not empty must not show as 0 %. */
    if (mf_power_read(&v->hal, t_us, &b) == MF_E_OK) {
        m->voltage_battery = millivolts(&b);
        m->current_battery = centiamperes(&b);
        m->battery_remaining = percent_up(&b);
    }
    MF_ASSERT(m->battery_remaining <= 100);
    return true;
}

/* Cells share the voltage so that their sum is SYS_STATUS.voltage_battery to the millivolt. */
static void fill_cells(const struct mf_battery *b, uint16_t cell_mv[CELLS_MAX])
{
    /* BATTERY_STATUS has ten voltages; what more cells would carry is in voltages_ext, which PX4
     * leaves empty. */
    const int32_t cells = mf_clamp_i32(b->cells, 1, CELLS_MAX);
    const int32_t total_mv = millivolts(b);
    MF_ASSERT(total_mv < UINT16_MAX);
    for (int32_t i = 0; i < CELLS_MAX; i++) {
        const int32_t share_mv = total_mv / cells + (i < total_mv % cells ? 1 : 0);
        cell_mv[i] = (uint16_t)(i < cells ? share_mv : UINT16_MAX);
    }
}

bool mf_encode_battery_status(const struct mf_vehicle *v, mf_us_t t_us,
                              struct mf_msg_battery_status *m)
{
    struct mf_battery b;
    if (mf_power_read(&v->hal, t_us, &b) != MF_E_OK) {
        return false;
    }
    *m = (struct mf_msg_battery_status){
        /* An unmeasured value is -1, even in fields with a unit. */
        .current_consumed = b.consumed_mah < 0.0f ? -1 : mf_round_i32((double)b.consumed_mah),
        .energy_consumed = -1,
        .temperature = INT16_MAX,
        .current_battery = centiamperes(&b),
        .battery_function = MAV_BATTERY_FUNCTION_ALL,
        .type = MAV_BATTERY_TYPE_LIPO,
        .battery_remaining = percent(&b),
        /* MAVSDK takes the battery from here as soon as it has seen one. */
        .charge_state = mf_health_charge(&v->params, &b),
    };
    MF_ASSERT(m->charge_state != MAV_BATTERY_CHARGE_STATE_UNDEFINED);
    fill_cells(&b, m->voltages);
    return true;
}

bool mf_encode_mission_current(const struct mf_vehicle *v, mf_us_t t_us,
                               struct mf_msg_mission_current *m)
{
    MF_ASSERT(v->mission.current <= v->mission.count);
    const bool active = mf_mission_mode_active((enum mf_mode)v->commander.mode);
    (void)t_us;
    *m = (struct mf_msg_mission_current){
        .seq = v->mission.current,
        /* PX4's "no mission" in an extension that older clients do not read. */
        .total = v->mission.count > 0 ? v->mission.count : NO_MISSION_TOTAL,
        .mission_state = mf_mission_state(v),
        .mission_mode = active ? MISSION_MODE_ACTIVE : MISSION_MODE_SUSPENDED,
        .mission_id = v->mission.tag,
        .fence_id = v->mission.fence_tag,
        .rally_points_id = v->mission.rally_tag,
    };
    return true;
}

bool mf_encode_extended_sys_state(const struct mf_vehicle *v, mf_us_t t_us,
                                  struct mf_msg_extended_sys_state *m)
{
    (void)t_us;
    MF_ASSERT(v->commander.landed >= MF_LANDED_ON_GROUND &&
              v->commander.landed <= MF_LANDED_LANDING);
    /* MAVSDK's in_air and landed_state come from here alone. */
    *m = (struct mf_msg_extended_sys_state){.vtol_state = MAV_VTOL_STATE_UNDEFINED,
                                            .landed_state = v->commander.landed};
    return true;
}

bool mf_encode_fence_status(const struct mf_vehicle *v, mf_us_t t_us, struct mf_msg_fence_status *m)
{
    const struct mf_fence *f = &v->fence;
    const bool too_high = f->breach == MF_BREACH_ALTITUDE;
    MF_ASSERT(f->breach == 0 || f->breaches > 0);
    (void)t_us;
    *m = (struct mf_msg_fence_status){
        .breach_time = (uint32_t)(f->breach_us / MF_MS_US),
        .breach_count = f->breaches,
        .breach_status = f->breach != 0,
        .breach_type = FENCE_BREACH_NONE,
    };
    if (f->breach != 0) {
        /* MAVLink has one type for all borders; a vehicle that is too high and outside counts as
         * outside. */
        m->breach_type = too_high ? FENCE_BREACH_MAXALT : FENCE_BREACH_BOUNDARY;
    }
    return true;
}

bool mf_encode_gps_global_origin(const struct mf_vehicle *v, mf_us_t t_us,
                                 struct mf_msg_gps_global_origin *m)
{
    if (!v->origin.valid) {
        return false;
    }
    MF_ASSERT(mf_finite(v->origin.place.lat_deg) && mf_finite(v->origin.amsl_m));
    *m = (struct mf_msg_gps_global_origin){
        .latitude = mf_e7(v->origin.place.lat_deg),
        .longitude = mf_e7(v->origin.place.lon_deg),
        .altitude = mf_mm(v->origin.amsl_m),
        .time_usec = (uint64_t)t_us,
    };
    return true;
}

bool mf_encode_home_position(const struct mf_vehicle *v, mf_us_t t_us,
                             struct mf_msg_home_position *m)
{
    const struct mf_home *home = &v->home;
    const struct mf_pose there = {
        .lat_deg = home->lat_deg, .lon_deg = home->lon_deg, .alt_amsl_m = home->alt_amsl_m};
    float ned_m[3];
    (void)t_us; /* the time is that of the last change, as in PX4 */
    /* PX4 denies the request then, and MAVSDK asks again every two seconds. */
    if (!home->valid) {
        return false;
    }
    MF_ASSERT(!home->hidden);
    mf_estimate_local(&v->origin, &there, ned_m);
    *m = (struct mf_msg_home_position){
        .latitude = mf_e7(home->lat_deg),
        .longitude = mf_e7(home->lon_deg),
        .altitude = mf_mm(home->alt_amsl_m),
        .x = ned_m[0],
        .y = ned_m[1],
        .z = ned_m[2],
        .time_usec = (uint64_t)home->set_us,
    };
    /* The heading at which it took off; PX4 fills no approach vector, nor do we. */
    mf_quaternion(0.0, 0.0, (double)home->yaw_rad, m->q);
    return true;
}
