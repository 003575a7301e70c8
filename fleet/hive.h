/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A hive: it splits a world into cells, sends its bees to them, sees through their cameras where
 * flowers are, sends bees to those, lets bees recharge, and gives away the cells of a bee that is
 * lost. A bee is any member that obeys orders (fleet/order.h); this file only decides: the caller
 * tells where each bee is, and gives the orders that come out.
 *
 * Two kinds of work: a cell that no picture has shown, and a cell with flowers that pictures have
 * shown and nobody has visited. A cell has one bee at most. A flower gives its pollen to the bee
 * that is over it first, once.
 */
#ifndef MF_FLEET_HIVE_H
#define MF_FLEET_HIVE_H

#include "hal/types.h"
#include "world/coverage.h"

#define MF_HIVE_NONE UINT32_MAX

/* What a hive tells: word. */
#define MF_HIVE_NEWS_LIST(X)                                                      \
    X(SENT, "sent")         /* a bee has a cell from now on */                    \
    X(SURVEYED, "surveyed") /* a picture shows a cell whole */                    \
    X(FOUND, "found")       /* a picture shows an object for the first time */    \
    X(VISITED, "visited")   /* an object has given its pollen */                  \
    X(LEFT, "left")         /* a bee has given up its cell before it was done */  \
    X(CALLED, "called")     /* a bee is to come home: its battery, or all done */ \
    X(LANDED, "landed")     /* it is there, and charges */                        \
    X(CHARGED, "charged")                                                         \
    X(LOST, "lost") /* it is silent, or down elsewhere than at home */            \
    X(BACK, "back")

/* clang-format off */
#define X(name, word) MF_HIVE_##name,
enum mf_hive_news { MF_HIVE_NEWS_LIST(X) MF_HIVE_NEWS };
#undef X
/* clang-format on */

enum mf_bee_state {
    MF_BEE_READY,  /**< on the ground, charged */
    MF_BEE_OUT,    /**< in the air, or to be there; it may have no cell */
    MF_BEE_COMING, /**< on its way home */
    MF_BEE_CHARGING,
    MF_BEE_LOST,
};

/** What a bee is to do now. */
enum mf_bee_order { MF_BEE_REST, MF_BEE_RISE, MF_BEE_GO, MF_BEE_LAND };

/** What is seen of a bee at one instant. */
struct mf_bee_view {
    bool
        fresh; /**< something has come from it since the last time; otherwise nothing else counts */
    bool on_ground;
    struct mf_en at;
    double height_m; /**< above the world's level */
    double heading_rad;
    double speed_mps;
    bool pictures; /**< its camera takes one now */
};

struct mf_bee {
    /* The caller's, before mf_hive_begin() */
    struct mf_en home;
    double ahead_tan, across_tan; /**< of half the angles of view of its camera */
    bool seeks;                   /**< it has one */
    double capacity_mas;          /**< of its battery [mA s]; 0: it never empties */
    double draw_ma;               /**< in the air */
    double charge_below;          /**< part of the capacity at which it is called home */
    /* The hive's */
    uint8_t state; /**< enum mf_bee_state */
    uint8_t order; /**< enum mf_bee_order */
    struct mf_en goal;
    bool told; /**< the order has been given: mf_hive_told() */
    mf_us_t told_us, moved_us;
    uint32_t cell, flower; /**< MF_HIVE_NONE */
    mf_us_t heard_us, charged_us;
    double charge_mas;
    struct mf_bee_view view;
    uint32_t visits, pollen;
};

/** An object. */
struct mf_flower {
    struct mf_en at; /**< the caller's, before mf_hive_begin() */
    uint32_t pollen; /**< the same: what is left of it */
    uint32_t cell;   /**< MF_HIVE_NONE: not in the world */
    bool known;
    uint32_t by; /**< bee that has visited it; MF_HIVE_NONE */
};

struct mf_hive_settings {
    struct mf_coverage_grid grid;
    const struct mf_en *corner; /**< [corners]: cells that lie wholly outside have no work */
    size_t corners;
    double reach_m;  /**< so near a place a bee is there */
    double height_m; /**< at which bees fly: one below three quarters of it is rising */
    mf_us_t recharge_us;
    mf_us_t lost_us; /**< a bee that is silent for so long is lost */
};

struct mf_hive_totals {
    uint32_t cells, surveyed, flowers, found, visited, pollen;
    uint32_t charges, lost, back, left;
    mf_us_t done_us; /**< all is surveyed and visited; < 0: not yet */
};

struct mf_hive {
    struct mf_hive_settings s;
    uint32_t bees, flowers;
    struct mf_bee *bee;       /**< [bees] */
    struct mf_flower *flower; /**< [flowers] */
    struct mf_hive_cell *cell;
    struct mf_hive_totals total;
    mf_us_t at_us; /**< of the last turn */
    void (*tell)(void *ctx, enum mf_hive_news news, uint32_t bee, uint32_t cell, uint32_t flower);
    void *ctx;
};

/** @brief Memory of a hive [bytes]. */
size_t mf_hive_bytes(const struct mf_coverage_grid *grid, uint32_t bees, uint32_t flowers);

/** @brief Its arrays lie in @p bytes, [mf_hive_bytes()] and zeroed; the caller fills bees and
 * flowers, and may set tell. @param s  kept; its corners need to stay until mf_hive_begin() only */
void mf_hive_init(struct mf_hive *h, const struct mf_hive_settings *s, uint32_t bees,
                  uint32_t flowers, void *bytes);

/** @brief Cells and flowers are counted: the first turn may come. */
void mf_hive_begin(struct mf_hive *h);

/** @brief What is seen of a bee in the turn that comes. */
void mf_hive_see(struct mf_hive *h, uint32_t bee, mf_us_t now_us, const struct mf_bee_view *view);

/** @brief A turn: pictures, visits, who is lost, who comes home, who goes where. */
void mf_hive_think(struct mf_hive *h, mf_us_t now_us);

/** @brief Is an order of a bee to be given now, because it is new or has shown no effect? */
bool mf_hive_wants(const struct mf_hive *h, uint32_t bee);

/** @brief It has been given. */
void mf_hive_told(struct mf_hive *h, uint32_t bee);

#endif
