/* SPDX-License-Identifier: Apache-2.0 */
/* Home positions of several instances on one host: a grid around the home that the user set. */
#include "host/config/config_item.h"
#include "math/geodesic.h"
#include "math/trig.h"

#include <math.h>

/* Point of the grid, in steps from home. */
struct place {
    int north, east;
};

/* Find the place of an instance. Ring r has 8 r points; the first one is in the north, the others
 * follow clockwise. */
static struct place place_of(int instance)
{
    int ring = 0;
    while ((2 * ring + 1) * (2 * ring + 1) <= instance) {
        ring++;
    }
    const int side = 2 * ring;
    const int first = ring == 0 ? 0 : (side - 1) * (side - 1);
    const int along = instance - first; /* steps after the point in the north */
    if (along <= ring) {
        return (struct place){ring, along};
    }
    if (along <= ring + side) {
        return (struct place){side - along, ring};
    }
    if (along <= ring + 2 * side) {
        return (struct place){-ring, 2 * side - along};
    }
    if (along <= ring + 3 * side) {
        return (struct place){along - 3 * side, -ring};
    }
    return (struct place){ring, along - 4 * side};
}

void mf_config_spread_home(struct mf_config *config)
{
    const struct place place = place_of(config->instance);
    const double north_m = place.north * config->home_spread_m;
    const double east_m = place.east * config->home_spread_m;
    const double distance_m = sqrt(north_m * north_m + east_m * east_m);
    config->home_spread_m = 0.0;
    if (distance_m > 0.0) {
        const struct mf_geo home = {config->home_lat_deg, config->home_lon_deg};
        const struct mf_geo_ray ray = mf_geo_ray(home, mf_atan2(east_m, north_m));
        const struct mf_geo there = mf_geo_at(&ray, distance_m, NULL);
        config->home_lat_deg = there.lat_deg;
        config->home_lon_deg = there.lon_deg;
    }
}
