/* SPDX-License-Identifier: Apache-2.0 */
/** State that the files of a search share: the team, and vehicles that are its bodies. */
#ifndef MF_BOARDS_SWARM_TEAM_H
#define MF_BOARDS_SWARM_TEAM_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/search/search_plugin.h"
#include "boards/swarm/time/steps.h"

struct swarm_pilot;
struct swarm_team_watch;

/** A search, and all that its settings point to. It lies in the arena; files are the process's own.
 */
struct team {
    struct swarm_steps steps; /**< first: the loop of the run knows the world by it */
    struct swarm_operator operator;
    struct mf_search_settings settings;
    struct mf_en corner[MF_SCENARIO_CORNERS_MAX];
    struct mf_search_objects object[MF_SCENARIO_ENTITIES_MAX];
    struct mf_search_start *start; /**< [objects], of each object */
    uint32_t *object_number;       /**< [objects]: of each in the scenario */
    uint32_t objects;
    struct mf_obstacle obstacle[MF_OBSTACLES_MAX];
    struct mf_search_member *member; /**< [settings.member_count] */
    uint32_t *number;                /**< [member_count]: of each in the scenario */
    struct mf_weather weather;
    struct mf_search *search;
    struct mf_search_statistics *became; /**< [member_count + 1]: of each, and of all, at the end */
    struct swarm_search_plugin own;
    struct swarm_pilot *pilot; /**< [member_count]: orders to vehicles; NULL: members are agents */
    struct swarm_team_watch *watch; /**< files that are written meanwhile; NULL: none */
    bool failed; /**< a plug-in or the bus has ended the search, or a file of watch is incomplete */
};

/** @brief A .plan of each member's path. @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_team_export(struct swarm *w, const struct team *t, const char *folder);

/** @brief Open csv, overhead and video. @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_team_watch(struct swarm *w, struct team *t);

/** @brief A step was flown. */
void swarm_team_record_step(struct swarm *w, struct team *t);

/** @brief Write the trace, and close all files. @return false with an error set: one of them is not
 *  complete */
bool swarm_team_unwatch(struct swarm *w, struct team *t);

/** @brief Reserve the pilots of vehicles. @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_team_prepare(struct swarm *w, struct team *t);

/** @brief Give vehicles their orders, let them fly up to @p end_us, and tell the search where they
 * are. */
void swarm_team_move(struct swarm *w, struct team *t, mf_us_t end_us);

/** @brief Let all vehicles land, for ten minutes at most. */
void swarm_team_land(struct swarm *w, struct team *t, const volatile int *stop);

#endif
