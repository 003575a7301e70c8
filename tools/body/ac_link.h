/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Packets between gzuav's channel and an autopilot that is patched for it: BEGIN-TICK-AC is what
 * the body is and feels, END-TICK-AC how it turns its motors. Native little-endian, over a local
 * socket of whole packets; the autopilot's first one is its name.
 */
#ifndef BODY_AC_LINK_H
#define BODY_AC_LINK_H

#include "tools/body/json_link.h"

#define BODY_AC_BEGIN  184u /* 23 doubles */
#define BODY_AC_END    76u  /* 16 motors and 3 angles of a gimbal, in single precision */
#define BODY_AC_MOTORS 16u

/** @brief BEGIN-TICK-AC: f64 time [s]; place east, north, up; gyroscope and accelerometer, FRD;
 *  attitude w x y z, body to NED; velocity and place, NED; a gimbal's angles, 0.
 *  @param packet  out [BODY_AC_BEGIN] */
void body_ac_begin_write(const struct body_state *state, uint8_t *packet);

/** @brief END-TICK-AC. @param motors  out [BODY_AC_MOTORS], 0 to 1
 *  @return NULL, or what is wrong with it */
const char *body_ac_end_read(const void *packet, size_t size, float *motors);

#endif
