/* SPDX-License-Identifier: Apache-2.0 */
/* Cells: places, attributes, ways. Called by fleet/grid and its parts, world/things and
 * boards/swarm/grid_operator. */
#include "world/field.h"

#include "math/decimal.h"

#include <string.h>

static const int8_t k_way[MF_FIELD_WAYS][3] = {
#define X(name, x, y, z) {x, y, z},
    MF_FIELD_WAY_LIST(X)
#undef X
};

uint32_t mf_field_cells(const struct mf_field_map *f)
{
    return f->size[0] * f->size[1] * f->size[2];
}

static size_t words(uint32_t cells)
{
    return (cells + 63u) / 64u;
}

/* Number of cells of a field. @return 0: no cells, or too many */
static uint32_t cells_of(const uint32_t size[3])
{
    uint64_t cells = 1;
    for (int i = 0; i < 3; i++) {
        cells = cells > MF_FIELD_CELLS_MAX ? cells : cells * size[i];
    }
    return cells > MF_FIELD_CELLS_MAX ? 0u : (uint32_t)cells;
}

size_t mf_field_bytes(const uint32_t size[3], uint32_t attributes_max)
{
    return MF_MEMORY_BYTES((words(cells_of(size)) + 1u) * sizeof(uint64_t)) +
           MF_MEMORY_BYTES((cells_of(size) + 1u) * sizeof(uint32_t)) +
           MF_MEMORY_BYTES((attributes_max + 1u) * sizeof(uint32_t)) +
           MF_MEMORY_BYTES((attributes_max + 1u) * sizeof(struct mf_attribute));
}

int mf_field_init(struct mf_field_map *f, const uint32_t size[3], double metres,
                  uint32_t attributes_max, struct mf_memory *memory)
{
    MF_ASSERT(f != NULL && metres > 0.0);
    const uint32_t cells = cells_of(size);
    if (cells == 0) {
        return MF_E_RANGE;
    }
    const size_t bits = (words(cells) + 1u) * sizeof(uint64_t);
    *f = (struct mf_field_map){
        .size = {size[0], size[1], size[2]}, .metres = metres, .attributes_max = attributes_max};
    f->blocked = mf_memory_part(memory, NULL, bits);
    f->attribute =
        mf_memory_part(memory, NULL, (attributes_max + 1u) * sizeof(struct mf_attribute));
    f->first = mf_memory_part(memory, NULL, (cells + 1u) * sizeof *f->first);
    f->next = mf_memory_part(memory, NULL, (attributes_max + 1u) * sizeof *f->next);
    if (f->blocked == NULL || f->attribute == NULL || f->first == NULL || f->next == NULL) {
        return MF_E_FULL;
    }
    memset(f->blocked, 0, bits);
    memset(f->first, 0, cells * sizeof *f->first);
    return MF_E_OK;
}

/* ---- cells and places */

bool mf_field_is_inside(const struct mf_field_map *f, struct mf_cell c)
{
    return c.x >= 0 && c.y >= 0 && c.z >= 0 && (uint32_t)c.x < f->size[0] &&
           (uint32_t)c.y < f->size[1] && (uint32_t)c.z < f->size[2];
}

uint32_t mf_field_index(const struct mf_field_map *f, struct mf_cell c)
{
    MF_ASSERT(mf_field_is_inside(f, c));
    return ((uint32_t)c.z * f->size[1] + (uint32_t)c.y) * f->size[0] + (uint32_t)c.x;
}

struct mf_cell mf_field_cell(const struct mf_field_map *f, uint32_t index)
{
    MF_ASSERT(f->size[0] > 0 && f->size[1] > 0 && index < mf_field_cells(f));
    const uint32_t row = index / f->size[0];
    return (struct mf_cell){(int32_t)(index % f->size[0]), (int32_t)(row % f->size[1]),
                            (int32_t)(row / f->size[1])};
}

bool mf_field_neighbour(const struct mf_field_map *f, uint32_t cell, enum mf_field_way way,
                        uint32_t *neighbour)
{
    struct mf_cell c = mf_field_cell(f, cell);
    MF_ASSERT(way < MF_FIELD_WAYS);
    c.x += k_way[way][0];
    c.y += k_way[way][1];
    c.z += k_way[way][2];
    if (!mf_field_is_inside(f, c)) {
        return false;
    }
    *neighbour = mf_field_index(f, c);
    return true;
}

void mf_field_place(const struct mf_field_map *f, uint32_t cell, double *at_m)
{
    const struct mf_cell c = mf_field_cell(f, cell);
    at_m[0] = ((double)c.x + 0.5) * f->metres;
    at_m[1] = ((double)c.y + 0.5) * f->metres;
    at_m[2] = ((double)c.z + 0.5) * f->metres;
}

static bool bit(const uint64_t *bits, uint32_t i)
{
    return (bits[i / 64u] >> (i % 64u) & 1u) != 0;
}

bool mf_field_is_blocked(const struct mf_field_map *f, uint32_t cell)
{
    MF_ASSERT(cell < mf_field_cells(f));
    return bit(f->blocked, cell);
}

void mf_field_block(struct mf_field_map *f, uint32_t cell, bool blocked)
{
    MF_ASSERT(cell < mf_field_cells(f));
    const uint64_t one = (uint64_t)1 << (cell % 64u);
    f->blocked[cell / 64u] = blocked ? f->blocked[cell / 64u] | one : f->blocked[cell / 64u] & ~one;
}

/* ---- attributes */

bool mf_field_value(const char *text, struct mf_field_value *value)
{
    const size_t n = strlen(text);
    if (n >= MF_FIELD_TEXT_MAX) {
        return false;
    }
    memset(value, 0, sizeof *value);
    memcpy(value->text, text, n);
    value->is_text = !mf_decimal(text, &value->number);
    return true;
}

bool mf_field_value_is(const struct mf_field_value *a, const struct mf_field_value *b)
{
    return a->is_text == b->is_text &&
           (a->is_text ? strcmp(a->text, b->text) == 0 : a->number == b->number);
}

/* Find the link that leads to an attribute of a cell. @return link to the end of the cell's list:
 * the cell lacks the attribute */
static uint32_t *link_to(const struct mf_field_map *f, uint32_t cell, const char *name)
{
    uint32_t *link = &f->first[cell];
    while (*link != 0 && strcmp(f->attribute[*link - 1u].name, name) != 0) {
        link = &f->next[*link - 1u];
    }
    return link;
}

static struct mf_attribute *find(const struct mf_field_map *f, uint32_t cell, const char *name)
{
    MF_ASSERT(cell < mf_field_cells(f));
    const uint32_t slot = *link_to(f, cell, name);
    return slot != 0 ? &f->attribute[slot - 1u] : NULL;
}

const struct mf_attribute *mf_field_find(const struct mf_field_map *f, uint32_t cell,
                                         const char *name)
{
    return find(f, cell, name);
}

const struct mf_attribute *mf_field_first(const struct mf_field_map *f, uint32_t cell)
{
    MF_ASSERT(cell < mf_field_cells(f));
    return f->first[cell] != 0 ? &f->attribute[f->first[cell] - 1u] : NULL;
}

const struct mf_attribute *mf_field_search(const struct mf_field_map *f, const char *name,
                                           const struct mf_field_value *value)
{
    for (uint32_t i = 0; i < f->slots; i++) {
        const struct mf_attribute *a = &f->attribute[i];
        if (a->cell != MF_FIELD_ALL && strcmp(a->name, name) == 0 &&
            (value == NULL || mf_field_value_is(&a->value, value))) {
            return a;
        }
    }
    return NULL;
}

/* Append the last slot to the list of its cell. */
static void link_last(struct mf_field_map *f)
{
    uint32_t *link = &f->first[f->attribute[f->slots - 1u].cell];
    while (*link != 0) {
        link = &f->next[*link - 1u];
    }
    *link = f->slots;
    f->next[f->slots - 1u] = 0;
}

/* Remove the gaps that mf_field_take() has left. */
static void close_gaps(struct mf_field_map *f)
{
    const uint32_t slots = f->slots;
    f->slots = 0;
    memset(f->first, 0, mf_field_cells(f) * sizeof *f->first);
    for (uint32_t i = 0; i < slots; i++) {
        if (f->attribute[i].cell != MF_FIELD_ALL) {
            f->attribute[f->slots++] = f->attribute[i];
            link_last(f);
        }
    }
}

int mf_field_put(struct mf_field_map *f, uint32_t cell, const char *name,
                 const struct mf_field_value *value)
{
    MF_ASSERT(cell < mf_field_cells(f) && strlen(name) < MF_FIELD_NAME_MAX);
    if (mf_field_is_blocked(f, cell) || find(f, cell, name) != NULL) {
        return MF_E_DENIED;
    }
    if (f->attributes == f->attributes_max) {
        return MF_E_FULL;
    }
    if (f->slots == f->attributes_max) {
        close_gaps(f);
    }
    struct mf_attribute *a = &f->attribute[f->slots++];
    memset(a, 0, sizeof *a);
    a->cell = cell;
    memcpy(a->name, name, strlen(name));
    a->value = *value;
    f->attributes++;
    link_last(f);
    return MF_E_OK;
}

int mf_field_change(struct mf_field_map *f, uint32_t cell, const char *name,
                    const struct mf_field_value *value)
{
    struct mf_attribute *a = find(f, cell, name);
    if (a == NULL) {
        return MF_E_DENIED;
    }
    a->value = *value;
    return MF_E_OK;
}

int mf_field_take(struct mf_field_map *f, uint32_t cell, const char *name,
                  struct mf_attribute *taken)
{
    MF_ASSERT(cell < mf_field_cells(f));
    uint32_t *link = link_to(f, cell, name);
    if (*link == 0) {
        return MF_E_DENIED;
    }
    struct mf_attribute *a = &f->attribute[*link - 1u];
    if (taken != NULL) {
        *taken = *a;
    }
    *link = f->next[*link - 1u];
    a->cell = MF_FIELD_ALL;
    f->attributes--;
    return MF_E_OK;
}

/* ---- ways */

/* All moves cost the same, so a first-in first-out queue serves as Dijkstra's heap. */
void mf_field_costs(const struct mf_field_map *f, const uint64_t *blocked, uint32_t goal,
                    uint32_t until, int32_t *cost, uint32_t *queue)
{
    const uint32_t cells = mf_field_cells(f), row = f->size[0], level = row * f->size[1];
    uint32_t from = 0, to = 0;
    MF_ASSERT(goal < cells && row > 0 && level > 0);
    memset(cost, 0xFF, cells * sizeof *cost); /* -1 */
    if (bit(blocked, goal)) {
        return;
    }
    cost[goal] = 0;
    queue[to++] = goal;
    while (from < to && (until == MF_FIELD_ALL || cost[until] < 0)) {
        const uint32_t at = queue[from++], x = at % row, in_level = at % level;
        const struct {
            bool inside;
            uint32_t cell;
        } next[MF_FIELD_WAYS] = {{x + 1u < row, at + 1u},
                                 {x > 0, at - 1u},
                                 {in_level + row < level, at + row},
                                 {in_level >= row, at - row},
                                 {at + level < cells, at + level},
                                 {at >= level, at - level}};
        for (uint32_t way = 0; way < MF_FIELD_WAYS; way++) {
            const uint32_t cell = next[way].cell;
            if (next[way].inside && cost[cell] < 0 && !bit(blocked, cell)) {
                cost[cell] = cost[at] + 1;
                queue[to++] = cell;
            }
        }
    }
}
