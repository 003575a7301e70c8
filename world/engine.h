/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The engine of a simulation of many: what happens next, in one total order.
 *
 * Everything that happens has a place in the order (time, phase, id, sequence). An instant has six
 * phases, so that an entity senses a world that has moved, and an observer sees entities that have
 * acted. Within a phase, lower ids come first; of one id, what was asked for earlier.
 *
 * Work that is sparse is a timer, in a 4-ary heap. Work that many entities do at one rate is a
 * group: its members stand side by side and take no place in the heap.
 *
 *     while (mf_engine_next(&engine, &order) && order.at_us <= end_us) {
 *         bring_entities_to(order.at_us, order.phase);
 *         mf_engine_step(&engine);
 *     }
 *
 * The caller gives all memory. Timers and groups stay where they are while the engine knows them.
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

/** Groups of one engine. */
#define MF_ENGINE_GROUPS 32u

/** A place in the order. */
struct mf_order {
    mf_us_t at_us;
    enum mf_phase phase;
    uint32_t id;
    uint64_t sequence;
};

/** What happens: @p id is the timer's, or the group's member. */
typedef void mf_engine_run(void *ctx, uint32_t id, mf_us_t at_us);

/** Something that happens once, or again and again. The caller allocates it; fields are the
 * engine's. */
struct mf_timer {
    mf_engine_run *run;
    void *ctx;
    mf_us_t period_us; /**< 0: once */
    enum mf_phase phase;
    uint32_t id;
    uint32_t slot; /**< of the heap, from 1; 0: it is not set */
};

/** What many do at one rate. The caller allocates it; fields are the engine's. */
struct mf_group {
    mf_engine_run *run;
    void *ctx;
    mf_us_t period_us;
    enum mf_phase phase;
    uint32_t *id; /**< [capacity], ascending */
    uint32_t count, capacity;
    uint32_t cursor; /**< member that comes next */
    mf_us_t at_us;   /**< of the round in which it does */
};

struct mf_engine_slot {
    mf_us_t at_us;
    uint64_t place; /**< phase and id */
    uint64_t sequence;
    struct mf_timer *timer;
};

/** The caller allocates it; fields may be read. */
struct mf_engine {
    struct mf_engine_slot *heap; /**< [capacity + 1]; the first one is not used */
    uint32_t count, capacity;
    uint64_t sequence;    /**< of the next timer that is set */
    struct mf_order last; /**< what ran last */
    struct mf_group *group[MF_ENGINE_GROUPS];
    uint32_t group_count;
};

/** @brief Nothing is set. @param heap  [capacity + 1], the caller's */
void mf_engine_init(struct mf_engine *e, struct mf_engine_slot *heap, uint32_t capacity);

/** @brief A timer that is not set. */
void mf_timer_init(struct mf_timer *timer, enum mf_phase phase, uint32_t id, mf_engine_run *run,
                   void *ctx);

/**
 * @brief Set a timer, or set it anew: it runs at @p at_us, then every @p period_us (0: once).
 * @return MF_E_OK; MF_E_FULL; MF_E_RANGE: that place of the order has passed
 * O(log n).
 */
int mf_timer_set(struct mf_engine *e, struct mf_timer *timer, mf_us_t at_us, mf_us_t period_us);

/** @brief Not any more; nothing happens if it is not set. O(log n). */
void mf_timer_cancel(struct mf_engine *e, struct mf_timer *timer);

static inline bool mf_timer_is_set(const struct mf_timer *timer)
{
    return timer->slot != 0;
}

/** @brief A group without members. @param id  [capacity], the caller's */
void mf_group_init(struct mf_group *group, enum mf_phase phase, mf_engine_run *run, void *ctx,
                   uint32_t *id, uint32_t capacity);

/** @brief It joins the engine, for good: a round at @p at_us, then every @p period_us.
 *  @return MF_E_OK; MF_E_FULL; MF_E_RANGE: as mf_timer_set() */
int mf_group_join(struct mf_engine *e, struct mf_group *group, mf_us_t at_us, mf_us_t period_us);

/** @brief A member more of a group that has joined: its first turn is the next one that has not
 * passed. Ascending ids cost O(1) each.
 *  @return MF_E_OK; MF_E_FULL; MF_E_RANGE: it is one already */
int mf_group_add(struct mf_engine *e, struct mf_group *group, uint32_t id);

/** @brief A member less. @return MF_E_OK; MF_E_NOENT: it was none */
int mf_group_remove(struct mf_group *group, uint32_t id);

/** @brief What comes next. @param order  out  @return false: nothing is set */
bool mf_engine_next(const struct mf_engine *e, struct mf_order *order);

/** @brief It happens. Something must be set. */
void mf_engine_step(struct mf_engine *e);

#endif
