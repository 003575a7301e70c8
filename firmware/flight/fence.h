/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The geofence: polygons and circles of the fence in the store, and GF_MAX_HOR_DIST and
 * GF_MAX_VER_DIST around home.
 *
 * Inside is: in at least one inclusion zone, if there is any; in no exclusion zone; not farther
 * from home and not higher above it than the parameters say. GF_ACTION 0 switches the watch off;
 * whether a mission stays inside is looked at all the same, as in PX4. GF_SOURCE has no effect: the
 * estimate is what the receiver says. A leash (mf_vehicle_leash()) takes the place of
 * GF_MAX_HOR_DIST where neither a zone nor a parameter bounds the plane.
 *
 * The watch is a task that knows when the present plan leads out, or in again, and sleeps until
 * then. With GF_PREDICT it acts as early as it must to stop in front of the border, by PX4's
 * formula for the braking distance, and if it holds, holds there. Source: PX4 geofence.cpp,
 * navigator.
 */
#ifndef MF_FIRMWARE_FENCE_H
#define MF_FIRMWARE_FENCE_H

#include "firmware/state/datum.h"
#include "firmware/state/fence.h"
#include "firmware/state/mission.h"
#include "hal/hal.h"

struct mf_vehicle;

/** @brief At boot: no zones, and inside. */
void mf_fence_init(struct mf_fence *f);

/** @brief The fence is what the store holds. Its survey is as before: the caller makes a
 * new one. */
void mf_fence_load(struct mf_fence *f, const struct mf_hal *hal);

/* ---- one place ---- */

/** @brief A place as the watch sees it: the leash counts, too. @param pace  how fast it can become
 * another */
struct mf_fence_view mf_fence_view_at(const struct mf_bounds *b, struct mf_geo here,
                                      double alt_amsl_m, const struct mf_speeds *pace);

/** @brief The same of the place alone. @return bits of enum mf_breach, 0: inside */
unsigned mf_fence_breach_at(const struct mf_bounds *b, struct mf_geo here, double alt_amsl_m);

/** @brief May a user send the vehicle there? Always if GF_ACTION is 0 or 1, as in PX4. @param to
 * what is not finite stays as @p pose has it */
bool mf_fence_allows(const struct mf_bounds *b, const struct mf_pose *pose,
                     const struct mf_target *to);

/** @brief The first item of a mission that lies outside, -1 none. O(items of the mission * items
 * of the fence) */
int32_t mf_fence_astray(const struct mf_bounds *b, const struct mf_datum *datum,
                        const struct mf_mission *m);

/* ---- the whole ---- */

/** @brief Is there a fence, and is it watched? */
bool mf_fence_watched(const struct mf_bounds *b);

/** @brief Is there a limit around home? */
bool mf_fence_is_limited(const struct mf_bounds *b);

/** @brief Why the fence keeps the vehicle from being armed. @return "" if it does not;
 * static text */
const char *mf_fence_denial(const struct mf_bounds *b);

/** @brief What a breach is called. @param breach  bits of enum mf_breach, not none
 * @return static */
const char *mf_fence_text(unsigned breach);

/* ---- of a vehicle (fence_watch.c) ---- */

/** @brief Is there a breach at @p due_us? mf_fence.breach says so; what follows from it is
 * mf_fence_run()'s. @return next instant at which the present plan crosses the border */
mf_us_t mf_fence_look(struct mf_vehicle *v, mf_us_t due_us);

/** @brief Task: breaches. @return next instant at which the present plan crosses the border */
mf_us_t mf_fence_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
