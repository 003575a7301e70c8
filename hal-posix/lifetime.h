/* SPDX-License-Identifier: Apache-2.0 */
/** The end of a lifetime on the wall's clock. A file may have it, and another program may then
 *  move it. */
#ifndef MF_HAL_POSIX_LIFETIME_H
#define MF_HAL_POSIX_LIFETIME_H

#include "hal/types.h"

struct mf_lifetime {
    mf_us_t end_us;   /**< latest end, on the clock of mf_monotonic_us(); MF_NEVER: none */
    const char *file; /**< has the end: seconds since 1970 (UTC), as text; "": none */
};

/** @brief Look whether a lifetime is over.
 *  @return 0: it is over, or its file lacks a time; else the time of the next look
 *          [us of mf_monotonic_us()], MF_NEVER: the lifetime does not end */
mf_us_t mf_lifetime_look(const struct mf_lifetime *l);

#endif
