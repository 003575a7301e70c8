/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The geofence: polygons and circles of the fence in the store, and GF_MAX_HOR_DIST and
 * GF_MAX_VER_DIST around home.
 *
 * Inside is: in at least one inclusion zone, if there is any; in no exclusion zone; not farther from
 * home and not higher above it than the parameters say. GF_ACTION 0 switches the watch off; whether
 * a mission stays inside is looked at all the same, as in PX4. GF_SOURCE has no effect: the estimate
 * is what the receiver says. A leash (mf_vehicle_leash()) takes the place of GF_MAX_HOR_DIST where neither a
 * zone nor a parameter bounds the plane.
 *
 * The watch is a task that knows when the present plan leads out, or in again, and sleeps until
 * then. With GF_PREDICT it acts as early as it must to stop in front of the border, by PX4's formula
 * for the braking distance, and if it holds, holds there. Source: PX4 geofence.cpp, navigator.
 */
#ifndef MF_FIRMWARE_FENCE_H
#define MF_FIRMWARE_FENCE_H

#include "firmware/state/fence.h"
#include "firmware/state/navigator.h"
#include "hal/hal.h"

struct mf_vehicle;
struct mf_item;

/** @brief May this item follow? All vertices of a polygon come one after the other and name their
 * number. @param after  how many items come after it */
bool mf_fence_goes_on(struct mf_fence_part *part, const struct mf_item *item, uint16_t after);

/** @brief Is there a fence, and is it watched? */
bool mf_fence_watched(const struct mf_vehicle *v);

/** @brief The fence is what the store holds. Its survey is as before: the caller makes a new one. */
void mf_fence_load(struct mf_fence *f, const struct mf_hal *hal);

/** @brief The zones or a parameter of the fence changed: looks at the mission again, and the
 * watch begins anew. Says so if the mission can no longer be flown. */
void mf_fence_changed(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Home is somewhere else: the same, if that matters. */
void mf_fence_home_moved(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Look what zones there are and which mission item lies outside. O(items of the mission * items
 * of the fence). */
void mf_fence_survey(struct mf_vehicle *v);

/** @brief May a user send the vehicle there? Always if GF_ACTION is 0 or 1, as in PX4. @param to
 * what is not finite stays as it is */
bool mf_fence_allows(struct mf_vehicle *v, mf_us_t t_us, const struct mf_target *to);

/** @brief How far inside all zones a place is [m], negative outside; without zones very far. */
double mf_fence_depth_m(const struct mf_vehicle *v, struct mf_geo here);

/** @brief Why the fence keeps the vehicle from being armed. @return "" if it does not; static text
 */
const char *mf_fence_denial(const struct mf_vehicle *v);

/** @brief What a breach is called. @param breach  bits of enum mf_breach, not none @return static */
const char *mf_fence_text(unsigned breach);

/** @brief Is there a breach at @p due_us? mf_fence.breach says so; what follows from it is
 * mf_fence_run()'s. @return next instant at which the present plan crosses the border */
mf_us_t mf_fence_look(struct mf_vehicle *v, mf_us_t due_us);

/** @brief Task (fence_watch.c): breaches. @return next instant at which the present plan crosses the border */
mf_us_t mf_fence_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
