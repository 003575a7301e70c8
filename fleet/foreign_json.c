/* SPDX-License-Identifier: Apache-2.0 */
/* Datagrams of ArduPilot's JSON interface. Called by boards/swarm/foreign_links and tools/body. */
#include "fleet/foreign_json.h"

#include <stdio.h>

#define RATE_MIN_HZ                                                                            \
    11u /* the time of slower frames would grow by 0.1 s or more, which ArduPilot refuses as a \
           jump */
#define RATE_MAX_HZ 10000u

static const struct {
    uint16_t magic, channels;
} k_kind[] = {{18458, 16}, {29569, 32}};

static uint16_t u16_at(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

const char *mf_foreign_pulses_read(const void *bytes, size_t size, struct mf_foreign_pulses *pulses)
{
    const uint8_t *p = bytes;
    *pulses = (struct mf_foreign_pulses){0};
    for (size_t i = 0; size >= 8 && i < sizeof k_kind / sizeof k_kind[0]; i++) {
        if (u16_at(p) == k_kind[i].magic && size == 8 + 2u * k_kind[i].channels) {
            pulses->channels = k_kind[i].channels;
        }
    }
    if (pulses->channels == 0) {
        return "it is not a packet of 40 bytes with magic 18458, or of 72 bytes with magic 29569";
    }
    pulses->frame_rate_hz = u16_at(p + 2);
    if (pulses->frame_rate_hz < RATE_MIN_HZ || pulses->frame_rate_hz > RATE_MAX_HZ) {
        return "its frame_rate is not from 11 to 10000 Hz";
    }
    pulses->frame_count = u16_at(p + 4) | (uint32_t)u16_at(p + 6) << 16;
    for (size_t i = 0; i < pulses->channels; i++) {
        pulses->pwm_us[i] = u16_at(p + 8 + 2 * i);
    }
    return NULL;
}

size_t mf_foreign_state_write(const struct mf_foreign_state *s, char *line)
{
    return (size_t)snprintf(
        line, MF_FOREIGN_LINE_MAX,
        "\n{\"timestamp\":%.9f,\"imu\":{\"gyro\":[%.9g,%.9g,%.9g],\"accel_body\":[%.9g,%.9g,%.9g]},"
        "\"position\":[%.9f,%.9f,%.9f],\"quaternion\":[%.9g,%.9g,%.9g,%.9g],"
        "\"velocity\":[%.9g,%.9g,%.9g]}\n",
        s->time_s, s->gyro_rps.x, s->gyro_rps.y, s->gyro_rps.z, s->accel_mps2.x, s->accel_mps2.y,
        s->accel_mps2.z, s->pos_m.x, s->pos_m.y, s->pos_m.z, s->quaternion[0], s->quaternion[1],
        s->quaternion[2], s->quaternion[3], s->vel_mps.x, s->vel_mps.y, s->vel_mps.z);
}
