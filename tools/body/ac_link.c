/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/body/ac_link.h"

#include <string.h>

static uint8_t *put(uint8_t *to, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    for (size_t i = 0; i < sizeof bits; i++) {
        to[i] = (uint8_t)(bits >> 8u * i);
    }
    return to + sizeof bits;
}

static uint8_t *put_three(uint8_t *to, double x, double y, double z)
{
    return put(put(put(to, x), y), z);
}

void body_ac_begin_write(const struct body_state *s, uint8_t *packet)
{
    uint8_t *at = put(packet, s->time_s);
    at = put_three(at, s->pos_m.y, s->pos_m.x, -s->pos_m.z);
    at = put_three(at, s->gyro_rps.x, s->gyro_rps.y, s->gyro_rps.z);
    at = put_three(at, s->accel_mps2.x, s->accel_mps2.y, s->accel_mps2.z);
    for (size_t i = 0; i < 4; i++) {
        at = put(at, s->quaternion[i]);
    }
    at = put_three(at, s->vel_mps.x, s->vel_mps.y, s->vel_mps.z);
    at = put_three(at, s->pos_m.x, s->pos_m.y, s->pos_m.z);
    (void)put_three(at, 0.0, 0.0, 0.0);
}

const char *body_ac_end_read(const void *packet, size_t size, float *motors)
{
    const uint8_t *bytes = packet;
    if (size != BODY_AC_END) {
        return "it has not 76 bytes";
    }
    for (size_t i = 0; i < BODY_AC_MOTORS; i++) {
        const uint8_t *p = bytes + 4u * i;
        const uint32_t bits =
            (uint32_t)p[0] | (uint32_t)p[1] << 8u | (uint32_t)p[2] << 16u | (uint32_t)p[3] << 24u;
        memcpy(&motors[i], &bits, sizeof bits);
        if (!(motors[i] >= 0.0f && motors[i] <= 1.0f)) {
            return "a motor is not from 0 to 1";
        }
    }
    return NULL;
}
