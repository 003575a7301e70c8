/* SPDX-License-Identifier: Apache-2.0 */
/* Keys and checks of behaviours, and the reader of addresses. Used by fleet/scenario_entity
 * and fleet/scenario. */
#include "fleet/behaviour_keys.h"

#include "fleet/key_forms.h"
#include "fleet/scenario.h"

#include <math.h>
#include <string.h>

/* clang-format off */
#define X(name, word) word,
static const char *const k_behaviour_word[] = {MF_BEHAVIOUR_LIST(X) NULL};
#undef X
/* clang-format on */

/* Read [lowest, highest], or one number for both. */
static bool read_height(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                        void *at)
{
    double *height_m = at;
    if (mf_node_kind(node) == MF_NODE_TEXT) {
        const bool good = mf_reading_number(r, node, key->low, key->high, &height_m[0]);
        height_m[1] = height_m[0];
        return good;
    }
    return mf_reading_numbers(r, node, 2, 2, key->low, key->high, height_m) &&
           (height_m[0] <= height_m[1] ||
            mf_reading_refuse(r, mf_node_line(node), "the lowest comes first"));
}

static bool read_points(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                        void *at)
{
    static const struct mf_reading_rows k_rows = {1, MF_BEHAVIOUR_POINTS_MAX, 3, 3};
    struct mf_behaviour *b = at;
    b->point = mf_reading_number_rows(r, key, node, &k_rows, &b->points);
    return b->point != NULL;
}

/* Read the name of one entity, or a list of names. */
static bool read_paths(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                       void *at)
{
    static const struct mf_reading_rows k_rows = {
        .fewest = 1, .most = MF_BEHAVIOUR_PATHS_MAX, .size = MF_BEHAVIOUR_NAME_MAX};
    struct mf_behaviour *b = at;
    (void)key;
    b->path = mf_reading_text_rows(r, node, &k_rows, &b->paths);
    return b->path != NULL;
}

/* Does an address begin with the kind of its link? Links of ghosts do, time sockets do not. */
static bool has_kinds(const struct mf_key *key)
{
    const char *first = key->words[0];
    return first != NULL && first[0] != '\0';
}

static const char *form_of(const struct mf_key *key)
{
    return has_kinds(key) ? "tcpout:HOST:PORT, udp:[HOST:]PORT, udpout:HOST:PORT, "
                            "serial:DEVICE:BAUD, each with #SYSTEM behind it, or bus"
                          : "HOST:PORT";
}

/* Does an address begin with a prefix of the key, and have a port if it needs one? */
static bool is_address(const struct mf_key *key, const char *text)
{
    for (size_t k = 0; key->words[k] != NULL; k++) {
        const char *prefix = key->words[k], *rest = text + strlen(prefix);
        if (strncmp(text, prefix, strlen(prefix)) != 0) {
            continue;
        }
        const char *colon = strrchr(rest, ':');
        const bool whole = *rest == '\0' && strchr(prefix, ':') == NULL && prefix[0] != '\0';
        const bool port = strcmp(prefix, "udp:") == 0 && *rest != '\0';
        if (whole || port || (colon != NULL && colon != rest && colon[1] != '\0')) {
            return true;
        }
    }
    return false;
}

bool mf_addresses_read(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                       void *at)
{
    static const struct mf_reading_rows k_rows = {.fewest = 1, .size = MF_SCENARIO_LINK_MAX};
    struct mf_scenario_addresses *links = at;
    if (mf_node_kind(node) == MF_NODE_MAP) {
        struct mf_yaml_error error;
        const char *name = mf_node_count(node) == 1 ? mf_node_key(r->tree, node, 0, &error) : NULL;
        if (name == NULL || strcmp(name, "list") != 0) {
            return mf_reading_refuse(r, mf_node_line(node),
                                     "must be an address, or a list of them");
        }
        node = mf_node_at(r->tree, node, 0);
    }
    links->line = mf_node_line(node);
    links->text = mf_reading_text_rows(r, node, &k_rows, &links->count);
    for (uint32_t i = 0; links->text != NULL && i < links->count; i++) {
        if (!is_address(key, links->text[i])) {
            return mf_reading_refuse(r, links->line, "'%.40s' is not %s", links->text[i],
                                     form_of(key));
        }
    }
    return links->text != NULL;
}

#define BEHAVIOUR(field) offsetof(struct mf_behaviour, field)

static const struct mf_key k_behaviour[] = {
    WORD("kind", BEHAVIOUR(kind), k_behaviour_word,
         "none; walk: at random, as Simbeeotic's random walk; waypoints: on to the next point, "
         "when the last one is a metre away; flock: with all others whose kind is flock; own: "
         "of a plug-in; gradient: along beacons, by their strength, and back; survey_flock: "
         "over space.boundary, by what is heard of others"),
    REAL("rate", BEHAVIOUR(rate_hz), 0.1, 100, "turns per second; 10"),
    {.name = "height",
     .type = MF_KEY_OTHER,
     .offset = BEHAVIOUR(height_m),
     .low = 1,
     .high = 10000,
     .read = read_height,
     .help = "above where it begins, to which it takes off [m]; [lowest, highest]: one of its own "
             "for each; 20"},
    REAL("speed_max", BEHAVIOUR(speed_max_mps), 0.1, 20,
         "it never flies faster [m/s]; between waypoints its speed; 2"),
    REAL("speed_sigma", BEHAVIOUR(speed_sigma_mps), 0, 100,
         "walk: standard deviation of the change of speed in a turn [m/s]; 0.2"),
    REAL("heading_sigma", BEHAVIOUR(heading_sigma_rad), 0, 100,
         "walk: standard deviation of the change of heading in a turn [rad]; 0.2"),
    {.name = "points",
     .type = MF_KEY_OTHER,
     .low = -MF_SCENARIO_FAR_M,
     .high = MF_SCENARIO_FAR_M,
     .read = read_points,
     .help = "waypoints: [[north, east, height], ...] of where it begins [m]"},
    FLAG("loop", BEHAVIOUR(loop), "waypoints: after the last point the first again; false"),
    REAL("radius", BEHAVIOUR(radius_m), 0.1, 1e5, "flock: whom it sees [m]; 30"),
    REAL("separation", BEHAVIOUR(separation_m), 0, 1e5,
         "flock: nearer neighbours push it away [m]; 10"),
    REAL("separate", BEHAVIOUR(separate), 0, 1000, "flock: weight of that [1/s2]; 1"),
    REAL("align", BEHAVIOUR(align), 0, 1000,
         "flock: weight of the neighbours' velocity [1/s]; 0.5"),
    REAL("cohere", BEHAVIOUR(cohere), 0, 1000, "flock: weight of their middle [1/s2]; 0.05"),
    OTHER("beacons", 0, read_paths,
          "gradient: entity of beacons along which it goes, from the first to the last and back; "
          "of several, members take them in turn"),
    REAL("near", BEHAVIOUR(near_dbm), -120, 30,
         "gradient: a beacon that is received as strong is reached [dBm]; -58"),
    REAL("cell", BEHAVIOUR(cell_m), 0.5, 1e4, "survey_flock: size of a cell at most [m]; 10"),
    MF_SCENARIO_OWN_KEYS(offsetof(struct mf_scenario_entity, own) -
                         offsetof(struct mf_scenario_entity, behaviour)),
};
const struct mf_keys mf_behaviour_keys = {k_behaviour, COUNT_OF(k_behaviour), "kind", SIZE_MAX};

/* Check a behaviour that depends on received packets. */
static bool check_hearing(struct mf_reading *r, const struct mf_scenario *s,
                          const struct mf_scenario_entity *e)
{
    const struct mf_behaviour *b = &e->behaviour;
    const bool climbs = b->kind == MF_BEHAVIOUR_GRADIENT;
    if (!climbs && b->kind != MF_BEHAVIOUR_SURVEY_FLOCK) {
        return true;
    }
    if (e->radio.kind < 0) {
        return mf_entity_refuse(r, e, "%s: its behaviour needs a radio");
    }
    if (!climbs) {
        return (s->search.corners > 0 && e->send.message == MF_SCENARIO_MESSAGE_POSITION) ||
               mf_entity_refuse(
                   r, e, "%s: survey_flock needs space.boundary, and send: {message: position}");
    }
    for (uint32_t i = 0; i < b->paths; i++) {
        const struct mf_scenario_entity *path = mf_scenario_entity_named(s, b->path[i]);
        if (path == NULL || path->count < 2 || path->send.every_s == 0.0) {
            return mf_reading_refuse(r, e->line,
                                     "beacons: no entity of two or more that send is called '%s'",
                                     b->path[i]);
        }
    }
    return b->paths > 0 || mf_entity_refuse(r, e, "%s: gradient needs beacons");
}

bool mf_behaviour_check(struct mf_reading *r, struct mf_scenario *s, struct mf_scenario_entity *e)
{
    struct mf_behaviour *b = &e->behaviour;
    const bool steps = mf_scenario_goes_by_steps(s); /* such worlds check behaviours later */
    if (mf_scenario_begins_in_air(&e->body)) {
        b->height_m[0] = b->height_m[1] = 0.0;
    }
    if (b->kind == MF_BEHAVIOUR_NONE) {
        return true;
    }
    if (!steps && e->plan[0] != '\0') {
        return mf_entity_refuse(r, e, "%s: give a plan or a behaviour, not both");
    }
    if (!steps && b->kind == MF_BEHAVIOUR_WAYPOINTS && b->points == 0) {
        return mf_entity_refuse(r, e, "%s: waypoints need points: [[north, east, height], ...]");
    }
    if (!steps && !isfinite(s->time.end_s)) {
        return mf_entity_refuse(r, e, "%s: a behaviour never ends: time.end must be seconds");
    }
    return check_hearing(r, s, e);
}
