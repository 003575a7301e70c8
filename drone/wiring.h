/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What stands between a drone and a host that serves it: the pace of vehicle time, and the wrappers
 * of links.
 *
 *     device -> quality -> misbehaviour -> recorder -> vehicle
 *
 * A wrapper is made of the board's memory when it is first needed: by a link with a quality, by a
 * rule, by a recording. Where there is none yet, links that are open get theirs in between, and
 * nobody notices. A drone without wiring has its devices at the vehicle's links, and no wrappers.
 *
 * drone/drone.h has the calls. A drone reaches its wiring through a table, so that a program
 * without wiring does not hold the code of wrappers.
 */
#ifndef MF_DRONE_WIRING_H
#define MF_DRONE_WIRING_H

#include "drone/misbehave.h"
#include "drone/pace.h"
#include "drone/quality.h"
#include "drone/recorder.h"
#include "hal/memory.h"

/** A link that is open. */
struct mf_connection {
    bool open;
    uint16_t port;
    int link;                /**< of the vehicle; < 0: the vehicle has booted since */
    struct mf_serial serial; /**< the device, with quality and misbehaviour around it */
    const char *name;
    const int32_t *interval_us;
};

/** What a board hands in; it outlives the drone. */
struct mf_wiring_setup {
    struct mf_connection *connections; /**< [count], of any content */
    uint16_t count;
    struct mf_memory *memory; /**< of wrappers; NULL: there is none */
    uint32_t quality_chunks;  /**< for all links with a quality, of MF_QUALITY_CHUNK_BYTES each */
    uint32_t recorder_bytes;  /**< buffer of a recording, at least MF_RECORD_MAX */
    struct mf_pace *pace;     /**< the vehicle's clock reads it; NULL: another one */
    mf_us_t start_us;         /**< transport time from which qualities count theirs */
};

struct mf_drone;
struct mf_drone_link;
struct mf_wiring;

/** What a drone asks of its wiring. */
struct mf_wiring_ops {
    /** The vehicle is about to boot with these devices: no connection has a link any more. */
    void (*boot)(struct mf_wiring *w, struct mf_hal *hal, int64_t utc_us, uint64_t seed);
    /** MF_RECORD_STEP, MF_RECORD_JUMP to a vehicle time, or MF_RECORD_END is about to happen. */
    void (*call)(struct mf_wiring *w, enum mf_record_type call, mf_us_t at_us);
    int (*open)(struct mf_drone *d, const struct mf_drone_link *link);
    void (*close)(struct mf_drone *d, uint16_t number);
    int (*message)(struct mf_drone *d, uint16_t number, struct mf_address from, uint32_t msgid,
                   const void *msg);
};

/** The caller allocates it. */
struct mf_wiring {
    const struct mf_wiring_ops *ops;
    struct mf_wiring_setup has;
    uint16_t top;   /**< one past the highest open connection */
    mf_us_t now_us; /**< transport time, as it was last */
    uint64_t seed;
    struct mf_quality *quality;     /**< NULL: no link has had one */
    struct mf_misbehave *misbehave; /**< NULL: there were no rules */
    struct mf_recorder *recorder;   /**< NULL: nothing is recorded */
};

/** Memory of each wrapper [bytes]. */
#define MF_WIRING_QUALITY_BYTES(links, chunks)                                             \
    MF_MEMORY_BYTES(sizeof(struct mf_quality) + (links) * sizeof(struct mf_quality_link) + \
                    (chunks) * sizeof(struct mf_quality_chunk))
#define MF_WIRING_MISBEHAVE_BYTES(links)                                                        \
    MF_MEMORY_BYTES(sizeof(struct mf_misbehave) + (links) * (sizeof(struct mf_misbehave_link) + \
                                                             sizeof(struct mf_misbehave_work)))
#define MF_WIRING_RECORDER_BYTES(links, buffer)                                              \
    MF_MEMORY_BYTES(sizeof(struct mf_recorder) + (links) * sizeof(struct mf_recorder_link) + \
                    (buffer))

/** @brief The vehicle's index of an open link. @return < 0: the vehicle has booted since it was
 * opened */
static inline int mf_wiring_link(const struct mf_wiring *w, uint16_t number)
{
    MF_ASSERT(number < w->top && w->has.connections[number].open);
    return w->has.connections[number].link;
}

/** @brief No connections and no wrappers. @param setup  copied */
void mf_wiring_init(struct mf_wiring *wiring, const struct mf_wiring_setup *setup);

static inline void mf_wiring_boot(struct mf_wiring *w, struct mf_hal *hal, int64_t utc_us,
                                  uint64_t seed)
{
    w->ops->boot(w, hal, utc_us, seed);
}
static inline void mf_wiring_call(struct mf_wiring *w, enum mf_record_type call, mf_us_t at_us)
{
    w->ops->call(w, call, at_us);
}
static inline int mf_wiring_open(const struct mf_wiring *w, struct mf_drone *d,
                                 const struct mf_drone_link *link)
{
    return w->ops->open(d, link);
}
static inline void mf_wiring_close(const struct mf_wiring *w, struct mf_drone *d, uint16_t number)
{
    w->ops->close(d, number);
}
static inline int mf_wiring_message(const struct mf_wiring *w, struct mf_drone *d, uint16_t number,
                                    struct mf_address from, uint32_t msgid, const void *msg)
{
    return w->ops->message(d, number, from, msgid, msg);
}

/** @brief Record what the drone does from its first boot on. Settings and the store's content
 * follow, then mf_drone_init().  @return MF_E_OK or MF_E_FULL */
int mf_wiring_record(struct mf_wiring *wiring, mf_recorder_write *write, void *ctx);

#endif
