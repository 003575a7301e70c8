/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Missions: the active mission, its check and its progress. The store has its items as they were
 * uploaded, with floats as bits, and sends them back unchanged (protocol/mission_io.h). A new
 * mission becomes active with its last item; until then the old one stays active.
 */
#ifndef MF_FIRMWARE_MISSION_H
#define MF_FIRMWARE_MISSION_H

#include "firmware/state/datum.h"
#include "firmware/state/fence.h"
#include "firmware/state/items.h"
#include "firmware/state/limits.h"
#include "firmware/state/link.h"
#include "firmware/state/mission.h"
#include "firmware/state/mode.h"
#include "firmware/state/text.h"
#include "math/geodesic.h"

/** Beginning of the texts of mf_mission_feasible(). */
#define MF_MISSION_REJECTED "Mission rejected: "

struct mf_vehicle;

/** @brief Load the mission that the store has. */
void mf_mission_load(struct mf_vehicle *v);

/** @brief Examine the items, and write mf_mission.survey. O(items). @param in_air  true: the
 * vehicle flies @param px4  deny the items that PX4 denies */
void mf_mission_survey(struct mf_mission *m, const struct mf_datum *datum, bool in_air, bool px4);

/** @brief True if the active mission can be flown from the present home. O(1): the items were
 * examined when they arrived.
 * @param why  out: reason if not, "Mission rejected: ...", ready for a STATUSTEXT */
bool mf_mission_feasible(const struct mf_mission *m, const struct mf_bounds *b,
                         struct mf_text *why);

/** @brief Report the fault of a mission that was just uploaded, if any: the reason of its
 * rejection, or a waypoint lower than home. O(items). */
void mf_mission_judge(struct mf_vehicle *v);

/** @brief MISSION_MODE of MISSION_CURRENT: true if a mode is that of a mission, or counts as part
 * of one, as PX4's take-off and landing do. */
bool mf_mission_mode_active(enum mf_mode mode);

/** @brief MISSION_STATE of MISSION_CURRENT: 1 none or infeasible, 2 nothing reached yet, 3 active
 * (armed, in a mode that counts), 4 paused, 5 complete. */
uint8_t mf_mission_state(const struct mf_vehicle *v);

/** @brief Note that the store has another mission now, or none: its progress begins with item @p
 * current. Tells all links and the navigator. */
void mf_mission_replaced(struct mf_vehicle *v, uint16_t current, mf_us_t now_us);

/** @brief Make @p seq the current item; a finished mission starts again. Tells all links and the
 * navigator.
 * @return MF_E_OK, MF_E_RANGE */
int mf_mission_set_current(struct mf_vehicle *v, uint16_t seq, mf_us_t now_us);

/** @brief Note that the navigator has completed item @p seq, and send MISSION_ITEM_REACHED on all
 * links. Called once per completed item. */
void mf_mission_reached(struct mf_vehicle *v, uint16_t seq, mf_us_t now_us);

#endif
