/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Datagrams of ArduPilot's JSON interface for simulators (libraries/SITL/examples/JSON/readme.md):
 * the autopilot sends widths of pulses, the simulator answers with a line of JSON.
 */
#ifndef MF_FLEET_FOREIGN_JSON_H
#define MF_FLEET_FOREIGN_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "world/mover_rigid.h"

#define MF_FOREIGN_CHANNELS_MAX 32u
#define MF_FOREIGN_LINE_MAX     640u

/** Pulses from the autopilot, of one frame. */
struct mf_foreign_pulses {
    uint16_t
        frame_rate_hz;    /**< frames per second of simulated time, each of which needs an answer */
    uint32_t frame_count; /**< counts up; a repeated number: the autopilot did not get the answer */
    uint16_t channels;    /**< 16 or 32 */
    uint16_t pwm_us[MF_FOREIGN_CHANNELS_MAX];
};

/** @brief Read a datagram: little-endian, 40 bytes for 16 channels, 72 for 32.
 *  @return NULL, or what is wrong with it */
const char *mf_foreign_pulses_read(const void *bytes, size_t size,
                                   struct mf_foreign_pulses *pulses);

/** State of the body, which the simulator answers. */
struct mf_foreign_state {
    double time_s;
    struct mf_vec3 gyro_rps, accel_mps2; /**< readings of the sensors, FRD */
    struct mf_vec3 pos_m, vel_mps;       /**< truth, NED */
    double quaternion[4];                /**< truth, w x y z, body to NED */
};

/** @brief Write the answer: one line between two line feeds, without blanks, since the autopilot
 * scans it as text. @param line  out [MF_FOREIGN_LINE_MAX] @return its length */
size_t mf_foreign_state_write(const struct mf_foreign_state *state, char *line);

#endif
