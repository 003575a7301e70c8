/* SPDX-License-Identifier: Apache-2.0 */
/** Keys of the first places of an entity's members. */
#ifndef MF_FLEET_SCENARIO_PLACE_H
#define MF_FLEET_SCENARIO_PLACE_H

#include "fleet/scenario_check.h"
#include "fleet/scenario_sizes.h"

enum mf_place_kind {
    MF_PLACE_POINT,
    MF_PLACE_GRID,
    MF_PLACE_CUBE,
    MF_PLACE_DISC,
    MF_PLACE_LIST,
    MF_PLACE_GEO,
    MF_PLACE_ENTITY,   /**< the places of another entity's members */
    MF_PLACE_STATION,  /**< at space.station */
    MF_PLACE_BOUNDARY, /**< random, within space.boundary */
    MF_PLACE_ARRIVALS, /**< random, within arrivals.in */
};

/** First places of an entity's members: north, east, up from the origin [m]. */
struct mf_scenario_place {
    enum mf_place_kind kind;
    double at[3];   /**< POINT: the place; GRID, CUBE: its corner; GEO: latitude, longitude, AMSL */
    double grid[2]; /**< columns, to the east; rows, to the north */
    double spacing_m;              /**< GRID */
    double cube[2];                /**< CUBE: lowest, highest of each axis */
    double disc[3];                /**< DISC: centre and radius */
    uint32_t places;               /**< LIST: number of places */
    double (*list)[3];             /**< [places] */
    char of[MF_SCENARIO_NAME_MAX]; /**< ENTITY: name of the other entity */
};

/** Keys of a struct mf_scenario_place. */
extern const struct mf_keys mf_place_keys;

/** Read a place: [north, east, up], station, boundary, another entity's name, or a map. */
bool mf_place_read(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                   void *at);

/** Check that each member has a place, and that chains of places of other entities end. */
mf_entity_check mf_place_check;

#endif
