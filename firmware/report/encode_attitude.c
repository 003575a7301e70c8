/* SPDX-License-Identifier: Apache-2.0 */
/* Messages about attitude, and those of the sensors.
 *
 * Attitude is the estimate's, whatever the receiver says: an autopilot that has lost its position
 * still knows which way is up. So these messages are sent without a fix, as by PX4. What a sensor
 * measured comes from the sensor alone: HIGHRES_IMU and SCALED_PRESSURE carry the time of the
 * measurement, and stay away while the sensor does. */
#include "firmware/core/rotation.h"
#include "firmware/core/units.h"
#include "firmware/flight/estimate.h"
#include "firmware/report/encode.h"
#include "firmware/report/encode_units.h"
#include "firmware/state/vehicle.h"
#include "math/attitude.h"
#include "mavlink/enums.h"

/* Share of full thrust that holds the vehicle in the air: PX4's MPC_THR_HOVER by default. */
#define HOVER_THRUST 0.5f

/* Flags of HIGHRES_IMU.fields_updated (HIGHRES_IMU_UPDATED_FLAGS): accelerometer and gyroscope, and
 * so on. A field without its flag is unknown, not zero: clients must not plot it. */
#define IMU_FIELDS      0x003Fu
#define MAG_FIELDS      0x01C0u
#define BARO_FIELDS     0x1A00u /* pressure, its altitude, temperature */
#define AIRSPEED_FIELDS 0x0400u

/* MAVLink's order is w, x, y, z; the sign is not normalised, as the rotation is the same. */
static void pose_quaternion(const struct mf_pose *pose, float q[4])
{
    MF_ASSERT(mf_finite((double)pose->yaw_rad));
    mf_quaternion((double)pose->roll_rad, (double)pose->pitch_rad, (double)pose->yaw_rad, q);
}

void mf_body_rates(const struct mf_pose *pose, float frd_rps[3])
{
    const double rpy[3] = {(double)pose->roll_rad, (double)pose->pitch_rad, (double)pose->yaw_rad};
    const double rpy_per_s[3] = {(double)pose->rollspeed_rps, (double)pose->pitchspeed_rps,
                                 (double)pose->yawspeed_rps};
    double frd[3];
    MF_ASSERT(mf_finite(rpy[0]) && mf_finite(rpy[1]) && mf_finite(rpy[2]));
    mf_attitude_rates(rpy, rpy_per_s, frd);
    for (size_t i = 0; i < 3; i++) {
        frd_rps[i] = (float)frd[i];
    }
}

/* Rates about the axes of the body, not the derivatives of the angles: in a turn with some bank the
 * two differ. */
bool mf_encode_attitude(const struct mf_estimate *e, struct mf_msg_attitude *m)
{
    const struct mf_pose *pose = &e->pose;
    float rates_rps[3];
    mf_body_rates(pose, rates_rps);
    *m = (struct mf_msg_attitude){
        .time_boot_ms = mf_boot_ms(e->t_us),
        .roll = pose->roll_rad,
        .pitch = pose->pitch_rad,
        .yaw = pose->yaw_rad,
        .rollspeed = rates_rps[0],
        .pitchspeed = rates_rps[1],
        .yawspeed = rates_rps[2],
    };
    return true;
}

/* PX4's repr_offset_q is that of a vehicle that lands on its tail; all zero here means "none", as
 * MAVLink has it. */
bool mf_encode_attitude_quaternion(const struct mf_estimate *e,
                                   struct mf_msg_attitude_quaternion *m)
{
    const struct mf_pose *pose = &e->pose;
    float q[4], rates_rps[3];
    pose_quaternion(pose, q);
    mf_body_rates(pose, rates_rps);
    *m = (struct mf_msg_attitude_quaternion){
        .time_boot_ms = mf_boot_ms(e->t_us),
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

/* Encode the target of the attitude. The body follows at once, so the target is its attitude, or
 * the setpoint. Disarmed, PX4's controllers send nothing. */
bool mf_encode_attitude_target(const struct mf_vehicle *v, const struct mf_estimate *e,
                               struct mf_msg_attitude_target *m)
{
    const struct mf_pose *pose = &e->pose;
    float rates_rps[3];
    if (!v->commander.armed) {
        return false;
    }
    mf_body_rates(pose, rates_rps);
    *m = (struct mf_msg_attitude_target){
        .time_boot_ms = mf_boot_ms(e->t_us),
        .body_roll_rate = rates_rps[0],
        .body_pitch_rate = rates_rps[1],
        .body_yaw_rate = rates_rps[2],
        .thrust = v->commander.landed == MF_LANDED_ON_GROUND ? 0.0f : HOVER_THRUST,
    };
    pose_quaternion(pose, m->q);
    if (v->commander.mode == MF_MODE_OFFBOARD && v->inputs.attitude.flown) {
        const struct mf_attitude_aim *aim = &v->inputs.attitude; /* the setpoint as it came */
        MF_ASSERT(aim->thrust >= 0.0f && aim->thrust <= 1.0f);
        const bool has_yaw = v->inputs.aim.yaw_rad == v->inputs.aim.yaw_rad;
        mf_quaternion((double)aim->roll_rad, (double)aim->pitch_rad,
                      (double)(has_yaw ? v->inputs.aim.yaw_rad : pose->yaw_rad), m->q);
        m->body_roll_rate = aim->rates_rps[0];
        m->body_pitch_rate = aim->rates_rps[1];
        m->body_yaw_rate = aim->rates_rps[2];
        m->thrust = aim->thrust;
    }
    return true;
}

/* Encode the measurements. The inertial sensor is necessary, as in PX4: without it no message is
 * sent, without another sensor its fields are missing. */
bool mf_encode_highres_imu(const struct mf_vehicle *v, mf_us_t t_us, struct mf_msg_highres_imu *m)
{
    struct mf_sensor_values s;
    if (mf_sensors_sample(&v->hal, t_us, &s) != MF_E_OK || s.imu_us == MF_NOT_THERE) {
        return false;
    }
    MF_ASSERT(s.imu_us >= 0 && s.imu_us <= t_us);
    *m = (struct mf_msg_highres_imu){
        .time_usec = (uint64_t)s.imu_us,
        .xacc = s.acc_frd_mps2[0],
        .yacc = s.acc_frd_mps2[1],
        .zacc = s.acc_frd_mps2[2],
        .xgyro = s.gyro_frd_rps[0],
        .ygyro = s.gyro_frd_rps[1],
        .zgyro = s.gyro_frd_rps[2],
        .xmag = s.mag_frd_gauss[0],
        .ymag = s.mag_frd_gauss[1],
        .zmag = s.mag_frd_gauss[2],
        .abs_pressure = (float)s.pressure_hpa,
        .diff_pressure = s.diff_pressure_hpa,
        .pressure_alt = (float)s.pressure_alt_m,
        .temperature = (float)s.temperature_c,
        .fields_updated = (uint16_t)(IMU_FIELDS | (s.mag_us != MF_NOT_THERE ? MAG_FIELDS : 0u) |
                                     (s.baro_us != MF_NOT_THERE ? BARO_FIELDS : 0u) |
                                     (s.airspeed_us != MF_NOT_THERE ? AIRSPEED_FIELDS : 0u)),
    };
    return true;
}

/* Temperature of the barometer's chip [0.01 degrees Celsius]. */
bool mf_encode_scaled_pressure(const struct mf_vehicle *v, mf_us_t t_us,
                               struct mf_msg_scaled_pressure *m)
{
    struct mf_sensor_values s;
    if (mf_sensors_sample(&v->hal, t_us, &s) != MF_E_OK || s.baro_us == MF_NOT_THERE) {
        return false;
    }
    MF_ASSERT(s.baro_us >= 0 && s.baro_us <= t_us);
    *m = (struct mf_msg_scaled_pressure){
        .time_boot_ms = mf_boot_ms(s.baro_us),
        .press_abs = (float)s.pressure_hpa,
        .press_diff = s.diff_pressure_hpa,
        .temperature = (int16_t)mf_round_i32(s.temperature_c * 1e2),
    };
    return true;
}

/* Fill in covariances: NaN for unknown, as PX4 does, except for the receiver's own accuracy. */
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

/* Position needs an origin, so there is nothing before the first fix, and nothing while position is
 * lost. Velocity is in the frame of the position, not of the body: child_frame_id says so. */
bool mf_encode_odometry(const struct mf_vehicle *v, const struct mf_estimate *e,
                        struct mf_msg_odometry *m)
{
    float ned_m[3], rates_rps[3];
    if (!e->position) {
        return false;
    }
    MF_ASSERT(v->origin.valid);
    mf_estimate_local(&v->origin, &e->pose, ned_m);
    mf_body_rates(&e->pose, rates_rps);
    *m = (struct mf_msg_odometry){
        .time_usec = (uint64_t)e->t_us,
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

/* HIL_STATE_QUATERNION has accelerations in thousandths of standard gravity. */
static int16_t milli_g(float mps2)
{
    const int32_t mg = mf_round_i32((double)mps2 * (1e3 / MF_GRAVITY_MPS2));
    return (int16_t)mf_clamp_i32(mg, INT16_MIN, INT16_MAX);
}

/* The truth, whatever the receiver says: straight from the airframe. Simulators send this message
 * to an autopilot; here it is the way to compare what the vehicle believes with where it is. */
bool mf_encode_hil_state_quaternion(const struct mf_vehicle *v, mf_us_t t_us,
                                    struct mf_msg_hil_state_quaternion *m)
{
    struct mf_pose pose;
    float rates_rps[3];
    if (mf_airframe_sample(&v->hal, t_us, &pose) != MF_E_OK) {
        return false;
    }
    MF_ASSERT(mf_abs(pose.lat_deg) <= 90.0);
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
