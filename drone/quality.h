/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Link quality, as a wrapper around a serial device: loses, delays, duplicates, reorders and
 * corrupts the frames that pass, each way by its own quality. The vehicle does not notice.
 *
 * Frames have numbers from 0, separately for each way of each connection, and the fate of a frame
 * follows from seed, instance, link, way and number alone: the same seed loses the same frames
 * under every clock. Delays pass in transport time.
 *
 * A line holds pieces on their way, up to MF_QUALITY_BYTES, in chunks that all lines share. A line
 * that is full, or finds no free chunk, or whose rate is used up for a second ahead, refuses what
 * the vehicle writes, as a full queue does, and loses what arrives; both are counted. Bytes outside
 * frames arrive unchanged, in their place, with the delay of the others.
 *
 * A board supplies one struct mf_quality_link per peer, and chunks; unused ones stay untouched.
 * Each turn of the board's loop:
 *
 *     mf_quality_run(&s, now_us);             arrived pieces leave at the other end
 *     the vehicle's step reads and writes the serial devices
 *     while ((i = mf_quality_cut(&s)) >= 0)   drop peer i
 *     sleep until mf_quality_due(&s) at most
 */
#ifndef MF_DRONE_QUALITY_H
#define MF_DRONE_QUALITY_H

#include "drone/framer.h"
#include "hal/serial.h"

/** Ways of a link. */
enum mf_link_way { MF_WAY_IN, MF_WAY_OUT, MF_WAY_COUNT };

/** Bursts of losses: a chain of two states (Gilbert, Elliott). */
struct mf_burst {
    double percent; /**< frames outside a burst that begin one; 0: without bursts */
    double frames;  /**< mean length, >= 1 */
    double loss;    /**< loss within a burst [percent] */
};

/** Interval of transport time since the quality began. */
struct mf_window {
    mf_us_t from_us; /**< MF_NEVER: never */
    mf_us_t for_us;  /**< MF_NEVER: without end */
};

/** Quality of one way. All zero, and silent.from_us MF_NEVER, is a perfect one. */
struct mf_way_quality {
    double loss; /**< [percent of frames], like all chances here */
    struct mf_burst burst;
    mf_us_t delay_us;
    mf_us_t jitter_us; /**< greatest additional delay, evenly distributed; frames stay in order */
    uint32_t rate_bps; /**< bytes per second; 0: no limit */
    double duplicate;
    double reorder; /**< frames that arrive after the next one */
    double corrupt; /**< frames that arrive with one wrong bit */
    struct mf_window silent;
};

struct mf_link_quality {
    bool shaped; /**< false: perfect both ways, without a wrapper */
    struct mf_way_quality way[MF_WAY_COUNT];
    struct mf_window disconnect; /**< the connection is closed, and new ones are refused */
    mf_us_t since_us; /**< start of the quality, in transport time since the drone's start */
};

/** Capacity of one way of one link [bytes]: more than 10 s of telemetry at the default rates. */
#define MF_QUALITY_BYTES 65536u
/** Size of the chunks that all ways share [bytes]. */
#define MF_QUALITY_CHUNK_BYTES 2040u
/** Longest wait of bytes for transmission at a limited rate, as in a radio's buffer [us]. */
#define MF_QUALITY_QUEUE_US MF_SECOND_US
/** Longest wait of a frame that is to arrive after the next one [us]. */
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

/** Words of the ways: "in", "out". */
extern const char *const mf_way_name[MF_WAY_COUNT];

/** Chunk of the memory of lines. */
struct mf_quality_chunk {
    struct mf_quality_chunk *next; /**< next chunk of the line, or of the free ones */
    uint8_t bytes[MF_QUALITY_CHUNK_BYTES];
};

/** Memory of all lines. */
struct mf_quality_pool {
    struct mf_quality_chunk *chunk; /**< [count], owned by the board */
    uint32_t count;
    uint32_t touched;              /**< chunks beyond were never used */
    uint32_t taken;                /**< number of chunks in use by lines */
    struct mf_quality_chunk *free; /**< chunks that were used before */
};

/** Line: one way of a connection. */
struct mf_quality_line {
    struct mf_way_quality quality;
    struct mf_quality_stats stats;
    uint64_t key;    /**< key of its random numbers */
    uint64_t number; /**< number of the next frame */
    bool bursting;
    mf_us_t free_us;   /**< time when the last byte under way has left */
    uint64_t rest;     /**< fraction of free_us, in parts of rate_bps [us] */
    mf_us_t last_us;   /**< last arrival: later pieces do not arrive before it */
    uint16_t held_len; /**< length of the frame that waits for the next one; 0: no frame waits */
    mf_us_t held_us;   /**< time when the waiting frame leaves in any case */
    struct mf_quality_pool *pool;
    struct mf_quality_chunk *first, *last; /**< pieces on their way; NULL: none */
    uint32_t at, used; /**< the bytes on their way begin at first->bytes[at]; used: their number */
    uint32_t taken;    /**< bytes of the first piece already read */
    uint8_t held[MF_FRAME_MAX];
};

struct mf_quality;

/** Connection. */
struct mf_quality_link {
    bool used;
    bool cut;       /**< its quality has closed the connection */
    uint16_t link;  /**< number of its link */
    uint16_t place; /**< place among the connections of the link: the lowest that was free */
    struct mf_quality *all;
    struct mf_serial inner;
    struct mf_window disconnect;
    mf_us_t since_us; /**< start of silence and disconnection, after start_us */
    struct mf_framer framer;
    struct mf_quality_line line[MF_WAY_COUNT];
};

/** Qualities of all connections of a board. */
struct mf_quality {
    struct mf_quality_link *links; /**< [count], owned by the board */
    uint16_t count;
    uint16_t top; /**< one past the highest used */
    struct mf_quality_pool pool;
    uint64_t seed, instance;
    mf_us_t start_us; /**< start of the drone */
    mf_us_t now_us;
};

/** Memory of a board: one wrapper per peer, of any content, and the chunks of all. */
struct mf_quality_memory {
    struct mf_quality_link *links; /**< [count] */
    uint16_t count;
    struct mf_quality_chunk *chunk; /**< [chunks] */
    uint32_t chunks;
};

/** @brief Begin without wrappers. @param instance  number of the vehicle */
void mf_quality_init(struct mf_quality *s, const struct mf_quality_memory *memory, uint64_t seed,
                     uint64_t instance, mf_us_t start_us);

/** @brief True if a new connection would be accepted now. Datagrams are always accepted: they fall
 * silent instead. */
bool mf_quality_admit(const struct mf_quality *s, const struct mf_link_quality *quality,
                      const struct mf_serial *serial);

/**
 * @brief Wrap a peer's serial device.
 * @param index  number of the peer, free, below count
 * @param link  number of the configured link to which the peer belongs
 * @param serial  copied; its context must live until mf_quality_close()
 * @return the device to use in its place
 */
struct mf_serial mf_quality_open(struct mf_quality *s, uint16_t index,
                                 const struct mf_link_quality *quality, uint16_t link,
                                 const struct mf_serial *serial);

/** @brief Change the quality of a peer. Frames have numbers from 0 again; pieces on their way keep
 * their arrival, and later ones do not overtake them. */
void mf_quality_change(struct mf_quality *s, uint16_t index, const struct mf_link_quality *quality);

/** @brief True if the peer has a wrapper. */
static inline bool mf_quality_exists(const struct mf_quality *s, uint16_t index)
{
    return index < s->top && s->links[index].used;
}

/** @brief Remove the wrapper of a peer that is gone, with the pieces on their way. Does nothing
 * without a wrapper. */
void mf_quality_close(struct mf_quality *s, uint16_t index);

/** @brief Advance time: write the arrived pieces to the devices. */
void mf_quality_run(struct mf_quality *s, mf_us_t now_us);

/** @brief Next time at which a piece arrives at either end, or a connection ends; MF_NEVER. */
mf_us_t mf_quality_due(const struct mf_quality *s);

/** @brief Peer whose connection its quality closes, each only once. @return -1: none left */
int mf_quality_cut(struct mf_quality *s);

#endif
