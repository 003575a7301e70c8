/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A hive (Karma's word, docs/papers.md): a central planner that splits a world into cells, sends
 * its bees to them, finds flowers in their cameras' pictures, sends bees to those, lets bees
 * recharge, and reassigns the cells of a lost bee. A bee is any member that obeys orders
 * (fleet/order.h). This file only decides: the caller reports the state of each bee, and sends the
 * orders that result.
 *
 * The hive has two kinds of work: a cell that no picture has shown, and a cell with known flowers
 * that no bee has visited. A cell has one bee at most. A flower gives its pollen once, to the first
 * bee above it.
 */
#ifndef MF_FLEET_HIVE_H
#define MF_FLEET_HIVE_H

#include "hal/types.h"
#include "world/coverage.h"

#define MF_HIVE_NONE UINT32_MAX

/* Events of a hive, with their words. */
#define MF_HIVE_NEWS_LIST(X)                                                                   \
    X(SENT, "sent")         /* a bee has got a cell */                                         \
    X(SURVEYED, "surveyed") /* a picture shows a cell completely */                            \
    X(FOUND, "found")       /* a picture shows an object for the first time */                 \
    X(VISITED, "visited")   /* an object has given its pollen */                               \
    X(LEFT, "left")         /* a bee has given up its cell unfinished */                       \
    X(CALLED,                                                                                  \
      "called") /* the hive has ordered a bee home: its battery is low, or all work is done */ \
    X(LANDED, "landed") /* a bee has landed at home, and charges */                            \
    X(CHARGED, "charged")                                                                      \
    X(LOST, "lost") /* a bee is silent, or on the ground away from home */                     \
    X(BACK, "back")

/* clang-format off */
#define X(name, word) MF_HIVE_##name,
enum mf_hive_news { MF_HIVE_NEWS_LIST(X) MF_HIVE_NEWS };
#undef X
/* clang-format on */

enum mf_bee_state {
    MF_BEE_READY,  /**< on the ground, charged */
    MF_BEE_OUT,    /**< in the air, or ordered to take off; with or without a cell */
    MF_BEE_COMING, /**< on its way home */
    MF_BEE_CHARGING,
    MF_BEE_LOST,
};

/** Orders to a bee. */
enum mf_bee_order { MF_BEE_REST, MF_BEE_RISE, MF_BEE_GO, MF_BEE_LAND };

/** Observed state of a bee at one instant. */
struct mf_bee_view {
    bool fresh; /**< the bee has reported since the last turn; false: the other fields are void */
    bool on_ground;
    struct mf_en at;
    double height_m; /**< above the world's level */
    double heading_rad;
    double speed_mps;
    bool pictures; /**< its camera takes a picture now */
};

struct mf_bee {
    /* set by the caller before mf_hive_begin() */
    struct mf_en home;
    double ahead_tan, across_tan; /**< tangents of half the angles of view of its camera */
    bool seeks;                   /**< the bee has a camera */
    double capacity_mas;          /**< capacity of its battery [mA s]; 0: it never empties */
    double draw_ma;               /**< current in the air */
    double charge_below;          /**< the bee returns home below this share of the capacity */
    /* private to the hive */
    uint8_t state; /**< enum mf_bee_state */
    uint8_t order; /**< enum mf_bee_order */
    struct mf_en goal;
    bool told; /**< the caller has sent the order: mf_hive_told() */
    mf_us_t told_us, moved_us;
    uint32_t cell, flower; /**< MF_HIVE_NONE */
    mf_us_t heard_us, charged_us;
    double charge_mas;
    struct mf_bee_view view;
    uint32_t visits, pollen;
};

/** An object to visit. */
struct mf_flower {
    struct mf_en at; /**< set by the caller before mf_hive_begin() */
    uint32_t pollen; /**< pollen that is left; the caller sets its first amount */
    uint32_t cell;   /**< index of its cell; MF_HIVE_NONE: outside the world */
    bool known;
    uint32_t by; /**< bee that has visited it; MF_HIVE_NONE */
};

struct mf_hive_settings {
    struct mf_coverage_grid grid;
    const struct mf_en *corner; /**< polygon [corners]: cells outside of it need no work */
    size_t corners;
    double reach_m;  /**< a bee has reached a place within this distance */
    double height_m; /**< height of flight; a bee below three quarters of it is still rising */
    mf_us_t recharge_us;
    mf_us_t lost_us; /**< a bee that is silent for this long is lost */
};

struct mf_hive_totals {
    uint32_t cells, surveyed, flowers, found, visited, pollen;
    uint32_t charges, lost, back, left;
    mf_us_t done_us; /**< time when all cells were surveyed and all flowers visited; < 0: not yet */
};

struct mf_hive {
    struct mf_hive_settings s;
    uint32_t bees, flowers;
    struct mf_bee *bee;       /**< [bees] */
    struct mf_flower *flower; /**< [flowers] */
    struct mf_hive_cell *cell;
    struct mf_hive_totals total;
    mf_us_t at_us; /**< time of the last turn */
    void (*tell)(void *ctx, enum mf_hive_news news, uint32_t bee, uint32_t cell, uint32_t flower);
    void *ctx;
};

/** @brief Memory of a hive [bytes]. */
size_t mf_hive_bytes(const struct mf_coverage_grid *grid, uint32_t bees, uint32_t flowers);

/** @brief Place the hive's arrays in @p bytes, [mf_hive_bytes()] and zeroed. Afterwards the caller
 * fills in bees and flowers, and may set tell. @param s  copied; its corners must live until
 * mf_hive_begin() */
void mf_hive_init(struct mf_hive *h, const struct mf_hive_settings *s, uint32_t bees,
                  uint32_t flowers, void *bytes);

/** @brief Assign flowers to cells and count both, before the first turn. */
void mf_hive_begin(struct mf_hive *h);

/** @brief Report the state of a bee for the next turn. */
void mf_hive_see(struct mf_hive *h, uint32_t bee, mf_us_t now_us, const struct mf_bee_view *view);

/** @brief Take a turn: pictures, visits, lost bees, ways home, assignments. */
void mf_hive_think(struct mf_hive *h, mf_us_t now_us);

/** @brief True if the caller must send the bee's order now, because it is new or has shown no
 * effect. */
bool mf_hive_wants(const struct mf_hive *h, uint32_t bee);

/** @brief Note that the caller has sent the order. */
void mf_hive_told(struct mf_hive *h, uint32_t bee);

#endif
