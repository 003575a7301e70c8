/* SPDX-License-Identifier: Apache-2.0 */
/** Parts of a search that are not built in: plans, detection and costs of plug-ins, measured
 * tables, the bus. */
#ifndef MF_BOARDS_SWARM_SEARCH_PLUGIN_H
#define MF_BOARDS_SWARM_SEARCH_PLUGIN_H

#include "boards/swarm/core/plugins.h"
#include "fleet/search.h"

/** Digits of a table's fingerprint, with a NUL. */
#define SWARM_FINGERPRINT_MAX 17u

/** Reports of one step for the plan of a plug-in. */
#define SWARM_REPORTS_MAX 256u

/** Never moved once it is prepared: settings point to it. */
struct swarm_search_plugin {
    struct swarm *w;
    const struct mf_search_settings *settings;
    struct mf_search_own hooks;
    struct swarm_plugin plan, cost, detection;
    const struct swarm_plugin *last; /**< that was called */
    struct mf_plugin_place corner[MF_SCENARIO_CORNERS_MAX];
    struct mf_plugin_searcher *member; /**< [settings->member_count] */
    struct mf_detection_table table;
    char fingerprint[SWARM_FINGERPRINT_MAX]; /**< of the table; "": without a table */
    char text[MF_SEARCH_ERROR_MAX];
    struct mf_search *plans;                        /**< that calls a plug-in's plan at present */
    struct mf_mover_goal goal[MF_SEARCH_GOALS_MAX]; /**< of a path */
    struct mf_plugin_report reports[SWARM_REPORTS_MAX]; /**< for a plan, of one step */
    uint64_t found;                                     /**< plug-ins that have been found */
    struct mf_search *q;                                /**< search_bus.h: once it has begun */
    uint64_t told; /**< search_bus.h: step after which controllers last got reports */
};

/** @brief Find the parts that the scenario names, and let @p settings use them.
 *  @param settings  complete except own and table; it does not move
 *  @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_search_plugin_prepare(struct swarm *w, struct swarm_search_plugin *o,
                                struct mf_search_settings *settings);

/** @brief The error of a search that cannot go on. @return SWARM_INPUT */
int swarm_search_plugin_refuse(const struct swarm_search_plugin *o, const struct mf_search *q);

#endif
