/* SPDX-License-Identifier: Apache-2.0 */
/** What the files of a search share: the team, and vehicles that are its bodies. */
#ifndef MF_BOARDS_SWARM_TEAM_H
#define MF_BOARDS_SWARM_TEAM_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/search/search_own.h"

struct swarm_pilot;
struct swarm_team_watch;

/** All that a search is made of; what settings point to. */
struct team {
    struct mf_search_settings settings;
    struct mf_en corner[MF_SCENARIO_CORNERS_MAX];
    struct mf_search_objects object[MF_SCENARIO_ENTITIES_MAX];
    struct mf_obstacle obstacle[MF_SCENARIO_OBSTACLES_MAX];
    struct mf_search_member *member; /**< [settings.member_count] */
    uint32_t *number;                /**< [member_count]: of each in the scenario */
    struct mf_memory memory;
    struct mf_search *search;
    struct mf_search_statistics *became; /**< [member_count + 1]: of each, and of all, at the end */
    struct swarm_search_own own;
    struct swarm_pilot *pilot;      /**< [member_count]: orders to vehicles; NULL: they are none */
    struct swarm_team_watch *watch; /**< what is written down meanwhile; NULL: nothing */
};

/** @brief A .plan of each member's path. @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_team_export(struct swarm *w, const struct team *t, const char *folder);

/** @brief Open csv, overhead and video. @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_team_watch(struct swarm *w, struct team *t);

/** @brief A step was flown. */
void swarm_team_note(struct swarm *w, struct team *t);

/** @brief Write what waits, close all. @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_team_unwatch(struct swarm *w, struct team *t);

/** @brief Vehicles boot. @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_team_boot(struct swarm *w, struct team *t);

/** @brief They fly up to the next step, which learns where they are, and get their orders. */
void swarm_team_move(struct swarm *w, struct team *t);

/** @brief All land; nobody waits for longer than ten minutes. */
void swarm_team_land(struct swarm *w, struct team *t, const volatile int *stop);

/** @brief Give back what swarm_team_boot() took. */
void swarm_team_end(struct swarm *w, struct team *t);

#endif
