/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes what ghosts say: any bytes on a link, with time that passes between frames. A track stays
 * finite and within its speed, whatever is said; packets of radios are whole or refused.
 */
#include "fleet/ghost.h"
#include "fleet/port_mavlink.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

#define SPEED_MPS 100.0
#define SLACK_M   50.0

struct heard {
    struct mf_ghost_track track;
    struct mf_port_mavlink port;
    mf_us_t now_us;
    double far_m; /* that it may be from its last place at most */
};

static int nowhere(void *ctx, const uint8_t *bytes, size_t n)
{
    (void)ctx;
    (void)bytes;
    (void)n;
    return MF_E_OK;
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static void take(struct heard *h, const struct mf_ghost_sample *s)
{
    const struct mf_ghost_track before = h->track;
    struct mf_ghost_sample at;
    const int result = mf_ghost_take(&h->track, s);
    check(result == MF_E_OK || result == MF_E_RANGE);
    check(h->track.samples + h->track.refused == before.samples + before.refused + 1u);
    if (result == MF_E_OK && before.heard && !before.lost) {
        const double passed_s = (double)(s->at_us - before.last.at_us) / 1e6;
        check(distance(h->track.last.neu_m, before.last.neu_m) <=
              SLACK_M + SPEED_MPS * passed_s + 1e-6);
    }
    mf_ghost_at(&h->track, h->now_us + 700000, &at);
    for (size_t k = 0; k < 3; k++) {
        check(isfinite(at.neu_m[k]) && fabs(at.neu_m[k]) <= MF_GHOST_FAR_M + 100.0);
        check(isfinite(h->track.last.vel_neu_mps[k]) &&
              fabs(h->track.last.vel_neu_mps[k]) <= SPEED_MPS + 1e-6);
    }
}

static void hear(struct heard *h, const struct mf_frame *f)
{
    static const double k_origin[3] = {47.4, 8.5, 488.0};
    union mf_msg m;
    struct mf_ghost_sample s;
    struct mf_ghost_packet p;
    mf_msg_unpack(f->info, f->payload, f->len, &m);
    (void)mf_port_mavlink_hear(&h->port, f);
    h->now_us += f->seq * (mf_us_t)10000;
    if (mf_ghost_expire(&h->track, h->now_us)) {
        check(!mf_ghost_is_there(&h->track, h->now_us));
    }
    switch (f->info->id) {
    case MF_MSG_GLOBAL_POSITION_INT:
        mf_ghost_from_position(&m.global_position_int, k_origin, h->now_us, &s);
        take(h, &s);
        break;
    case MF_MSG_ATT_POS_MOCAP:
        mf_ghost_from_mocap(&m.att_pos_mocap, h->now_us, &s);
        take(h, &s);
        break;
    case MF_MSG_TUNNEL:
        if (mf_ghost_tunnel_read(&m.tunnel, &p) == NULL) {
            struct mf_msg_tunnel again;
            check(p.n <= MF_GHOST_TUNNEL_BYTES && p.bytes + p.n <= m.tunnel.payload + 128);
            check(mf_ghost_tunnel_write(&p, &again) == MF_E_OK);
            check(again.payload_length == m.tunnel.payload_length);
        }
        break;
    default:
        break;
    }
}

/* Frames whose checksums are right: the fuzzer gives their contents. */
static void say(struct heard *h, const uint8_t *data, size_t size)
{
    static const uint32_t k_id[4] = {MF_MSG_GLOBAL_POSITION_INT, MF_MSG_ATT_POS_MOCAP,
                                     MF_MSG_TUNNEL, MF_MSG_HEARTBEAT};
    for (size_t at = 0; at + 2u < size;) {
        const struct mf_msg_info *info = mf_msg_find(k_id[data[at] & 3u]);
        const struct mf_sender from = {2, data[at + 1], 1, 1};
        uint8_t bytes[MF_FRAME_MAX];
        union mf_msg m;
        struct mf_frame frame;
        const size_t left = size - at - 2u;
        const size_t n = left < info->len_max ? left : info->len_max;
        mf_msg_unpack(info, data + at + 2u, n, &m);
        check(mf_frame_read(bytes, mf_frame_encode(&from, info, &m, bytes), &frame));
        hear(h, &frame);
        at += 2u + n;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct heard s_heard;
    static const double k_zero[3];
    static struct mf_parser s_parser;
    struct mf_frame frame;
    memset(&s_heard, 0, sizeof s_heard);
    memset(&s_parser, 0, sizeof s_parser);
    mf_port_mavlink_init(&s_heard.port, nowhere, NULL);
    mf_ghost_init(&s_heard.track, &(struct mf_ghost_settings){500000, 2000000, SPEED_MPS}, k_zero,
                  size % 2u == 0);
    for (size_t at = 0; at < size;) {
        at += mf_parser_feed(&s_parser, data + at, size - at);
        while (mf_parser_next(&s_parser, &frame)) {
            if (frame.info != NULL) {
                hear(&s_heard, &frame);
            }
        }
    }
    say(&s_heard, data, size);
    return 0;
}
