/* SPDX-License-Identifier: Apache-2.0 */
/** Achieved rate of vehicle time, and detection of a clock that falls behind the wall. Pure
 * arithmetic, like the pace. */
#ifndef MF_HAL_POSIX_ACHIEVED_H
#define MF_HAL_POSIX_ACHIEVED_H

#include "drone/pace.h"

struct mf_achieved {
    double rate; /**< vehicle seconds per wall second in the last window; < 0: the first window is
                    not over */
    bool behind; /**< the clock loses wall time */
    bool by_client;   /**< the clock loses more wall time to a client that does not read than to a
                         late host */
    unsigned calm;    /**< number of consecutive windows in which a clock that is behind kept up */
    mf_us_t begin_us; /**< start of the present window, wall time */
    struct mf_pace begin; /**< pace at begin_us */
};

/** @brief Begin the first window, after a boot or a change of the clock. */
void mf_achieved_start(struct mf_achieved *a, const struct mf_pace *pace, mf_us_t wall_us);

/** @brief Measure the pace after its passes. @return true: `behind` has changed */
bool mf_achieved_note(struct mf_achieved *a, const struct mf_pace *pace, mf_us_t wall_us);

#endif
