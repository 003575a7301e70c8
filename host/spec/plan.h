/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Flight plans as text: QGroundControl's .plan files, waypoint files in text ("QGC WPL 110"), and
 * items in the form of the control API.
 *
 * A .plan is JSON: `mission.items` holds SimpleItems (one MAVLink mission item each; null is NaN)
 * and ComplexItems (surveys, corridor scans), whose generated items are in
 * TransectStyleComplexItem.Items. The reader converts the items, `geoFence` and `rallyPoints` into
 * MISSION_ITEM_INT, as QGroundControl sends them.
 *
 * A waypoint file has a line "QGC WPL 110", then for each item, with blanks or tabs between them:
 * index, current, frame, command, param1 to param4, latitude, longitude, altitude, autocontinue.
 * Empty lines, and those that begin with '#', are skipped. The item of index 0 is home (enum
 * mf_plan_home).
 *
 * The control API's form is {"items": [{command, frame, param: [4], lat_deg, lon_deg, alt_m}]}: the
 * answer to GET /v1/mission.
 *
 * Sources: QGroundControl developer guide, "Plan file format"; MAVLink developer guide, "File
 * formats".
 */
#ifndef MF_HOST_SPEC_PLAN_H
#define MF_HOST_SPEC_PLAN_H

#include "math/geodesic.h"
#include "mavlink/message.h"

/** Maximum number of items of a plan; PX4's own limit. */
#define MF_PLAN_MAX 10000u
/** Maximum number of corners and circles of the geofence, and of rally points. */
#define MF_PLAN_FENCE_MAX 1000u
#define MF_PLAN_RALLY_MAX 256u
/** Value of MISSION_ITEM_INT.x or .y that means "not given". */
#define MF_PLAN_NOT_GIVEN INT32_MAX

/** A plan. About 500 kB: keep it off the stack. */
struct mf_plan {
    struct mf_msg_mission_item_int
        item[MF_PLAN_MAX]; /**< seq as in the file; DO_JUMP targets are indices */
    uint16_t count;
    bool has_home; /**< home is the place for which the plan was made */
    struct mf_geo home;
    double home_alt_m; /**< AMSL; NaN: not in the file */
    double cruise_mps; /**< planned speed of a plane; NaN: not in the file */
    double hover_mps;  /**< planned speed of a multicopter; NaN: not in the file */
    struct mf_msg_mission_item_int fence[MF_PLAN_FENCE_MAX]; /**< corner by corner, then circles */
    uint16_t fence_count;
    struct mf_msg_mission_item_int rally[MF_PLAN_RALLY_MAX];
    uint16_t rally_count;
    uint16_t jump_id[MF_PLAN_MAX]; /**< while reading: the file's number of each item */
};

/** Rules that decide if the first item of a waypoint file is home. */
enum mf_plan_home {
    MF_PLAN_HOME_SEEN,  /**< if its index is 0, its frame 0 (AMSL), it is a waypoint, and another
                           item follows */
    MF_PLAN_HOME_FIRST, /**< the first item is always home */
    MF_PLAN_HOME_NONE,  /**< the first item is never home, as in MAVSDK */
};

/** @brief Read "first" or "none". @param word  [n]  @return false, and MF_PLAN_HOME_SEEN: another
 * word */
bool mf_plan_home_named(const char *word, size_t n, enum mf_plan_home *home);

/** @brief Read a plan.
 * @param text  [n] and a NUL; a byte order mark before it is skipped
 * @param home  rule for a waypoint file; other files contain their home
 * @param plan  out: undefined on error
 * @param error  out: one line: "LINE:COLUMN: what" or "place: what", on error
 * @return MF_E_OK, or MF_E_RANGE */
int mf_plan_read(const char *text, size_t n, enum mf_plan_home home, struct mf_plan *plan,
                 char *error, size_t error_size);

/** @brief True if a MAV_FRAME is one of latitude, longitude and altitude. */
bool mf_plan_is_global(uint16_t frame);

#endif
