/* SPDX-License-Identifier: Apache-2.0 */
/** Distribution of members over hosts: the costliest first, each to the host with the least
 * load. */
#ifndef MF_FLEET_SHARE_H
#define MF_FLEET_SHARE_H

#include "hal/types.h"

/** Member to distribute. */
struct mf_share {
    uint32_t member;
    double cost;
    int32_t place; /**< in: host to which it is pinned, < 0: any; out: its host */
};

/** @brief Distribute members: pinned ones first, then the others, the costliest first; among equals
 * the lower number, member and place.
 * @param share  [count], sorted by member afterwards  @param load  out [places]: costs of each */
void mf_share_out(struct mf_share *share, size_t count, double *load, uint32_t places);

#endif
