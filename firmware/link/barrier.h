/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Barriers: a client holds vehicle time, lets it run for a while or up to the next event, and holds
 * it again, so that it misses nothing at any speed. docs/time.md has the contract.
 *
 * MAV_CMD_USER_1, param1 says what (enum mf_barrier_action), param2 how long [s of vehicle time].
 * RUN and EVENT are acknowledged IN_PROGRESS at once and ACCEPTED when time stands still again.
 */
#ifndef MF_FIRMWARE_BARRIER_H
#define MF_FIRMWARE_BARRIER_H

#include "firmware/state/barrier.h"
#include "hal/types.h"

struct mf_vehicle;
struct mf_link;
struct mf_peer;

/** @brief The client of a link that was just opened holds nothing. */
void mf_barrier_clear(struct mf_vehicle *v, const struct mf_link *link);

/** @brief Serve the command. @return MF_E_OK, MF_E_PROGRESS; MF_E_NOSUPP: the clock cannot be held;
 * MF_E_RANGE: no such action, or a time that is negative or not finite */
int mf_barrier_command(struct mf_vehicle *v, struct mf_peer from, float action, float seconds,
                       mf_us_t now_us);

/** @brief End a pass: clients that waited for this instant get their message, and hold time. */
void mf_barriers_settle(struct mf_vehicle *v);

/** @brief Latest vehicle time that all barriers permit. @param event_us  time of the next event
 * @return MF_NEVER: no client limits time */
mf_us_t mf_barriers_limit(const struct mf_vehicle *v, mf_us_t event_us);

/** @brief Is there any barrier? */
bool mf_barriers_exist(const struct mf_vehicle *v);

#endif
