/* SPDX-License-Identifier: Apache-2.0 */
/* Decisions of a hive: assignment of cells, pictures, visits, lost bees. Called by
 * boards/swarm/hive. */
#include "fleet/hive.h"

#include "math/trig.h"

/* Repeat an order that shows no effect after this time. */
#define AGAIN_US  (2 * MF_SECOND_US)
#define STILL_MPS 0.3
/* A bee that has not moved for this long while under way does not obey: another bee gets its
 * cell. */
#define STUCK_US (20 * MF_SECOND_US)
/* A bee on the ground farther from home than HOME_M is down. */
#define HOME_M 5.0
#define DOWN_M 2.0

struct mf_hive_cell {
    uint32_t bee;  /* bee that has the cell; MF_HIVE_NONE */
    uint32_t need; /* number of known flowers in the cell that no bee has visited */
    bool inside, surveyed;
};

static size_t rounded(size_t n)
{
    return (n + 15u) / 16u * 16u;
}

static uint32_t cells_of(const struct mf_coverage_grid *g)
{
    return g->columns * g->rows;
}

size_t mf_hive_bytes(const struct mf_coverage_grid *grid, uint32_t bees, uint32_t flowers)
{
    return rounded(cells_of(grid) * sizeof(struct mf_hive_cell)) +
           rounded(bees * sizeof(struct mf_bee)) + flowers * sizeof(struct mf_flower);
}

void mf_hive_init(struct mf_hive *h, const struct mf_hive_settings *s, uint32_t bees,
                  uint32_t flowers, void *bytes)
{
    uint8_t *at = bytes;
    *h = (struct mf_hive){.s = *s, .bees = bees, .flowers = flowers, .total = {.done_us = -1}};
    h->cell = bytes;
    at += rounded(cells_of(&s->grid) * sizeof *h->cell);
    h->bee = (void *)at;
    at += rounded(bees * sizeof *h->bee);
    h->flower = (void *)at;
}

static void report_event(struct mf_hive *h, enum mf_hive_news news, uint32_t bee, uint32_t cell,
                         uint32_t flower)
{
    if (h->tell != NULL) {
        h->tell(h->ctx, news, bee, cell, flower);
    }
}

/* ---- places */

static double apart(struct mf_en a, struct mf_en b)
{
    return mf_length2(a.e - b.e, a.n - b.n);
}

/* Place within a cell: its south-western corner is (0, 0), its north-eastern one (1, 1). */
static struct mf_en in_cell(const struct mf_hive *h, uint32_t cell, double east, double north)
{
    const struct mf_coverage_grid *g = &h->s.grid;
    const uint32_t column = cell % g->columns, row = cell / g->columns;
    return (struct mf_en){g->corner.e + (column + east) * g->cell_m,
                          g->corner.n + (row + north) * g->cell_m};
}

static struct mf_en middle(const struct mf_hive *h, uint32_t cell)
{
    return in_cell(h, cell, 0.5, 0.5);
}

/* Column or row of a place, which may lie outside the grid. */
static int64_t step_of(double at, double corner, double cell_m)
{
    const double steps = (at - corner) / cell_m;
    const int64_t whole = (int64_t)steps;
    return (double)whole > steps ? whole - 1 : whole;
}

static uint32_t cell_at(const struct mf_hive *h, struct mf_en at)
{
    const struct mf_coverage_grid *g = &h->s.grid;
    const int64_t column = step_of(at.e, g->corner.e, g->cell_m);
    const int64_t row = step_of(at.n, g->corner.n, g->cell_m);
    return column >= 0 && row >= 0 && column < g->columns && row < g->rows
               ? (uint32_t)row * g->columns + (uint32_t)column
               : MF_HIVE_NONE;
}

/* Is a part of a cell within the world? Tests nine places in it. */
static bool touches(const struct mf_hive *h, uint32_t cell)
{
    for (uint32_t k = 0; k < 9; k++) {
        const uint32_t row = k / 3u;
        const struct mf_en at = in_cell(h, cell, 0.05 + 0.45 * (k % 3u), 0.05 + 0.45 * row);
        if (mf_coverage_inside(at, h->s.corner, h->s.corners)) {
            return true;
        }
    }
    return false;
}

void mf_hive_begin(struct mf_hive *h)
{
    for (uint32_t c = 0; c < cells_of(&h->s.grid); c++) {
        h->cell[c] = (struct mf_hive_cell){.bee = MF_HIVE_NONE, .inside = touches(h, c)};
        h->total.cells += h->cell[c].inside;
    }
    for (uint32_t f = 0; f < h->flowers; f++) {
        struct mf_flower *flower = &h->flower[f];
        const uint32_t cell = cell_at(h, flower->at);
        flower->cell = cell != MF_HIVE_NONE && h->cell[cell].inside ? cell : MF_HIVE_NONE;
        flower->by = MF_HIVE_NONE;
        h->total.flowers += flower->cell != MF_HIVE_NONE;
    }
    for (uint32_t b = 0; b < h->bees; b++) {
        struct mf_bee *bee = &h->bee[b];
        bee->cell = bee->flower = MF_HIVE_NONE;
        bee->charge_mas = bee->capacity_mas;
    }
    h->s.corner = NULL;
}

/* ---- pictures */

static bool shows(const struct mf_bee *b, struct mf_en at)
{
    const double along_e = mf_sin(b->view.heading_rad), along_n = mf_cos(b->view.heading_rad);
    const double e = at.e - b->view.at.e, n = at.n - b->view.at.n;
    return mf_abs(e * along_e + n * along_n) <= b->view.height_m * b->ahead_tan &&
           mf_abs(n * along_e - e * along_n) <= b->view.height_m * b->across_tan;
}

static bool shows_whole(const struct mf_hive *h, const struct mf_bee *b, uint32_t cell)
{
    for (uint32_t k = 0; k < 4; k++) {
        if (!shows(b, in_cell(h, cell, (k & 1u) != 0 ? 1.0 : 0.0, (k & 2u) != 0 ? 1.0 : 0.0))) {
            return false;
        }
    }
    return true;
}

static void survey(struct mf_hive *h, uint32_t bee, uint32_t cell)
{
    if (h->cell[cell].inside && !h->cell[cell].surveyed) {
        h->cell[cell].surveyed = true;
        h->total.surveyed++;
        report_event(h, MF_HIVE_SURVEYED, bee, cell, MF_HIVE_NONE);
    }
}

static uint32_t bounded(int64_t step, uint32_t count)
{
    return step < 0 ? 0 : step >= count ? count - 1u : (uint32_t)step;
}

/* Mark the cells around a bee that its picture shows completely. */
static void survey_around(struct mf_hive *h, uint32_t bee)
{
    const struct mf_bee *b = &h->bee[bee];
    const struct mf_coverage_grid *g = &h->s.grid;
    const double far_m = b->view.height_m * (b->ahead_tan + b->across_tan);
    const struct mf_en at = b->view.at;
    const uint32_t west = bounded(step_of(at.e - far_m, g->corner.e, g->cell_m), g->columns);
    const uint32_t east = bounded(step_of(at.e + far_m, g->corner.e, g->cell_m), g->columns);
    const uint32_t south = bounded(step_of(at.n - far_m, g->corner.n, g->cell_m), g->rows);
    const uint32_t north = bounded(step_of(at.n + far_m, g->corner.n, g->cell_m), g->rows);
    for (uint32_t row = south; row <= north; row++) {
        for (uint32_t column = west; column <= east; column++) {
            const uint32_t cell = row * g->columns + column;
            if (!h->cell[cell].surveyed && shows_whole(h, b, cell)) {
                survey(h, bee, cell);
            }
        }
    }
}

static void process_picture(struct mf_hive *h, uint32_t bee)
{
    struct mf_bee *b = &h->bee[bee];
    for (uint32_t f = 0; f < h->flowers; f++) {
        struct mf_flower *flower = &h->flower[f];
        if (flower->cell != MF_HIVE_NONE && !flower->known && shows(b, flower->at)) {
            flower->known = true;
            h->cell[flower->cell].need++;
            h->total.found++;
            report_event(h, MF_HIVE_FOUND, bee, flower->cell, f);
        }
    }
    survey_around(h, bee);
    if (b->cell != MF_HIVE_NONE && apart(b->view.at, middle(h, b->cell)) <= h->s.reach_m) {
        survey(h, bee, b->cell); /* the picture is too small to show the cell completely */
    }
}

/* Visit the known flowers below a bee, of its own cell or of another. */
static void visit(struct mf_hive *h, uint32_t bee)
{
    struct mf_bee *b = &h->bee[bee];
    for (uint32_t f = 0; f < h->flowers; f++) {
        struct mf_flower *flower = &h->flower[f];
        if (flower->cell == MF_HIVE_NONE || !flower->known || flower->by != MF_HIVE_NONE ||
            apart(b->view.at, flower->at) > h->s.reach_m) {
            continue;
        }
        flower->by = bee;
        b->visits++;
        b->pollen += flower->pollen;
        h->total.visited++;
        h->total.pollen += flower->pollen;
        flower->pollen = 0;
        h->cell[flower->cell].need--;
        report_event(h, MF_HIVE_VISITED, bee, flower->cell, f);
    }
}

/* ---- orders */

static void order(struct mf_hive *h, uint32_t bee, enum mf_bee_order what, struct mf_en goal)
{
    struct mf_bee *b = &h->bee[bee];
    if (b->order == (uint8_t)what && apart(b->goal, goal) == 0.0) {
        return;
    }
    b->order = (uint8_t)what;
    b->goal = goal;
    b->told = false;
    b->moved_us = h->at_us;
}

static void give_up(struct mf_hive *h, uint32_t bee, bool done)
{
    struct mf_bee *b = &h->bee[bee];
    if (b->cell == MF_HIVE_NONE) {
        return;
    }
    h->cell[b->cell].bee = MF_HIVE_NONE;
    if (!done) {
        h->total.left++;
        report_event(h, MF_HIVE_LEFT, bee, b->cell, MF_HIVE_NONE);
    }
    b->cell = b->flower = MF_HIVE_NONE;
}

static void call_home(struct mf_hive *h, uint32_t bee)
{
    struct mf_bee *b = &h->bee[bee];
    give_up(h, bee, false);
    report_event(h, MF_HIVE_CALLED, bee, MF_HIVE_NONE, MF_HIVE_NONE);
    b->state = MF_BEE_COMING;
    order(h, bee, MF_BEE_GO, b->home);
}

/* Choose the free cell that needs a bee most: most flowers first, then the nearest, then the
 * first. */
static uint32_t choose(const struct mf_hive *h, const struct mf_bee *b)
{
    uint32_t best = MF_HIVE_NONE;
    double best_m = 0.0;
    for (uint32_t c = 0; c < cells_of(&h->s.grid); c++) {
        const struct mf_hive_cell *cell = &h->cell[c];
        if (cell->bee != MF_HIVE_NONE || !cell->inside || (cell->surveyed && cell->need == 0)) {
            continue;
        }
        const double m = apart(b->view.at, middle(h, c));
        const uint32_t need = best != MF_HIVE_NONE ? h->cell[best].need : 0;
        if (best == MF_HIVE_NONE || cell->need > need || (cell->need == need && m < best_m)) {
            best = c;
            best_m = m;
        }
    }
    return best;
}

static bool send(struct mf_hive *h, uint32_t bee)
{
    struct mf_bee *b = &h->bee[bee];
    const uint32_t cell = choose(h, b);
    if (cell == MF_HIVE_NONE) {
        return false;
    }
    b->cell = cell;
    b->flower = MF_HIVE_NONE;
    h->cell[cell].bee = bee;
    report_event(h, MF_HIVE_SENT, bee, cell, MF_HIVE_NONE);
    return true;
}

/* Find the nearest flower of the bee's cell that is known and not visited. */
static uint32_t next_flower(const struct mf_hive *h, const struct mf_bee *b)
{
    uint32_t best = MF_HIVE_NONE;
    for (uint32_t f = 0; f < h->flowers; f++) {
        const struct mf_flower *flower = &h->flower[f];
        if (flower->cell == b->cell && flower->known && flower->by == MF_HIVE_NONE &&
            (best == MF_HIVE_NONE ||
             apart(b->view.at, flower->at) < apart(b->view.at, h->flower[best].at))) {
            best = f;
        }
    }
    return best;
}

/* ---- bees */

static bool is_home(const struct mf_bee *b)
{
    return apart(b->view.at, b->home) <= HOME_M;
}

static void lose(struct mf_hive *h, uint32_t bee)
{
    give_up(h, bee, false);
    h->bee[bee].state = MF_BEE_LOST;
    order(h, bee, MF_BEE_REST, h->bee[bee].home);
    h->total.lost++;
    report_event(h, MF_HIVE_LOST, bee, MF_HIVE_NONE, MF_HIVE_NONE);
}

static void charge(struct mf_hive *h, struct mf_bee *b, mf_us_t now_us)
{
    b->state = MF_BEE_CHARGING;
    b->charged_us = now_us + (b->capacity_mas > 0.0 ? h->s.recharge_us : 0);
    order(h, (uint32_t)(b - h->bee), MF_BEE_REST, b->home);
}

static void find_again(struct mf_hive *h, uint32_t bee, mf_us_t now_us)
{
    struct mf_bee *b = &h->bee[bee];
    if (!b->view.fresh || (b->view.on_ground && !is_home(b))) {
        return;
    }
    h->total.back++;
    report_event(h, MF_HIVE_BACK, bee, MF_HIVE_NONE, MF_HIVE_NONE);
    b->state = MF_BEE_OUT;
    if (b->view.on_ground) {
        charge(h, b, now_us);
    }
}

/* Decide for a bee in the air, with or without a cell. */
static void work(struct mf_hive *h, uint32_t bee)
{
    struct mf_bee *b = &h->bee[bee];
    const bool empty = b->capacity_mas > 0.0 && b->charge_mas <= b->charge_below * b->capacity_mas;
    if (empty || h->at_us - b->moved_us > STUCK_US) {
        call_home(h, bee);
        return;
    }
    if (b->cell != MF_HIVE_NONE && h->cell[b->cell].surveyed && h->cell[b->cell].need == 0) {
        give_up(h, bee, true);
    }
    if (b->cell == MF_HIVE_NONE && !send(h, bee)) {
        call_home(h, bee);
        return;
    }
    if (b->view.height_m < 0.75 * h->s.height_m) {
        order(h, bee, MF_BEE_RISE, b->home);
        return;
    }
    if (h->cell[b->cell].surveyed) {
        if (b->flower == MF_HIVE_NONE || h->flower[b->flower].by != MF_HIVE_NONE) {
            b->flower = next_flower(h, b);
        }
        order(h, bee, MF_BEE_GO, h->flower[b->flower].at);
    } else {
        order(h, bee, MF_BEE_GO, middle(h, b->cell));
    }
}

static void come(struct mf_hive *h, uint32_t bee, mf_us_t now_us)
{
    struct mf_bee *b = &h->bee[bee];
    if (b->view.on_ground) {
        charge(h, b, now_us);
        report_event(h, MF_HIVE_LANDED, bee, MF_HIVE_NONE, MF_HIVE_NONE);
    } else if (apart(b->view.at, b->home) <= h->s.reach_m) {
        order(h, bee, MF_BEE_LAND, b->home);
    }
}

static void act(struct mf_hive *h, uint32_t bee, mf_us_t now_us)
{
    struct mf_bee *b = &h->bee[bee];
    const bool silent = now_us - b->heard_us >= h->s.lost_us;
    if (b->state == MF_BEE_LOST) {
        find_again(h, bee, now_us);
    } else if (silent || (b->view.on_ground && !is_home(b))) {
        lose(h, bee);
    }
    switch (b->state) {
    case MF_BEE_READY:
        if (b->view.fresh && send(h, bee)) {
            b->state = MF_BEE_OUT;
            order(h, bee, MF_BEE_RISE, b->home);
        }
        break;
    case MF_BEE_OUT:
        work(h, bee);
        break;
    case MF_BEE_COMING:
        come(h, bee, now_us);
        break;
    case MF_BEE_CHARGING:
        if (now_us >= b->charged_us) {
            b->state = MF_BEE_READY;
            b->charge_mas = b->capacity_mas;
            if (b->capacity_mas > 0.0) {
                h->total.charges++;
                report_event(h, MF_HIVE_CHARGED, bee, MF_HIVE_NONE, MF_HIVE_NONE);
            }
        }
        break;
    case MF_BEE_LOST:
    default:
        break;
    }
}

/* ---- turns */

void mf_hive_see(struct mf_hive *h, uint32_t bee, mf_us_t now_us, const struct mf_bee_view *view)
{
    struct mf_bee *b = &h->bee[bee];
    MF_ASSERT(bee < h->bees);
    if (!view->fresh) {
        b->view.fresh = b->view.pictures = false;
        return;
    }
    b->view = *view;
    b->heard_us = now_us;
    b->moved_us = view->speed_mps >= STILL_MPS ? now_us : b->moved_us;
}

void mf_hive_think(struct mf_hive *h, mf_us_t now_us)
{
    const double took_s = (double)(now_us - h->at_us) / 1e6;
    h->at_us = now_us;
    for (uint32_t i = 0; i < h->bees; i++) {
        struct mf_bee *b = &h->bee[i];
        if (b->state == MF_BEE_LOST || !b->view.fresh || b->view.on_ground) {
            continue;
        }
        const double left_mas = b->charge_mas - b->draw_ma * took_s;
        b->charge_mas = left_mas > 0.0 ? left_mas : 0.0;
        if (b->seeks && b->view.pictures) {
            process_picture(h, i);
        }
        if (b->seeks) {
            visit(h, i);
        }
    }
    for (uint32_t i = 0; i < h->bees; i++) {
        act(h, i, now_us);
    }
    if (h->total.done_us < 0 && h->total.surveyed == h->total.cells &&
        h->total.visited == h->total.flowers) {
        h->total.done_us = now_us;
    }
}

bool mf_hive_wants(const struct mf_hive *h, uint32_t bee)
{
    const struct mf_bee *b = &h->bee[bee];
    if (b->order == MF_BEE_REST || !b->view.fresh) {
        return false;
    }
    const bool there = b->order == MF_BEE_GO && apart(b->view.at, b->goal) <= h->s.reach_m;
    const bool stuck = h->at_us - b->told_us >= AGAIN_US && b->view.speed_mps < STILL_MPS;
    return !b->told || (stuck && !there);
}

void mf_hive_told(struct mf_hive *h, uint32_t bee)
{
    h->bee[bee].told = true;
    h->bee[bee].told_us = h->at_us;
}
