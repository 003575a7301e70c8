/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Silence of clients: whether one has been silent for too long. It is counted in transport time, in
 * which clients live, and in vehicle time, both: while a barrier or a simulation holds vehicle
 * time, the vehicle does not fly, and no client is lost (docs/time.md).
 */
#ifndef MF_FIRMWARE_SILENCE_H
#define MF_FIRMWARE_SILENCE_H

#include "firmware/state/silence.h"
#include "hal/clock.h"

/** @brief Heard in this pass, at vehicle time @p now_us. */
struct mf_heard mf_heard_now(const struct mf_now *now, mf_us_t now_us);

/** @brief Watch for a silence of @p timeout_us at transport time @p due_us.
 * @param retry_us  the wall's time is over, that of vehicle time is not: look again after this
 * @return transport time to look again; MF_NEVER: the silence was that long, by both clocks */
mf_us_t mf_silence_next(const struct mf_now *now, const struct mf_heard *heard, mf_us_t timeout_us,
                        mf_us_t retry_us, mf_us_t due_us);

#endif
