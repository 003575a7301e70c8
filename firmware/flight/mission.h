/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Missions: items behind the store, and how far the active one has come.
 *
 * Items are kept as they came, floats as bits, and go back the same (protocol/mission_io.h). A new
 * mission becomes the active one at once with its last item; until then the old one stays.
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

/** The beginning of the texts of mf_mission_feasible(). */
#define MF_MISSION_REJECTED "Mission rejected: "

struct mf_vehicle;

/** @brief Take up what the store holds. */
void mf_mission_load(struct mf_vehicle *v);

/** @brief Look through the items: what mf_mission.survey says. O(items). @param in_air  is the
 * vehicle? @param px4  deny the items that PX4 denies */
void mf_mission_survey(struct mf_mission *m, const struct mf_datum *datum, bool in_air, bool px4);

/** @brief Can the active mission be flown from this home? O(1): the items were looked through when
 * they came.
 * @param why  out, if not: "Mission rejected: ...", ready for a STATUSTEXT */
bool mf_mission_feasible(const struct mf_mission *m, const struct mf_bounds *b,
                         struct mf_text *why);

/** @brief Say what is wrong with a mission that was just uploaded, if anything: why it is rejected,
 * or that a waypoint is lower than home. O(items). */
void mf_mission_judge(struct mf_vehicle *v);

/** @brief MISSION_MODE of MISSION_CURRENT: is a mode that of a mission, or does it count as part of
 * one, as PX4's take-off and landing do? */
bool mf_mission_mode_active(enum mf_mode mode);

/** @brief MISSION_STATE of MISSION_CURRENT: 1 none or infeasible, 2 nothing reached yet, 3 active
 * (armed, in a mode that counts), 4 paused, 5 complete. */
uint8_t mf_mission_state(const struct mf_vehicle *v);

/** @brief The store has another mission now, or none: its progress begins with item @p current.
 * Tells every link and the navigator. */
void mf_mission_replaced(struct mf_vehicle *v, uint16_t current, mf_us_t now_us);

/** @brief Make @p seq the current item; of a finished mission, another run begins. Tells every link
 * and the navigator.
 * @return MF_E_OK, MF_E_RANGE */
int mf_mission_set_current(struct mf_vehicle *v, uint16_t seq, mf_us_t now_us);

/** @brief The navigator has done item @p seq: MISSION_ITEM_REACHED on every link, once. Call it
 * once per item done. */
void mf_mission_reached(struct mf_vehicle *v, uint16_t seq, mf_us_t now_us);

#endif
