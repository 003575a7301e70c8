/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Cells: places in two or three dimensions that are free or blocked and may have attributes, each
 * with a name and a number or a text. The middle of a cell is a point in metres.
 */
#ifndef MF_WORLD_FIELD_H
#define MF_WORLD_FIELD_H

#include "hal/memory.h"

/** Longest name of an attribute, longest text of one, each with its NUL. */
#define MF_FIELD_NAME_MAX 24u
#define MF_FIELD_TEXT_MAX 24u
/** Maximum number of cells of a field. */
#define MF_FIELD_CELLS_MAX 4000000u
/** No cell; and all cells, as "until" of mf_field_costs(). */
#define MF_FIELD_ALL UINT32_MAX

/** Ways from a cell to its neighbours, in the order of a search; X(name, x, y, z). */
#define MF_FIELD_WAY_LIST(X) \
    X(EAST, 1, 0, 0)         \
    X(WEST, -1, 0, 0) X(NORTH, 0, 1, 0) X(SOUTH, 0, -1, 0) X(UP, 0, 0, 1) X(DOWN, 0, 0, -1)

#define X(name, x, y, z) MF_FIELD_##name,
enum mf_field_way { MF_FIELD_WAY_LIST(X) MF_FIELD_WAYS };
#undef X

struct mf_cell {
    int32_t x, y, z;
};

/** Value of an attribute. */
struct mf_field_value {
    bool is_text;
    double number;                /**< unless is_text */
    char text[MF_FIELD_TEXT_MAX]; /**< the value as it was written, for a number, too */
};

struct mf_attribute {
    uint32_t cell;
    char name[MF_FIELD_NAME_MAX];
    struct mf_field_value value;
};

struct mf_field_map {
    uint32_t size[3];
    double metres; /**< side of a cell */
    uint64_t *blocked;
    struct mf_attribute *attribute; /**< [slots], in the order of their creation;
                                       mf_field_take() leaves gaps, whose cell is MF_FIELD_ALL */
    uint32_t *first; /**< [cells]: slot of the cell's oldest attribute, plus 1; 0: none */
    uint32_t *next;  /**< [slots]: slot of the cell's next attribute, plus 1; 0: none */
    uint32_t attributes, attributes_max, slots;
};

/** @brief Number of cells of a field. */
uint32_t mf_field_cells(const struct mf_field_map *f);

/** @brief Largest memory that mf_field_init() reserves [bytes]. */
size_t mf_field_bytes(const uint32_t size[3], uint32_t attributes_max);

/** @brief Begin a field with free cells, without attributes.
 * @return MF_E_OK; MF_E_RANGE: zero cells or too many; MF_E_FULL: not enough memory */
int mf_field_init(struct mf_field_map *f, const uint32_t size[3], double metres,
                  uint32_t attributes_max, struct mf_memory *memory);

bool mf_field_is_inside(const struct mf_field_map *f, struct mf_cell c);

/** @brief Index of a cell, x first. @param c  inside */
uint32_t mf_field_index(const struct mf_field_map *f, struct mf_cell c);
struct mf_cell mf_field_cell(const struct mf_field_map *f, uint32_t index);

/** @brief Neighbour of a cell. @return false: it would be outside */
bool mf_field_neighbour(const struct mf_field_map *f, uint32_t cell, enum mf_field_way way,
                        uint32_t *neighbour);

/** @brief Place of the middle of a cell: along x, along y, up [m]. @param at_m  out [3] */
void mf_field_place(const struct mf_field_map *f, uint32_t cell, double *at_m);

bool mf_field_is_blocked(const struct mf_field_map *f, uint32_t cell);
void mf_field_block(struct mf_field_map *f, uint32_t cell, bool blocked);

/** @brief Read a value: a number, or any other text. @return false: too long */
bool mf_field_value(const char *text, struct mf_field_value *value);
bool mf_field_value_is(const struct mf_field_value *a, const struct mf_field_value *b);

/** @brief Attribute of a cell. @return NULL: the cell lacks an attribute of this name */
const struct mf_attribute *mf_field_find(const struct mf_field_map *f, uint32_t cell,
                                         const char *name);

/** @brief The oldest attribute of a cell. @return NULL: the cell lacks attributes */
const struct mf_attribute *mf_field_first(const struct mf_field_map *f, uint32_t cell);

/** @brief Find the oldest attribute with a name and a value. @param value  NULL: any */
const struct mf_attribute *mf_field_search(const struct mf_field_map *f, const char *name,
                                           const struct mf_field_value *value);

/** @brief Add an attribute to a cell. @return MF_E_OK; MF_E_DENIED: the cell is blocked, or has an
 * attribute of this name; MF_E_FULL */
int mf_field_put(struct mf_field_map *f, uint32_t cell, const char *name,
                 const struct mf_field_value *value);

/** @brief Change the value of an attribute. @return MF_E_OK; MF_E_DENIED: the cell lacks it */
int mf_field_change(struct mf_field_map *f, uint32_t cell, const char *name,
                    const struct mf_field_value *value);

/** @brief Remove an attribute. @param taken  out; may be NULL
 * @return MF_E_OK; MF_E_DENIED: the cell lacks an attribute of this name */
int mf_field_take(struct mf_field_map *f, uint32_t cell, const char *name,
                  struct mf_attribute *taken);

/** @brief Number of moves from each cell to a goal, by Dijkstra's algorithm with moves of cost 1;
 * -1: no way leads to it.
 * @param blocked  a bit per cell, such as f->blocked
 * @param until  cells farther from the goal than this one may have -1; or MF_FIELD_ALL
 * @param cost, queue  out, scratch [cells] */
void mf_field_costs(const struct mf_field_map *f, const uint64_t *blocked, uint32_t goal,
                    uint32_t until, int32_t *cost, uint32_t *queue);

#endif
