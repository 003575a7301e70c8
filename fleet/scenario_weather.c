/* SPDX-License-Identifier: Apache-2.0 */
/* Keys and checks of the weather. Called by fleet/scenario and scenario_keys. */
#include "fleet/scenario_weather.h"

#include "fleet/key_forms.h"
#include "fleet/scenario.h"

#include <stdio.h>
#include <string.h>

#define FAR_M          1e5
#define AIR(field)     offsetof(struct mf_weather_air, field)
#define WEATHER(field) offsetof(struct mf_scenario_weather, field)
#define REGION(field)  offsetof(struct mf_weather_region, field)

/* Read a value of a map of any names. A second value of the same name replaces the first. */
static bool read_value(struct mf_reading *r, const char *name, int line,
                       const struct mf_node *value, void *ctx)
{
    struct mf_weather_air *air = ctx;
    uint32_t i = 0;
    while (i < air->values && strcmp(air->value[i].name, name) != 0) {
        i++;
    }
    if (i == MF_WEATHER_VALUES_MAX) {
        return mf_reading_refuse(r, line, "has more than %u values", MF_WEATHER_VALUES_MAX);
    }
    if (strlen(name) >= sizeof air->value[i].name) {
        return mf_reading_refuse(r, line, "a name has 23 characters at most");
    }
    (void)snprintf(air->value[i].name, sizeof air->value[i].name, "%.23s", name);
    air->values += i == air->values ? 1u : 0u;
    return mf_reading_number(r, value, -1e12, 1e12, &air->value[i].value);
}

static bool read_values(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                        void *at)
{
    (void)key;
    return mf_reading_pairs(r, node, read_value, at);
}

#define AIR_KEYS(base, of)                                            \
    PAIR("wind", (base) + AIR(wind), -360, 360,                       \
         "[speed, from where] [m/s, deg clockwise from north], " of), \
        OPEN("values", base, read_values,                             \
             "what sensors of kind attribute find: {temperature: 15, gas: 0.2}")

static const struct mf_key k_region[] = {
    TRIPLE("at", REGION(at), -FAR_M, FAR_M,
           "[north, east, up] [m]: of a box its lower south-western corner, of a cylinder the "
           "middle of its foot"),
    TRIPLE("size", REGION(size), 0, FAR_M, "of a box, to north, east and up [m]"),
    REAL("radius", REGION(radius_m), 0.01, FAR_M, "of a cylinder [m]; without it it is a box"),
    REAL("height", REGION(height_m), 0.01, FAR_M, "of a cylinder [m]"),
    AIR_KEYS(REGION(air), "added to the wind that blows everywhere; none"),
};
static const struct mf_keys k_region_keys = {k_region, COUNT_OF(k_region), NULL, REGION(line)};

static const char *const k_kind[] = {"plain", "own", NULL};

static const struct mf_key k_weather[] = {
    WORD("kind", WEATHER(kind), k_kind,
         "plain; own: of a plug-in, which adds a wind, and values that nothing else gives"),
    MF_SCENARIO_OWN_KEYS(WEATHER(own)),
    AIR_KEYS(WEATHER(is.air), "of searchers and vehicles; calm"),
    {.name = "regions",
     .type = MF_KEY_ARRAY,
     .offset = WEATHER(is.region),
     .size = sizeof(struct mf_weather_region),
     .most = MF_WEATHER_REGIONS_MAX,
     .count_at = WEATHER(is.regions),
     .keys = &k_region_keys,
     .help = "where it is another: of a value the last region of the list counts"},
};
const struct mf_keys mf_scenario_weather_keys = {k_weather, COUNT_OF(k_weather), "wind",
                                                 WEATHER(own.line)};

/* Check values against each other. @param line  out: line of the fault; 0: of no place in the file
 * @return NULL, or an error */
static const char *find_wrong(const struct mf_scenario_weather *w, int *line)
{
    const bool named = w->own.name[0] != '\0' || w->own.params > 0;
    *line = w->own.line;
    if (named && w->kind != MF_SCENARIO_WEATHER_OWN) {
        return "name and params go with kind own";
    }
    if (w->is.air.wind[0] < 0.0) {
        return "wind: a speed is not below 0";
    }
    for (uint32_t i = 0; i < w->is.regions; i++) {
        const struct mf_weather_region *r = &w->is.region[i];
        const bool box = r->radius_m == 0.0;
        *line = r->line;
        if (r->air.wind[0] < 0.0) {
            return "regions: wind: a speed is not below 0";
        }
        if (box ? !(r->size[0] > 0.0 && r->size[1] > 0.0 && r->size[2] > 0.0)
                : !(r->height_m > 0.0)) {
            return "regions: one is a box with size: [north, east, up], or a cylinder with radius "
                   "and "
                   "height";
        }
    }
    return NULL;
}

bool mf_scenario_weather_check(struct mf_reading *r, struct mf_scenario *s)
{
    int line;
    const char *wrong = find_wrong(&s->weather, &line);
    return wrong == NULL || mf_reading_refuse(r, line > 0 ? line : 1, "space.weather.%s", wrong);
}
