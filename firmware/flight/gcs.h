/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Presence of a ground station, which sends HEARTBEAT on any link. It is lost if it has been silent
 * for COM_DL_LOSS_T (silence.h).
 *
 * Source: PX4 commander, data link check: one ground station on any link is enough, and a vehicle
 * that never received one has not lost one.
 */
#ifndef MF_FIRMWARE_GCS_H
#define MF_FIRMWARE_GCS_H

#include "firmware/state/gcs.h"
#include "firmware/state/silence.h"
#include "hal/clock.h"

struct mf_vehicle;
struct mf_link;

/** @brief Initialize at boot: no ground station was present, and none is lost. */
void mf_gcs_init(struct mf_gcs *g);

/** @brief Note a HEARTBEAT of a ground station. @return true: it had been lost, and is back */
bool mf_gcs_hear(struct mf_gcs *g, struct mf_heard heard);

/** @brief True if a ground station was present, and is lost. The failsafe learns it at the instant
 * of the loss, and learns of the next HEARTBEAT.
 * @param since_us  out: vehicle time of the loss, MF_NEVER if none is lost; may be NULL */
bool mf_gcs_lost(const struct mf_gcs *g, mf_us_t *since_us);

/** @brief Check for silence. A ground station that was silent for too long is lost as of @p
 * now.vehicle_us.
 * @param timeout_us  COM_DL_LOSS_T, > 0
 * @param due_us  transport time at which the check was due
 * @return transport time of the next check; MF_NEVER: none before the next HEARTBEAT */
mf_us_t mf_gcs_look(struct mf_gcs *g, const struct mf_now *now, mf_us_t timeout_us, mf_us_t due_us);

/** @brief Process a ground station's HEARTBEAT from @p link at vehicle time @p now_us. */
void mf_gcs_heard(struct mf_vehicle *v, struct mf_link *link, mf_us_t now_us);

/** @brief Part of the links' task, on transport time. @return time of the next check */
mf_us_t mf_gcs_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
