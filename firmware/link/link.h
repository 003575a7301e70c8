/* SPDX-License-Identifier: Apache-2.0 */
/** Links: one per peer. Bytes in to frames in to handlers; messages out to frames out, with the
 * link's own sequence. */
#ifndef MF_FIRMWARE_LINK_H
#define MF_FIRMWARE_LINK_H

#include "firmware/state/download.h"
#include "firmware/state/link.h"
#include "firmware/state/route.h"
#include "firmware/state/shell.h"
#include "firmware/state/stream.h"
#include "hal/serial.h"
#include "mavlink/frame.h"

struct mf_hal;
struct mf_vehicle;

/** @brief A link to a peer that appears: nothing was sent or heard on it.
 * @param serial   copied  @param name  lives as long as the link
 * @param version  of MAVLink, 1 or 2: of outgoing frames until the peer shows that it knows 2 */
void mf_link_init(struct mf_link *link, const struct mf_serial *serial, const char *name,
                  uint8_t version);

/** @brief The message id of a piece of news. */
uint32_t mf_news_msgid(enum mf_news news);

/** @brief A peer of an open link, to be kept. */
struct mf_client mf_client_of(const struct mf_vehicle *v, struct mf_peer peer);

/** @brief The peer that was kept; its link must not have been closed since. */
struct mf_peer mf_client_peer(const struct mf_vehicle *v, struct mf_client client);

/** @brief Are both the same sender on the same link? */
static inline bool mf_client_is(struct mf_client a, struct mf_client b)
{
    return a.link == b.link && a.sysid == b.sysid && a.compid == b.compid;
}

/** @brief Frame and queue one message (`struct mf_msg_<name>` of @p msgid). @return false: the link
 * lacks room; counted */
bool mf_link_send(struct mf_vehicle *v, struct mf_link *link, uint32_t msgid, const void *msg);

/** @brief Send a message of MF_NEWS_LIST because of a change: it is left out if the link has sent
 * this content at this instant, since a client that waits for a value counts a repetition as a
 * second event. @return false: the link lacks room */
bool mf_link_tell(struct mf_vehicle *v, struct mf_link *link, uint32_t msgid, const void *msg);

/** @brief Send a message in a stream's turn, as mf_link_tell() does, but leave it out also if its
 * content was sent as a change at most @p within_us of vehicle time ago. */
bool mf_link_repeat(struct mf_vehicle *v, struct mf_link *link, uint32_t msgid, const void *msg,
                    mf_us_t within_us);

/** @brief An answer to @p to: on its link; where PX4's rules hold, on every link on which it was
 * seen. */
void mf_link_answer(struct mf_vehicle *v, struct mf_peer to, uint32_t msgid, const void *msg);

/** @brief Send one message on every open link. */
void mf_links_send(struct mf_vehicle *v, uint32_t msgid, const void *msg);

/** @brief Send a change on every open link, at most once per link at this instant: mf_link_tell().
 * @return true: each link has sent it now; false: one had sent it already, or lacks room */
bool mf_links_tell(struct mf_vehicle *v, uint32_t msgid, const void *msg);

/** @brief Call @p run for every open link, in order. @return did one of them return true? */
bool mf_links_run_each(struct mf_vehicle *v, bool (*run)(struct mf_vehicle *, struct mf_link *));

/** @brief Write the counters of a link to the log. */
void mf_link_log(const struct mf_hal *hal, const struct mf_link *link, mf_us_t now_us);

/** @brief Write the counters of every open link to the log, because the vehicle is about to end. */
void mf_links_log(const struct mf_vehicle *v);

#endif
