/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Crowd: many vehicles in one memory on one virtual clock. Each is a struct mf_drone as on every
 * board.
 *
 * Vehicles share no mutable data, so a vehicle runs ahead of its neighbours, from one of its
 * instants to the next, up to the time of mf_crowd_run(): the instant of the next visit, or of the
 * next event outside. A vehicle without links runs at its essential instants only, and encodes no
 * messages.
 *
 * The crowd is divided into shards of neighbouring numbers. A shard has the data that its vehicles
 * share: the caches of the Earth, memory for parts, a link to lend. One thread at a time works on a
 * shard, and no result depends on the thread, so any number of threads gives the same bytes.
 */
#ifndef MF_HAL_SIM_CROWD_H
#define MF_HAL_SIM_CROWD_H

#include "drone/inside.h"
#include "hal-sim/store_shared.h"
#include "hal-sim/workers.h"
#include "hal/memory.h"
#include "world/geoid.h"
#include "world/terrain.h"

/** Number of shards; more threads than this do not help. */
#define MF_CROWD_SHARDS 16u
/** Maximum number of vehicles. */
#define MF_CROWD_MAX 1000000u

struct mf_crowd;
struct mf_wiring;
struct mf_world_settings;

/** State of a vehicle that expectations and summaries read. */
struct mf_crowd_state {
    mf_us_t at_us;
    uint8_t mode;   /**< enum mf_mode */
    uint8_t landed; /**< enum mf_landed */
    bool armed;
    bool failsafe;
    bool breach;     /**< breach of the fence */
    bool falling;    /**< in the air without its motors */
    bool finished;   /**< its mission is finished */
    bool frozen;     /**< an assertion failed in the vehicle */
    int32_t reached; /**< last item of the mission reached, -1: none */
};

/** Operations of a board. The crowd calls them for one shard from one thread at a time, for
 * different shards from different threads. */
struct mf_crowd_ops {
    /** Fill in the parts of vehicle @p i that it does not share, and call mf_store_shared_init(),
     * before the vehicle boots. The crowd supplies clock and store (the board may wrap the clock),
     * the world's models and its memory, which uploads may also use.
     * @return MF_E_OK; MF_E_NOENT: the vehicle is absent, and takes no memory; another error:
     * mf_crowd_boot() returns it */
    int (*describe)(void *ctx, uint32_t i, struct mf_drone_setup *setup,
                    struct mf_world_settings *world, struct mf_store_shared *store);
    /** Set parameters and open links of a vehicle that has booted, at time 0. NULL: not needed
     * @return as describe() */
    int (*booted)(void *ctx, uint32_t i, struct mf_drone *drone);
    /** Take a vehicle's turn, which mf_crowd_turn() or the turn before has requested: it acts after
     * everything that is due at that instant. NULL: vehicles take no turns
     * @param inside  a peer within the process
     * @return time of the next turn, later than @p at_us; MF_NEVER */
    mf_us_t (*act)(void *ctx, uint32_t i, mf_us_t at_us, struct mf_drone *drone,
                   struct mf_inside *inside);
    /** Process a change of a vehicle's state. NULL: not needed */
    void (*changed)(void *ctx, uint32_t shard, uint32_t i, const struct mf_crowd_state *before,
                    const struct mf_crowd_state *now);
    /** Change the time at which vehicle @p i, which has just run, runs again, if its clients need
     * another one. The vehicle's transport time is not the virtual clock's if describe() gave it
     * another clock. NULL: not needed */
    void (*woken)(void *ctx, uint32_t i, struct mf_wake *wake);
    /** Run a part of vehicle @p i so that a failed assertion returns here: host/base/guard.h.
     * @param now_us  time of the vehicle  @return false: an assertion failed. NULL: a failed
     * assertion ends the process */
    bool (*guard)(void *ctx, uint32_t shard, uint32_t i, const mf_us_t *now_us,
                  void (*run)(void *part), void *part);
};

struct mf_crowd_setup {
    uint32_t count; /**< 1 .. MF_CROWD_MAX */
    struct mf_memory
        *memory;       /**< zeroed, with mf_crowd_bytes(); the crowd itself is allocated in it */
    size_t parts_each; /**< most memory for each vehicle's parts: a body with physics, faults, an
                          upload [bytes]; the vehicles of a shard share the sum */
    const struct mf_crowd_ops *ops;
    void *ctx;
    const struct mf_geoid *geoid; /**< models, which each shard reads with its own cache; NULL: the
                                     mean sea level is the ellipsoid */
    const struct mf_terrain *terrain; /**< NULL: none */
    bool jumps; /**< vehicles with links also run at their events only (docs/time.md) */
};

/** @brief Memory of a crowd [bytes]. */
size_t mf_crowd_bytes(uint32_t count, size_t parts_each);

/** @brief Allocate a crowd in the setup's memory; no vehicle has booted. @return NULL: not enough
 * memory */
struct mf_crowd *mf_crowd_init(const struct mf_crowd_setup *setup);

/** @brief Boot all vehicles at time 0. @param workers  NULL: on this thread
 * @param failed  out: the vehicle that failed  @return MF_E_OK; as describe() and
 * mf_drone_init() */
int mf_crowd_boot(struct mf_crowd *crowd, struct mf_workers *workers, uint32_t *failed);

/** @brief Request a vehicle's first turn: from booted(), or between two runs. @param at_us  not in
 * the past */
void mf_crowd_turn(struct mf_crowd *crowd, uint32_t i, mf_us_t at_us);

/** @brief Run all vehicles up to and including @p until_us, which is not in the past. */
void mf_crowd_run(struct mf_crowd *crowd, struct mf_workers *workers, mf_us_t until_us);

/** @brief Earliest time at which a vehicle is due; MF_NEVER. */
mf_us_t mf_crowd_next(const struct mf_crowd *crowd);

/** @brief True if no event is left without input from outside. Periodic messages to clients are not
 * events. */
bool mf_crowd_is_idle(const struct mf_crowd *crowd);

/** @brief Number of passes of all vehicles. */
uint64_t mf_crowd_steps(const struct mf_crowd *crowd);

/** @brief Number of vehicles in which an assertion failed. */
uint32_t mf_crowd_frozen(const struct mf_crowd *crowd);

/** @brief Number of vehicles that are armed, and of those not on the ground; a frozen one keeps its
 * last state. */
uint32_t mf_crowd_armed(const struct mf_crowd *crowd);
uint32_t mf_crowd_up(const struct mf_crowd *crowd);

struct mf_crowd_state mf_crowd_state(const struct mf_crowd *crowd, uint32_t i);

/** @brief True pose of a vehicle at a time, which may lie ahead of the vehicle's last pass, but not
 * beyond its next instant. */
struct mf_pose mf_crowd_pose(const struct mf_crowd *crowd, uint32_t i, mf_us_t at_us);

/** Function that a visit calls for a vehicle. @param inside  a peer within the process; its link is
 * closed after the visit */
typedef void mf_crowd_visit_fn(void *ctx, uint32_t shard, uint32_t i, struct mf_drone *drone,
                               struct mf_inside *inside);

/** @brief Call a function for vehicles @p from .. @p to - 1 at @p at_us, up to which all have run,
 * shard by shard. Everything due at that instant runs first. A vehicle without links gets a link
 * for the visit. */
void mf_crowd_visit(struct mf_crowd *crowd, struct mf_workers *workers, mf_us_t at_us,
                    uint32_t from, uint32_t to, mf_crowd_visit_fn *visit, void *ctx);

/** @brief Vehicle @p i after its last pass. The caller must not read one that an assertion has
 * ended. */
struct mf_drone *mf_crowd_drone(struct mf_crowd *crowd, uint32_t i);

/** @brief Run vehicle @p i at @p at_us, up to which all have run, because input has arrived: after
 * @p visit, which opens or closes its links, or is NULL.
 * @return false: an assertion has ended the vehicle, now or before */
bool mf_crowd_touch(struct mf_crowd *crowd, uint32_t i, mf_us_t at_us,
                    void (*visit)(void *ctx, uint32_t i, struct mf_drone *drone), void *ctx);

/** @brief Lend vehicle @p i links, each with a barrier, until mf_crowd_reclaim(); a vehicle that
 * has booted with links keeps those. @param links, barriers  [count], of any content
 * @param wiring  without connections; NULL: none
 * @return true: the vehicle has got them */
bool mf_crowd_lend(struct mf_crowd *crowd, uint32_t i, struct mf_link *links,
                   struct mf_barrier *barriers, uint16_t count, struct mf_wiring *wiring);

/** @brief Take back the links of vehicle @p i, all of which are closed. */
void mf_crowd_reclaim(struct mf_crowd *crowd, uint32_t i);

/** History of a vehicle, from which mf_crowd_digest() is computed. */
struct mf_crowd_trail {
    uint64_t done;     /**< hash of its passes and of the changes of its state */
    uint64_t place[3]; /**< bits of its place */
    bool frozen;       /**< an assertion failed in the vehicle: the digest omits its place */
};

/** @brief History of vehicle @p i. */
struct mf_crowd_trail mf_crowd_trail(const struct mf_crowd *crowd, uint32_t i);

/** @brief Add a vehicle to a digest. Begin with the number of vehicles, and add them in the order
 * of their numbers. */
uint64_t mf_crowd_digest_add(uint64_t digest, const struct mf_crowd_trail *trail);

/** @brief Hash of all vehicles' passes, changes of state and places. Runs that differ in any of
 * these have different digests. */
uint64_t mf_crowd_digest(const struct mf_crowd *crowd);

/** @brief End all vehicles: calls mf_drone_end() of those that have wiring. */
void mf_crowd_end(struct mf_crowd *crowd);

#endif
