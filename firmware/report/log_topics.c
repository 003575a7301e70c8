/* SPDX-License-Identifier: Apache-2.0 */
/* Topics of the flight log, for logger.c and the shell. Each function writes the fields of a topic
 * in the order of MF_LOG_TOPIC_LIST; the table's text and the function are the same list twice, and
 * a test reads with one what the other wrote.
 *
 * Source: msg/ of PX4 1.17. The format leaves fields out that this vehicle has no source for,
 * instead of zeros: ULog describes itself. */
#include "firmware/report/log_topics.h"

#include "firmware/core/log_record.h"
#include "firmware/core/rotation.h"
#include "firmware/core/units.h"
#include "firmware/flight/datum.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/health.h"
#include "firmware/flight/mode.h"
#include "firmware/report/encode.h"
#include "firmware/report/encode_units.h"
#include "firmware/state/log_topics.h"
#include "firmware/state/vehicle.h"
#include "mavlink/enums.h"

#include <string.h>

/* vehicle_status: arming states, and the type of a multicopter. */
#define DISARMED    1u
#define ARMED       2u
#define ROTARY_WING 1u

/* manual_control_setpoint: the first client that plays a pilot. */
#define SOURCE_MAVLINK_0 2u

/* actuator_outputs: the first ones are the motors. */
#define MOTORS  4u
#define OUTPUTS 16u

static const struct mf_log_topic_info k_topic[MF_LOG_TOPIC_COUNT] = {
#define X(name, rate, fields) {#name, fields, mf_log_##name, MF_LOG_##rate},
    MF_LOG_TOPIC_LIST(X)
#undef X
};

const struct mf_log_topic_info *mf_log_topic(enum mf_log_topic topic)
{
    MF_ASSERT((unsigned)topic < MF_LOG_TOPIC_COUNT);
    return &k_topic[topic];
}

static void put_f32s(struct mf_log_record *r, const float *value, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        mf_log_f32(r, value[i]);
    }
}

/* Receivers claim accuracies in millimetres; logs have metres. */
static float metres(uint32_t mm)
{
    return (float)((double)mm * 1e-3);
}

/* The rotation from body to earth; Flight Review draws roll, pitch and yaw out of it. */
void mf_log_vehicle_attitude(struct mf_vehicle *v, mf_us_t t_us, struct mf_log_record *r)
{
    const struct mf_pose *pose = &mf_estimate_at(v, t_us)->pose;
    float q[4];
    mf_quaternion((double)pose->roll_rad, (double)pose->pitch_rad, (double)pose->yaw_rad, q);
    mf_log_u64(r, (uint64_t)t_us);
    put_f32s(r, q, 4);
}

/* About the axes of the body, as HIGHRES_IMU has them. */
void mf_log_vehicle_angular_velocity(struct mf_vehicle *v, mf_us_t t_us, struct mf_log_record *r)
{
    float rates_rps[3];
    mf_body_rates(&mf_estimate_at(v, t_us)->pose, rates_rps);
    mf_log_u64(r, (uint64_t)t_us);
    put_f32s(r, rates_rps, 3);
}

/* Write the local position. Before the first fix the frame lacks an origin, and all positions are
 * 0; xy_global and z_global show it. */
void mf_log_vehicle_local_position(struct mf_vehicle *v, mf_us_t t_us, struct mf_log_record *r)
{
    const struct mf_estimate *e = mf_estimate_at(v, t_us);
    float ned_m[3];
    MF_ASSERT(v->origin.valid || !e->position);
    mf_estimate_local(&v->origin, &e->pose, ned_m);
    mf_log_u64(r, (uint64_t)t_us);
    mf_log_u64(r, 0); /* of the origin: boot */
    mf_log_f64(r, v->origin.place.lat_deg);
    mf_log_f64(r, v->origin.place.lon_deg);
    mf_log_f32(r, (float)v->origin.amsl_m);
    put_f32s(r, ned_m, 3);
    put_f32s(r, e->pose.vel_ned_mps, 3);
    mf_log_f32(r, e->pose.vel_ned_mps[2]);
    put_f32s(r, e->pose.acc_ned_mps2, 3);
    mf_log_f32(r, e->pose.yaw_rad);
    mf_log_f32(r, metres(e->fix.h_acc_mm));
    mf_log_f32(r, metres(e->fix.v_acc_mm));
    mf_log_f32(r, metres(e->fix.vel_acc_mmps));
    mf_log_f32(r, metres(e->fix.vel_acc_mmps));
    mf_log_bool(r, e->position);
    mf_log_bool(r, true); /* heights and velocities do not need the receiver */
    mf_log_bool(r, true);
    mf_log_bool(r, true);
    mf_log_bool(r, v->origin.valid);
    mf_log_bool(r, v->origin.valid);
    mf_log_bool(r, true);
}

void mf_log_vehicle_global_position(struct mf_vehicle *v, mf_us_t t_us, struct mf_log_record *r)
{
    const struct mf_estimate *e =
        mf_estimate_at(v, t_us); /* dead_reckoning: the position ends with the fix */
    double ground_m = e->pose.ground_amsl_m;
    const struct mf_geo here = {e->pose.lat_deg, e->pose.lon_deg};
    const bool known = mf_datum_ground(&v->hal, e, here, &ground_m) == MF_E_OK;
    MF_ASSERT(mf_finite(ground_m));
    mf_log_u64(r, (uint64_t)t_us);
    mf_log_f64(r, e->pose.lat_deg);
    mf_log_f64(r, e->pose.lon_deg);
    mf_log_f32(r, (float)e->pose.alt_amsl_m);
    mf_log_f32(r, (float)(e->pose.alt_amsl_m + e->undulation_m));
    mf_log_f32(r, metres(e->fix.h_acc_mm));
    mf_log_f32(r, metres(e->fix.v_acc_mm));
    mf_log_f32(r, (float)ground_m);
    mf_log_bool(r, e->position);
    mf_log_bool(r, true);
    mf_log_bool(r, known); /* by terrain, since a rangefinder is missing */
    mf_log_bool(r, false);
}

/* Compute vehicle_status.nav_state from a mode: PX4 numbers its modes twice. Descend lacks a number
 * of its own in HEARTBEAT, where it is a landing. */
static uint8_t nav_state(enum mf_mode mode)
{
    MF_ASSERT((unsigned)mode < MF_MODE_COUNT);
    static const struct {
        uint8_t main, sub, state;
    } k_state[] = {
        {2, 0, 1},  {3, 0, 2},  {3, 1, 21}, {4, 2, 17}, {4, 3, 4},  {4, 4, 3},   {4, 5, 5},
        {4, 6, 18}, {4, 8, 19}, {5, 0, 10}, {6, 0, 14}, {7, 0, 15}, {10, 0, 13},
    };
    const struct mf_mode_info *info = mf_mode_info(mode);
    if (mode == MF_MODE_DESCEND) {
        return 12;
    }
    for (size_t i = 0; i < sizeof k_state / sizeof k_state[0]; i++) {
        if (k_state[i].main == info->main && k_state[i].sub == info->sub) {
            return k_state[i].state;
        }
    }
    return 0; /* MANUAL */
}

/* Write the status. The intended mode and the flown mode are the same number here: failsafes change
 * the mode itself. */
void mf_log_vehicle_status(struct mf_vehicle *v, mf_us_t t_us, struct mf_log_record *r)
{
    MF_ASSERT(v->commander.mode < MF_MODE_COUNT);
    const struct mf_commander *c = &v->commander;
    const uint8_t state = nav_state((enum mf_mode)c->mode);
    MF_ASSERT(c->armed_us >= 0 && c->took_off_us >= 0);
    mf_log_u64(r, (uint64_t)c->armed_us);
    mf_log_u64(r, (uint64_t)c->took_off_us);
    mf_log_u8(r, c->armed ? ARMED : DISARMED);
    mf_log_u8(r, state);
    mf_log_u8(r, state);
    mf_log_u8(r, ROTARY_WING);
    mf_log_u8(r, MAV_TYPE_QUADROTOR);
    mf_log_u8(r, v->sysid);
    mf_log_u8(r, v->compid);
    mf_log_bool(r, c->failsafe);
    mf_log_bool(r, mf_health_denial(v, t_us)[0] == '\0');
}

/* Contact, maybe landed and landed are one here: the body knows when it stands. */
void mf_log_vehicle_land_detected(struct mf_vehicle *v, mf_us_t t_us, struct mf_log_record *r)
{
    const bool landed = v->commander.landed == MF_LANDED_ON_GROUND;
    (void)t_us;
    mf_log_bool(r, !v->commander.armed && !landed);
    mf_log_bool(r, landed);
    mf_log_bool(r, landed);
    mf_log_bool(r, landed);
}

/* Write the receiver's report, with its errors: vehicle_global_position has the resulting
 * position. */
static void put_fix(struct mf_vehicle *v, mf_us_t t_us, struct mf_log_record *r)
{
    const struct mf_estimate *e = mf_estimate_at(v, t_us);
    const struct mf_fix *fix = &e->fix;
    const bool good = fix->type >= MF_FIX_3D;
    mf_log_u64(r, (uint64_t)t_us);
    mf_log_u64(r, (uint64_t)fix->utc_us);
    mf_log_f64(r, (double)fix->lat_e7 / 1e7);
    mf_log_f64(r, (double)fix->lon_e7 / 1e7);
    mf_log_f64(r, (double)fix->alt_amsl_mm / 1e3);
    mf_log_f64(r, (double)fix->alt_ellipsoid_mm / 1e3);
    mf_log_u32(r, 0);
    mf_log_f32(r, metres(fix->vel_acc_mmps));
    mf_log_f32(r, metres(fix->h_acc_mm));
    mf_log_f32(r, metres(fix->v_acc_mm));
    mf_log_f32(r, (float)((double)fix->hdop_x100 * 1e-2));
    mf_log_f32(r, (float)((double)fix->vdop_x100 * 1e-2));
    mf_log_f32(r, (float)((double)fix->vel_cmps * 1e-2));
    put_f32s(r, e->pose.vel_ned_mps, 3);
    mf_log_f32(r, fix->cog_cdeg == UINT16_MAX ? mf_nan_f32()
                                              : (float)mf_rad((double)fix->cog_cdeg * 1e-2));
    mf_log_f32(r, mf_nan_f32()); /* one antenna */
    mf_log_u8(r, fix->type);
    mf_log_u8(r, fix->satellites);
    mf_log_bool(r, good);
}

void mf_log_sensor_gps(struct mf_vehicle *v, mf_us_t t_us, struct mf_log_record *r)
{
    put_fix(v, t_us, r);
}

/* Flight Review and ulog2kml take the map and the plots of the receiver from here. */
void mf_log_vehicle_gps_position(struct mf_vehicle *v, mf_us_t t_us, struct mf_log_record *r)
{
    put_fix(v, t_us, r);
}

/* ---- sensors: not a number, where one is not fitted or does not answer */

static void put_measured(struct mf_log_record *r, mf_us_t measured_us, const float *value, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        mf_log_f32(r, measured_us == MF_NOT_THERE ? mf_nan_f32() : value[i]);
    }
}

static struct mf_sensor_values sensors_at(const struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_sensor_values s;
    MF_ASSERT(t_us >= 0);
    return mf_sensors_sample(&v->hal, t_us, &s) == MF_E_OK ? s : mf_sensor_values_none();
}

static uint64_t sample_us(mf_us_t measured_us)
{
    return measured_us == MF_NOT_THERE ? 0 : (uint64_t)measured_us;
}

void mf_log_sensor_combined(struct mf_vehicle *v, mf_us_t t_us, struct mf_log_record *r)
{
    const struct mf_sensor_values s = sensors_at(v, t_us);
    put_measured(r, s.imu_us, s.gyro_frd_rps, 3);
    put_measured(r, s.imu_us, s.acc_frd_mps2, 3);
}

void mf_log_vehicle_magnetometer(struct mf_vehicle *v, mf_us_t t_us, struct mf_log_record *r)
{
    const struct mf_sensor_values s = sensors_at(v, t_us);
    mf_log_u64(r, sample_us(s.mag_us));
    put_measured(r, s.mag_us, s.mag_frd_gauss, 3);
}

void mf_log_vehicle_air_data(struct mf_vehicle *v, mf_us_t t_us, struct mf_log_record *r)
{
    const struct mf_sensor_values s = sensors_at(v, t_us);
    const float value[] = {(float)s.pressure_alt_m, (float)(s.pressure_hpa * 100.0),
                           (float)s.temperature_c};
    mf_log_u64(r, sample_us(s.baro_us));
    put_measured(r, s.baro_us, value, 3);
}

/* ---- setpoints: not a number, until one exists */

void mf_log_vehicle_local_position_setpoint(struct mf_vehicle *v, mf_us_t t_us,
                                            struct mf_log_record *r)
{
    struct mf_msg_position_target_local_ned m;
    if (!mf_encode_position_target_local_ned(v, mf_estimate_at(v, t_us), &m)) {
        m.x = m.y = m.z = m.vx = m.vy = m.vz = m.yaw = m.yaw_rate = mf_nan_f32();
    }
    const float value[] = {m.x, m.y, m.z, m.vx, m.vy, m.vz, m.yaw, m.yaw_rate};
    put_f32s(r, value, 8);
}

static struct mf_msg_attitude_target attitude_target(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_msg_attitude_target m;
    const float none = mf_nan_f32();
    if (!mf_encode_attitude_target(v, mf_estimate_at(v, t_us), &m)) {
        m = (struct mf_msg_attitude_target){.q = {none, none, none, none},
                                            .body_roll_rate = none,
                                            .body_pitch_rate = none,
                                            .body_yaw_rate = none};
    }
    return m;
}

/* Along the axes of the body, so a multicopter's thrust is negative. */
static void put_thrust(struct mf_log_record *r, float thrust)
{
    const float body[] = {0.0f, 0.0f, -thrust};
    put_f32s(r, body, 3);
}

void mf_log_vehicle_attitude_setpoint(struct mf_vehicle *v, mf_us_t t_us, struct mf_log_record *r)
{
    const struct mf_msg_attitude_target m = attitude_target(v, t_us);
    put_f32s(r, m.q, 4);
    put_thrust(r, m.thrust);
}

void mf_log_vehicle_rates_setpoint(struct mf_vehicle *v, mf_us_t t_us, struct mf_log_record *r)
{
    const struct mf_msg_attitude_target m = attitude_target(v, t_us);
    const float rates_rps[] = {m.body_roll_rate, m.body_pitch_rate, m.body_yaw_rate};
    put_f32s(r, rates_rps, 3);
    put_thrust(r, m.thrust);
}

/* Write the sticks; zeros before a pilot's first message. */
void mf_log_manual_control_setpoint(struct mf_vehicle *v, mf_us_t t_us, struct mf_log_record *r)
{
    const struct mf_inputs *in = &v->inputs;
    const float stick[] = {in->sticks.roll, in->sticks.pitch, in->sticks.yaw, in->sticks.throttle};
    MF_ASSERT(t_us >= 0);
    mf_log_u64(r, in->manual.live ? (uint64_t)in->manual.heard.at_us : 0);
    put_f32s(r, stick, 4);
    mf_log_bool(r, in->manual.live);
    mf_log_u8(r, in->manual.live ? SOURCE_MAVLINK_0 : 0);
}

void mf_log_actuator_outputs(struct mf_vehicle *v, mf_us_t t_us, struct mf_log_record *r)
{
    struct mf_msg_actuator_output_status m;
    (void)mf_encode_actuator_output_status(v, t_us, &m);
    mf_log_u32(r, MOTORS);
    put_f32s(r, m.actuator, OUTPUTS);
}

static float known(float value)
{
    return value >= 0.0f ? value : -1.0f;
}

/* PX4 has -1 for what a battery does not measure, and counts its warnings from MAVLink's OK. */
void mf_log_battery_status(struct mf_vehicle *v, mf_us_t t_us, struct mf_log_record *r)
{
    struct mf_battery b = {.remaining = -1.0f, .current_a = -1.0f, .consumed_mah = -1.0f};
    const bool connected = mf_power_read(&v->hal, t_us, &b) == MF_E_OK;
    const uint8_t charge = mf_health_charge(&v->params, &b);
    MF_ASSERT(charge >= MAV_BATTERY_CHARGE_STATE_OK);
    mf_log_f32(r, b.voltage_v);
    mf_log_f32(r, known(b.current_a));
    mf_log_f32(r, known(b.current_a));
    mf_log_f32(r, known(b.consumed_mah));
    mf_log_f32(r, known(b.remaining));
    mf_log_f32(r, mf_nan_f32());
    mf_log_u8(r, b.cells);
    mf_log_u8(r, (uint8_t)(charge - MAV_BATTERY_CHARGE_STATE_OK)); /* warning */
    mf_log_u8(r, 1);
    mf_log_bool(r, connected);
}
