/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Links that misbehave: stands around a serial device and loses, delays, doubles, swaps and spoils
 * the frames that pass, each way by its own quality. The vehicle does not notice.
 *
 * Frames have numbers, from 0, each way of each connection for itself, and what becomes of one
 * follows from seed, instance, link, way and its number alone: the same seed loses the same frames
 * under every clock. Delays pass on transport time.
 *
 * A line holds what is under way, up to MF_QUALITY_BYTES, in chunks that all lines share. One that
 * is full, or finds no chunk any more, or whose rate is used up for a second ahead, refuses what
 * the vehicle writes, as a full queue does, and loses what arrives; both are counted. Bytes that
 * belong to no frame arrive as they are, in their place, with the delay of the others.
 *
 * A board hands in one struct mf_quality_link per peer, and chunks; of those that are not used no
 * byte is touched. Each turn of its loop:
 *
 *     mf_quality_run(&s, now_us);             what has arrived at the other end leaves
 *     the vehicle's step reads and writes the serial devices
 *     while ((i = mf_quality_cut(&s)) >= 0)   drop peer i
 *     sleep until mf_quality_due(&s) at most
 */
#ifndef MF_DRONE_QUALITY_H
#define MF_DRONE_QUALITY_H

#include "drone/framer.h"
#include "hal/serial.h"

/** The two ways of a link. */
enum mf_link_way { MF_WAY_IN, MF_WAY_OUT, MF_WAY_COUNT };

/** Frames that are lost together: a chain of two states (Gilbert, Elliott). */
struct mf_burst {
    double percent; /**< of the frames outside of one begin a burst; 0: there are none */
    double frames;  /**< mean length, >= 1 */
    double loss;    /**< within one [percent] */
};

/** A time of its own, on transport time since the quality began. */
struct mf_window {
    mf_us_t from_us; /**< MF_NEVER: there is none */
    mf_us_t for_us;  /**< MF_NEVER: for ever */
};

/** One way. All zero, and silent.from_us MF_NEVER, is a perfect one. */
struct mf_way_quality {
    double loss; /**< [percent of frames], as all chances here */
    struct mf_burst burst;
    mf_us_t delay_us;
    mf_us_t jitter_us; /**< at most so much more, evenly distributed; frames stay in order */
    uint32_t rate_bps; /**< bytes per second; 0: no limit */
    double duplicate;
    double reorder; /**< arrive behind the next frame */
    double corrupt; /**< arrive with one bit turned over */
    struct mf_window silent;
};

struct mf_link_quality {
    bool shaped; /**< false: perfect both ways, nothing stands in between */
    struct mf_way_quality way[MF_WAY_COUNT];
    struct mf_window disconnect; /**< the connection is closed, and none taken */
    mf_us_t since_us;            /**< it began, transport time since the drone's start */
};

/** What one way of one link holds at most [bytes]: more than 10 s of telemetry at the default
 * rates. */
#define MF_QUALITY_BYTES 65536u
/** All ways share chunks of this size [bytes]. */
#define MF_QUALITY_CHUNK_BYTES 2040u
/** What waits for its turn at a limited rate waits for about so long at most, as in a radio's
 * buffer [us]. */
#define MF_QUALITY_QUEUE_US MF_SECOND_US
/** A frame that is to arrive behind the next one does not wait for longer than this [us]. */
#define MF_QUALITY_HOLD_US MF_SECOND_US

/* Counters of a way: name, text in the log. */
/* clang-format off */
#define MF_QUALITY_COUNT_LIST(X)                                        \
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

struct mf_quality_stats {
#define X(name, text) uint32_t name;
    MF_QUALITY_COUNT_LIST(X)
#undef X
};

/** Of the ways: "in", "out". */
extern const char *const mf_way_name[MF_WAY_COUNT];

/** A piece of the memory of lines. */
struct mf_quality_chunk {
    struct mf_quality_chunk *next; /**< of the line, or of those that are free */
    uint8_t bytes[MF_QUALITY_CHUNK_BYTES];
};

/** The memory of all lines. */
struct mf_quality_pool {
    struct mf_quality_chunk *chunk; /**< [count], the board's */
    uint32_t count;
    uint32_t touched;              /**< those beyond were never used */
    uint32_t taken;                /**< by lines */
    struct mf_quality_chunk *free; /**< used before */
};

/** One way. */
struct mf_quality_line {
    struct mf_way_quality quality;
    struct mf_quality_stats stats;
    uint64_t key;    /**< of its chances */
    uint64_t number; /**< of the next frame */
    bool bursting;
    mf_us_t free_us;   /**< when the last byte that is under way has left */
    uint64_t rest;     /**< of that time: so many parts of rate_bps [us] */
    mf_us_t last_us;   /**< arrival of the last one: nothing overtakes it */
    uint16_t held_len; /**< of the frame that waits for the next one; 0: none */
    mf_us_t held_us;   /**< when it is let go without */
    struct mf_quality_pool *pool;
    struct mf_quality_chunk *first, *last; /**< what is under way; NULL: nothing */
    uint32_t at, used;                     /**< from first->bytes[at] on, so many */
    uint32_t taken;                        /**< of the first piece, already */
    uint8_t held[MF_FRAME_MAX];
};

struct mf_quality;

/** One connection. */
struct mf_quality_link {
    bool used;
    bool cut;       /**< its connection was closed */
    uint16_t link;  /**< that it is one of */
    uint16_t place; /**< among those of that link: the lowest that was free */
    struct mf_quality *all;
    struct mf_serial inner;
    struct mf_window disconnect;
    mf_us_t since_us; /**< at which silence and disconnection begin to count, after start_us */
    struct mf_framer framer;
    struct mf_quality_line line[MF_WAY_COUNT];
};

/** All of a board. */
struct mf_quality {
    struct mf_quality_link *links; /**< [count], the board's */
    uint16_t count;
    uint16_t top; /**< one past the highest used */
    struct mf_quality_pool pool;
    uint64_t seed, instance;
    mf_us_t start_us; /**< of the drone */
    mf_us_t now_us;
};

/** What a board hands in: one wrapper per peer, of any content, and the memory of all. */
struct mf_quality_memory {
    struct mf_quality_link *links; /**< [count] */
    uint16_t count;
    struct mf_quality_chunk *chunk; /**< [chunks] */
    uint32_t chunks;
};

/** @brief None yet. @param instance  of the vehicle */
void mf_quality_init(struct mf_quality *s, const struct mf_quality_memory *memory, uint64_t seed,
                     uint64_t instance, mf_us_t start_us);

/** @brief Would a connection be taken now? Datagrams need none: they fall silent instead. */
bool mf_quality_admit(const struct mf_quality *s, const struct mf_link_quality *quality,
                      const struct mf_serial *serial);

/**
 * @brief Stand around a peer's serial device.
 * @param index   the peer's number, free, below count
 * @param link    number of the configured link that it is a peer of
 * @param serial  copied; its context must live until mf_quality_close()
 * @return what to hand on in its place
 */
struct mf_serial mf_quality_open(struct mf_quality *s, uint16_t index,
                                 const struct mf_link_quality *quality, uint16_t link,
                                 const struct mf_serial *serial);

/** @brief That link is like this from now on. Frames have numbers from 0 again; what is under way
 *  stays so, and nothing overtakes it. */
void mf_quality_change(struct mf_quality *s, uint16_t index, const struct mf_link_quality *quality);

/** @brief Does that peer have one? */
static inline bool mf_quality_exists(const struct mf_quality *s, uint16_t index)
{
    return index < s->top && s->links[index].used;
}

/** @brief The peer is gone, and with it what was under way. Does nothing if it had no wrapper. */
void mf_quality_close(struct mf_quality *s, uint16_t index);

/** @brief Time has passed: what has arrived goes to the devices. */
void mf_quality_run(struct mf_quality *s, mf_us_t now_us);

/** @brief When something arrives next at either end, or a connection ends; MF_NEVER. */
mf_us_t mf_quality_due(const struct mf_quality *s);

/** @brief A peer whose connection is to be closed, each only once. @return -1 if there is none */
int mf_quality_cut(struct mf_quality *s);

#endif
