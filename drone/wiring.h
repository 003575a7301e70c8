/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Wiring between a drone and a host that serves it: the pace of vehicle time, and the wrappers of
 * links.
 *
 *     device -> quality -> misbehaviour -> recorder -> vehicle
 *
 * A wrapper is allocated from the board's memory on demand: by a link with a quality, by a rule, by
 * a recording. Links that are open then get it inserted, which neither side notices. A drone
 * without wiring has its devices at the vehicle's links, without wrappers.
 *
 * drone/drone.h has the calls. A drone calls its wiring through a table, so that a program without
 * wiring does not contain the code of wrappers.
 */
#ifndef MF_DRONE_WIRING_H
#define MF_DRONE_WIRING_H

#include "drone/misbehave.h"
#include "drone/pace.h"
#include "drone/quality.h"
#include "drone/recorder.h"
#include "hal/memory.h"

/** Open link. */
struct mf_connection {
    bool open;
    uint16_t port;
    int link;                /**< index of the vehicle's link; < 0: the vehicle has booted since */
    struct mf_serial serial; /**< the device, inside quality and misbehaviour */
    const char *name;
    const int32_t *interval_us;
};

/** Setup by a board; its pointers must outlive the drone. */
struct mf_wiring_setup {
    struct mf_connection *connections; /**< [count], of any content */
    uint16_t count;
    struct mf_memory *memory; /**< memory for wrappers; NULL: without wrappers */
    uint32_t quality_chunks;  /**< number of chunks for all links with a quality, of
                                 MF_QUALITY_CHUNK_BYTES each */
    uint32_t recorder_bytes;  /**< buffer of a recording, at least MF_RECORD_MAX */
    struct mf_pace
        *pace;        /**< pace that the vehicle's clock reads; NULL: the clock is another one */
    mf_us_t start_us; /**< transport time at which the qualities' time begins */
};

struct mf_drone;
struct mf_drone_link;
struct mf_wiring;

/** Functions of a wiring for its drone. */
struct mf_wiring_ops {
    /** Prepare a boot with these devices: connections lose their links. */
    void (*boot)(struct mf_wiring *w, struct mf_hal *hal, int64_t utc_us, uint64_t seed);
    /** Announce MF_RECORD_STEP, MF_RECORD_JUMP to a vehicle time, or MF_RECORD_END. */
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
    mf_us_t now_us; /**< latest transport time */
    uint64_t seed;
    struct mf_quality *quality;     /**< NULL: a link never had a quality */
    struct mf_misbehave *misbehave; /**< NULL: a rule was never added */
    struct mf_recorder *recorder;   /**< NULL: not recording */
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

/** @brief Vehicle's index of an open link. @return < 0: the vehicle has booted since it was
 * opened */
static inline int mf_wiring_link(const struct mf_wiring *w, uint16_t number)
{
    MF_ASSERT(number < w->top && w->has.connections[number].open);
    return w->has.connections[number].link;
}

/** @brief Begin without connections and wrappers. @param setup  copied */
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

/** @brief Record the drone from its first boot on. The caller then records settings and the store's
 * contents, and calls mf_drone_init().  @return MF_E_OK or MF_E_FULL */
int mf_wiring_record(struct mf_wiring *wiring, mf_recorder_write *write, void *ctx);

#endif
