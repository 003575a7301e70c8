/* SPDX-License-Identifier: Apache-2.0 */
/* Inertial sensors, magnetometer and barometer. Called by world/world, and through the HAL. */
#include "world/sensors.h"

#include "math/attitude.h"
#include "math/trig.h"

/* Standard atmosphere (ISO 2533): sea level, lapse rate, exponent of the pressure less 5.25. */
#define ISA_HPA        1013.25
#define ISA_K          288.15
#define ISA_C          15.0
#define ISA_LAPSE_K_PM 0.0065
#define ISA_EXPONENT   0.005876
#define ISA_ALT_MIN_M  (-1000.0)
#define ISA_ALT_MAX_M  11000.0

#define SIDE_US (150 * MF_MS_US)

/* Magnetic field at mid latitudes without declination, NED [gauss]. */
static const double k_field_ned_gauss[3] = {0.21, 0.0, 0.43};

static double isa_range(double alt_amsl_m)
{
    const double floored_m = alt_amsl_m < ISA_ALT_MIN_M ? ISA_ALT_MIN_M : alt_amsl_m;
    return floored_m > ISA_ALT_MAX_M ? ISA_ALT_MAX_M : floored_m;
}

/* Compute p0 * x^5.255876 without pow(): x^5 * x^(1/4) * x^0.005876, the last as 1 + 0.005876 ln x,
 * and the logarithm by its series in z, of which three terms are enough for x from 0.75 to 1.02. */
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

static void set_floats(float out[3], const double in[3])
{
    for (size_t i = 0; i < 3; i++) {
        out[i] = (float)in[i];
    }
}

/* Measure. An accelerometer shows the force that holds the body up against gravity, not gravity. */
static int body_sample(void *ctx, mf_us_t t_us, struct mf_sensor_values *values)
{
    const struct mf_body_sensors *s = ctx;
    struct mf_pose pose;
    MF_ASSERT(s != NULL && values != NULL);
    *values = mf_sensor_values_none();
    if (s->airframe->sample(s->airframe_ctx, t_us, &pose) != MF_E_OK) {
        return MF_E_IO;
    }
    const double rpy[3] = {(double)pose.roll_rad, (double)pose.pitch_rad, (double)pose.yaw_rad};
    const double rpy_per_s[3] = {(double)pose.rollspeed_rps, (double)pose.pitchspeed_rps,
                                 (double)pose.yawspeed_rps};
    const double force_ned_mps2[3] = {(double)pose.acc_ned_mps2[0], (double)pose.acc_ned_mps2[1],
                                      (double)pose.acc_ned_mps2[2] - MF_GRAVITY_MPS2};
    double force[3], rates[3], field[3];
    mf_attitude_to_body(rpy, force_ned_mps2, force);
    mf_attitude_to_body(rpy, k_field_ned_gauss, field);
    mf_attitude_rates(rpy, rpy_per_s, rates);
    values->imu_us = values->mag_us = values->baro_us = t_us;
    set_floats(values->acc_frd_mps2, force);
    set_floats(values->gyro_frd_rps, rates);
    set_floats(values->mag_frd_gauss, field);
    values->pressure_hpa = mf_pressure_hpa(pose.alt_amsl_m);
    values->pressure_alt_m = pose.alt_amsl_m;
    values->temperature_c = mf_temperature_c(pose.alt_amsl_m);
    return MF_E_OK;
}

static int body_calibrate(void *ctx, mf_us_t t_us, enum mf_calibrates what)
{
    struct mf_body_sensors *s = ctx;
    MF_ASSERT(s != NULL);
    s->begun_us = what == MF_CALIBRATES_NOTHING ? MF_NEVER : t_us;
    return MF_E_OK;
}

static int body_calibration(void *ctx, mf_us_t t_us, struct mf_calibration_state *state)
{
    const struct mf_body_sensors *s = ctx;
    MF_ASSERT(s != NULL && state != NULL);
    *state = (struct mf_calibration_state){.next_us = MF_NEVER};
    if (s->begun_us > t_us) {
        return MF_E_OK;
    }
    const mf_us_t past = (t_us - s->begun_us) / SIDE_US;
    const uint32_t sides = past < (mf_us_t)MF_SIDE_COUNT ? (uint32_t)past : MF_SIDE_COUNT;
    state->done = (uint8_t)((1u << sides) - 1u);
    if (sides < MF_SIDE_COUNT) {
        state->next_us = s->begun_us + (past + 1) * SIDE_US;
    }
    return MF_E_OK;
}

static uint32_t body_lost(void *ctx, mf_us_t t_us)
{
    (void)ctx, (void)t_us;
    return 0;
}

void mf_body_sensors_init(struct mf_body_sensors *sensors, const struct mf_airframe_ops *airframe,
                          void *airframe_ctx)
{
    MF_ASSERT(sensors != NULL && airframe != NULL);
    *sensors = (struct mf_body_sensors){airframe, airframe_ctx, .begun_us = MF_NEVER};
}

const struct mf_sensors_ops mf_body_sensors_ops = {
    .sample = body_sample,
    .calibrate = body_calibrate,
    .calibration = body_calibration,
    .lost = body_lost,
};
