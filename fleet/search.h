/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A team that searches an area for small objects: bodies that fly a plan, cameras that look down,
 * reports that change the plan. After UavSim (Rhodes and others), whose published figures come out
 * with `compat`.
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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** How a team flies; word of the scenario. */
#define MF_SEARCH_PLAN_LIST(X)                                      \
    X(BCD, "bcd")     /* over each square of the area */            \
    X(AVBCD, "avbcd") /* ... and down to what it reports, and on */ \
    X(BDBCD, "bdbcd") /* ... while one member visits what the others report */

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
    uint64_t seed, variation;
    const struct mf_search_member *members; /**< [member_count]; stays the caller's */
    size_t member_count;
    const struct mf_search_objects *objects; /**< [object_kinds]; stays the caller's */
    size_t object_kinds;
};

/** What became of a member, or of all: UavSim's columns. Negative: undefined, as a recall of
 *  nothing. */
struct mf_search_statistics {
    double precision, recall, f1;
    double energy_ns; /**< thrust over time [N s] */
    double covered;   /**< part of the area */
    double spotted;   /**< part of the objects sought */
    uint32_t frames;
};

struct mf_search;

/** @brief Side of the squares that the area is divided into: what all cameras see at once [m]. */
double mf_search_edge_m(const struct mf_search_settings *s);

/** @brief Bytes that a search needs at most. */
size_t mf_search_bytes(const struct mf_search_settings *s);

/** @brief Place the objects, plan the paths. @param memory  has mf_search_bytes() left
 *  @return in @p memory; NULL: no room there, or an area without a point to fly to */
struct mf_search *mf_search_init(const struct mf_search_settings *s, struct mf_memory *memory);

/** @brief One step. @return false: nobody has anywhere to go any more */
bool mf_search_step(struct mf_search *q);

/** @brief Steps so far. */
uint64_t mf_search_steps(const struct mf_search *q);

/** @brief Where a member is. */
struct mf_mover_thrust mf_search_member(const struct mf_search *q, size_t member);

/** @brief Points that a member has still to reach. */
size_t mf_search_points_left(const struct mf_search *q, size_t member);

/** @brief Figures of a member; of the team if @p member is member_count. */
struct mf_search_statistics mf_search_statistics(const struct mf_search *q, size_t member);

#endif
