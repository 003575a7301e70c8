/* SPDX-License-Identifier: Apache-2.0 */
/** Listeners of chosen vehicles: recordings (docs/recording.md), and telemetry logs (.tlog). */
#ifndef MF_BOARDS_SWARM_TAPS_H
#define MF_BOARDS_SWARM_TAPS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** @brief What was recorded so far is in the files. */
void swarm_taps_flush(struct swarm *w);

/** @brief A vehicle is about to boot: if it is chosen, it gets links and a recorder.
 *  @return MF_E_OK or MF_E_IO */
int swarm_tap(struct swarm *w, uint32_t i, const struct mf_scenario_entity *e,
              struct mf_drone_setup *setup, const struct mf_world_settings *world);

/** @brief It has booted: its telemetry begins. @return MF_E_OK or MF_E_FULL */
int swarm_tap_open(const struct swarm *w, uint32_t i, struct mf_drone *drone);

/** @brief A ghost's drone has said something: its telemetry log has it. */
void swarm_tap_heard(const struct swarm *w, uint32_t i, mf_us_t at_us, const uint8_t *frame,
                     size_t n);

/** Recordings and telemetry logs. */
extern const struct swarm_system swarm_taps_system;

#endif
