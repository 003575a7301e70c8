/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/standin/monitor.h"

#include "host/base/json_view.h"

#include <stdio.h>
#include <string.h>

static bool parse_report(const json_t *o, struct standin_report *out)
{
    const json_t *time = json_object_get(o, "time_us"), *lat = json_object_get(o, "lat_deg");
    const json_t *lon = json_object_get(o, "lon_deg"), *alt = json_object_get(o, "alt_wgs84_m");
    *out = (struct standin_report){
        json_integer_value(time),
        {.lat_deg = json_number_value(lat), .lon_deg = json_number_value(lon)},
        json_number_value(alt)};
    return json_is_integer(time) && json_is_number(lat) && json_is_number(lon) &&
           json_is_number(alt) && out->place.lat_deg >= -90.0 && out->place.lat_deg <= 90.0 &&
           out->place.lon_deg >= -180.0 && out->place.lon_deg <= 180.0;
}

/* @return NULL: the table is full */
static struct standin_known *find(struct standin_monitor *m, const char *name)
{
    for (unsigned i = 0; i < m->count; i++) {
        if (strcmp(m->known[i].name, name) == 0) {
            return &m->known[i];
        }
    }
    if (m->count == STANDIN_INSTANCES_MAX) {
        return NULL;
    }
    struct standin_known *k = &m->known[m->count++];
    memset(k, 0, sizeof *k);
    (void)snprintf(k->name, sizeof k->name, "%s", name);
    return k;
}

static void judge_report(const struct standin_volumes *volumes, struct standin_known *k,
                         const struct standin_report *r)
{
    k->alt_min_m = k->reports == 0 || r->alt_m < k->alt_min_m ? r->alt_m : k->alt_min_m;
    k->alt_max_m = k->reports == 0 || r->alt_m > k->alt_max_m ? r->alt_m : k->alt_max_m;
    k->reports++;
    if (volumes->count > 0 && !standin_volumes_hold(volumes, r->place, r->alt_m)) {
        k->first = k->outside == 0 ? *r : k->first;
        k->outside++;
    }
}

static json_t *report_json(const struct standin_report *r)
{
    return json_pack("{s:I, s:f, s:f, s:f}", "time_us", (json_int_t)r->time_us, "lat_deg",
                     r->place.lat_deg, "lon_deg", r->place.lon_deg, "alt_wgs84_m", r->alt_m);
}

static json_t *known_json(const struct standin_known *k)
{
    return json_pack("{s:s, s:s, s:I, s:I, s:f, s:f, s:o}", "id", k->name, "state",
                     k->outside == 0 ? "conforming" : "nonconforming", "reports",
                     (json_int_t)k->reports, "outside", (json_int_t)k->outside, "alt_wgs84_min_m",
                     k->alt_min_m, "alt_wgs84_max_m", k->alt_max_m, "first_outside",
                     k->outside == 0 ? json_null() : report_json(&k->first));
}

json_t *standin_monitor_take(struct standin_monitor *m, const char *name, const char *body,
                             const char **why)
{
    size_t i;
    const json_t *o;
    struct mf_json_mistake deep;
    json_t *answer = NULL, *document = NULL;
    if (mf_json_nesting(body, strlen(body), &deep)) {
        document = json_loads(body, JSON_REJECT_DUPLICATES, NULL);
    }
    const json_t *list = json_object_get(document, "reports");
    struct standin_report report;
    *why = json_is_array(list) ? NULL : "a body is {\"reports\": [...]}";
    json_array_foreach(list, i, o)
    {
        *why = parse_report(o, &report)
                   ? *why
                   : "a report is {\"time_us\", \"lat_deg\", \"lon_deg\", \"alt_wgs84_m\"}";
    }
    if (*why == NULL) {
        (void)pthread_mutex_lock(&m->lock);
        struct standin_known *k = find(m, name);
        *why = k != NULL ? NULL : "no room for another instance";
        json_array_foreach(list, i, o)
        {
            if (k != NULL && parse_report(o, &report)) {
                judge_report(&m->volumes, k, &report);
            }
        }
        answer = k != NULL ? known_json(k) : NULL;
        (void)pthread_mutex_unlock(&m->lock);
    }
    json_decref(document);
    return answer;
}

json_t *standin_monitor_list(struct standin_monitor *m)
{
    json_t *list = json_array();
    (void)pthread_mutex_lock(&m->lock);
    for (unsigned i = 0; i < m->count; i++) {
        (void)json_array_append_new(list, known_json(&m->known[i]));
    }
    (void)pthread_mutex_unlock(&m->lock);
    return json_pack("{s:o}", "instances", list);
}
