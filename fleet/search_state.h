/* SPDX-License-Identifier: Apache-2.0 */
/** Data of a search, private to its files. Each file calls only those of the lines below its own:
 *     search.c          initialises the search, plans paths, runs a step
 *     search_progress.c members that do not come nearer
 *     search_look.c     objects, pictures, reports
 *     search_results.c  what became of it, and why it ended */
#ifndef MF_FLEET_SEARCH_STATE_H
#define MF_FLEET_SEARCH_STATE_H

#include "fleet/search.h"

/** Most reports of a member. */
#define MF_SEARCH_REPORTS_MAX 512u

struct object {
    double e, n, u;
    float ve, vn, vu;
    uint32_t group;
    bool spotted;
};

struct path {
    struct mf_mover_goal *point; /* [capacity] */
    size_t capacity;
    size_t at, end; /* the points left are at .. end - 1 */
};

struct member {
    struct mf_mover_thrust body;
    struct mf_enu before_m; /* place one step ago, of a body that the caller moves */
    struct path path;
    bool watched; /* the next three are of the present goal */
    struct mf_enu goal_m;
    float nearest_m;       /* least distance from it so far */
    uint64_t nearest_step; /* of that distance */
    double energy_ns;
    double since_frame_s;
    uint32_t frames;
    uint32_t right, wrong, missed, clear; /* see struct mf_search_statistics */
    uint64_t looks;                       /* number of looks at objects, for random numbers */
    uint32_t reports;
    bool called;    /* the member visits a report of the present step */
    uint32_t fresh; /* number of reports of the present step */
    struct mf_en report[MF_SEARCH_REPORTS_MAX];
    uint64_t *covered; /* cells that the camera has seen; NULL: without a raster */
    bool *spotted;     /* [objects] */
};

struct mf_search {
    struct mf_search_settings s;
    uint64_t steps;
    uint32_t refused; /* number of points that the plan dropped */
    size_t object_count;
    struct object *object;
    struct member *member;
    struct mf_coverage_grid grid;
    uint64_t *area;
    uint64_t *all; /* scratch: cells that any member has seen */
    char error[MF_SEARCH_ERROR_MAX];
};

/** @brief End the search. The first reason counts. */
__attribute__((format(printf, 2, 3))) void search_fail(struct mf_search *q, const char *format,
                                                       ...);

/** @brief End the search if there is a reason. @param why  NULL: none  @return it has ended */
bool search_failed(struct mf_search *q, const char *why);

/** @brief Wind at a place in the present step [m/s]. */
struct mf_enu search_wind(const struct mf_search *q, struct mf_enu at);

/** @brief End the search if a member made no progress towards its goal for 60 s.
 * @param to  NULL: without one */
void search_watch_progress(struct mf_search *q, size_t member, const struct mf_mover_goal *to);

/** @brief Set the first places and the velocities of all objects. */
void search_place_objects(struct mf_search *q);

/** @brief Let a member's camera take a picture, and the member report what it sees. */
void search_take_picture(struct mf_search *q, size_t member);

#endif
