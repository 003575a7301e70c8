/* SPDX-License-Identifier: Apache-2.0 */
/** Settings and keys of the other processes that carry vehicles of a swarm (docs/cosim.md). */
#ifndef MF_FLEET_SCENARIO_HOSTS_H
#define MF_FLEET_SCENARIO_HOSTS_H

#include "fleet/keys.h"
#include "fleet/scenario_own.h"

/** Maximum number of processes that carry vehicles. */
#define MF_SCENARIO_LEAVES_MAX 64u

struct mf_scenario_hosts {
    int line;
    char listen[64]; /**< "[ADDRESS:]PORT" to which leaves connect; "": any port of 127.0.0.1 */
    char token[130]; /**< token that leaves must show; "": no token */
    uint32_t leaves; /**< number of leaves, anywhere in the tree, that the run waits for; 0: as many
                        as it starts */
    uint32_t start;  /**< number of leaves to start on this machine */
    double patience_s;          /**< wall time to wait for a silent leaf; 0: without limit */
    int32_t silent;             /**< enum mf_scenario_silent */
    struct mf_scenario_own pin; /**< its params: entity or member, and the leaf that carries it */
};

extern const struct mf_keys mf_scenario_hosts_keys; /**< of struct mf_scenario_hosts */

/** @brief True if the scenario has other processes. */
static inline bool mf_scenario_has_hosts(const struct mf_scenario_hosts *h)
{
    return h->line > 0 || h->leaves > 0 || h->start > 0;
}

/** @brief Set the values that the file need not give. */
void mf_scenario_hosts_defaults(struct mf_scenario_hosts *h);

#endif
