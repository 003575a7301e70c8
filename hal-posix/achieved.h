/* SPDX-License-Identifier: Apache-2.0 */
/** How fast vehicle time really passed, and whether a clock that counts with the wall falls behind.
 * Pure arithmetic, as the pace itself. */
#ifndef MF_HAL_POSIX_ACHIEVED_H
#define MF_HAL_POSIX_ACHIEVED_H

#include "drone/pace.h"

struct mf_achieved {
    double rate;      /**< vehicle seconds per wall second in the last window; < 0: none is over */
    bool behind;      /**< the clock loses wall time */
    bool by_client;   /**< ... more of it to a client that does not read than to a late host */
    unsigned calm;    /**< windows in a row in which a clock that is behind kept up */
    mf_us_t begin_us; /**< wall time at which the present window began */
    struct mf_pace begin; /**< ... and the pace then */
};

/** @brief The vehicle boots, or its clock changes: the first window begins. */
void mf_achieved_start(struct mf_achieved *a, const struct mf_pace *pace, mf_us_t wall_us);

/** @brief Look at the pace after its passes. @return whether `behind` has changed */
bool mf_achieved_note(struct mf_achieved *a, const struct mf_pace *pace, mf_us_t wall_us);

#endif
