/* SPDX-License-Identifier: Apache-2.0 */
/** Messages that are sent at once on all links after a change: those of MF_NEWS_LIST, and
 * HEARTBEAT. */
#ifndef MF_FIRMWARE_NEWS_H
#define MF_FIRMWARE_NEWS_H

#include "firmware/state/link.h"

struct mf_link;

struct mf_vehicle;

/** @brief Send a changed message on each open link, at once. A link that has received it at this
 * instant is left out: mf_links_tell(). Not for HEARTBEAT: mf_announce(). */
void mf_news_tell(struct mf_vehicle *v, enum mf_news news, mf_us_t now_us);

/** @brief Send a message on each open link in any case, since a client waits for it as its
 * answer. */
void mf_news_send(struct mf_vehicle *v, enum mf_news news, mf_us_t now_us);

/** @brief Send HEARTBEAT, EXTENDED_SYS_STATE and CURRENT_MODE on all links, now: after a change of
 * mode, arming or landing. */
void mf_announce(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Shift each due time of a HEARTBEAT, but not to a time before now. */
void mf_heartbeat_shift(struct mf_vehicle *v, mf_us_t now_us, mf_us_t by_us);

/** @brief Send the first HEARTBEAT of a link that was just opened. */
void mf_heartbeat_start(struct mf_vehicle *v, struct mf_link *link);

/* Tasks: send HEARTBEAT one second after the last one, on the clock on which that is earlier;
 * without links they sleep. */
mf_us_t mf_heartbeat_run(struct mf_vehicle *v, mf_us_t due_us);
mf_us_t mf_heartbeat_wall_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
