/* SPDX-License-Identifier: Apache-2.0 */
/** Listeners of chosen vehicles: recordings (docs/recording.md), and telemetry logs (.tlog). */
#ifndef MF_BOARDS_SWARM_TAPS_H
#define MF_BOARDS_SWARM_TAPS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** @brief A ghost's drone has said something: its telemetry log has it. */
void swarm_tap_heard(const struct swarm *w, uint32_t i, mf_us_t at_us, const uint8_t *frame,
                     size_t n);

/** Recordings and telemetry logs. */
extern const struct swarm_system swarm_taps_system;

#endif
