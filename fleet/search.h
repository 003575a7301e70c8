/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Search of an area for small objects by a team: bodies that fly a plan, cameras that look down,
 * reports that change the plan. After UavSim (Thompson and others), whose published figures result
 * with `compat`.
 *
 * A step is UavSim's Algorithm 1: objects move, members fly and take pictures in their order, then
 * the plan reacts to their reports. Places are east, north, up from the origin in metres. Equal
 * settings give equal bytes.
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

/** Plans of a team; word of the scenario. */
#define MF_SEARCH_PLAN_LIST(X)                                                             \
    X(BCD, "bcd")     /* flies over each square of the area */                             \
    X(AVBCD, "avbcd") /* as BCD, and dives to each reported object */                      \
    X(BDBCD, "bdbcd") /* as BCD, while one member visits the objects that others report */ \
    X(OWN, "own")     /* of a plug-in */                                                   \
    X(BUS, "bus")     /* of a program on the bus */

#define X(name, word) MF_SEARCH_##name,
enum mf_search_plan { MF_SEARCH_PLAN_LIST(X) MF_SEARCH_PLANS };
#undef X

/** Member of the team. */
struct mf_search_member {
    struct mf_mover_thrust_settings body;
    struct mf_enu begin_m;
    double fps;            /**< pictures per second */
    double lateral_rad;    /**< half the angle of view along the heading */
    double horizontal_rad; /**< half the angle of view across the heading */
    uint32_t seeks;        /**< kind of objects that the member seeks */
    uint64_t identity;     /**< of the member, for random numbers: it and none other has it */
    bool visits;           /**< BDBCD: visits what others report, flies over no squares */
};

/** Objects of one kind. */
struct mf_search_objects {
    uint32_t kind;
    uint32_t count;
    double speed_mps;
    double seen; /**< see struct mf_detection_model */
    double mistaken;
    uint64_t identity; /**< of these objects together, for random numbers */
};

/** First place and velocity of an object. */
struct mf_search_start {
    bool placed;           /**< false: by chance within the area, at the height of at_m */
    struct mf_enu at_m;    /**< up: above the ground, negative below it */
    bool moving;           /**< false: by chance, up to the speed of its kind, east and north */
    struct mf_enu vel_mps; /**< constant */
};

struct mf_search;

/** Look of a camera at an object. */
struct mf_search_look {
    size_t member;
    bool sought; /**< the object is of the kind that the member seeks */
    struct mf_detection_model model;
    struct mf_detection_view view;
};

/** Plan, detection and costs of a plug-in; NULL: the built-in ones. A function that returns a text
 * ends the search with it. */
struct mf_search_own {
    void *ctx;
    /** Set the first paths, and change paths after a step with reports, by mf_search_go(). */
    const char *(*begin)(void *ctx, struct mf_search *q);
    const char *(*reported)(void *ctx, struct mf_search *q);
    /** Probability of a report, 0 to 1. */
    const char *(*probability)(void *ctx, const struct mf_search *q,
                               const struct mf_search_look *look, double *p);
    /** Cost of flight, not negative, finite [N]. */
    const char *(*cost)(void *ctx, const struct mf_search *q, size_t member, double *cost_n);
    /** Hear of a detection in the present step. @param right  the member seeks the object */
    void (*detected)(void *ctx, const struct mf_search *q, size_t member, size_t object,
                     bool right);
};

/** Position of new goals in a path. */
enum mf_search_where { MF_SEARCH_INSTEAD, MF_SEARCH_FIRST, MF_SEARCH_LAST };

/** Maximum number of goals of a member with an own plan, in addition to those of the squares. */
#define MF_SEARCH_GOALS_MAX 4096u
/** Longest reason for the end of a search, with its NUL. */
#define MF_SEARCH_ERROR_MAX 256u

struct mf_search_settings {
    double step_s;
    const struct mf_en *corners; /**< [corner_count] corners of the area; owned by the caller */
    size_t corner_count;
    struct mf_enu station;
    enum mf_search_plan plan;
    double altitude_m;
    double speed_mps;
    double low_m; /**< AVBCD: lowest height of a dive; BDBCD: height of the visiting members */
    bool compat;  /**< published behaviour of the plan */
    double balance_m;
    double report_m; /**< a member does not report objects nearer than this to one of its earlier
                        reports */
    double cell_m;   /**< size of a cell of the raster of seen places; 0: without a raster */
    const struct mf_weather *weather; /**< NULL: calm */
    const struct mf_obstacle
        *obstacle; /**< [obstacles], up to MF_OBSTACLES_MAX; owned by the caller */
    size_t obstacles;
    double clearance_m;  /**< distance of paths from obstacles */
    bool bodies_outside; /**< the caller moves the bodies: mf_search_put() */
    uint64_t seed, variation;
    const struct mf_search_member *members; /**< [member_count]; owned by the caller */
    size_t member_count;
    const struct mf_search_objects *objects; /**< [object_kinds]; owned by the caller */
    size_t object_kinds;
    const struct mf_search_start *starts;   /**< of each object, kind by kind, owned by the caller;
                                               NULL: all by chance, on the ground */
    const struct mf_detection_table *table; /**< measured table; NULL: use UavSim's formulas */
    const struct mf_search_own *own; /**< plug-in, owned by the caller; NULL: all is built in */
};

/** Results of a member, or of the team: UavSim's columns. Negative: undefined, such as the recall
 * of a member that saw nothing. */
struct mf_search_statistics {
    double precision, recall, f1;
    double energy_ns; /**< thrust over time [N s] */
    double covered;   /**< share of the area */
    double spotted;   /**< share of the sought objects */
    /** Number of looks: at sought objects that were reported, at others that were, at sought ones
     * that were not, at others that were not. */
    uint32_t right, wrong, missed, clear;
    uint32_t frames;
};

/** @brief Side of the squares into which the search divides the area: every camera sees one
 * completely [m]. */
double mf_search_edge_m(const struct mf_search_settings *s);

/** @brief Largest memory of a search [bytes]. */
size_t mf_search_bytes(const struct mf_search_settings *s);

/** @brief Place the objects, and plan the paths. @param memory  has mf_search_bytes() left
 * @return the search, in @p memory; NULL: not enough memory, or an area without a point to fly
 * to */
struct mf_search *mf_search_init(const struct mf_search_settings *s, struct mf_memory *memory);

/** @brief Set the first paths of an own plan, before the first step. @return false:
 * mf_search_error() */
bool mf_search_begin(struct mf_search *q);

/** @brief Run one step. @return false: all paths have ended, or mf_search_error() */
bool mf_search_step(struct mf_search *q);

/** @brief Add goals to a member's path. Each must lie within the area, or at the station.
 * @return MF_E_OK; MF_E_RANGE, MF_E_FULL: mf_search_error() says why, and the search is over */
int mf_search_go(struct mf_search *q, size_t member, enum mf_search_where where,
                 const struct mf_mover_goal *goal, size_t goals);

/** @brief True if mf_search_go() would accept one more goal: it lies within the area or at the
 * station, above the ground, and the member's path has room. */
bool mf_search_takes(const struct mf_search *q, size_t member, const struct mf_mover_goal *goal);

/** @brief Reports of a member in the last step. @return their number */
size_t mf_search_reports(const struct mf_search *q, size_t member, const struct mf_en **report);

/** @brief Reason for the end of the search. @return NULL: it can continue */
const char *mf_search_error(const struct mf_search *q);
/** @brief Set the state of an outside body at the time of the next step. The caller sets every body
 * before each step. */
void mf_search_put(struct mf_search *q, size_t member, struct mf_enu pos_m, struct mf_enu vel_mps,
                   struct mf_enu heading);

/** @brief Number of steps run. */
uint64_t mf_search_steps(const struct mf_search *q);

/** @brief Present state of a member's body. */
struct mf_mover_thrust mf_search_member(const struct mf_search *q, size_t member);

/** @brief Rectangle on the ground that a member's camera sees now. */
struct mf_coverage_frame mf_search_frame(const struct mf_search *q, size_t member);

/** @brief Raster of seen places; NULL: none. mf_search_seen() is true if a member has seen the
 * middle of a cell. */
const struct mf_coverage_grid *mf_search_raster(const struct mf_search *q);
bool mf_search_seen(const struct mf_search *q, uint32_t column, uint32_t row);

/** @brief Thrust over time so far [N s]; negative: undefined. */
double mf_search_energy_ns(const struct mf_search *q, size_t member);

/** @brief Present place of an object; kinds follow one after the other. @param spotted  out: a
 * member has reported it */
struct mf_en mf_search_object(const struct mf_search *q, size_t i, bool *spotted);

/** @brief Present height of an object above the ground [m]; negative: below it. */
double mf_search_object_up_m(const struct mf_search *q, size_t i);

/** @brief Number of points that a member has still to reach. */
size_t mf_search_points_left(const struct mf_search *q, size_t member);

/** @brief Point @p i, from 0, of those that a member has still to reach. */
struct mf_mover_goal mf_search_point(const struct mf_search *q, size_t member, size_t i);

/** @brief Number of points that the plan dropped: within an obstacle, outside the area, or without
 * a way. */
uint32_t mf_search_refused(const struct mf_search *q);

/** @brief Results of a member; of the team if @p member is member_count. */
struct mf_search_statistics mf_search_statistics(const struct mf_search *q, size_t member);

#endif
