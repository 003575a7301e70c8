/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Is a ground station there? Its HEARTBEAT says so, on whatever link. It is lost when it was silent
 * for COM_DL_LOSS_T (silence.h).
 *
 * Source: PX4 commander, data link check: one ground station on any link is enough, and a vehicle
 * that never heard one has not lost one.
 */
#ifndef MF_FIRMWARE_GCS_H
#define MF_FIRMWARE_GCS_H

#include "firmware/state/gcs.h"
#include "firmware/state/silence.h"
#include "hal/clock.h"

struct mf_vehicle;
struct mf_link;

/** @brief At boot: none was heard, and none is lost. */
void mf_gcs_init(struct mf_gcs *g);

/** @brief A ground station was heard. @return true: it had been lost, and is back */
bool mf_gcs_hear(struct mf_gcs *g, struct mf_heard heard);

/** @brief There was a ground station, and it is lost. What follows from it is the failsafe's, which
 * is told at the instant of the loss, and when one is heard again.
 * @param since_us  out: vehicle time of the loss, MF_NEVER if none is lost; may be NULL */
bool mf_gcs_lost(const struct mf_gcs *g, mf_us_t *since_us);

/** @brief Has it been silent for too long? Then it is lost, as of @p now.vehicle_us.
 * @param timeout_us  COM_DL_LOSS_T, > 0
 * @param due_us      transport time at which the question was due
 * @return transport time to ask again; MF_NEVER: not before one is heard */
mf_us_t mf_gcs_look(struct mf_gcs *g, const struct mf_now *now, mf_us_t timeout_us, mf_us_t due_us);

/** @brief A ground station's HEARTBEAT came on @p link at vehicle time @p now_us. */
void mf_gcs_heard(struct mf_vehicle *v, struct mf_link *link, mf_us_t now_us);

/** @brief Part of the links' task, on transport time. @return when to look again */
mf_us_t mf_gcs_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
