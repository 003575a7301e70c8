/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Waypoint files in text, as QGroundControl wrote them before .plan, and MAVProxy and Mission
 * Planner do: a line "QGC WPL 110", then for each item, with blanks or tabs between them: index,
 * current, frame, command, param1 to param4, latitude, longitude, altitude, autocontinue. Source:
 * MAVLink developer guide, "File formats".
 */
#ifndef MF_TOOLS_FLY_WPL_H
#define MF_TOOLS_FLY_WPL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/** @brief Does a file begin as one of these? Its position is its begin again. */
bool fly_wpl_is(FILE *file);

/**
 * @brief The file as what a .plan holds, so that one reader judges both: SimpleItems, whose
 * doJumpId is their index.
 *
 * A first item that is current, in frame 0 and a waypoint is home, as these programs write it, and
 * becomes plannedHomePosition, unless it is the only item.
 *
 * @param line  out: that of the mistake
 * @return the root, which the caller owns; NULL: a line has not these twelve numbers
 */
json_t *fly_wpl_read(FILE *file, unsigned *line);

#endif
