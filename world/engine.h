/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Event queue of a simulation of many entities: all events in one total order.
 *
 * Each event has a place in the order (time, phase, id, sequence). An instant has six phases, so
 * that an entity senses a world that has moved, and an observer sees entities that have acted.
 * Within a phase, lower ids run first; of one id, the event that was set earlier.
 *
 * A timer, in a 4-ary heap, is for sparse events. A group is for work that many entities do at one
 * rate: its members lie in one array, and need no place in the heap.
 *
 *     while (mf_engine_next(&engine, &order) && order.at_us <= end_us) {
 *         bring_entities_to(order.at_us, order.phase);
 *         mf_engine_step(&engine);
 *     }
 *
 * The caller supplies all memory, and must not move timers and groups while the engine has them.
 */
#ifndef MF_WORLD_ENGINE_H
#define MF_WORLD_ENGINE_H

#include "hal/types.h"

/** Phases of an instant, in order. */
#define MF_PHASE_LIST(X)                                             \
    X(WORLD)   /* weather, objects, chargers */                      \
    X(CONTROL) /* controllers, orders */                             \
    X(ENTITY)  /* entities: battery, messages, sense, act, report */ \
    X(MEDIUM)  /* radio: deliveries */                               \
    X(PLAN)    /* plans that change by what was detected */          \
    X(OBSERVE) /* outputs: they change nothing */

enum mf_phase {
#define X(name) MF_PHASE_##name,
    MF_PHASE_LIST(X)
#undef X
        MF_PHASE_COUNT
};

/** Maximum number of groups of an engine. */
#define MF_ENGINE_GROUPS 32u

/** Place of an event in the order. */
struct mf_order {
    mf_us_t at_us;
    enum mf_phase phase;
    uint32_t id;
    uint64_t sequence;
};

/** Function of an event: @p id is the timer's, or the group's member. */
typedef void mf_engine_run(void *ctx, uint32_t id, mf_us_t at_us);

/** Event that happens once, or periodically. The caller allocates it; its fields are private. */
struct mf_timer {
    mf_engine_run *run;
    void *ctx;
    mf_us_t period_us; /**< 0: once */
    enum mf_phase phase;
    uint32_t id;
    uint32_t slot; /**< index in the heap, from 1; 0: not set */
};

/** Periodic work of many members. The caller allocates it; its fields are private. */
struct mf_group {
    mf_engine_run *run;
    void *ctx;
    mf_us_t period_us;
    enum mf_phase phase;
    uint32_t *id; /**< [capacity], ascending */
    uint32_t count, capacity;
    uint32_t cursor; /**< index of the next member */
    mf_us_t at_us;   /**< time of that member's round */
};

struct mf_engine_slot {
    mf_us_t at_us;
    uint64_t place; /**< phase and id */
    uint64_t sequence;
    struct mf_timer *timer;
};

/** The caller allocates it, and may read its fields. */
struct mf_engine {
    struct mf_engine_slot *heap; /**< [capacity + 1]; the first one is unused */
    uint32_t count, capacity;
    uint64_t sequence;    /**< sequence of the next timer that is set */
    struct mf_order last; /**< place of the last event */
    struct mf_group *group[MF_ENGINE_GROUPS];
    uint32_t group_count;
};

/** @brief Begin without events. @param heap  [capacity + 1], owned by the caller */
void mf_engine_init(struct mf_engine *e, struct mf_engine_slot *heap, uint32_t capacity);

/** @brief Initialise a timer, without setting it. */
void mf_timer_init(struct mf_timer *timer, enum mf_phase phase, uint32_t id, mf_engine_run *run,
                   void *ctx);

/**
 * @brief Set a timer, or set it again: it runs at @p at_us, then every @p period_us (0: once).
 * @return MF_E_OK; MF_E_FULL; MF_E_RANGE: that place of the order has passed
 * O(log n).
 */
int mf_timer_set(struct mf_engine *e, struct mf_timer *timer, mf_us_t at_us, mf_us_t period_us);

/** @brief Cancel a timer; one that is not set stays so. O(log n). */
void mf_timer_cancel(struct mf_engine *e, struct mf_timer *timer);

static inline bool mf_timer_is_set(const struct mf_timer *timer)
{
    return timer->slot != 0;
}

/** @brief Initialise a group without members. @param id  [capacity], owned by the caller */
void mf_group_init(struct mf_group *group, enum mf_phase phase, mf_engine_run *run, void *ctx,
                   uint32_t *id, uint32_t capacity);

/** @brief Add a group to the engine; it cannot leave. Its rounds are at @p at_us, then every @p
 * period_us.
 * @return MF_E_OK; MF_E_FULL; MF_E_RANGE: as mf_timer_set() */
int mf_group_join(struct mf_engine *e, struct mf_group *group, mf_us_t at_us, mf_us_t period_us);

/** @brief Add a member to a group of the engine. Its first turn is the next one that has not
 * passed. Ascending ids cost O(1) each.
 * @return MF_E_OK; MF_E_FULL; MF_E_RANGE: it is already a member */
int mf_group_add(struct mf_engine *e, struct mf_group *group, uint32_t id);

/** @brief Remove a member. @return MF_E_OK; MF_E_NOENT: not a member */
int mf_group_remove(struct mf_group *group, uint32_t id);

/** @brief Find the next event. @param order  out  @return false: the queue is empty */
bool mf_engine_next(const struct mf_engine *e, struct mf_order *order);

/** @brief Run the next event. The queue must not be empty. */
void mf_engine_step(struct mf_engine *e);

#endif
