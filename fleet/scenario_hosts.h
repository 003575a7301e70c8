/* SPDX-License-Identifier: Apache-2.0 */
/** Other processes that carry vehicles of a swarm (docs/cosim.md), and their keys. */
#ifndef MF_FLEET_SCENARIO_HOSTS_H
#define MF_FLEET_SCENARIO_HOSTS_H

#include "fleet/keys.h"
#include "fleet/scenario_own.h"

/** Processes that carry vehicles. */
#define MF_SCENARIO_LEAVES_MAX 64u

struct mf_scenario_hosts {
    int line;
    char listen[64];   /**< "[ADDRESS:]PORT" at which they join; "": any port of 127.0.0.1 */
    char token[130];   /**< that they give; "": none */
    uint32_t leaves;   /**< that must have come, wherever in the tree; 0: as many as are started */
    uint32_t start;    /**< so many are started on this machine */
    double patience_s; /**< with one that is silent, by the wall; 0: for ever */
    int32_t silent;    /**< enum mf_scenario_silent */
    struct mf_scenario_own pin; /**< its params: entity or member, and where it goes */
};

extern const struct mf_keys mf_scenario_hosts_keys; /**< of struct mf_scenario_hosts */

/** @brief Are there any? */
static inline bool mf_scenario_has_hosts(const struct mf_scenario_hosts *h)
{
    return h->line > 0 || h->leaves > 0 || h->start > 0;
}

/** @brief What stands where nothing is given. */
void mf_scenario_hosts_defaults(struct mf_scenario_hosts *h);

#endif
