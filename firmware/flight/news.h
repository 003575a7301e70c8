/* SPDX-License-Identifier: Apache-2.0 */
/** What changed leaves at once, on every link: the messages of MF_NEWS_LIST, and HEARTBEAT. */
#ifndef MF_FIRMWARE_NEWS_H
#define MF_FIRMWARE_NEWS_H

#include "firmware/state/link.h"

struct mf_link;

struct mf_vehicle;

/** @brief A change that must be seen at once, on every open link. What a link was told at this
 * instant already is not said again: mf_links_tell(). Not for HEARTBEAT: mf_announce(). */
void mf_news_tell(struct mf_vehicle *v, enum mf_news news, mf_us_t now_us);

/** @brief The same where a client waits for the message as its answer: always sent. */
void mf_news_send(struct mf_vehicle *v, enum mf_news news, mf_us_t now_us);

/** @brief HEARTBEAT, EXTENDED_SYS_STATE and CURRENT_MODE on every link, now: after a change of
 * mode, arming or landing. */
void mf_announce(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Each HEARTBEAT that is due comes so much later, or earlier, but not before now. */
void mf_heartbeat_shift(struct mf_vehicle *v, mf_us_t now_us, mf_us_t by_us);

/** @brief The first HEARTBEAT of a link that was just opened. */
void mf_heartbeat_start(struct mf_vehicle *v, struct mf_link *link);

/* Tasks: HEARTBEAT one second after the last one, on whichever clock that comes first;
 * none without links. */
mf_us_t mf_heartbeat_run(struct mf_vehicle *v, mf_us_t due_us);
mf_us_t mf_heartbeat_wall_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
