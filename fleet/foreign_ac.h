/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Packets between gzuav's channel and an autopilot that is patched for it: BEGIN-TICK-AC is what
 * the body is and feels, END-TICK-AC how it turns its motors. Native little-endian, over a local
 * socket of whole packets; the autopilot's first one is its name.
 */
#ifndef MF_FLEET_FOREIGN_AC_H
#define MF_FLEET_FOREIGN_AC_H

#include "fleet/foreign_json.h"

#define MF_FOREIGN_AC_BEGIN  184u /* 23 doubles */
#define MF_FOREIGN_AC_END    76u  /* 16 motors and 3 angles of a gimbal, in single precision */
#define MF_FOREIGN_AC_MOTORS 16u

/** @brief The first packet, a name, as text that may stand in a line, without zeros at its end.
 *  @param name  out [@p room] */
void mf_foreign_ac_name(const void *packet, size_t size, char *name, size_t room);

/** @brief BEGIN-TICK-AC: f64 time [s]; place east, north, up; gyroscope and accelerometer, FRD;
 *  attitude w x y z, body to NED; velocity and place, NED; a gimbal's angles, 0.
 *  @param packet  out [MF_FOREIGN_AC_BEGIN] */
void mf_foreign_ac_begin_write(const struct mf_foreign_state *state, uint8_t *packet);

/** @brief END-TICK-AC. @param motors  out [MF_FOREIGN_AC_MOTORS], 0 to 1
 *  @return NULL, or what is wrong with it */
const char *mf_foreign_ac_end_read(const void *packet, size_t size, float *motors);

/** @brief Motors as the pulses of a frame. @param motors  [MF_FOREIGN_AC_MOTORS] */
struct mf_foreign_pulses mf_foreign_ac_pulses(const float *motors, uint16_t frame_rate_hz,
                                              uint32_t frame_count);

/** @brief A BEGIN-TICK-AC of a body elsewhere. @param state  out: its place is the one in the
 *  world, east, north, up in the packet  @return NULL, or what is wrong with it */
const char *mf_foreign_ac_begin_read(const void *packet, size_t size,
                                     struct mf_foreign_state *state);

#endif
