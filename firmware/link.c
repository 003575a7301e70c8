/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/link.h"

#include "firmware/vehicle.h"
#include "math/crc32.h"

#include <string.h>

static int find_free(struct mf_vehicle *v)
{
    for (uint16_t i = 0; i < v->links_top; i++) {
        if (!v->links[i].open) {
            return i;
        }
    }
    return v->links_top < v->link_count ? v->links_top++ : MF_E_FULL;
}

int mf_link_open(struct mf_vehicle *v, const struct mf_serial *serial, const char *name,
                 const int32_t *interval_us)
{
    MF_ASSERT(serial != NULL && serial->ops != NULL && name != NULL && interval_us != NULL);
    mf_vehicle_catch_up(v);
    (void)mf_vehicle_step(v); /* nobody may have looked at the clock for hours */
    const int index = find_free(v);
    if (index < 0) {
        return index;
    }
    struct mf_link *link = &v->links[index];
    memset(link, 0, sizeof *link);
    link->open = true;
    link->serial = *serial;
    link->version = mf_param_i(v, MF_PARAM_MAV_PROTO_VER) == 1 ? 1 : 2;
    link->gcs_us = MF_NEVER;
    link->parser.keep_unknown = true;
    link->param_next = MF_PARAM_COUNT;
    for (size_t i = 0; i < MF_NEWS_COUNT; i++) {
        link->told.at_us[i] = MF_NEVER;
    }
    for (size_t i = 0; i + 1 < sizeof link->name && name[i] != '\0'; i++) {
        link->name[i] = name[i];
    }
    v->links_open++;
    mf_log_event(&v->hal, v->now.vehicle_us, MF_INFO, "link", link->name);
    mf_heartbeat_start(v, link);
    mf_stream_start(v, link, interval_us, v->now.vehicle_us);
    return index;
}

/* Whatever a link refused is seen in the log when it ends, if not before. */
static void log_statistics(struct mf_vehicle *v, const struct mf_link *link)
{
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
    const char *before = link->open ? ": " : " closed: ";
    for (size_t i = 0; i < sizeof k_line / sizeof k_line[0]; i++) {
        if (k_line[i].count > 0) {
            mf_text_add(&text, before);
            mf_text_add_int(&text, k_line[i].count);
            mf_text_add(&text, k_line[i].what);
            before = ", ";
        }
    }
    mf_log_event(&v->hal, v->now.vehicle_us, MF_INFO, "link", text.s);
}

void mf_links_log(struct mf_vehicle *v)
{
    for (uint16_t i = 0; i < v->links_top; i++) {
        if (v->links[i].open) {
            log_statistics(v, &v->links[i]);
        }
    }
}

void mf_link_close(struct mf_vehicle *v, int index)
{
    MF_ASSERT(index >= 0 && index < v->links_top && v->links[index].open);
    struct mf_link *link = &v->links[index];
    mf_mission_link_closed(v, link);
    mf_ftp_link_closed(v, (uint16_t)index);
    link->open = false;
    v->links_open--;
    while (v->links_top > 0 && !v->links[v->links_top - 1].open) {
        v->links_top--;
    }
    log_statistics(v, link);
}

static int news_of(uint32_t msgid)
{
    static const uint32_t k_msgid[MF_NEWS_COUNT] = {
#define X(NAME) [MF_NEWS_##NAME] = MF_MSG_##NAME,
        MF_NEWS_LIST(X)
#undef X
    };
    for (int i = 0; i < MF_NEWS_COUNT; i++) {
        if (k_msgid[i] == msgid) {
            return i;
        }
    }
    return MF_E_NOENT;
}

static uint32_t payload_check(const uint8_t *frame, size_t n)
{
    const size_t len = frame[1];
    MF_ASSERT(n > len + sizeof(uint16_t));
    return mf_crc32(0, &frame[n - sizeof(uint16_t) - len], len);
}

/* Why a message is sent. */
struct reason {
    bool asked;        /* by a client, or by a clock: always */
    bool change;       /* of what the vehicle does */
    mf_us_t within_us; /* a stream's turn: how old a change that was told may be */
};

static bool was_told(const struct mf_vehicle *v, const struct mf_told *told, int news,
                     uint32_t check, const struct reason *why)
{
    const bool change = ((unsigned)told->changes >> news & 1u) != 0;
    const mf_us_t since_us = v->instant_us - (change ? why->within_us : 0);
    return !why->asked && told->check[news] == check && told->at_us[news] >= since_us &&
           told->at_us[news] != MF_NEVER;
}

static void remember(const struct mf_vehicle *v, struct mf_told *told, int news, uint32_t check,
                     const struct reason *why)
{
    const unsigned bit = 1u << news;
    MF_ASSERT(news < MF_NEWS_COUNT);
    told->at_us[news] = v->instant_us;
    told->check[news] = check;
    told->changes = (uint8_t)(why->change ? told->changes | bit : told->changes & ~bit);
}

static bool send(struct mf_vehicle *v, struct mf_link *link, uint32_t msgid, const void *msg,
                 const struct reason *why)
{
    uint8_t frame[MF_FRAME_MAX];
    const struct mf_msg_info *info = mf_msg_find(msgid);
    MF_ASSERT(info != NULL && link->open);
    const struct mf_sender from = {link->version, link->tx_seq, v->sysid, v->compid};
    const int news = news_of(msgid);
    size_t n = mf_frame_encode(&from, info, msg, frame);
    if (n == 0) {
        link->stats.tx_unfit++;
        return false;
    }
    const uint32_t check = news >= 0 ? payload_check(frame, n) : 0;
    if (news >= 0 && was_told(v, &link->told, news, check, why)) {
        return true;
    }
    n = mf_signing_sign(v, link, frame, n, info);
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

void mf_links_tell(struct mf_vehicle *v, uint32_t msgid, const void *msg)
{
    for (uint16_t i = 0; i < v->links_top; i++) {
        if (v->links[i].open) {
            (void)mf_link_tell(v, &v->links[i], msgid, msg);
        }
    }
}

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

bool mf_is_for_us(const struct mf_vehicle *v, uint8_t system, uint8_t component)
{
    return (system == 0 || system == v->sysid) && (component == 0 || component == v->compid);
}

/* What may not be trusted leaves no trace but a count. */
static void take_frame(struct mf_vehicle *v, struct mf_link *link, const struct mf_frame *frame,
                       mf_us_t now_us)
{
    link->stats.rx_frames += frame->info != NULL; /* the others are counted as unknown */
    if (!mf_signing_admit(v, link, frame)) {
        return;
    }
    link->stats.rx_lost += mf_senders_learn(&link->senders, frame);
    mf_route(v, link, frame);
    if (frame->info != NULL) {
        link->version = frame->version == 2 ? 2 : link->version;
        mf_receive(v, link, frame, now_us);
    }
}

static void take_frames(struct mf_vehicle *v, struct mf_link *link, mf_us_t now_us)
{
    struct mf_frame frame;
    while (link->open && mf_parser_next(&link->parser, &frame)) {
        take_frame(v, link, &frame, now_us);
    }
}

static void give_up_frame(struct mf_vehicle *v, struct mf_link *link, mf_us_t now_us)
{
    struct mf_frame frame;
    while (mf_parser_pending(&link->parser)) {
        if (mf_parser_last(&link->parser, &frame)) {
            take_frame(v, link, &frame, now_us);
        } else {
            mf_parser_flush(&link->parser);
        }
        take_frames(v, link, now_us);
    }
}

static void receive(struct mf_vehicle *v, struct mf_link *link, mf_us_t now_us)
{
    uint8_t bytes[512];
    size_t total = 0;
    while (link->open && total < MF_LINK_READ_MAX) {
        const int n = mf_serial_read(&link->serial, bytes, sizeof bytes);
        if (n <= 0) {
            break;
        }
        total += (size_t)n;
        for (size_t at = 0; at < (size_t)n;) {
            at += mf_parser_feed(&link->parser, &bytes[at], (size_t)n - at);
            take_frames(v, link, now_us);
        }
        if (link->serial.datagram && (size_t)n < sizeof bytes) { /* otherwise it may go on */
            give_up_frame(v, link, now_us);
        }
    }
    if (total == 0) {
        return;
    }
    link->rx_us = v->now.transport_us;
    if (mf_parser_pending(&link->parser)) {
        mf_wake_at(v, MF_TASK_LINKS, link->rx_us + mf_parser_wait_us(&link->parser));
    }
}

void mf_links_receive(struct mf_vehicle *v, mf_us_t now_us)
{
    for (uint16_t i = 0; i < v->links_top; i++) {
        if (v->links[i].open) {
            receive(v, &v->links[i], now_us);
        }
    }
}

mf_us_t mf_links_run(struct mf_vehicle *v, mf_us_t due_us)
{
    mf_us_t next_us = mf_gcs_run(v, due_us);
    for (uint16_t i = 0; i < v->links_top; i++) {
        struct mf_link *link = &v->links[i];
        if (!link->open) {
            continue;
        }
        next_us = mf_earlier(next_us, mf_stream_sdk_run(v, link, due_us));
        if (!mf_parser_pending(&link->parser)) {
            continue;
        }
        const mf_us_t gap_us = link->rx_us + mf_parser_wait_us(&link->parser);
        if (gap_us <= due_us) {
            give_up_frame(v, link, v->now.vehicle_us);
        } else if (gap_us < next_us) {
            next_us = gap_us;
        }
    }
    return next_us;
}
