/* SPDX-License-Identifier: Apache-2.0 */
/** Links come and go. */
#ifndef MF_FIRMWARE_ATTACH_H
#define MF_FIRMWARE_ATTACH_H

#include "firmware/state/link.h"

struct mf_vehicle;

/**
 * @brief Attach a peer, between two steps. The vehicle runs what is due; a HEARTBEAT and one set of
 * all streams leave.
 * @param serial       copied; its context must live until mf_link_close()
 * @param name         for logs, such as "tcp 127.0.0.1:40312"; must live as long
 * @param interval_us  [MF_STREAM_COUNT] interval of each stream [us], MF_STREAM_OFF for none; must
 * live as long and not change; links may share it
 * @return index of the link, or MF_E_FULL
 */
int mf_link_open(struct mf_vehicle *v, const struct mf_serial *serial, const char *name,
                 const int32_t *interval_us);

/** @brief The device of an open link, which may be exchanged for another view of the same peer. */
struct mf_serial *mf_link_serial(struct mf_vehicle *v, int index);

/** @brief Detach a peer; its transfers end. */
void mf_link_close(struct mf_vehicle *v, int index);

#endif
