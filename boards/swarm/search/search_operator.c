/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of an operator to a search. The system of a search lists its tables. */
#include "boards/swarm/search/search_operator.h"

#include "host/base/value.h"

#include <string.h>

static struct team *team_of_operator(const struct swarm_operator *o)
{
    return o->ctx;
}

static struct swarm_name member_name_of(const struct swarm_operator *o, size_t member)
{
    return swarm_name(o->w, team_of_operator(o)->number[member]);
}

/* ---- what is meant */

static const char *read_member_name(struct swarm_operator *o, const char *text, size_t *member)
{
    const size_t count = team_of_operator(o)->settings.member_count;
    const uint32_t number = swarm_operator_number(text, (uint32_t)count);
    struct mf_nearest nearest = {.word = text != NULL ? text : ""};
    struct swarm_name all[16];
    bool found = number != 0;
    *member = found ? number - 1u : 0;
    for (size_t i = 0; !found && text != NULL && i < count; i++) {
        struct swarm_name *name = &all[i % 16u];
        *name = member_name_of(o, i);
        found = strcmp(name->text, text) == 0;
        *member = found ? i : 0;
        if (i < 16u) {
            mf_nearest_try(&nearest, name->text);
        }
    }
    return found ? NULL
                 : swarm_operator_wrong(o, "there is no member '%s'%s%s; show lists all",
                                        nearest.word, nearest.best != NULL ? ", did you mean " : "",
                                        nearest.best != NULL ? nearest.best : "");
}

/* Read north, east and height; the default is the height of the plan. */
static const char *read_goal(struct swarm_operator *o, const char *text, struct mf_mover_goal *goal)
{
    const struct mf_search_settings *s = &team_of_operator(o)->settings;
    double at[3];
    const int n = text != NULL ? swarm_operator_place(text, at) : 0;
    const double up_m = n == 3 ? at[2] : s->altitude_m;
    *goal = (struct mf_mover_goal){{(float)at[1], (float)at[0], (float)up_m}, (float)s->speed_mps};
    return n >= 2 ? NULL
                  : swarm_operator_wrong(o, "'%s' is not a place: write NORTH,EAST[,UP] in metres",
                                         text != NULL ? text : "");
}

/* ---- what there is */

static void show_object(const struct swarm_operator *o, size_t i, FILE *to)
{
    const struct team *t = team_of_operator(o);
    bool spotted;
    const struct mf_en at = mf_search_object(t->search, i, &spotted);
    (void)fprintf(to, "%-16s at %.1f,%.1f,%.1f  %s, %s\n",
                  swarm_name(o->w, t->object_number[i]).text, at.n, at.e,
                  mf_search_object_up_m(t->search, i),
                  mf_scenario_type(mf_scenario_entity_of(o->w->scenario, t->object_number[i])),
                  spotted ? "spotted" : "not spotted");
}

static void show_team(const struct swarm_operator *o, FILE *to)
{
    const struct team *t = team_of_operator(o);
    for (size_t i = 0; i < t->settings.member_count; i++) {
        const struct mf_mover_thrust m = mf_search_member(t->search, i);
        const struct mf_search_statistics q = mf_search_statistics(t->search, i);
        (void)fprintf(to, "%-16s at %.1f,%.1f,%.1f  %zu points left  %u pictures\n",
                      member_name_of(o, i).text, (double)m.pos_m.n, (double)m.pos_m.e,
                      (double)m.pos_m.u, mf_search_points_left(t->search, i), q.frames);
        (void)fprintf(to, "%-16s %u right, %u wrong, %u missed, %u rightly left out\n", "", q.right,
                      q.wrong, q.missed, q.clear);
    }
    for (size_t i = 0; i < t->objects; i++) {
        show_object(o, i, to);
    }
    const struct mf_search_statistics all =
        mf_search_statistics(t->search, t->settings.member_count);
    if (all.covered >= 0.0) {
        (void)fprintf(to, "covered %.6f\n", all.covered);
    }
    if (all.spotted >= 0.0) {
        (void)fprintf(to, "spotted %.6f\n", all.spotted);
    }
}

static void write_ratio(struct mf_json *j, const char *key, double x)
{
    if (x < 0.0) {
        mf_json_null(j, key); /* undefined */
    } else {
        mf_json_number(j, key, x, 6);
    }
}

static void write_member(const struct swarm_operator *o, size_t i, struct mf_json *j)
{
    const struct team *t = team_of_operator(o);
    const struct mf_mover_thrust m = mf_search_member(t->search, i);
    const struct mf_search_statistics q = mf_search_statistics(t->search, i);
    mf_json_object(j, NULL);
    mf_json_integer(j, "id", (int64_t)i + 1);
    mf_json_text(j, "name", member_name_of(o, i).text);
    mf_json_number(j, "north_m", (double)m.pos_m.n, 3);
    mf_json_number(j, "east_m", (double)m.pos_m.e, 3);
    mf_json_number(j, "up_m", (double)m.pos_m.u, 3);
    mf_json_integer(j, "points_left", (int64_t)mf_search_points_left(t->search, i));
    mf_json_integer(j, "pictures", q.frames);
    mf_json_integer(j, "true_positives", q.right);
    mf_json_integer(j, "false_positives", q.wrong);
    mf_json_integer(j, "false_negatives", q.missed);
    mf_json_integer(j, "true_negatives", q.clear);
    write_ratio(j, "covered", q.covered);
    write_ratio(j, "spotted", q.spotted);
    mf_json_end(j);
}

static void write_objects(const struct swarm_operator *o, struct mf_json *j)
{
    const struct team *t = team_of_operator(o);
    mf_json_array(j, "objects");
    for (size_t i = 0; i < t->objects; i++) {
        const struct mf_scenario_entity *e =
            mf_scenario_entity_of(o->w->scenario, t->object_number[i]);
        bool spotted;
        const struct mf_en place = mf_search_object(t->search, i, &spotted);
        mf_json_object(j, NULL);
        mf_json_text(j, "name", swarm_name(o->w, t->object_number[i]).text);
        mf_json_text(j, "entity", e->name);
        mf_json_text(j, "type", mf_scenario_type(e));
        mf_json_number(j, "north_m", place.n, 3);
        mf_json_number(j, "east_m", place.e, 3);
        mf_json_number(j, "up_m", mf_search_object_up_m(t->search, i), 3);
        mf_json_bool(j, "spotted", spotted);
        mf_json_end(j);
    }
    mf_json_end(j);
}

static void write_team(const struct swarm_operator *o, struct mf_json *j)
{
    const struct team *t = team_of_operator(o);
    const struct mf_search_statistics all =
        mf_search_statistics(t->search, t->settings.member_count);
    mf_json_text(j, "kind", "search");
    mf_json_integer(j, "step", (int64_t)mf_search_steps(t->search));
    mf_json_array(j, "members");
    for (size_t i = 0; i < t->settings.member_count; i++) {
        write_member(o, i, j);
    }
    mf_json_end(j);
    write_objects(o, j);
    write_ratio(j, "covered", all.covered);
    write_ratio(j, "spotted", all.spotted);
}

static const struct mf_api_field k_fields[] = {
    {"time_s", "number", "time of the run [s]"},
    {"kind", "string", "kind of the world: search"},
    {"step", "integer", "number of steps so far"},
    {"members", "array:object",
     "members: name, place, points left, pictures, true and false positives and "
     "negatives, what it covered and spotted"},
    {"objects", "array:object",
     "objects: name, type, place, and whether a searcher has spotted it"},
    {"covered", "number?", "part of the area that is covered, 0 to 1; null: not measured"},
    {"spotted", "number?", "part of the wanted objects that are spotted, 0 to 1"},
    {NULL, NULL, NULL},
};

/* ---- what is changed */

static const char *send_member(struct swarm_operator *o, const struct swarm_words *w, FILE *to)
{
    struct mf_mover_goal goal;
    size_t member;
    const char *wrong = read_member_name(o, w->word[1], &member);
    wrong = wrong != NULL ? wrong : read_goal(o, w->word[2], &goal);
    (void)to;
    if (wrong == NULL && !mf_search_takes(team_of_operator(o)->search, member, &goal)) {
        return swarm_operator_wrong(o,
                                    "%s lies outside space.boundary or below the ground, or the "
                                    "path of %s is full",
                                    w->word[2], w->word[1]);
    }
    if (wrong == NULL) {
        (void)mf_search_go(team_of_operator(o)->search, member, MF_SEARCH_FIRST, &goal, 1);
    }
    return wrong;
}

static const char *send_home(struct swarm_operator *o, const struct swarm_words *w, FILE *to)
{
    const struct mf_search_settings *s = &team_of_operator(o)->settings;
    const struct mf_mover_goal goal = {s->station, (float)s->speed_mps};
    size_t member;
    const char *wrong = read_member_name(o, w->word[1], &member);
    (void)to;
    if (wrong == NULL) {
        (void)mf_search_go(team_of_operator(o)->search, member, MF_SEARCH_INSTEAD, &goal, 1);
    }
    return wrong;
}

const struct swarm_operator_command swarm_search_commands[] = {
    {"goto", "MEMBER N,E[,UP]", "first there, then on along its path", true, send_member},
    {"home", "MEMBER", "to the station, instead of its path", true, send_home},
    {0},
};

const struct mf_api_route swarm_search_routes[] = {SWARM_OPERATOR_ROUTES(k_fields), {0}};

static const struct swarm_operator_world k_world = {
    .step = "step",
    .show = show_team,
    .write = write_team,
};

void swarm_search_operate(struct swarm_operator *o, struct swarm *w, struct team *t)
{
    *o = (struct swarm_operator){.w = w, .world = &k_world, .ctx = t};
    w->state[SWARM_SLOT_OPERATOR] = o;
}
