/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Packets between gzuav's channel and an autopilot that is patched for it. BEGIN-TICK-AC is the
 * state of the body and its sensors, END-TICK-AC the commands of the motors. Native little-endian,
 * over a local socket of whole packets; the autopilot's first packet is its name.
 */
#ifndef MF_FLEET_FOREIGN_AC_H
#define MF_FLEET_FOREIGN_AC_H

#include "fleet/foreign_json.h"

#define MF_FOREIGN_AC_BEGIN  184u /* 23 doubles */
#define MF_FOREIGN_AC_END    76u  /* 16 motors and 3 angles of a gimbal, in single precision */
#define MF_FOREIGN_AC_MOTORS 16u

/** @brief Decode the first packet, a name, as printable text without zeros at its end.
 * @param name  out [@p room] */
void mf_foreign_ac_name(const void *packet, size_t size, char *name, size_t room);

/** @brief Encode a BEGIN-TICK-AC: f64 time [s]; place east, north, up; gyroscope and accelerometer,
 * FRD; attitude w x y z, body to NED; velocity and place, NED; a gimbal's angles, 0.
 * @param packet  out [MF_FOREIGN_AC_BEGIN] */
void mf_foreign_ac_begin_write(const struct mf_foreign_state *state, uint8_t *packet);

/** @brief Decode an END-TICK-AC. @param motors  out [MF_FOREIGN_AC_MOTORS], 0 to 1
 * @return NULL, or why the packet is wrong */
const char *mf_foreign_ac_end_read(const void *packet, size_t size, float *motors);

/** @brief Convert motor commands into the pulses of a frame. @param motors
 * [MF_FOREIGN_AC_MOTORS] */
struct mf_foreign_pulses mf_foreign_ac_pulses(const float *motors, uint16_t frame_rate_hz,
                                              uint32_t frame_count);

/** @brief Decode a BEGIN-TICK-AC of a body that another program simulates. @param state  out: its
 * place is the packet's place in the world (east, north, up) @return NULL, or why the packet is
 * wrong */
const char *mf_foreign_ac_begin_read(const void *packet, size_t size,
                                     struct mf_foreign_state *state);

#endif
