/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/link/link.h"

#include "firmware/core/text.h"
#include "firmware/link/route.h"
#include "firmware/link/signing.h"
#include "firmware/state/vehicle.h"
#include "math/crc32.h"

#include <string.h>

/* Unknown messages are kept, because others may know them: they are passed on. */
void mf_link_init(struct mf_link *link, const struct mf_serial *serial, const char *name,
                  uint8_t version)
{
    MF_ASSERT(serial != NULL && serial->ops != NULL && name != NULL);
    MF_ASSERT(version == 1 || version == 2);
    memset(link, 0, sizeof *link);
    link->open = true;
    link->version = version;
    link->param_next = MF_PARAM_COUNT;
    link->serial = *serial;
    link->gcs_us = MF_NEVER;
    link->parser.keep_unknown = true;
    link->name = name;
    for (size_t i = 0; i < MF_NEWS_COUNT; i++) {
        link->told.ago_us[i] = MF_TOLD_LONG_AGO;
    }
}

/* Write the counters of a link to the log, when it ends at the latest, so that all refusals are
 * visible. Counters that are 0 are left out: most of them are. */
void mf_link_log(const struct mf_hal *hal, const struct mf_link *link, mf_us_t now_us)
{
    MF_ASSERT(link->name != NULL);
    const struct mf_link_stats *s = &link->stats;
    const struct mf_parser_stats *p = &link->parser.stats;
    const struct {
        uint32_t count;
        const char *what;
    } k_line[] = {
        {s->tx_frames, " frames sent"},
        {s->tx_dropped, " not sent"},
        {s->tx_unfit, " not for version 1"},
        {s->tx_forwarded, " passed on"},
        {s->tx_held_back, " not passed on"},
        {s->rx_frames, " received"},
        {s->rx_lost, " lost on the way"},
        {s->rx_unhandled, " of no use"},
        {s->rx_foreign, " for others"},
        {s->rx_rejected, " refused"},
        {s->rx_unsigned, " not signed"},
        {s->rx_bad_signature, " with bad signature"},
        {s->rx_replayed, " replayed"},
        {s->rx_ahead, " ahead of the clock"},
        {p->unknown, " unknown"},
        {p->bad_crc, " with bad checksum"},
        {p->bad_flags, " with bad flags"},
        {p->skipped, " stray bytes"},
    };
    struct mf_text text = mf_text(link->name);
    /* a link that is about to close is closed already when it is logged */
    const char *before = link->open ? ": " : " closed: ";
    for (size_t i = 0; i < sizeof k_line / sizeof k_line[0]; i++) {
        if (k_line[i].count > 0) {
            mf_text_add(&text, before);
            mf_text_add_int(&text, k_line[i].count);
            mf_text_add(&text, k_line[i].what);
            before = ", ";
        }
    }
    mf_log_event(hal, now_us, MF_INFO, "link", text.s);
}

void mf_links_log(const struct mf_vehicle *v)
{
    for (uint16_t i = 0; i < v->links_top; i++) {
        if (v->links[i].open) {
            mf_link_log(&v->hal, &v->links[i], v->now.vehicle_us);
        }
    }
}

/* Eight ids, searched one by one for each message that leaves: cheaper than a mark in the table of
 * all messages. */
static const uint32_t k_news[MF_NEWS_COUNT] = {
#define X(NAME) [MF_NEWS_##NAME] = MF_MSG_##NAME,
    MF_NEWS_LIST(X)
#undef X
};

uint32_t mf_news_msgid(enum mf_news news)
{
    MF_ASSERT((unsigned)news < MF_NEWS_COUNT);
    return k_news[news];
}

/* Find a message in MF_NEWS_LIST. @return enum mf_news, or MF_E_NOENT for most messages */
static int news_of(uint32_t msgid)
{
    for (int i = 0; i < MF_NEWS_COUNT; i++) {
        if (k_news[i] == msgid) {
            return i;
        }
    }
    return MF_E_NOENT;
}

/* Checksum of the payload alone, which is equal on all links: sequence and signature differ.
 * Computed before the frame is signed, so that the payload ends at the checksum. */
static uint32_t payload_check(const uint8_t *frame, size_t n)
{
    const size_t len = frame[1];
    MF_ASSERT(n > len + sizeof(uint16_t));
    return mf_crc32(0, &frame[n - sizeof(uint16_t) - len], len);
}

struct mf_client mf_client_of(const struct mf_vehicle *v, struct mf_peer peer)
{
    MF_ASSERT(peer.link >= v->links && peer.link < v->links + v->link_count);
    return (struct mf_client){(uint16_t)(peer.link - v->links), peer.sysid, peer.compid};
}

struct mf_peer mf_client_peer(const struct mf_vehicle *v, struct mf_client client)
{
    MF_ASSERT(client.link < v->links_top && v->links[client.link].open);
    return (struct mf_peer){&v->links[client.link], client.sysid, client.compid};
}

/* Why a message is sent. */
struct reason {
    bool asked;        /* by a client, or by a clock: always */
    bool change;       /* of what the vehicle does */
    mf_us_t within_us; /* for a stream's turn: highest age of a message that was sent as a change */
};

/* True if a link has received this content already. A client that waits for a state counts each
 * message as news, so a change is sent once, even if several parts of the vehicle report it.
 * Answers to requests are always sent. */
static bool was_told(const struct mf_vehicle *v, const struct mf_told *told, int news,
                     uint32_t check, const struct reason *why)
{
    const uint32_t ago_us = told->ago_us[news];
    const mf_us_t since_us = v->instant_us - told->at_us;
    if (why->asked || told->check[news] != check || ago_us == MF_TOLD_LONG_AGO) {
        return false;
    }
    return ago_us == MF_TOLD_IN_TURN ? since_us <= 0 : since_us + ago_us <= why->within_us;
}

/* Advance the ages of sent messages to the present instant. */
static void grow_older(struct mf_told *told, mf_us_t now_us)
{
    const mf_us_t by_us = now_us - told->at_us;
    if (by_us <= 0) {
        return;
    }
    told->at_us = now_us;
    /* a message in its stream's turn was not a change: it counts at its own instant only */
    for (size_t i = 0; i < MF_NEWS_COUNT; i++) {
        const mf_us_t ago_us = by_us + told->ago_us[i];
        told->ago_us[i] = ago_us < MF_TOLD_IN_TURN ? (uint32_t)ago_us : MF_TOLD_LONG_AGO;
    }
}

/* Note a message that has left. One that a full device refused does not count, so its change is
 * sent again. */
static void remember(const struct mf_vehicle *v, struct mf_told *told, int news, uint32_t check,
                     const struct reason *why)
{
    MF_ASSERT(news >= 0 && news < MF_NEWS_COUNT);
    grow_older(told, v->instant_us);
    told->check[news] = check;
    told->ago_us[news] = why->change ? 0 : MF_TOLD_IN_TURN;
}

/* The one way out: every frame of the vehicle's own is numbered, counted and signed here. A number
 * is used only by a frame that left, so that the gaps which clients count are losses on the way. */
static bool send(struct mf_vehicle *v, struct mf_link *link, uint32_t msgid, const void *msg,
                 const struct reason *why)
{
    uint8_t frame[MF_FRAME_MAX];
    const struct mf_msg_info *info = mf_msg_find(msgid);
    MF_ASSERT(info != NULL && link->open);
    MF_ASSERT(link >= v->links && link < v->links + v->link_count);
    const struct mf_sender from = {link->version, link->tx_seq, v->sysid, v->compid};
    const int news = news_of(msgid);
    size_t n = mf_frame_encode(&from, info, msg, frame);
    if (n == 0) { /* a peer of version 1 does without what is newer than it */
        link->stats.tx_unfit++;
        return false;
    }
    const uint32_t check = news >= 0 ? payload_check(frame, n) : 0;
    if (news >= 0 && was_told(v, &link->told, news, check, why)) {
        return true;
    }
    /* only now: what is left out must not move the time of signatures */
    n = mf_signing_sign(v->signing, (uint8_t)(link - v->links), frame, n, info);
    /* whole or not at all: a client repeats what it got no answer to, and half a frame would cost
     * it the next one, too */
    if (mf_serial_write(&link->serial, frame, n) != (int)n) {
        link->stats.tx_dropped++;
        return false;
    }
    link->tx_seq++;
    link->stats.tx_frames++;
    if (news >= 0) {
        remember(v, &link->told, news, check, why);
    }
    return true;
}

bool mf_link_send(struct mf_vehicle *v, struct mf_link *link, uint32_t msgid, const void *msg)
{
    return send(v, link, msgid, msg, &(struct reason){.asked = true});
}

bool mf_link_tell(struct mf_vehicle *v, struct mf_link *link, uint32_t msgid, const void *msg)
{
    return send(v, link, msgid, msg, &(struct reason){.change = true});
}

bool mf_link_repeat(struct mf_vehicle *v, struct mf_link *link, uint32_t msgid, const void *msg,
                    mf_us_t within_us)
{
    MF_ASSERT(within_us >= 0);
    return send(v, link, msgid, msg, &(struct reason){.within_us = within_us});
}

/* PX4 answers on every link on which the asker was seen. By default the answer goes only where the
 * question came from: a client with two links waits for one answer. */
void mf_link_answer(struct mf_vehicle *v, struct mf_peer to, uint32_t msgid, const void *msg)
{
    (void)mf_link_send(v, to.link, msgid, msg);
    for (uint16_t i = 0; v->options.px4_strict && i < v->links_top; i++) {
        struct mf_link *link = &v->links[i];
        if (link->open && link != to.link && mf_senders_have(&link->senders, to.sysid, to.compid)) {
            (void)mf_link_send(v, link, msgid, msg);
        }
    }
}

void mf_links_send(struct mf_vehicle *v, uint32_t msgid, const void *msg)
{
    for (uint16_t i = 0; i < v->links_top; i++) {
        if (v->links[i].open) {
            (void)mf_link_send(v, &v->links[i], msgid, msg);
        }
    }
}

bool mf_links_tell(struct mf_vehicle *v, uint32_t msgid, const void *msg)
{
    bool each = true;
    for (uint16_t i = 0; i < v->links_top; i++) {
        struct mf_link *link = &v->links[i];
        const uint32_t before = link->stats.tx_frames;
        if (link->open) {
            (void)mf_link_tell(v, link, msgid, msg);
            each = each && link->stats.tx_frames != before;
        }
    }
    return each;
}

/* Run a function for all links in the order of the pool, so that equal input gives equal bytes in
 * equal order. */
bool mf_links_run_each(struct mf_vehicle *v, bool (*run)(struct mf_vehicle *, struct mf_link *))
{
    bool any = false;
    MF_ASSERT(run != NULL);
    for (uint16_t i = 0; i < v->links_top; i++) {
        if (v->links[i].open && run(v, &v->links[i])) {
            any = true;
        }
    }
    return any;
}
