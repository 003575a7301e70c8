/* SPDX-License-Identifier: Apache-2.0 */
/* Wrapper of link quality around serial devices: loss, delay, rate and more, frame by frame. Called
 * by drone/wiring. */
#include "drone/quality.h"

#include "math/chance.h"

#include <string.h>

/* Distinguishes these random sequences from those of the world, whose keys are small numbers:
 * "LINK". */
#define KEY_LINKS UINT64_C(0x4C494E4B00000000)

/* Random decisions about a frame, each with its own draw. Append only: the order is part of every
 * sequence. */
enum draw { LOSS, BURST_BEGIN, BURST_END, BURST_LOSS, JITTER, DUPLICATE, REORDER, CORRUPT, BIT };
#define DRAWS 16u /* number per frame */

const char *const mf_way_name[MF_WAY_COUNT] = {[MF_WAY_IN] = "in", [MF_WAY_OUT] = "out"};

/* Header of a piece on its way, before its bytes. */
struct piece {
    mf_us_t due_us;
    uint32_t len;
};

static double drawn(const struct mf_quality_line *line, uint64_t number, enum draw draw)
{
    return mf_chance_unit(line->key, number * DRAWS + (uint64_t)draw);
}

static bool happens(const struct mf_quality_line *line, uint64_t number, enum draw draw,
                    double percent)
{
    return drawn(line, number, draw) * 100.0 < percent;
}

/* ---- the line: pieces in order of arrival, in chunks */

/* Take a chunk from the pool. Prefers one that was used before, so that memory that is not needed
 * stays untouched. @return NULL: none is free */
static struct mf_quality_chunk *take_chunk(struct mf_quality_pool *pool)
{
    struct mf_quality_chunk *chunk = pool->free;
    if (chunk != NULL) {
        pool->free = chunk->next;
    } else if (pool->touched < pool->count) {
        chunk = &pool->chunk[pool->touched++];
    } else {
        return NULL;
    }
    pool->taken++;
    chunk->next = NULL;
    return chunk;
}

static void give_chunk(struct mf_quality_pool *pool, struct mf_quality_chunk *chunk)
{
    MF_ASSERT(pool->taken > 0);
    chunk->next = pool->free;
    pool->free = chunk;
    pool->taken--;
}

/* Free bytes after the last one in its chunk. */
static size_t line_tail(const struct mf_quality_line *line)
{
    const size_t end = ((size_t)line->at + line->used) % MF_QUALITY_CHUNK_BYTES;
    return line->used == 0 || end == 0 ? 0 : MF_QUALITY_CHUNK_BYTES - end;
}

/* Free bytes of a line now. */
static size_t line_free(const struct mf_quality_line *line)
{
    const struct mf_quality_pool *pool = line->pool;
    const size_t left = MF_QUALITY_BYTES - line->used;
    const size_t here =
        line_tail(line) + (size_t)(pool->count - pool->taken) * MF_QUALITY_CHUNK_BYTES;
    return left < here ? left : here;
}

static void line_put(struct mf_quality_line *line, const void *bytes, size_t n)
{
    const uint8_t *from = bytes;
    while (n > 0) {
        size_t room = line_tail(line);
        if (room == 0) {
            struct mf_quality_chunk *chunk = take_chunk(line->pool);
            MF_ASSERT(chunk != NULL);
            *(line->last == NULL ? &line->first : &line->last->next) = chunk;
            line->last = chunk;
            room = MF_QUALITY_CHUNK_BYTES;
        }
        const size_t some = n < room ? n : room;
        memcpy(line->last->bytes + (MF_QUALITY_CHUNK_BYTES - room), from, some);
        line->used += (uint32_t)some;
        from += some;
        n -= some;
    }
}

static void line_look(const struct mf_quality_line *line, size_t skip, void *bytes, size_t n)
{
    const struct mf_quality_chunk *chunk = line->first;
    uint8_t *to = bytes;
    size_t at = line->at + skip;
    for (; at >= MF_QUALITY_CHUNK_BYTES; at -= MF_QUALITY_CHUNK_BYTES) {
        chunk = chunk->next;
    }
    while (n > 0) {
        const size_t here = MF_QUALITY_CHUNK_BYTES - at;
        const size_t some = n < here ? n : here;
        memcpy(to, chunk->bytes + at, some);
        to += some;
        n -= some;
        at = 0;
        chunk = chunk->next;
    }
}

/* Drop bytes from the start of a line. An empty line holds no chunks, so that lines that keep up
 * share one. */
static void line_drop(struct mf_quality_line *line, size_t n)
{
    MF_ASSERT(n <= line->used);
    line->used -= (uint32_t)n;
    size_t at = line->at + n;
    while (line->first != NULL && (at >= MF_QUALITY_CHUNK_BYTES || line->used == 0)) {
        struct mf_quality_chunk *chunk = line->first;
        line->first = chunk->next;
        give_chunk(line->pool, chunk);
        at -= at >= MF_QUALITY_CHUNK_BYTES ? MF_QUALITY_CHUNK_BYTES : at;
    }
    line->at = line->used == 0 ? 0 : (uint32_t)at;
    line->last = line->first == NULL ? NULL : line->last;
}

static bool first_piece(const struct mf_quality_line *line, struct piece *piece)
{
    if (line->used == 0) {
        return false;
    }
    line_look(line, 0, piece, sizeof *piece);
    return true;
}

static void put_piece(struct mf_quality_line *line, mf_us_t due_us, const uint8_t *bytes, size_t n)
{
    struct piece piece;
    memset(&piece, 0, sizeof piece);
    piece.due_us = due_us;
    piece.len = (uint32_t)n;
    if (line_free(line) < sizeof piece + n) {
        line->stats.overflowed++;
        return;
    }
    line_put(line, &piece, sizeof piece);
    line_put(line, bytes, n);
}

/* Are more bytes waiting for transmission than a radio would keep? */
static bool is_busy(const struct mf_quality_line *line, mf_us_t now_us)
{
    return line->quality.rate_bps > 0 && line->free_us - now_us > MF_QUALITY_QUEUE_US;
}

/* Room for one more frame in the worst case: duplicated, and with the one that waited for it. */
static size_t line_room(const struct mf_quality_line *line, mf_us_t now_us)
{
    if (is_busy(line, now_us)) {
        return 0;
    }
    const size_t reserved = 3 * sizeof(struct piece) + line->held_len;
    const size_t free = line_free(line);
    return free > reserved ? (free - reserved) / 2 : 0;
}

/* ---- frames */

static bool within(const struct mf_window *window, mf_us_t t_us)
{
    return window->from_us <= t_us &&
           (window->for_us == MF_NEVER || t_us - window->from_us < window->for_us);
}

/* Time since the quality began. */
static mf_us_t since_begin(const struct mf_quality_link *wrap)
{
    return wrap->all->now_us - wrap->all->start_us - wrap->since_us;
}

static bool is_dead(const struct mf_quality_link *wrap, const struct mf_quality_line *line)
{
    const mf_us_t t_us = since_begin(wrap);
    return within(&line->quality.silent, t_us) ||
           (wrap->inner.datagram && within(&wrap->disconnect, t_us));
}

/* Transmit bytes one after the other, at the line's rate, exactly in the long run. @return time
 * when the last of them has left */
static mf_us_t send(struct mf_quality_line *line, size_t n, mf_us_t now_us)
{
    const uint64_t rate = line->quality.rate_bps;
    if (rate == 0) {
        return now_us;
    }
    if (line->free_us < now_us) { /* idle until now */
        line->free_us = now_us;
        line->rest = 0;
    }
    const uint64_t parts = (uint64_t)n * (uint64_t)MF_SECOND_US + line->rest;
    line->free_us += (mf_us_t)(parts / rate);
    line->rest = parts % rate;
    return line->free_us;
}

/* Arrival time of bytes that left at a time; later ones do not overtake earlier ones. */
static mf_us_t arrival(struct mf_quality_line *line, mf_us_t left_us, double jitter)
{
    const mf_us_t due_us =
        left_us + line->quality.delay_us + (mf_us_t)(jitter * (double)line->quality.jitter_us);
    line->last_us = due_us > line->last_us ? due_us : line->last_us;
    return line->last_us;
}

/* Advance the chain of bursts, with every frame, whether or not it is lost otherwise. @return true:
 * lost in a burst */
static bool is_lost_in_burst(struct mf_quality_line *line, uint64_t number)
{
    const struct mf_burst *burst = &line->quality.burst;
    line->bursting = line->bursting ? !happens(line, number, BURST_END, 100.0 / burst->frames)
                                    : happens(line, number, BURST_BEGIN, burst->percent);
    return line->bursting && happens(line, number, BURST_LOSS, burst->loss);
}

/* Decide if a frame is lost, and count it. */
static bool is_lost(const struct mf_quality_link *wrap, struct mf_quality_line *line,
                    uint64_t number)
{
    const bool in_burst = is_lost_in_burst(line, number);
    if (is_dead(wrap, line)) {
        line->stats.silenced++;
    } else if (in_burst) {
        line->stats.lost_burst++;
    } else if (happens(line, number, LOSS, line->quality.loss)) {
        line->stats.lost++;
    } else {
        return false;
    }
    return true;
}

static void release_held(struct mf_quality_line *line, mf_us_t due_us)
{
    const size_t n = line->held_len;
    line->held_len = 0;
    if (n > 0) {
        put_piece(line, due_us, line->held, n);
    }
}

static void deliver(struct mf_quality_line *line, uint64_t number, const uint8_t *frame, size_t n,
                    mf_us_t due_us)
{
    if (line->held_len == 0 && happens(line, number, REORDER, line->quality.reorder)) {
        line->stats.reordered++;
        memcpy(line->held, frame, n);
        line->held_len = (uint16_t)n;
        line->held_us = due_us + MF_QUALITY_HOLD_US;
        return;
    }
    put_piece(line, due_us, frame, n);
    if (happens(line, number, DUPLICATE, line->quality.duplicate)) {
        line->stats.duplicated++;
        put_piece(line, due_us, frame, n);
    }
    release_held(line, due_us);
}

/* Put a frame into the line. */
static void carry(const struct mf_quality_link *wrap, struct mf_quality_line *line,
                  const uint8_t *bytes, size_t n)
{
    uint8_t frame[MF_FRAME_MAX];
    const uint64_t number = line->number++;
    const mf_us_t now_us = wrap->all->now_us;
    MF_ASSERT(n > 0 && n <= sizeof frame);
    line->stats.frames++;
    if (is_busy(line, now_us)) {
        line->stats.overflowed++;
        return;
    }
    const mf_us_t left_us = send(line, n, now_us); /* lost frames also use up the line's rate */
    if (is_lost(wrap, line, number)) {
        return;
    }
    memcpy(frame, bytes, n);
    if (happens(line, number, CORRUPT, line->quality.corrupt)) {
        const size_t bit = (size_t)(drawn(line, number, BIT) * (double)(8 * n));
        frame[bit / 8] = (uint8_t)(frame[bit / 8] ^ 1u << bit % 8);
        line->stats.corrupted++;
    }
    const mf_us_t due_us = arrival(line, left_us, drawn(line, number, JITTER));
    line->stats.delayed += due_us > now_us;
    deliver(line, number, frame, n, due_us);
}

/* Put bytes outside frames into the line. */
static void carry_stray(const struct mf_quality_link *wrap, struct mf_quality_line *line,
                        const uint8_t *bytes, size_t n)
{
    const mf_us_t now_us = wrap->all->now_us;
    line->stats.stray += (uint32_t)n;
    if (is_busy(line, now_us)) {
        line->stats.overflowed++;
        return;
    }
    const mf_us_t left_us = send(line, n, now_us);
    if (!is_dead(wrap, line)) {
        put_piece(line, arrival(line, left_us, 0.0), bytes, n);
    }
}

/* ---- out: to the device */

/* Write the arrived pieces to the device. A full queue loses them, as a radio's would. */
static void flush(struct mf_quality_link *wrap)
{
    struct mf_quality_line *line = &wrap->line[MF_WAY_OUT];
    const mf_us_t now_us = wrap->all->now_us;
    uint8_t frame[MF_FRAME_MAX];
    struct piece piece;
    if (line->held_len > 0 && line->held_us <= now_us) {
        release_held(line, arrival(line, now_us, 0.0));
    }
    while (first_piece(line, &piece) && piece.due_us <= now_us) {
        MF_ASSERT(piece.len <= sizeof frame);
        line_look(line, sizeof piece, frame, piece.len);
        line_drop(line, sizeof piece + piece.len);
        if (mf_serial_write(&wrap->inner, frame, piece.len) != (int)piece.len) {
            line->stats.overflowed++;
        }
    }
}

static int quality_write(void *ctx, const uint8_t *bytes, size_t n)
{
    struct mf_quality_link *wrap = ctx;
    struct mf_quality_line *line = &wrap->line[MF_WAY_OUT];
    MF_ASSERT(wrap->used);
    if (n > line_room(line, wrap->all->now_us)) {
        return 0;
    }
    carry(wrap, line, bytes, n);
    flush(wrap);
    return (int)n;
}

/* Room for a write: pieces on their way fill the device's queue later. */
static size_t quality_room(void *ctx)
{
    const struct mf_quality_link *wrap = ctx;
    const struct mf_quality_line *line = &wrap->line[MF_WAY_OUT];
    const size_t here = line_room(line, wrap->all->now_us);
    const size_t there = mf_serial_room(&wrap->inner);
    return here < there ? here : there;
}

/* ---- in: from the device */

static void on_frame(void *ctx, const struct mf_frame *frame)
{
    struct mf_quality_link *wrap = ctx;
    carry(wrap, &wrap->line[MF_WAY_IN], frame->raw, frame->raw_len);
}

static void on_stray(void *ctx, const uint8_t *bytes, size_t n)
{
    struct mf_quality_link *wrap = ctx;
    carry_stray(wrap, &wrap->line[MF_WAY_IN], bytes, n);
}

static const struct mf_framer_ops k_framer = {on_frame, on_stray};

/* Take as much of a piece as fits. @return bytes */
static size_t take_piece(struct mf_quality_line *line, const struct piece *piece, uint8_t *bytes,
                         size_t cap)
{
    const size_t left = piece->len - line->taken;
    const size_t n = left < cap ? left : cap;
    line_look(line, sizeof *piece + line->taken, bytes, n);
    line->taken += (uint32_t)n;
    if (line->taken == piece->len) {
        line_drop(line, sizeof *piece + piece->len);
        line->taken = 0;
    }
    return n;
}

/* Return whole pieces as long as they fit, a part of one only if it is larger than @p cap.
 * Datagrams one at a time, so that the rests of two do not make a frame. */
static int quality_read(void *ctx, uint8_t *bytes, size_t cap)
{
    struct mf_quality_link *wrap = ctx;
    struct mf_quality_line *line = &wrap->line[MF_WAY_IN];
    const mf_us_t now_us = wrap->all->now_us;
    struct piece piece;
    size_t n = 0;
    MF_ASSERT(wrap->used);
    const int result = mf_framer_take(&wrap->framer, &wrap->inner, MF_FRAMER_TAKE_MAX, now_us);
    if (line->held_len > 0 && line->held_us <= now_us) {
        release_held(line, arrival(line, now_us, 0.0));
    }
    while (n < cap && first_piece(line, &piece) && piece.due_us <= now_us &&
           (n == 0 || (!wrap->inner.datagram && piece.len <= cap - n))) {
        n += take_piece(line, &piece, bytes + n, cap - n);
    }
    return n == 0 && result < 0 ? result : (int)n;
}

static const struct mf_serial_ops k_serial = {quality_write, quality_read, quality_room};

/* ---- connections */

void mf_quality_init(struct mf_quality *s, const struct mf_quality_memory *memory, uint64_t seed,
                     uint64_t instance, mf_us_t start_us)
{
    *s = (struct mf_quality){.links = memory->links,
                             .count = memory->count,
                             .pool = {.chunk = memory->chunk, .count = memory->chunks},
                             .seed = seed,
                             .instance = instance,
                             .start_us = start_us,
                             .now_us = start_us};
}

bool mf_quality_admit(const struct mf_quality *s, const struct mf_link_quality *quality,
                      const struct mf_serial *serial)
{
    return !quality->shaped || serial->datagram ||
           !within(&quality->disconnect, s->now_us - s->start_us - quality->since_us);
}

/* Find the lowest place that no other connection of the link has: a client that returns gets the
 * same one again. */
static uint16_t free_place(const struct mf_quality *s, uint16_t link)
{
    uint16_t place = 0;
    for (uint16_t i = 0; i < s->top;) {
        const struct mf_quality_link *other = &s->links[i];
        const bool taken = other->used && other->link == link && other->place == place;
        place = (uint16_t)(place + taken);
        i = taken ? 0 : (uint16_t)(i + 1);
    }
    return place;
}

static void line_init(struct mf_quality_line *line, struct mf_quality_pool *pool,
                      const struct mf_way_quality *quality, uint64_t key)
{
    memset(line, 0, offsetof(struct mf_quality_line, held));
    line->quality = *quality;
    line->key = key;
    line->pool = pool;
}

struct mf_serial mf_quality_open(struct mf_quality *s, uint16_t index,
                                 const struct mf_link_quality *quality, uint16_t link,
                                 const struct mf_serial *serial)
{
    MF_ASSERT(index < s->count && !mf_quality_exists(s, index) && quality->shaped);
    struct mf_quality_link *wrap = &s->links[index];
    while (s->top <= index) { /* links beyond top were never initialised */
        s->links[s->top++].used = false;
    }
    wrap->place = free_place(s, link);
    wrap->used = true;
    wrap->link = link;
    wrap->all = s;
    wrap->inner = *serial;
    wrap->disconnect = quality->disconnect;
    wrap->since_us = quality->since_us;
    wrap->cut = since_begin(wrap) >= quality->disconnect.from_us; /* connected after that */
    mf_framer_init(&wrap->framer, &k_framer, wrap);
    const uint64_t of_vehicle = mf_chance_u64(s->seed, s->instance);
    const uint64_t of_peer =
        mf_chance_u64(of_vehicle, KEY_LINKS | (uint64_t)link << 16 | wrap->place);
    for (int way = 0; way < MF_WAY_COUNT; way++) {
        line_init(&wrap->line[way], &s->pool, &quality->way[way],
                  mf_chance_u64(of_peer, (uint64_t)way));
    }
    struct mf_serial outer = *serial;
    outer.ops = &k_serial;
    outer.ctx = wrap;
    return outer;
}

void mf_quality_change(struct mf_quality *s, uint16_t index, const struct mf_link_quality *quality)
{
    MF_ASSERT(mf_quality_exists(s, index));
    struct mf_quality_link *wrap = &s->links[index];
    wrap->disconnect = quality->disconnect;
    wrap->since_us = quality->since_us;
    wrap->cut = false;
    for (int way = 0; way < MF_WAY_COUNT; way++) {
        struct mf_quality_line *line = &wrap->line[way];
        line->quality = quality->way[way];
        line->number = 0;
        line->bursting = false;
        line->rest = 0;
    }
}

void mf_quality_close(struct mf_quality *s, uint16_t index)
{
    if (!mf_quality_exists(s, index)) {
        return;
    }
    for (int way = 0; way < MF_WAY_COUNT; way++) {
        line_drop(&s->links[index].line[way], s->links[index].line[way].used);
    }
    s->links[index].used = false;
    while (s->top > 0 && !s->links[s->top - 1].used) {
        s->top--;
    }
}

void mf_quality_run(struct mf_quality *s, mf_us_t now_us)
{
    s->now_us = now_us;
    for (uint16_t i = 0; i < s->top; i++) {
        struct mf_quality_link *wrap = &s->links[i];
        if (!wrap->used) {
            continue;
        }
        if (wrap->framer.gap_us <= now_us) {
            mf_framer_give_up(&wrap->framer);
        }
        flush(wrap);
    }
}

static mf_us_t line_due(const struct mf_quality_line *line)
{
    struct piece piece;
    const mf_us_t held_us = line->held_len > 0 ? line->held_us : MF_NEVER;
    return first_piece(line, &piece) ? mf_earlier(piece.due_us, held_us) : held_us;
}

static mf_us_t link_due(const struct mf_quality_link *wrap)
{
    const mf_us_t from_us = wrap->disconnect.from_us;
    const bool cut = wrap->cut || wrap->inner.datagram || from_us == MF_NEVER;
    const mf_us_t cut_us = cut ? MF_NEVER : wrap->all->start_us + wrap->since_us + from_us;
    return mf_earlier(
        mf_earlier(cut_us, wrap->framer.gap_us),
        mf_earlier(line_due(&wrap->line[MF_WAY_IN]), line_due(&wrap->line[MF_WAY_OUT])));
}

mf_us_t mf_quality_due(const struct mf_quality *s)
{
    mf_us_t due_us = MF_NEVER;
    for (uint16_t i = 0; i < s->top; i++) {
        due_us = s->links[i].used ? mf_earlier(due_us, link_due(&s->links[i])) : due_us;
    }
    return due_us;
}

int mf_quality_cut(struct mf_quality *s)
{
    for (uint16_t i = 0; i < s->top; i++) {
        struct mf_quality_link *wrap = &s->links[i];
        if (wrap->used && !wrap->cut && !wrap->inner.datagram &&
            since_begin(wrap) >= wrap->disconnect.from_us) {
            wrap->cut = true;
            return i;
        }
    }
    return -1;
}
