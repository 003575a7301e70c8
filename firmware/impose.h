/* SPDX-License-Identifier: Apache-2.0 */
/** Effects that the board imposes on a vehicle from outside: a reason that denies arming (a key
 * that is turned off), sticks whose receiver reports the loss of its transmitter, a test bench's
 * leash. */
#ifndef MF_FIRMWARE_IMPOSE_H
#define MF_FIRMWARE_IMPOSE_H

#include "firmware/state/impose.h"
#include "hal/types.h"

struct mf_vehicle;

/* Each call is about the present vehicle time @p now_us and holds until the next one of
 * its kind. */

/** @brief Deny arming. @param reason  text for clients, at most MF_DENIAL_MAX with its NUL (the
 * rest is cut off); "": allow it */
void mf_vehicle_deny_arming(struct mf_vehicle *v, const char *reason);

/** @brief The receiver of sticks has lost its transmitter, or has it back. While it is lost nothing
 * that clients send as sticks counts. */
void mf_vehicle_lose_rc(struct mf_vehicle *v, mf_us_t now_us, bool lost);

/** @brief Show no home, and do not return there; one that is set meanwhile is shown afterwards. */
void mf_vehicle_hide_home(struct mf_vehicle *v, mf_us_t now_us, bool hide);

/** @brief HEARTBEAT: none at all, or @p late_us more than a second after the last one. */
void mf_vehicle_pace_heartbeat(struct mf_vehicle *v, mf_us_t now_us, bool silent, mf_us_t late_us);

/** @brief Something other than the vehicle may move it: where neither GF_MAX_HOR_DIST nor an
 * inclusion zone keeps it in, this distance from home does [m]. 0: nothing moves it. */
void mf_vehicle_leash(struct mf_vehicle *v, float radius_m);

/** @brief Plan again, if the vehicle flies to a place: something else than the vehicle has moved
 * the body, or begins or ends to move it. */
void mf_vehicle_moved(struct mf_vehicle *v, mf_us_t now_us);

#endif
