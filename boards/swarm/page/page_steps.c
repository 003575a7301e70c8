/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the page's frames of worlds of cells and searches, from the state behind
 * swarm_operator_of(w). page_display.c calls its tables. */
#include "boards/swarm/page/page_steps.h"

#include "boards/swarm/cells/grid_operator.h"
#include "boards/swarm/outside/frames.h"
#include "boards/swarm/page/page_tasks.h"
#include "boards/swarm/page/page_world.h"
#include "boards/swarm/search/search_bus.h"
#include "boards/swarm/search/team.h"

#include <string.h>

#define RASTER_MAX  200u /* most cells of a side in a frame: larger rasters are sampled evenly */
#define RASTER_HEAD 48u

/* First of the page's mode numbers for states of drones of cells; those of PX4 are larger. */
#define CELL_MODE 256u

enum raster_kind { RASTER_CELLS, RASTER_COVERAGE };

struct raster {
    enum raster_kind kind;
    uint32_t columns, rows;
    double north_m, east_m, side_m;
};

/* Add frames RASTER, each with as many rows as fit. */
static void add_raster(struct swarm *w, const struct raster *r,
                       uint8_t (*cell)(const void *ctx, uint32_t column, uint32_t row),
                       const void *ctx)
{
    const uint32_t each = (uint32_t)((MF_BUS_PAYLOAD_MAX - RASTER_HEAD) / r->columns);
    for (uint32_t from = 0; from < r->rows; from += each) {
        const uint32_t to = r->rows - from > each ? from + each : r->rows;
        struct mf_bus_writer *f = swarm_picture_frame(w, MF_BUS_RASTER);
        mf_bus_put_u(f, from, 4);
        mf_bus_put_u(f, to - from, 4);
        mf_bus_put_u(f, r->columns, 4);
        mf_bus_put_u(f, r->rows, 4);
        mf_bus_put_u(f, (uint64_t)r->kind, 8);
        mf_bus_put_f64(f, r->north_m);
        mf_bus_put_f64(f, r->east_m);
        mf_bus_put_f64(f, r->side_m);
        for (uint32_t i = from * r->columns; i < to * r->columns; i++) {
            mf_bus_put_u(f, cell(ctx, i % r->columns, i / r->columns), 1);
        }
        swarm_picture_add(w);
    }
}

static const char *obey_clock(struct swarm *w, const struct mf_bus_frame *frame)
{
    return frame->type == MF_BUS_CLOCK ? swarm_page_set_clock(w, frame)
                                       : "gives orders, but members of such a world take none";
}

static const char *obey_grid(struct swarm *w, const struct mf_bus_frame *frame)
{
    return frame->type == MF_BUS_TASK ? swarm_page_obey_task(w, frame) : obey_clock(w, frame);
}

/* Begin a frame STATE. It has room for 1,364 members, more than teams and worlds of cells have. */
static struct mf_bus_writer *begin_states(struct swarm *w, uint32_t count)
{
    struct mf_bus_writer *f = swarm_picture_frame(w, MF_BUS_STATE);
    mf_bus_put_u(f, 0, 4);
    mf_bus_put_u(f, count, 4);
    return f;
}

static uint32_t count_shown(size_t members)
{
    const size_t most = (MF_BUS_PAYLOAD_MAX - 8u) / MF_BUS_STATE_BYTES;
    return (uint32_t)(members < most ? members : most);
}

/* Add frames ENTITY of all entities with members, whose first members are numbered from 0. */
static void add_entities(struct swarm *w, const uint32_t *number, uint32_t count)
{
    for (uint32_t i = 0; i < count;) {
        const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, number[i]);
        struct mf_bus_writer *f = swarm_picture_frame(w, MF_BUS_ENTITY);
        mf_bus_put_entity(f, e);
        for (size_t k = 0; k < 4u; k++) {
            f->bytes[MF_BUS_HEADER + k] = (uint8_t)(i >> (8u * k));
        }
        swarm_picture_add(w);
        i += e->count;
    }
}

/* ---- a team that searches */

struct coverage {
    const struct mf_search *q;
    uint32_t stride;
};

static uint8_t is_square_covered(const void *ctx, uint32_t column, uint32_t row)
{
    const struct coverage *c = ctx;
    return mf_search_seen(c->q, column * c->stride, row * c->stride) ? 1 : 0;
}

static void add_coverage(struct swarm *w, const struct mf_search *q)
{
    const struct mf_coverage_grid *g = mf_search_raster(q);
    if (g == NULL) {
        return;
    }
    const uint32_t longer = g->columns > g->rows ? g->columns : g->rows;
    const struct coverage c = {q, (longer + RASTER_MAX - 1u) / RASTER_MAX};
    const struct raster r = {RASTER_COVERAGE,
                             (g->columns + c.stride - 1u) / c.stride,
                             (g->rows + c.stride - 1u) / c.stride,
                             g->corner.n,
                             g->corner.e,
                             g->cell_m * c.stride};
    add_raster(w, &r, is_square_covered, &c);
}

static void add_search_frames(struct swarm *w, bool first)
{
    const struct team *t = swarm_operator_of(w)->ctx;
    const uint32_t count = count_shown(t->settings.member_count);
    if (first) {
        uint32_t next = 0;
        swarm_page_add_scene(w, count);
        add_entities(w, t->number, count);
        swarm_search_put_area(&t->settings, swarm_picture_frame(w, MF_BUS_AREA));
        swarm_picture_add(w);
        do {
            next = swarm_frame_obstacles(w, swarm_picture_frame(w, MF_BUS_OBSTACLES), next);
            swarm_picture_add(w);
        } while (next > 0);
    }
    struct mf_bus_writer *f = begin_states(w, count);
    for (uint32_t i = 0; i < count; i++) {
        swarm_search_put_state(t->search, f, i);
    }
    swarm_picture_add(w);
    add_coverage(w, t->search);
    swarm_page_add_time(w, 3);
}

const struct swarm_page_ops swarm_page_search_ops = {add_search_frames, obey_clock};

/* ---- a world of cells */

struct cells {
    const char *map;
    uint32_t columns, rows;
};

#define COLOURS    12u /* numbers of colours: nothing, three known ones, eight of attributes */
#define NAME_BYTES 56u /* of a colour in a frame CELLS */

/* Colour number for a letter of the map. */
static uint8_t colour_of_letter(char letter)
{
    static const char k_known[] = ".XAC"; /* meanings: empty, blocked, delivered, charger */
    const char *known = strchr(k_known, letter);
    if (letter >= '0' && letter <= '9') {
        return 0; /* a drone, which STATE has */
    }
    return known != NULL ? (uint8_t)(known - k_known) : (uint8_t)(4 + (uint8_t)letter % 8u);
}

static uint8_t colour_of_cell(const void *ctx, uint32_t column, uint32_t row)
{
    const struct cells *c = ctx;
    return colour_of_letter(c->map[(size_t)(c->rows - 1u - row) * (c->columns + 1u) + column]);
}

/* Append a name to the list of a colour, unless the list has it, or is full. */
static void add_name(char names[NAME_BYTES], const char *name)
{
    const size_t n = strlen(names), length = strlen(name);
    for (const char *at = names; (at = strstr(at, name)) != NULL; at += length) {
        if ((at == names || at[-1] == ' ') && (at[length] == ',' || at[length] == '\0')) {
            return;
        }
    }
    if (n + length + 3u <= NAME_BYTES) {
        (void)snprintf(names + n, NAME_BYTES - n, "%s%s", n > 0 ? ", " : "", name);
    }
}

/* Add a frame CELLS: the colours that the ground level has. Drones hide no cell. */
static void add_cell_names(struct swarm *w, const struct swarm_grid_operator *p)
{
    char names[COLOURS][NAME_BYTES] = {"", "blocked", "delivered", "charger"};
    uint32_t cells[COLOURS] = {0};
    for (uint32_t i = 0; i < p->g->s.size[0] * p->g->s.size[1]; i++) {
        const uint8_t colour = colour_of_letter(mf_grid_letter(p->q, i));
        const struct mf_attribute *first =
            colour >= 4u ? mf_field_first(mf_grid_field(p->q), i) : NULL;
        cells[colour]++;
        if (first != NULL) {
            add_name(names[colour], first->name);
        }
    }
    struct mf_bus_writer *f = swarm_picture_frame(w, MF_BUS_CELLS);
    for (uint32_t colour = 1; colour < COLOURS; colour++) {
        if (cells[colour] > 0) {
            mf_bus_put_u(f, colour, 4);
            mf_bus_put_u(f, cells[colour], 4);
            mf_bus_put_text(f, names[colour], NAME_BYTES, true);
        }
    }
    swarm_picture_add(w);
}

static void put_drone(const struct swarm_grid_operator *p, struct mf_bus_writer *f, uint32_t i)
{
    const struct mf_grid_view v = mf_grid_drone(p->q, i + 1u);
    const double full_uah = (double)p->g->drone[i].body.capacity_uah;
    const double left = full_uah > 0.0 ? (double)v.battery_uah / full_uah : -1.0;
    double at_m[3];
    mf_field_place(mf_grid_field(p->q), v.cell, at_m);
    mf_bus_put_f64(f, at_m[1]);
    mf_bus_put_f64(f, at_m[0]);
    mf_bus_put_f64(f, at_m[2]);
    mf_bus_put_u(f, 0, 8);
    mf_bus_put_u(f, 0, 8);
    mf_bus_put_u(f, CELL_MODE + (unsigned)v.state, 4);
    mf_bus_put_u(f, v.state != MF_GRID_STATE_ABSENT ? 1 : 0, 2);
    mf_bus_put_u(f, left >= 0.0 && left <= 1.0 ? (uint64_t)(1.5 + 100.0 * left) : 0, 1);
    mf_bus_put_u(f, v.trust >= 0.0 && v.trust <= 1.0 ? (uint64_t)(1.5 + 100.0 * v.trust) : 0, 1);
}

static void add_grid_frames(struct swarm *w, bool first)
{
    const struct swarm_grid_operator *p = swarm_operator_of(w)->ctx;
    const uint32_t *size = p->g->s.size, count = count_shown(p->g->own_drones);
    const struct cells cells = {p->map, size[0], size[1]};
    double corner_m[3];
    if (first) {
        swarm_page_add_scene(w, count);
        add_entities(w, p->g->member, count);
    }
    struct mf_bus_writer *f = begin_states(w, count);
    for (uint32_t i = 0; i < count; i++) {
        put_drone(p, f, i);
    }
    swarm_picture_add(w);
    mf_grid_map(p->q, 0, p->map);
    mf_field_place(mf_grid_field(p->q), 0, corner_m);
    const double half_m = 0.5 * p->g->s.metres;
    add_raster(w,
               &(struct raster){RASTER_CELLS, size[0], size[1], corner_m[1] - half_m,
                                corner_m[0] - half_m, p->g->s.metres},
               colour_of_cell, &cells);
    add_cell_names(w, p);
    swarm_page_add_tasks(w);
    swarm_page_add_time(w, 3);
}

const struct swarm_page_ops swarm_page_grid_ops = {add_grid_frames, obey_grid};
