/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Many vehicles in one memory on one virtual clock: each is a struct mf_drone as every board has
 * it.
 *
 * Vehicles share nothing that they change, so a vehicle runs ahead of its neighbours, from one of
 * its instants to the next, up to the time that mf_crowd_run() was given: the instant at which
 * somebody looks at it, or anything else happens. A vehicle without links goes from essential
 * instant to essential instant and encodes nothing.
 *
 * The crowd is cut into shards of neighbouring numbers. A shard has what its vehicles share: the
 * caches of the Earth, memory for parts, a link that is lent. One thread at a time has a shard, and
 * no result depends on which one, so any number of threads gives the same bytes.
 */
#ifndef MF_HAL_SIM_CROWD_H
#define MF_HAL_SIM_CROWD_H

#include "drone/inside.h"
#include "hal-sim/store_shared.h"
#include "hal-sim/workers.h"
#include "hal/memory.h"
#include "world/geoid.h"
#include "world/terrain.h"

/** Shards of a crowd: as many threads as this can work at once. */
#define MF_CROWD_SHARDS 16u
/** Most vehicles. */
#define MF_CROWD_MAX 1000000u

struct mf_crowd;
struct mf_wiring;
struct mf_world_settings;

/** How far a vehicle has come: what expectations and summaries look at. */
struct mf_crowd_state {
    mf_us_t at_us;
    uint8_t mode;   /**< enum mf_mode */
    uint8_t landed; /**< enum mf_landed */
    bool armed;
    bool failsafe;
    bool breach;     /**< of the fence */
    bool falling;    /**< it is in the air without its motors */
    bool finished;   /**< its mission */
    bool frozen;     /**< an assertion failed within it */
    int32_t reached; /**< item of the mission, -1: none */
};

/** What a board gives. Calls with a shard come from any thread; those of one shard from one at a
 * time. */
struct mf_crowd_ops {
    /** Vehicle @p i is about to boot: fill in what it does not share, and mf_store_shared_init().
     * Clock and store are the crowd's (the clock may be wrapped), as are the world's models and its
     * memory, which uploads may use, too.
     * @return MF_E_OK; MF_E_NOENT: there is no vehicle of this number, and it takes no memory;
     * another error: what mf_crowd_boot() returns */
    int (*describe)(void *ctx, uint32_t i, struct mf_drone_setup *setup,
                    struct mf_world_settings *world, struct mf_store_shared *store);
    /** It has booted, at time 0: parameters, links. NULL: nothing is to be done
     * @return as describe() */
    int (*booted)(void *ctx, uint32_t i, struct mf_drone *drone);
    /** A vehicle's turn, which mf_crowd_turn() or the turn before has asked for: it acts on itself,
     * after everything that is due at that instant. NULL: nobody has any
     * @param inside  a peer within the process
     * @return when the next turn is, later; MF_NEVER */
    mf_us_t (*act)(void *ctx, uint32_t i, mf_us_t at_us, struct mf_drone *drone,
                   struct mf_inside *inside);
    /** Something of a vehicle's state is not as before. NULL: nobody wants to know */
    void (*changed)(void *ctx, uint32_t shard, uint32_t i, const struct mf_crowd_state *before,
                    const struct mf_crowd_state *now);
    /** Vehicle @p i has run: change when it wants to run again, if its clients need something else;
     * transport time is not the virtual clock's where describe() has given it another clock. NULL:
     * nothing is to be changed */
    void (*woken)(void *ctx, uint32_t i, struct mf_wake *wake);
    /** Run a part of vehicle @p i so that an assertion comes back: host/base/guard.h.
     * @param now_us  its time  @return false: one has failed. NULL: it ends the process */
    bool (*guard)(void *ctx, uint32_t shard, uint32_t i, const mf_us_t *now_us,
                  void (*run)(void *part), void *part);
};

struct mf_crowd_setup {
    uint32_t count;           /**< 1 .. MF_CROWD_MAX */
    struct mf_memory *memory; /**< zeroed, mf_crowd_bytes() of it; the crowd itself lies in it */
    size_t parts_each; /**< for parts of each vehicle at most: a body with physics, faults, an
                          upload [bytes]; a shard's vehicles have theirs together */
    const struct mf_crowd_ops *ops;
    void *ctx;
    const struct mf_geoid *geoid; /**< models, which each shard reads with a cache of its own; NULL:
                                     the mean sea level is the ellipsoid */
    const struct mf_terrain *terrain; /**< NULL: none */
    bool jumps; /**< a vehicle with links, too, goes from event to event (docs/time.md) */
};

/** @brief Memory of a crowd [bytes]. */
size_t mf_crowd_bytes(uint32_t count, size_t parts_each);

/** @brief A crowd in the setup's memory; no vehicle has booted. @return NULL: there is no room */
struct mf_crowd *mf_crowd_init(const struct mf_crowd_setup *setup);

/** @brief All vehicles boot at time 0. @param workers  NULL: on this thread
 *  @param failed  out: the vehicle that could not  @return MF_E_OK; as describe() and
 * mf_drone_init() */
int mf_crowd_boot(struct mf_crowd *crowd, struct mf_workers *workers, uint32_t *failed);

/** @brief A vehicle's first turn: from booted(), or between two runs. @param at_us  not in the past
 */
void mf_crowd_turn(struct mf_crowd *crowd, uint32_t i, mf_us_t at_us);

/** @brief All vehicles run up to and including @p until_us, which is not in the past. */
void mf_crowd_run(struct mf_crowd *crowd, struct mf_workers *workers, mf_us_t until_us);

/** @brief The earliest time at which a vehicle wants to run; MF_NEVER. */
mf_us_t mf_crowd_next(const struct mf_crowd *crowd);

/** @brief Will nothing happen by itself any more? What vehicles show to whoever listens is nothing.
 */
bool mf_crowd_is_idle(const struct mf_crowd *crowd);

/** @brief How often vehicles have run. */
uint64_t mf_crowd_steps(const struct mf_crowd *crowd);

/** @brief Vehicles in which an assertion failed. */
uint32_t mf_crowd_frozen(const struct mf_crowd *crowd);

/** @brief Vehicles that are armed, and that are not on the ground; a frozen one is as it was. */
uint32_t mf_crowd_armed(const struct mf_crowd *crowd);
uint32_t mf_crowd_up(const struct mf_crowd *crowd);

struct mf_crowd_state mf_crowd_state(const struct mf_crowd *crowd, uint32_t i);

/** @brief Where a vehicle truly is at a time, which may lie ahead of what it has run up to, but not
 * beyond its next instant. */
struct mf_pose mf_crowd_pose(const struct mf_crowd *crowd, uint32_t i, mf_us_t at_us);

/** What is done to a vehicle by a visit. @param inside  a peer within the process; its link is
 * closed after the visit */
typedef void mf_crowd_visit_fn(void *ctx, uint32_t shard, uint32_t i, struct mf_drone *drone,
                               struct mf_inside *inside);

/** @brief Do something to vehicles @p from .. @p to - 1 at @p at_us, up to which all have run,
 * shard by shard. What is due at that instant comes first. A vehicle without links is lent one. */
void mf_crowd_visit(struct mf_crowd *crowd, struct mf_workers *workers, mf_us_t at_us,
                    uint32_t from, uint32_t to, mf_crowd_visit_fn *visit, void *ctx);

/** @brief Vehicle @p i as it is after its last run; one that an assertion has ended is not looked
 * at. */
struct mf_drone *mf_crowd_drone(struct mf_crowd *crowd, uint32_t i);

/** @brief Something has come for vehicle @p i at @p at_us, up to which all have run: it runs at
 * that instant, after @p visit, which opens or closes its links or changes nothing (NULL).
 * @return false: an assertion has ended it, now or before */
bool mf_crowd_touch(struct mf_crowd *crowd, uint32_t i, mf_us_t at_us,
                    void (*visit)(void *ctx, uint32_t i, struct mf_drone *drone), void *ctx);

/** @brief Lend vehicle @p i links, each with a barrier, until mf_crowd_reclaim(); one that has
 * booted with links keeps those. @param links, barriers  [count], of any content
 *  @param wiring  without connections; NULL: none
 *  @return whether it was lent them */
bool mf_crowd_lend(struct mf_crowd *crowd, uint32_t i, struct mf_link *links,
                   struct mf_barrier *barriers, uint16_t count, struct mf_wiring *wiring);

/** @brief Vehicle @p i is not lent links any more, none of which is open. */
void mf_crowd_reclaim(struct mf_crowd *crowd, uint32_t i);

/** What a vehicle has done, of which mf_crowd_digest() is made. */
struct mf_crowd_trail {
    uint64_t done;     /**< when it ran, how its state changed */
    uint64_t place[3]; /**< bits of where it is */
    bool frozen;       /**< an assertion failed within it: its place does not count */
};

/** @brief What vehicle @p i has done. */
struct mf_crowd_trail mf_crowd_trail(const struct mf_crowd *crowd, uint32_t i);

/** @brief The digest, with one more vehicle: in the order of numbers, beginning with the number of
 * vehicles. */
uint64_t mf_crowd_digest_add(uint64_t digest, const struct mf_crowd_trail *trail);

/** @brief One number of everything that vehicles have done: when each ran, how its state changed,
 * where it is. Runs that differ in anything differ in it. */
uint64_t mf_crowd_digest(const struct mf_crowd *crowd);

/** @brief Nothing more will come: mf_drone_end() of the vehicles that have wiring. */
void mf_crowd_end(struct mf_crowd *crowd);

#endif
