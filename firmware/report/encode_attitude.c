/* SPDX-License-Identifier: Apache-2.0 */
/* Messages about attitude, and those of the sensors that depend on it. */
#include "firmware/core/rotation.h"
#include "firmware/core/units.h"
#include "firmware/flight/estimate.h"
#include "firmware/report/encode.h"
#include "firmware/report/encode_units.h"
#include "firmware/state/vehicle.h"
#include "mavlink/enums.h"

/* Standard atmosphere (ISO 2533): sea level, lapse rate, exponent of the pressure less 5.25. */
#define ISA_HPA        1013.25
#define ISA_K          288.15
#define ISA_C          15.0
#define ISA_LAPSE_K_PM 0.0065
#define ISA_EXPONENT   0.005876
#define ISA_ALT_MIN_M  (-1000.0)
#define ISA_ALT_MAX_M  11000.0

/* Share of full thrust that holds the vehicle in the air. */
#define HOVER_THRUST 0.5f

/* HIGHRES_IMU.fields_updated: all but the differential pressure, for which there is no sensor. */
#define IMU_FIELDS 0x1BFFu

/* The earth's field at mid latitudes without declination, NED [gauss]. */
static const double k_field_ned_gauss[3] = {0.21, 0.0, 0.43};

static void pose_quaternion(const struct mf_pose *pose, float q[4])
{
    mf_quaternion((double)pose->roll_rad, (double)pose->pitch_rad, (double)pose->yaw_rad, q);
}

void mf_to_body(const struct mf_pose *pose, const double ned[3], double frd[3])
{
    const double sr = mf_sin((double)pose->roll_rad), cr = mf_cos((double)pose->roll_rad);
    const double sp = mf_sin((double)pose->pitch_rad), cp = mf_cos((double)pose->pitch_rad);
    const double sy = mf_sin((double)pose->yaw_rad), cy = mf_cos((double)pose->yaw_rad);
    MF_ASSERT(ned != frd);
    const double ahead = cy * ned[0] + sy * ned[1]; /* level, along the heading */
    const double right = cy * ned[1] - sy * ned[0];
    const double below = sp * ahead + cp * ned[2];
    frd[0] = cp * ahead - sp * ned[2];
    frd[1] = cr * right + sr * below;
    frd[2] = cr * below - sr * right;
}

/* Yaw turns about the vertical, pitch about a level axis to the right, roll about the body's own. */
void mf_body_rates(const struct mf_pose *pose, float frd_rps[3])
{
    const double rollspeed_rps = (double)pose->rollspeed_rps;
    const double pitchspeed_rps = (double)pose->pitchspeed_rps;
    double frd[3] = {0.0, 0.0, 0.0};
    if (pose->yawspeed_rps != 0.0f) {
        const double down_rps[3] = {0.0, 0.0, (double)pose->yawspeed_rps};
        mf_to_body(pose, down_rps, frd);
    }
    if (rollspeed_rps != 0.0 || pitchspeed_rps != 0.0) { /* which a zero's sign survives */
        frd[0] += rollspeed_rps;
        frd[1] += pitchspeed_rps * mf_cos((double)pose->roll_rad);
        frd[2] -= pitchspeed_rps * mf_sin((double)pose->roll_rad);
    }
    for (size_t i = 0; i < 3; i++) {
        frd_rps[i] = (float)frd[i];
    }
}

static double isa_range(double alt_amsl_m)
{
    const double floored_m = alt_amsl_m < ISA_ALT_MIN_M ? ISA_ALT_MIN_M : alt_amsl_m;
    return floored_m > ISA_ALT_MAX_M ? ISA_ALT_MAX_M : floored_m;
}

/* p0 * x^5.255876 without pow(): x^5 * x^(1/4) * x^0.005876, the last as 1 + 0.005876 ln x, and the
 * logarithm by its series in z, of which three terms are enough for x from 0.75 to 1.02. */
double mf_pressure_hpa(double alt_amsl_m)
{
    const double x = 1.0 - isa_range(alt_amsl_m) * (ISA_LAPSE_K_PM / ISA_K);
    MF_ASSERT(x > 0.7 && x < 1.1);
    const double z = (x - 1.0) / (x + 1.0);
    const double ln_x = 2.0 * z * (1.0 + z * z * (1.0 / 3.0 + z * z / 5.0));
    return ISA_HPA * (x * x * x * x * x) * mf_sqrt(mf_sqrt(x)) * (1.0 + ISA_EXPONENT * ln_x);
}

double mf_temperature_c(double alt_amsl_m)
{
    return ISA_C - ISA_LAPSE_K_PM * isa_range(alt_amsl_m);
}

bool mf_encode_attitude(struct mf_vehicle *v, mf_us_t t_us, struct mf_msg_attitude *m)
{
    const struct mf_pose *pose = &mf_estimate_at(v, t_us)->pose;
    float rates_rps[3];
    mf_body_rates(pose, rates_rps);
    *m = (struct mf_msg_attitude){
        .time_boot_ms = mf_boot_ms(t_us),
        .roll = pose->roll_rad,
        .pitch = pose->pitch_rad,
        .yaw = pose->yaw_rad,
        .rollspeed = rates_rps[0],
        .pitchspeed = rates_rps[1],
        .yawspeed = rates_rps[2],
    };
    return true;
}

bool mf_encode_attitude_quaternion(struct mf_vehicle *v, mf_us_t t_us,
                                   struct mf_msg_attitude_quaternion *m)
{
    const struct mf_pose *pose = &mf_estimate_at(v, t_us)->pose;
    float q[4], rates_rps[3];
    pose_quaternion(pose, q);
    mf_body_rates(pose, rates_rps);
    *m = (struct mf_msg_attitude_quaternion){
        .time_boot_ms = mf_boot_ms(t_us),
        .q1 = q[0],
        .q2 = q[1],
        .q3 = q[2],
        .q4 = q[3],
        .rollspeed = rates_rps[0],
        .pitchspeed = rates_rps[1],
        .yawspeed = rates_rps[2],
    };
    return true;
}

/* The body does at once what it is told, so the target is what it does, or the setpoint. Disarmed,
 * PX4's controllers are silent. */
bool mf_encode_attitude_target(struct mf_vehicle *v, mf_us_t t_us, struct mf_msg_attitude_target *m)
{
    const struct mf_pose *pose = &mf_estimate_at(v, t_us)->pose;
    float rates_rps[3];
    if (!v->commander.armed) {
        return false;
    }
    mf_body_rates(pose, rates_rps);
    *m = (struct mf_msg_attitude_target){
        .time_boot_ms = mf_boot_ms(t_us),
        .body_roll_rate = rates_rps[0],
        .body_pitch_rate = rates_rps[1],
        .body_yaw_rate = rates_rps[2],
        .thrust = v->commander.landed == MF_LANDED_ON_GROUND ? 0.0f : HOVER_THRUST,
    };
    pose_quaternion(pose, m->q);
    if (v->commander.mode == MF_MODE_OFFBOARD && v->signals.attitude.flown) {
        const struct mf_attitude_aim *aim = &v->signals.attitude;
        const bool has_yaw = v->signals.aim.yaw_rad == v->signals.aim.yaw_rad;
        mf_quaternion((double)aim->roll_rad, (double)aim->pitch_rad,
                      (double)(has_yaw ? v->signals.aim.yaw_rad : pose->yaw_rad), m->q);
        m->body_roll_rate = aim->rates_rps[0];
        m->body_pitch_rate = aim->rates_rps[1];
        m->body_yaw_rate = aim->rates_rps[2];
        m->thrust = aim->thrust;
    }
    return true;
}

/* Accelerometers do not feel gravity but what holds the body up against it. */
bool mf_encode_highres_imu(struct mf_vehicle *v, mf_us_t t_us, struct mf_msg_highres_imu *m)
{
    const struct mf_pose *pose = &mf_estimate_at(v, t_us)->pose;
    const double force_ned_mps2[3] = {(double)pose->acc_ned_mps2[0], (double)pose->acc_ned_mps2[1],
                                      (double)pose->acc_ned_mps2[2] - MF_GRAVITY_MPS2};
    double force[3], field[3];
    float rates_rps[3];
    mf_to_body(pose, force_ned_mps2, force);
    mf_to_body(pose, k_field_ned_gauss, field);
    mf_body_rates(pose, rates_rps);
    *m = (struct mf_msg_highres_imu){
        .time_usec = (uint64_t)t_us,
        .xacc = (float)force[0],
        .yacc = (float)force[1],
        .zacc = (float)force[2],
        .xgyro = rates_rps[0],
        .ygyro = rates_rps[1],
        .zgyro = rates_rps[2],
        .xmag = (float)field[0],
        .ymag = (float)field[1],
        .zmag = (float)field[2],
        .abs_pressure = (float)mf_pressure_hpa(pose->alt_amsl_m),
        .pressure_alt = (float)pose->alt_amsl_m,
        .temperature = (float)mf_temperature_c(pose->alt_amsl_m),
        .fields_updated = IMU_FIELDS,
    };
    return true;
}

bool mf_encode_scaled_pressure(struct mf_vehicle *v, mf_us_t t_us, struct mf_msg_scaled_pressure *m)
{
    const double alt_amsl_m = mf_estimate_at(v, t_us)->pose.alt_amsl_m;
    *m = (struct mf_msg_scaled_pressure){
        .time_boot_ms = mf_boot_ms(t_us),
        .press_abs = (float)mf_pressure_hpa(alt_amsl_m),
        .temperature = (int16_t)mf_round_i32(mf_temperature_c(alt_amsl_m) * 1e2),
    };
    return true;
}

/* Covariances are unknown but for the receiver's own accuracy; unknown is NaN, as PX4 fills them.
 */
static void fill_covariances(const struct mf_fix *fix, struct mf_msg_odometry *m)
{
    const float h_m = (float)fix->h_acc_mm * 1e-3f, v_m = (float)fix->v_acc_mm * 1e-3f;
    const float vel_mps = (float)fix->vel_acc_mmps * 1e-3f;
    MF_ASSERT(sizeof m->pose_covariance == sizeof m->velocity_covariance);
    for (size_t i = 0; i < sizeof m->pose_covariance / sizeof m->pose_covariance[0]; i++) {
        m->pose_covariance[i] = m->velocity_covariance[i] = mf_nan_f32();
    }
    /* the diagonal of the upper right triangle, row by row: 0, 6, 11, ... */
    m->pose_covariance[0] = m->pose_covariance[6] = h_m * h_m;
    m->pose_covariance[11] = v_m * v_m;
    m->velocity_covariance[0] = m->velocity_covariance[6] = m->velocity_covariance[11] =
        vel_mps * vel_mps;
}

bool mf_encode_odometry(struct mf_vehicle *v, mf_us_t t_us, struct mf_msg_odometry *m)
{
    const struct mf_estimate *e = mf_estimate_at(v, t_us);
    float ned_m[3], rates_rps[3];
    if (!e->position) {
        return false;
    }
    mf_estimate_local(v, &e->pose, ned_m);
    mf_body_rates(&e->pose, rates_rps);
    *m = (struct mf_msg_odometry){
        .time_usec = (uint64_t)t_us,
        .x = ned_m[0],
        .y = ned_m[1],
        .z = ned_m[2],
        .vx = e->pose.vel_ned_mps[0],
        .vy = e->pose.vel_ned_mps[1],
        .vz = e->pose.vel_ned_mps[2],
        .rollspeed = rates_rps[0],
        .pitchspeed = rates_rps[1],
        .yawspeed = rates_rps[2],
        .frame_id = MAV_FRAME_LOCAL_NED,
        .child_frame_id = MAV_FRAME_LOCAL_NED,
        .estimator_type = MAV_ESTIMATOR_TYPE_AUTOPILOT,
    };
    pose_quaternion(&e->pose, m->q);
    fill_covariances(&e->fix, m);
    return true;
}

static int16_t milli_g(float mps2)
{
    const int32_t mg = mf_round_i32((double)mps2 * (1e3 / MF_GRAVITY_MPS2));
    return (int16_t)mf_clamp_i32(mg, INT16_MIN, INT16_MAX);
}

/* The truth, whatever the receiver says: straight from the airframe. */
bool mf_encode_hil_state_quaternion(struct mf_vehicle *v, mf_us_t t_us,
                                    struct mf_msg_hil_state_quaternion *m)
{
    struct mf_pose pose;
    float rates_rps[3];
    if (mf_airframe_sample(&v->hal, t_us, &pose) != MF_E_OK) {
        return false;
    }
    mf_body_rates(&pose, rates_rps);
    *m = (struct mf_msg_hil_state_quaternion){
        .time_usec = (uint64_t)t_us,
        .rollspeed = rates_rps[0],
        .pitchspeed = rates_rps[1],
        .yawspeed = rates_rps[2],
        .lat = mf_e7(pose.lat_deg),
        .lon = mf_e7(pose.lon_deg),
        .alt = mf_mm(pose.alt_amsl_m),
        .vx = mf_cmps(pose.vel_ned_mps[0]),
        .vy = mf_cmps(pose.vel_ned_mps[1]),
        .vz = mf_cmps(pose.vel_ned_mps[2]),
        .xacc = milli_g(pose.acc_ned_mps2[0]),
        .yacc = milli_g(pose.acc_ned_mps2[1]),
        .zacc = milli_g(pose.acc_ned_mps2[2]),
    };
    pose_quaternion(&pose, m->attitude_quaternion);
    return true;
}
