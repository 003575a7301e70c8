/* SPDX-License-Identifier: Apache-2.0 */
/** Body that moves by whole cells, and its battery, in whole microampere hours. */
#ifndef MF_WORLD_MOVER_CELL_H
#define MF_WORLD_MOVER_CELL_H

#include "world/field.h"

struct mf_mover_cell_settings {
    uint32_t speed;            /**< cells per tick */
    enum mf_field_way heading; /**< initial heading */
    int64_t capacity_uah;      /**< 0: without a battery */
    int64_t move_uah;          /**< cost of a move */
    int64_t tick_uah;          /**< cost of a tick, with or without a move */
    int64_t per_kg_uah;        /**< additional cost of a move per kilogram of cargo */
};

struct mf_mover_cell {
    uint32_t cell;
    enum mf_field_way heading; /**< direction of the last move */
    int64_t battery_uah;
    uint64_t moves;
};

/** @brief Begin with a full battery. */
struct mf_mover_cell mf_mover_cell(const struct mf_mover_cell_settings *s, uint32_t cell);

/** @brief Cost of a move. @param grams  weight of the cargo */
int64_t mf_mover_cell_cost_uah(const struct mf_mover_cell_settings *s, uint32_t grams);

/** @brief Move to a neighbour. @return MF_E_OK; MF_E_DENIED: outside or blocked; MF_E_FULL: the
 * battery is too low */
int mf_mover_cell_move(const struct mf_mover_cell_settings *s, struct mf_mover_cell *m,
                       const struct mf_field_map *f, enum mf_field_way way, uint32_t grams);

/** @brief Subtract the cost of a tick. */
void mf_mover_cell_tick(const struct mf_mover_cell_settings *s, struct mf_mover_cell *m);

/** @brief Charge for one tick. @return true: the battery is full */
bool mf_mover_cell_charge(const struct mf_mover_cell_settings *s, struct mf_mover_cell *m,
                          int64_t rate_uah);

#endif
