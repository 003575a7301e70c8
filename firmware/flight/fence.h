/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Geofence: polygons and circles of the fence in the store, and GF_MAX_HOR_DIST and GF_MAX_VER_DIST
 * around home.
 *
 * A place is inside if it is in at least one inclusion zone (unless the fence has only exclusion
 * zones), in no exclusion zone, and within the distances and heights of the parameters from home.
 * GF_ACTION 0 switches the watch off; missions are still checked, as in PX4. GF_SOURCE is ignored:
 * the fence uses the estimate, which follows the receiver. A leash (mf_vehicle_leash()) replaces
 * GF_MAX_HOR_DIST if neither a zone nor a parameter bounds the plane.
 *
 * The watch is a task that computes when the present plan leads out, or in again, and sleeps until
 * then. With GF_PREDICT it acts early enough for the vehicle to stop before the border, by PX4's
 * formula for the braking distance, and a Hold then holds there. Source: PX4 geofence.cpp,
 * navigator.
 */
#ifndef MF_FIRMWARE_FENCE_H
#define MF_FIRMWARE_FENCE_H

#include "firmware/state/datum.h"
#include "firmware/state/fence.h"
#include "firmware/state/mission.h"
#include "hal/hal.h"

struct mf_vehicle;

/** @brief Initialize at boot: no zones, and the vehicle is inside. */
void mf_fence_init(struct mf_fence *f);

/** @brief Load the fence from the store. The survey does not change: the caller makes a new one. */
void mf_fence_load(struct mf_fence *f, const struct mf_hal *hal);

/* ---- one place ---- */

/** @brief View of a place for the watch: with the leash. @param pace  highest speeds at which the
 * place can change */
struct mf_fence_view mf_fence_view_at(const struct mf_bounds *b, struct mf_geo here,
                                      double alt_amsl_m, const struct mf_speeds *pace);

/** @brief Breaches at a place. @return bits of enum mf_breach; 0: inside */
unsigned mf_fence_breach_at(const struct mf_bounds *b, struct mf_geo here, double alt_amsl_m);

/** @brief True if a user may send the vehicle to a target. Always true with GF_ACTION 0 or 1, as in
 * PX4. @param to  a value that is not finite means that of @p pose */
bool mf_fence_allows(const struct mf_bounds *b, const struct mf_pose *pose,
                     const struct mf_target *to);

/** @brief Find the first item of a mission that is outside; -1: all are inside. O(items of the
 * mission * items of the fence) */
int32_t mf_fence_astray(const struct mf_bounds *b, const struct mf_datum *datum,
                        const struct mf_mission *m);

/* ---- the whole ---- */

/** @brief True if there is a fence, and it is watched. */
bool mf_fence_watched(const struct mf_bounds *b);

/** @brief True if a parameter limits the distance from home. */
bool mf_fence_is_limited(const struct mf_bounds *b);

/** @brief Reason for which the fence does not let the vehicle arm. @return static text; "": it
 * does */
const char *mf_fence_denial(const struct mf_bounds *b);

/** @brief Text of a breach. @param breach  bits of enum mf_breach, at least one @return static */
const char *mf_fence_text(unsigned breach);

/* ---- of a vehicle (fence_watch.c) ---- */

/** @brief Look for a breach at @p due_us, as mf_fence.breach; mf_fence_run() acts on it. @return
 * next instant at which the present plan crosses the border */
mf_us_t mf_fence_look(struct mf_vehicle *v, mf_us_t due_us);

/** @brief Task: acts on breaches. @return next instant at which the present plan crosses the
 * border */
mf_us_t mf_fence_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
