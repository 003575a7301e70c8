/* SPDX-License-Identifier: Apache-2.0 */
/** Who gets which members: the longest first, each to whoever has least so far. */
#ifndef MF_FLEET_SHARE_H
#define MF_FLEET_SHARE_H

#include "hal/types.h"

/** A member that is handed out. */
struct mf_share {
    uint32_t member;
    double cost;
    int32_t place; /**< in: where it is pinned, < 0: anywhere; out: where it is */
};

/** @brief Hand out members: those that are pinned, then the others, the costliest first; among
 *  equals the lower number, member and place.
 *  @param share  [count], sorted by member afterwards  @param load  out [places]: costs of each */
void mf_share_out(struct mf_share *share, size_t count, double *load, uint32_t places);

#endif
