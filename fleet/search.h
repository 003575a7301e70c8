/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A team that searches an area for small objects: bodies that fly a plan, cameras that look down,
 * reports that change the plan. After UavSim (Thompson and others), whose published figures come
 * out with `compat`.
 *
 * A step is its Algorithm 1: objects move, members fly and look in their order, then the plan
 * learns what they reported. Places are east, north, up from the origin in metres. Equal settings
 * give equal bytes.
 */
#ifndef MF_FLEET_SEARCH_H
#define MF_FLEET_SEARCH_H

#include "fleet/detection.h"
#include "hal/memory.h"
#include "world/coverage.h"
#include "world/mover_thrust.h"
#include "world/obstacles.h"
#include "world/weather.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** How a team flies; word of the scenario. */
#define MF_SEARCH_PLAN_LIST(X)                                                 \
    X(BCD, "bcd")     /* over each square of the area */                       \
    X(AVBCD, "avbcd") /* ... and down to what it reports, and on */            \
    X(BDBCD, "bdbcd") /* ... while one member visits what the others report */ \
    X(OWN, "own")     /* as a plug-in says */                                  \
    X(BUS, "bus")     /* as a program on the bus says */

#define X(name, word) MF_SEARCH_##name,
enum mf_search_plan { MF_SEARCH_PLAN_LIST(X) MF_SEARCH_PLANS };
#undef X

/** A member of the team. */
struct mf_search_member {
    struct mf_mover_thrust_settings body;
    struct mf_enu begin_m;
    double fps;            /**< pictures a second */
    double lateral_rad;    /**< half the angle of view along the heading */
    double horizontal_rad; /**< ... and across */
    uint32_t seeks;        /**< kind of object */
};

/** Objects of one kind. */
struct mf_search_objects {
    uint32_t kind;
    uint32_t count;
    double speed_mps;
    double seen; /**< see struct mf_detection_model */
    double mistaken;
};

struct mf_search;

/** What a camera is about to look at. */
struct mf_search_look {
    size_t member;
    bool sought; /**< it is of the kind that the member seeks */
    struct mf_detection_model model;
    struct mf_detection_view view;
};

/** A plan, detection and costs from outside; each NULL: as built in. What returns a text ends the
 *  search by it. */
struct mf_search_own {
    void *ctx;
    /** Initial paths, and paths after a step in which somebody reported: by mf_search_go(). */
    const char *(*begin)(void *ctx, struct mf_search *q);
    const char *(*reported)(void *ctx, struct mf_search *q);
    /** From 0 to 1. */
    const char *(*probability)(void *ctx, const struct mf_search *q,
                               const struct mf_search_look *look, double *p);
    /** Not negative, finite [N]. */
    const char *(*cost)(void *ctx, const struct mf_search *q, size_t member, double *cost_n);
};

/** Where goals go that an own plan gives. */
enum mf_search_where { MF_SEARCH_INSTEAD, MF_SEARCH_FIRST, MF_SEARCH_LAST };

/** Goals that a member of an own plan has at a time at most, beside those of the squares. */
#define MF_SEARCH_GOALS_MAX 4096u
/** Longest text of why a search cannot go on, with its NUL. */
#define MF_SEARCH_ERROR_MAX 256u

struct mf_search_settings {
    double step_s;
    const struct mf_en *corners; /**< [corner_count], of the area; stays the caller's */
    size_t corner_count;
    struct mf_enu station;
    enum mf_search_plan plan;
    double altitude_m;
    double speed_mps;
    double low_m;  /**< AVBCD: how low it dives; BDBCD: how low the visitor flies */
    uint32_t base; /**< BDBCD: the member that visits, from 0 */
    bool compat;   /**< of the plan, as published */
    double balance_m;
    double report_m; /**< what lies nearer to an earlier report of a member is not reported again */
    double cell_m;   /**< of the raster of what was seen; 0: none is kept */
    const struct mf_weather *weather;   /**< NULL: calm */
    const struct mf_obstacle *obstacle; /**< [obstacles], up to MF_OBSTACLES_MAX; the caller's */
    size_t obstacles;
    double clearance_m;  /**< that paths keep from them */
    bool bodies_outside; /**< others move the bodies: mf_search_put() */
    uint64_t seed, variation;
    const struct mf_search_member *members; /**< [member_count]; stays the caller's */
    size_t member_count;
    const struct mf_search_objects *objects; /**< [object_kinds]; stays the caller's */
    size_t object_kinds;
    const struct mf_detection_table *table; /**< measured; NULL: UavSim's formulas */
    const struct mf_search_own *own;        /**< NULL: all is built in; stays the caller's */
};

/** What became of a member, or of all: UavSim's columns. Negative: undefined, as a recall of
 *  nothing. */
struct mf_search_statistics {
    double precision, recall, f1;
    double energy_ns;              /**< thrust over time [N s] */
    double covered;                /**< part of the area */
    double spotted;                /**< part of the objects sought */
    uint32_t right, wrong, missed; /**< looks: reported rightly, wrongly, not at all */
    uint32_t frames;
};

/** @brief Side of the squares that the area is divided into: what all cameras see at once [m]. */
double mf_search_edge_m(const struct mf_search_settings *s);

/** @brief Bytes that a search needs at most. */
size_t mf_search_bytes(const struct mf_search_settings *s);

/** @brief Place the objects, plan the paths. @param memory  has mf_search_bytes() left
 *  @return in @p memory; NULL: no room there, or an area without a point to fly to */
struct mf_search *mf_search_init(const struct mf_search_settings *s, struct mf_memory *memory);

/** @brief Initial paths of an own plan, before the first step. @return false: mf_search_error() */
bool mf_search_begin(struct mf_search *q);

/** @brief One step. @return false: nobody has anywhere to go any more, or mf_search_error() */
bool mf_search_step(struct mf_search *q);

/** @brief Goals for a member. Each must lie within the area, or at the station.
 *  @return MF_E_OK; MF_E_RANGE, MF_E_FULL: mf_search_error() says why, and the search is over */
int mf_search_go(struct mf_search *q, size_t member, enum mf_search_where where,
                 const struct mf_mover_goal *goal, size_t goals);

/** @brief Would one more goal be taken, without an end of the search? It lies within the area or at
 * the station, above the ground, and its member's path has room. */
bool mf_search_takes(const struct mf_search *q, size_t member, const struct mf_mover_goal *goal);

/** @brief What a member reported in the last step. @return how many */
size_t mf_search_reports(const struct mf_search *q, size_t member, const struct mf_en **report);

/** @brief Why it cannot go on. @return NULL: it can */
const char *mf_search_error(const struct mf_search *q);
/** @brief Where a body outside is at the time of the next step; every one, before each step. */
void mf_search_put(struct mf_search *q, size_t member, struct mf_enu pos_m, struct mf_enu vel_mps,
                   struct mf_enu heading);

/** @brief Steps so far. */
uint64_t mf_search_steps(const struct mf_search *q);

/** @brief Where a member is. */
struct mf_mover_thrust mf_search_member(const struct mf_search *q, size_t member);

/** @brief What its camera sees now: a rectangle on the ground. */
struct mf_coverage_frame mf_search_frame(const struct mf_search *q, size_t member);

/** @brief The raster of what was seen; NULL: none is kept. Has any member seen the middle of a
 * cell?
 */
const struct mf_coverage_grid *mf_search_raster(const struct mf_search *q);
bool mf_search_seen(const struct mf_search *q, uint32_t column, uint32_t row);

/** @brief Thrust over time so far [N s]; negative: undefined. */
double mf_search_energy_ns(const struct mf_search *q, size_t member);

/** @brief Where an object is; the kinds one after the other. @param spotted  out: by anybody */
struct mf_en mf_search_object(const struct mf_search *q, size_t i, bool *spotted);

/** @brief Points that a member has still to reach. */
size_t mf_search_points_left(const struct mf_search *q, size_t member);

/** @brief One of them, from 0. */
struct mf_mover_goal mf_search_point(const struct mf_search *q, size_t member, size_t i);

/** @brief Points that nobody was sent to: within an obstacle, outside the area, or with no way. */
uint32_t mf_search_refused(const struct mf_search *q);

/** @brief Figures of a member; of the team if @p member is member_count. */
struct mf_search_statistics mf_search_statistics(const struct mf_search *q, size_t member);

#endif
