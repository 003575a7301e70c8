/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Is a ground station there? Its HEARTBEAT says so, on whatever link. It is lost when it was silent
 * for COM_DL_LOSS_T (silence.h).
 */
#ifndef MF_FIRMWARE_GCS_H
#define MF_FIRMWARE_GCS_H

#include "firmware/state/gcs.h"
#include "firmware/state/silence.h"

struct mf_vehicle;
struct mf_link;

void mf_gcs_init(struct mf_vehicle *v);

/** @brief A ground station's HEARTBEAT came at vehicle time @p now_us. */
void mf_gcs_heard(struct mf_vehicle *v, struct mf_link *link, mf_us_t now_us);

/** @brief There was a ground station, and it is lost. What follows from it is the failsafe's, which
 * is told at the instant of the loss, and when one is heard again.
 * @param since_us  out: vehicle time of the loss; may be NULL */
bool mf_gcs_lost(const struct mf_vehicle *v, mf_us_t *since_us);

/** @brief Part of the links' task, on transport time. @return when to look again */
mf_us_t mf_gcs_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
