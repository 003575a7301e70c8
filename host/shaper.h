/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Links that misbehave: stands around a serial device and loses, delays, doubles, swaps and spoils
 * the frames that pass, each way by its own quality (linkspec.h). The vehicle does not notice.
 *
 * Frames have numbers, from 0, each way of each connection for itself, and what becomes of one
 * follows from seed, instance, link, way and its number alone: the same seed loses the same frames
 * under every clock. Delays pass on transport time.
 *
 * A line holds what is under way, up to MF_SHAPER_BYTES, in chunks that all lines share. One that is
 * full, or finds no chunk any more, or whose rate is used up for a second ahead, refuses what the
 * vehicle writes, as a full queue does, and loses what arrives; both are counted. Bytes that belong to no frame arrive
 * as they are, in their place, with the delay of the others.
 *
 * A board hands in one struct mf_shaper per peer, and chunks; of those that are not used no byte is
 * touched.
 * Each turn of its loop:
 *
 *     mf_shapers_run(&s, now_us);             what has arrived at the other end leaves
 *     the vehicle's step reads and writes the serial devices
 *     while ((i = mf_shapers_cut(&s)) >= 0)   drop peer i
 *     sleep until mf_shapers_due(&s) at most
 */
#ifndef MF_HOST_SHAPER_H
#define MF_HOST_SHAPER_H

#include "hal/serial.h"
#include "host/cutter.h"
#include "host/linkspec.h"

/** What one way of one link holds at most [bytes]: more than 10 s of telemetry at the default rates. */
#define MF_SHAPER_BYTES 65536u
/** All ways share chunks of this size [bytes]. */
#define MF_SHAPER_CHUNK_BYTES 2040u
/** What waits for its turn at a limited rate waits for about so long at most, as in a radio's buffer
 * [us]. */
#define MF_SHAPER_QUEUE_US MF_SECOND_US
/** A frame that is to arrive behind the next one does not wait for longer than this [us]. */
#define MF_SHAPER_HOLD_US MF_SECOND_US

/* Counters of a way: name, text in the log. */
/* clang-format off */
#define MF_SHAPER_COUNT_LIST(X)                                        \
    X(frames,     "frames")     /* that were sent into it */           \
    X(lost,       "lost")       /* by loss */                          \
    X(lost_burst, "in bursts")  /* lost there */                       \
    X(silenced,   "silenced")   /* while the way was dead */           \
    X(overflowed, "too many")   /* lost because the line was full */   \
    X(delayed,    "delayed")                                           \
    X(duplicated, "duplicated")                                        \
    X(reordered,  "reordered")                                         \
    X(corrupted,  "corrupted")                                         \
    X(stray,      "stray bytes") /* of no frame */
/* clang-format on */

struct mf_shaper_stats {
#define X(name, text) uint32_t name;
    MF_SHAPER_COUNT_LIST(X)
#undef X
};

/** Of the ways: "in", "out". */
extern const char *const mf_way_name[MF_WAY_COUNT];

/** A piece of the memory of lines. */
struct mf_shaper_chunk {
    struct mf_shaper_chunk *next; /**< of the line, or of those that are free */
    uint8_t bytes[MF_SHAPER_CHUNK_BYTES];
};

/** The memory of all lines. */
struct mf_shaper_pool {
    struct mf_shaper_chunk *chunk; /**< [count], the board's */
    uint32_t count;
    uint32_t touched;             /**< those beyond were never used */
    uint32_t taken;               /**< by lines */
    struct mf_shaper_chunk *free; /**< used before */
};

/** One way. */
struct mf_shaper_line {
    struct mf_way_quality quality;
    struct mf_shaper_stats stats;
    uint64_t key;    /**< of its chances */
    uint64_t number; /**< of the next frame */
    bool bursting;
    mf_us_t free_us;   /**< when the last byte that is under way has left */
    uint64_t rest;     /**< of that time: so many parts of rate_bps [us] */
    mf_us_t last_us;   /**< arrival of the last one: nothing overtakes it */
    uint16_t held_len; /**< of the frame that waits for the next one; 0: none */
    mf_us_t held_us;   /**< when it is let go without */
    struct mf_shaper_pool *pool;
    struct mf_shaper_chunk *first, *last; /**< what is under way; NULL: nothing */
    uint32_t at, used;                    /**< from first->bytes[at] on, so many */
    uint32_t taken;                       /**< of the first piece, already */
    uint8_t held[MF_FRAME_MAX];
};

struct mf_shapers;

/** One connection. */
struct mf_shaper {
    bool used;
    bool cut;       /**< its connection was closed */
    uint16_t link;  /**< that it is one of */
    uint16_t place; /**< among those of that link: the lowest that was free */
    struct mf_shapers *shapers;
    struct mf_serial inner;
    struct mf_window disconnect;
    mf_us_t since_us; /**< at which silence and disconnection begin to count, after start_us */
    struct mf_cutter cutter;
    struct mf_shaper_line line[MF_WAY_COUNT];
};

/** All of a board. */
struct mf_shapers {
    struct mf_shaper *shaper; /**< [count], the board's */
    uint16_t count;
    uint16_t top; /**< one past the highest used */
    struct mf_shaper_pool pool;
    uint64_t seed, instance;
    mf_us_t start_us; /**< of the drone */
    mf_us_t now_us;
};

/** What a board hands in: one shaper per peer, zeroed, and the memory of all. */
struct mf_shaper_memory {
    struct mf_shaper *shaper; /**< [shapers] */
    uint16_t shapers;
    struct mf_shaper_chunk *chunk; /**< [chunks] */
    uint32_t chunks;
};

/** @brief None yet. @param instance  of the vehicle */
void mf_shapers_init(struct mf_shapers *s, const struct mf_shaper_memory *memory, uint64_t seed,
                     uint64_t instance, mf_us_t start_us);

/** @brief Would a connection be taken now? Datagrams need none: they fall silent instead. */
bool mf_shapers_admit(const struct mf_shapers *s, const struct mf_link_quality *quality,
                      const struct mf_serial *serial);

/**
 * @brief Stand around a peer's serial device.
 * @param index   the peer's number, free, below count
 * @param link    number of the configured link that it is a peer of
 * @param serial  copied; its context must live until mf_shaper_close()
 * @return what to hand on in its place
 */
struct mf_serial mf_shaper_open(struct mf_shapers *s, uint16_t index,
                                const struct mf_link_quality *quality, uint16_t link,
                                const struct mf_serial *serial);

/** @brief That shaper is like this from now on. Frames have numbers from 0 again; what is under way
 *  stays so, and nothing overtakes it. */
void mf_shaper_change(struct mf_shapers *s, uint16_t index, const struct mf_link_quality *quality);

/** @brief Does that peer have one? */
static inline bool mf_shaper_exists(const struct mf_shapers *s, uint16_t index)
{
    return index < s->top && s->shaper[index].used;
}

/** @brief The peer is gone, and with it what was under way. Does nothing if it had no shaper. */
void mf_shaper_close(struct mf_shapers *s, uint16_t index);

/** @brief Time has passed: what has arrived goes to the devices. */
void mf_shapers_run(struct mf_shapers *s, mf_us_t now_us);

/** @brief When something arrives next at either end, or a connection ends; MF_NEVER. */
mf_us_t mf_shapers_due(const struct mf_shapers *s);

/** @brief A peer whose connection is to be closed, each only once. @return -1 if there is none */
int mf_shapers_cut(struct mf_shapers *s);

/** @brief "in: 120 frames, 12 lost; out: 300 frames, 31 lost, 2 duplicated"; zeros are left out. */
void mf_shaper_text(const struct mf_shaper *shaper, char *text, size_t size);

#endif
