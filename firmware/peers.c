/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/peers.h"

#include "firmware/core/param.h"
#include "firmware/core/tasks.h"
#include "firmware/flight/gcs.h"
#include "firmware/link/route.h"
#include "firmware/link/say.h"
#include "firmware/link/signing.h"
#include "firmware/protocol/receive.h"
#include "firmware/report/stream.h"
#include "firmware/state/limits.h"
#include "firmware/state/vehicle.h"
#include "firmware/vehicle.h"

/* True if a frame is admitted. A client with a wrong clock cannot know why it gets no answers, so a
 * text reports this once. */
static bool admits(struct mf_vehicle *v, struct mf_link *link, const struct mf_frame *frame)
{
    const int32_t mode = mf_param_i(&v->params, MF_PARAM_MAV_SIGN_CFG);
    const bool said = mf_signing_ahead(v->signing);
    const bool admitted = mf_signing_admit(v->signing, mode, link, frame);
    if (mf_signing_ahead(v->signing) && !said) {
        mf_say(v, MF_WARNING, "Signed frames refused: clock too far ahead");
    }
    return admitted;
}

/* Process a frame. A frame that is not admitted is only counted. The sender is learned, and the
 * frame is passed on, before it is handled, so that an answer finds its way back. */
static void take_frame(struct mf_vehicle *v, struct mf_link *link, const struct mf_frame *frame,
                       mf_us_t now_us)
{
    MF_ASSERT(link->open && frame->raw_len <= MF_FRAME_MAX);
    link->stats.rx_frames += frame->info != NULL; /* the others are counted as unknown */
    if (!admits(v, link, frame)) {
        return;
    }
    /* Learned before it is routed: an answer may have to find its way back in this pass. */
    link->stats.rx_lost += mf_senders_learn(&link->senders, frame);
    /* Routed before it is handled, so that the vehicle's own messages come later on other links, as
     * with PX4. */
    mf_route(v, link, frame);
    if (frame->info != NULL) {
        /* The vehicle sends version 2 from the first received frame of that version, as PX4 does by
         * default. */
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

/* Give frames up one by one: the bytes after one may contain a complete frame. */
static void give_up_frame(struct mf_vehicle *v, struct mf_link *link, mf_us_t now_us)
{
    MF_ASSERT(link->open);
    struct mf_frame frame;
    /* A beginning that never ends hides whole frames behind its first byte. */
    while (mf_parser_pending(&link->parser)) {
        if (mf_parser_last(&link->parser, &frame)) {
            take_frame(v, link, &frame, now_us);
        } else {
            mf_parser_flush(&link->parser);
        }
        take_frames(v, link, now_us);
    }
}

/* Receive in pieces of at most MF_LINK_READ_MAX bytes per pass, so that a peer that floods its link
 * delays the others by one piece. A handler may close the link on which it was called. */
static void receive(struct mf_vehicle *v, struct mf_link *link, mf_us_t now_us)
{
    MF_ASSERT(link->open);
    /* More than a datagram of any client; a stream is read in several turns. */
    uint8_t bytes[MF_CHUNK_BYTES];
    size_t total = 0;
    /* a client that floods must not delay others, or the end of a pass */
    while (link->open && total < MF_LINK_READ_MAX) {
        const int n = mf_serial_read(&link->serial, bytes, sizeof bytes);
        if (n <= 0) {
            break;
        }
        MF_ASSERT((size_t)n <= sizeof bytes);
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
    /* Boards drop links by this time (docs/links.md). */
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
    /* A single task serves all waits of links, since each task costs time in every pass. */
    mf_us_t next_us = mf_gcs_run(v, due_us);
    MF_ASSERT(next_us > due_us);
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
