/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/flight/mission.h, without functions. */
#ifndef MF_FIRMWARE_STATE_MISSION_H
#define MF_FIRMWARE_STATE_MISSION_H

#include "firmware/state/datum.h"
#include "firmware/state/fence.h"
#include "firmware/state/items.h"
#include "firmware/state/limits.h"
#include "firmware/state/link.h"
#include "firmware/state/mode.h"
#include "firmware/state/text.h"
#include "math/geodesic.h"

/* Faults that make a mission infeasible independently of home: name, text before and after the
 * item's number; NULL: without. */
/* clang-format off */
#define MF_FLAW_LIST(X)                                     \
    X(NONE, "", NULL)                                       \
    X(UNREADABLE, "item ", " cannot be read")               \
    X(INVALID, "item ", " is invalid")                      \
    X(TAKEOFF, "takeoff not first waypoint item", NULL)     \
    X(DATUM, "item ", " is " MF_DATUM_NONE)                 \
    X(TERRAIN, "item ", " is " MF_DATUM_NO_GROUND)
/* clang-format on */

enum mf_flaw {
#define X(name, before, after) MF_FLAW_##name,
    MF_FLAW_LIST(X)
#undef X
};

/** Result of the survey of a mission's items. Item indices; -1: none. */
struct mf_mission_survey {
    uint8_t flaw;       /**< enum mf_flaw */
    bool in_air;        /**< the vehicle was, when it looked: what a mission needs depends on it */
    int32_t flaw_seq;   /**< the item that has it */
    int32_t first;      /**< first item that moves the vehicle */
    int32_t place;      /**< first of those, take-offs aside, that has a position */
    int32_t relative;   /**< first of those whose altitude is above home */
    int32_t takeoff;    /**< first take-off */
    int32_t land;       /**< first landing */
    int32_t land_start; /**< first item of the way to it: DO_LAND_START before it, or itself */
};

/** Has a mission been flown since it came? */
enum mf_run {
    MF_RUN_NONE,
    MF_RUN_BEGUN,
    MF_RUN_DISARMED, /**< and the vehicle was disarmed since */
};

/** Progress of the active mission. */
struct mf_mission {
    uint32_t tag; /**< opaque id of the active mission */
    uint32_t fence_tag;
    uint32_t rally_tag;
    uint16_t count;   /**< items of the active mission */
    uint16_t current; /**< index of the item flown, or to be flown next */
    int32_t reached;  /**< index last reached, -1 none */
    bool finished;    /**< the last item is done */
    uint8_t run;      /**< enum mf_run */
    bool resumes; /**< its mode began once since a client chose its present item, or uploaded it */
    struct {
        uint16_t seq;
        uint16_t done;
    } jump[MF_JUMPS_MAX]; /**< counters of DO_JUMP items */
    struct mf_mission_survey survey;
};

#endif
