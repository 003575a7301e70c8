/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of gzuav's autopilots. Called by boards/swarm (foreigns, foreign_door, foreign_links,
 * channel) and tools/body. */
#include "fleet/foreign_ac.h"

#include "fleet/bytes.h"
#include "host/base/value.h"
#include "math/trig.h"

#define TIME_MAX_S 1e9
#define VALUE_MAX  1e6 /* limit of all other values: metres, and m/s */
#define LENGTH_FAR 0.5 /* a quaternion whose length differs more from 1 is refused */

static uint8_t *put_three(uint8_t *to, double x, double y, double z)
{
    return mf_bytes_put_f64(mf_bytes_put_f64(mf_bytes_put_f64(to, x), y), z);
}

void mf_foreign_ac_name(const void *packet, size_t size, char *name, size_t room)
{
    const char *text = packet;
    while (size > 0 && text[size - 1u] == '\0') {
        size--;
    }
    mf_value_shown(packet, size, name, room);
}

void mf_foreign_ac_begin_write(const struct mf_foreign_state *s, uint8_t *packet)
{
    uint8_t *at = mf_bytes_put_f64(packet, s->time_s);
    at = put_three(at, s->pos_m.y, s->pos_m.x, -s->pos_m.z);
    at = put_three(at, s->gyro_rps.x, s->gyro_rps.y, s->gyro_rps.z);
    at = put_three(at, s->accel_mps2.x, s->accel_mps2.y, s->accel_mps2.z);
    for (size_t i = 0; i < 4; i++) {
        at = mf_bytes_put_f64(at, s->quaternion[i]);
    }
    at = put_three(at, s->vel_mps.x, s->vel_mps.y, s->vel_mps.z);
    at = put_three(at, s->pos_m.x, s->pos_m.y, s->pos_m.z);
    (void)put_three(at, 0.0, 0.0, 0.0);
}

const char *mf_foreign_ac_end_read(const void *packet, size_t size, float *motors)
{
    const uint8_t *bytes = packet;
    if (size != MF_FOREIGN_AC_END) {
        return "it has not 76 bytes";
    }
    for (size_t i = 0; i < MF_FOREIGN_AC_MOTORS; i++) {
        motors[i] = mf_bytes_f32(bytes + 4u * i);
        if (!(motors[i] >= 0.0f && motors[i] <= 1.0f)) {
            return "a motor is not from 0 to 1";
        }
    }
    return NULL;
}

struct mf_foreign_pulses mf_foreign_ac_pulses(const float *motors, uint16_t frame_rate_hz,
                                              uint32_t frame_count)
{
    struct mf_foreign_pulses pulses = {.frame_rate_hz = frame_rate_hz,
                                       .frame_count = frame_count,
                                       .channels = MF_FOREIGN_AC_MOTORS};
    for (size_t i = 0; i < MF_FOREIGN_AC_MOTORS; i++) {
        pulses.pwm_us[i] = (uint16_t)(1000.5f + 1000.0f * motors[i]);
    }
    return pulses;
}

static double get_f64(const uint8_t *packet, size_t number)
{
    return mf_bytes_f64(packet + sizeof(double) * number);
}

static struct mf_vec3 get_three(const uint8_t *packet, size_t number)
{
    return (struct mf_vec3){get_f64(packet, number), get_f64(packet, number + 1),
                            get_f64(packet, number + 2)};
}

const char *mf_foreign_ac_begin_read(const void *packet, size_t size, struct mf_foreign_state *s)
{
    double length2 = 0.0;
    if (size != MF_FOREIGN_AC_BEGIN) {
        return "it has not 184 bytes";
    }
    *s = (struct mf_foreign_state){.time_s = get_f64(packet, 0)};
    if (!(s->time_s >= 0.0 && s->time_s <= TIME_MAX_S)) {
        return "its time is not from 0 to 1e9 s";
    }
    for (size_t i = 1; i < MF_FOREIGN_AC_BEGIN / 8u; i++) {
        if (!mf_within(get_f64(packet, i), VALUE_MAX)) {
            return "a value is not from -1e6 to 1e6";
        }
    }
    for (size_t i = 0; i < 4; i++) {
        s->quaternion[i] = get_f64(packet, 10 + i);
        length2 += s->quaternion[i] * s->quaternion[i];
    }
    const double length = mf_sqrt(length2);
    if (!mf_within(length - 1.0, LENGTH_FAR)) {
        return "its attitude is not a quaternion of length 1";
    }
    for (size_t i = 0; i < 4; i++) {
        s->quaternion[i] /= length;
    }
    const struct mf_vec3 enu_m = get_three(packet, 1);
    s->pos_m = (struct mf_vec3){enu_m.y, enu_m.x, -enu_m.z};
    s->gyro_rps = get_three(packet, 4);
    s->accel_mps2 = get_three(packet, 7);
    s->vel_mps = get_three(packet, 14);
    return NULL;
}
