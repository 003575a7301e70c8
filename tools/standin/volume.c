/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/standin/volume.h"

#include "host/base/json_view.h"
#include "host/base/value.h"
#include "math/polygon.h"

#include <jansson.h>
#include <string.h>

#define CORNERS_MIN 3u

static bool parse_place(const json_t *o, struct mf_geo *out)
{
    const json_t *lat = json_object_get(o, "lat"), *lng = json_object_get(o, "lng");
    *out = (struct mf_geo){.lat_deg = json_number_value(lat), .lon_deg = json_number_value(lng)};
    return json_is_number(lat) && json_is_number(lng) && out->lat_deg >= -90.0 &&
           out->lat_deg <= 90.0 && out->lon_deg >= -180.0 && out->lon_deg <= 180.0;
}

/* {"value", "units": "M"}, of an altitude with "reference": "W84". */
static bool parse_metres(const json_t *o, bool altitude, double *out)
{
    const json_t *value = json_object_get(o, "value");
    const char *units = json_string_value(json_object_get(o, "units"));
    const char *reference = json_string_value(json_object_get(o, "reference"));
    *out = json_number_value(value);
    return json_is_number(value) && units != NULL && strcmp(units, "M") == 0 &&
           (!altitude || (reference != NULL && strcmp(reference, "W84") == 0));
}

static const char *parse_outline(const json_t *o, struct standin_volume *v)
{
    const json_t *circle = json_object_get(o, "outline_circle"), *corner;
    const json_t *list = json_object_get(json_object_get(o, "outline_polygon"), "vertices");
    size_t i;
    if (circle != NULL) {
        return parse_place(json_object_get(circle, "center"), &v->center) &&
                       parse_metres(json_object_get(circle, "radius"), false, &v->radius_m) &&
                       v->radius_m > 0.0
                   ? NULL
                   : "outline_circle needs center {lat, lng} and radius {value, units: M}";
    }
    if (json_array_size(list) < CORNERS_MIN || json_array_size(list) > STANDIN_CORNERS_MAX) {
        return "outline_circle or outline_polygon with 3 to 64 vertices is missing";
    }
    json_array_foreach(list, i, corner)
    {
        if (!parse_place(corner, &v->corner[v->corners++])) {
            return "a vertex is {lat, lng} in degrees";
        }
    }
    return NULL;
}

static const char *parse_volume(const json_t *o, struct standin_volume *v)
{
    if (!parse_metres(json_object_get(o, "altitude_lower"), true, &v->lower_m) ||
        !parse_metres(json_object_get(o, "altitude_upper"), true, &v->upper_m)) {
        return "altitude_lower and altitude_upper are {value, reference: W84, units: M}";
    }
    return v->lower_m <= v->upper_m ? parse_outline(o, v)
                                    : "altitude_lower is above altitude_upper";
}

bool standin_volumes_parse(const char *text, struct standin_volumes *out, char *error,
                           size_t error_size)
{
    size_t i;
    json_error_t wrong;
    const json_t *o;
    const char *why = NULL;
    struct mf_json_mistake deep;
    memset(out, 0, sizeof *out);
    if (!mf_json_nesting(text, strlen(text), &deep)) {
        (void)snprintf(error, error_size, "line %u, column %u: %s", deep.line, deep.column,
                       deep.what);
        return false;
    }
    json_t *list =
        json_loads(text + mf_value_bom(text, strlen(text)), JSON_REJECT_DUPLICATES, &wrong);
    if (!json_is_array(list) || json_array_size(list) == 0 ||
        json_array_size(list) > STANDIN_VOLUMES_MAX) {
        (void)snprintf(error, error_size, "not a JSON list of 1 to %u volumes%s%s",
                       STANDIN_VOLUMES_MAX, list == NULL ? ": " : "",
                       list == NULL ? wrong.text : "");
        json_decref(list);
        return false;
    }
    json_array_foreach(list, i, o)
    {
        why = parse_volume(o, &out->volume[out->count++]);
        if (why != NULL) {
            (void)snprintf(error, error_size, "volume %u: %s", out->count, why);
            break;
        }
    }
    json_decref(list);
    return why == NULL;
}

static bool holds(const struct standin_volume *v, struct mf_geo place)
{
    struct mf_polygon p;
    if (v->corners == 0) {
        return mf_geo_inverse(v->center, place).distance_m <= v->radius_m;
    }
    mf_polygon_begin(&p, place);
    for (unsigned i = 0; i < v->corners; i++) {
        mf_polygon_add(&p, v->corner[i]);
    }
    return mf_polygon_depth(&p) >= 0.0;
}

bool standin_volumes_hold(const struct standin_volumes *v, struct mf_geo place, double alt_m)
{
    for (unsigned i = 0; i < v->count; i++) {
        const struct standin_volume *one = &v->volume[i];
        if (alt_m >= one->lower_m && alt_m <= one->upper_m && holds(one, place)) {
            return true;
        }
    }
    return false;
}
