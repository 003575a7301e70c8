/* SPDX-License-Identifier: Apache-2.0 */
/* fleet/scenario.h and the reader of its keys, fleet/keys.h. */
#include "fleet/scenario.h"
#include "tests/unit/support/names.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct mf_scenario s_scenario;
static char s_error[MF_KEYS_ERROR_MAX];

static int read_given(const char *text, const struct mf_scenario_given *given)
{
    mf_scenario_free(&s_scenario);
    return mf_scenario_read("s.yaml", text, strlen(text), given, &s_scenario, s_error);
}

static int read_text(const char *text)
{
    const struct mf_scenario_given none = {0};
    return read_given(text, &none);
}

static void must_read(const char *text)
{
    if (read_text(text) != MF_E_OK) {
        fail_msg("%s", s_error);
    }
}

/* SBE-04: entities with counts, bodies and properties. */
static void test_sbe04_a_scenario_is_read_with_its_defaults(void **state)
{
    (void)state;
    must_read(
        "swarm: 1\n"
        "seed: 111982\n"
        "time: {clock: x5, end: 100, catch_up: skip, epoch: 2026-03-01T12:00:00Z}\n"
        "space: {origin: [47.1, 8.2, 400]}\n"
        "entities:\n"
        "  - {name: walker, count: 3, body: physics, place: {grid: [2, 2], spacing: 7},\n"
        "     params: {MPC_XY_CRUISE: 12.5}, settings: {wind.speed: 3}, faults: ['gps_off@5s']}\n"
        "  - {place: [1, -2], plan: a.plan, start: 4}\n"
        "outputs: {csv: w.csv, tlog: {file: '%n.tlog', of: [walker.2, entity2]}}\n");
    const struct mf_scenario *s = &s_scenario;
    assert_true(s->seed == 111982 && s->time.clock == MF_SCENARIO_CLOCK_REAL &&
                s->time.rate == 5.0);
    assert_true(s->time.end_s == 100.0 && s->time.late == MF_SCENARIO_LATE_SKIP);
    assert_true(s->time.epoch_us == INT64_C(1772366400000000));
    assert_true(s->origin[0] == 47.1 && s->origin[1] == 8.2 && s->origin[2] == 400.0);
    assert_int_equal(s->entities, 2);
    assert_int_equal(s->members, 4);
    const struct mf_scenario_entity *e = &s->entity[0];
    assert_true(e->count == 3 && e->first == 0 && e->line == 6 && e->start_s == 1.0);
    assert_int_equal(e->body.kind, MF_SCENARIO_BODY_PHYSICS);
    assert_true(e->place.kind == MF_PLACE_GRID && e->place.spacing_m == 7.0);
    assert_true(e->params == 1 && e->param[0].value == 12.5 && e->param[0].line == 7);
    assert_string_equal(e->param[0].name, "MPC_XY_CRUISE");
    assert_string_equal(e->setting[0].name, "wind.speed");
    assert_string_equal(e->fault[0].spec, "gps_off@5s");
    e = &s->entity[1];
    assert_string_equal(e->name, "entity2");
    assert_true(e->count == 1 && e->first == 3 && e->place.kind == MF_PLACE_POINT);
    assert_true(e->place.at[0] == 1.0 && e->place.at[1] == -2.0 && e->place.at[2] == 0.0);
    assert_string_equal(s->outputs.csv.file, "w.csv"); /* a text alone is the file */
    assert_true(s->outputs.csv.every_s == 1.0 && s->outputs.tlog.of.count == 2);
    must_read("{swarm: 1, entities: [{name: a}]}");
    assert_true(s->time.clock == MF_SCENARIO_CLOCK_EVENT && isinf(s->time.end_s) && s->seed == 1);
}

/* SBE-04: Figure 12 of Simbeeotic's paper: 8,192 bees with sensor, radio and behaviour. */
static void test_sbe04_figure_12_is_read(void **state)
{
    (void)state;
    must_read(
        "swarm: 1\n"
        "seed: 111982\n"
        "time: {clock: fast, end: 100}\n"
        "medium: {kind: free_space, noise: [-100, 10], range: 30, compat: simbeeotic}\n"
        "entities: [{name: hive, thing: hive, place: [0, 0, 0]}, {name: bee, count: 8192, as: "
        "agent, body: {kind: bee, compat: simbeeotic, length: 0.1, mass: 0.128, accel_max: 1, "
        "rate: "
        "10}, place: {cube: [0, 20]}, sensors: [{kind: compass, rate: 1}], radio: {kind: cc2420, "
        "level: 31, antenna: isotropic}, behaviour: {kind: walk, rate: 10, speed_max: 2, "
        "speed_sigma: 0.2, heading_sigma: 0.2}, send: {every: 1, bytes: [1, 2, 3, 4]}}]\n");
    const struct mf_scenario_entity *e = &s_scenario.entity[1];
    struct mf_stepped_settings made;
    assert_true(e->count == 8192 && e->as == MF_SCENARIO_KIND_AGENT);
    assert_true(mf_scenario_is_stepped(&e->body) && mf_scenario_begins_in_air(&e->body));
    assert_true(e->behaviour.height_m[0] == 0.0 && e->behaviour.speed_max_mps == 2.0);
    mf_scenario_stepped(&e->body, &made);
    assert_true(made.kind == MF_STEPPED_BEE && made.rate_hz == 10.0);
    assert_true(made.bee.mass_kg == 0.128 && made.bee.length_m == 0.1 && made.bee.compat &&
                made.bee.accel_max_mps2 == 1.0 && made.bee.period_s == 0.1);
    assert_true(e->body.radius_m == 0.05); /* half its length */
}

/* SBE-13: forces of a list; what is not given follows from mass and size. */
static void test_sbe13_a_rigid_body_is_read(void **state)
{
    (void)state;
    struct mf_stepped_settings made;
    must_read(
        "{swarm: 1, time: {end: 9}, entities: [{as: agent, body: {kind: rigid, mass: 3, radius: "
        "0.5, restitution: 0.4, forces: [follow, {kind: push, vector: [1, 2, 3], with_body: "
        "true, at: [0.1, 0, 0], from: 2, until: 5}]}}]}");
    mf_scenario_stepped(&s_scenario.entity[0].body, &made);
    assert_true(made.kind == MF_STEPPED_RIGID && made.rate_hz == 60.0);
    assert_true(made.rigid.mass_kg == 3.0 && made.rigid.restitution == 0.4);
    assert_true(fabs(made.rigid.inertia_kgm2.y - 0.4 * 3.0 * 0.25) < 1e-12); /* of a ball */
    assert_int_equal(made.rigid.forces, 2);
    assert_true(fabs(made.rigid.force[0].most_n - 2.0 * 3.0 * 9.80665) < 1e-12);
    const struct mf_body_force *push = &made.rigid.force[1];
    assert_true(push->kind == MF_BODY_FORCE_PUSH && push->with_body && push->vector[2] == 3.0);
    assert_true(push->at_m[0] == 0.1 && push->from_s == 2.0 && push->until_s == 5.0);
    static const struct {
        const char *body, *data;
    } k_wrong[] = {
        {"{kind: bee, compat: uavsim}", "body.compat uavsim thrust"},
        {"{kind: rigid, compat: simbeeotic}", "body.compat simbeeotic bee"},
        {"{kind: bee, forces: [drag]}", "body.forces rigid"},
        {"{kind: rigid, inertia: [1, 1]}", "body.inertia three"},
        {"{kind: rigid, inertia: [1, 1, 2.1]}", "body.inertia sum"},
        {"physics", "body physics constant bee rigid"},
    };
    for (size_t i = 0; i < sizeof k_wrong / sizeof k_wrong[0]; i++) {
        char text[200];
        (void)snprintf(text, sizeof text,
                       "{swarm: 1, time: {end: 9}, entities: [{name: a, as: agent, body: %s}]}",
                       k_wrong[i].body);
        assert_int_equal(read_text(text), MF_E_RANGE);
        assert_names(s_error, "s.yaml 1");
        assert_names(s_error, k_wrong[i].data);
    }
    assert_int_equal(read_text("{swarm: 1, time: {end: 9}, entities: [{body: rigid}]}"),
                     MF_E_RANGE);
    assert_names(s_error, "s.yaml 1 entity1 rigid forces: [follow]");
    assert_int_equal(read_text("{swarm: 1, entities: [{body: bee}]}"), MF_E_RANGE);
    assert_names(s_error, "s.yaml 1 entity1 time.end");
}

/* Every error is one line that says where, what, and what would be right. */
static void test_errors_name_line_key_and_what_would_be_right(void **state)
{
    static const struct {
        const char *text, *data;
    } k_bad[] = {
        {"swarm: 1\nentities:\n  - {name: a, cuont: 3}\n", "s.yaml 3 entities.0 cuont count"},
        {"swarm: 1\nentities: [{name: a}]\nzzzzzzzzz: 1\n", "s.yaml 3 zzzzzzzzz"},
        {"swarm: 1\nentities: [{count: 0}]", "s.yaml 2 entities.0.count 0 1 1000000"},
        {"swarm: 1\nentities: [{count: 1000000000}]",
         "s.yaml 2 entities.0.count 1000000000 1 1000000"},
        {"swarm: 1\nentities: [{count: 1.5}]", "s.yaml 2 entities.0.count 1.5"},
        {"swarm: 1\nentities: [{count: [1]}]", "s.yaml 2 entities.0.count single"},
        {"swarm: 1\nentities: [{body: steel}]",
         "s.yaml 2 entities.0.body steel constant physics thrust cell bee rigid own"},
        {"swarm: 1\nentities: [{place: [1]}]", "s.yaml 2 entities.0.place 2 3"},
        {"swarm: 1\nentities: [{place: {grid: [2, 2], disc: [0, 0, 1]}}]",
         "s.yaml 2 entities.0.place grid cube disc list geo"},
        {"swarm: 1\nentities: [{name: a, count: 5, place: {grid: [2, 2]}}]", "s.yaml 2 a grid"},
        {"swarm: 1\nentities:\n  - {name: a, place: b}\n  - {name: b, place: a}\n",
         "s.yaml 3 place a"},
        {"swarm: 1\nentities: [{name: a, place: c}]", "s.yaml 2 place c"},
        {"swarm: 1\nentities: [{name: a}, {name: a}]", "s.yaml 2 entities a"},
        {"swarm: 2\nentities: [{name: a}]", "s.yaml 1 swarm 2 1 1"},
        {"entities: [{name: a}]", "s.yaml 1 swarm: 1"},
        {"swarm: 1", "s.yaml 1 entities"},
        {"swarm: 1\nswarm: 1", "s.yaml 2 swarm 1"},
        {"swarm: [1", "s.yaml 2 YAML ',' ']'"},
        {"", "s.yaml 1 map"},
        {"swarm: 1\nentities: [{name: a}]\nexpect: [{of: a}]",
         "s.yaml 3 expect event never mode position task found"},
        {"swarm: 1\nentities: [{name: a}]\nexpect: [{of: a.2, event: armed}]", "s.yaml 3 a.2"},
        {"swarm: 1\nentities: [{name: a}]\ntime: {clock: x0}",
         "s.yaml 3 time.clock x0 event fast real lockstep x0.01 x10000"},
        {"swarm: 1\nentities: [{count: '${N_O_N_E}'}]",
         "s.yaml 2 entities.0.count N_O_N_E --set N_O_N_E=VALUE ${N_O_N_E:VALUE}"},
        {"swarm: 1\nentities: [{name: a}]\noutputs:\n  csv: a.csv\n  events: a.csv",
         "s.yaml 5 outputs a.csv"},
        {"swarm: 1\nentities: [{count: '${N'}]", "s.yaml 2 entities.0.count '${N' '}'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_bad / sizeof k_bad[0]; i++) {
        assert_int_equal(read_text(k_bad[i].text), MF_E_RANGE);
        assert_names(s_error, k_bad[i].data);
    }
}

/* SBE-04: a key names entities behind it, also by the names that these get without a key name. */
static void test_sbe04_entities_are_named_before_others_name_them(void **state)
{
    (void)state;
    must_read("{swarm: 1, entities: [{place: entity2, sensors: [{kind: object, of: entity2}]},\n"
              "  {count: 2}], bus: {listen: 1, heard: entity2.2}, expect: [{of: entity2.2, event: "
              "armed}]}");
    assert_string_equal(s_scenario.entity[1].name, "entity2");
    assert_true(s_scenario.entity[1].first == 1 && s_scenario.members == 3);
    assert_int_equal(
        read_text("{swarm: 1, bus: {listen: 1, heard: c},\n entities: [{name: a, radio: "
                  "{kind: cc2420, level: 5}},\n {name: a}]}"),
        MF_E_RANGE);
    assert_names(s_error, "s.yaml 3 entities a"); /* before the level and the name of line 1 */
}

/* Outputs may share a device; the port of the page is not a file. */
static void test_no_two_outputs_share_a_file(void **state)
{
    static const char *const k_outputs[] = {
        "kml",    "czml",       "geojson",  "tlog",  "record",   "events",
        "radio",  "contacts",   "sensors",  "stats", "tasks",    "map",
        "trace",  "hive",       "overhead", "video", "pictures", "recording",
        "counts", "detections", "trust",    "costs"};
    char text[200];
    (void)state;
    for (size_t i = 0; i < sizeof k_outputs / sizeof k_outputs[0]; i++) {
        (void)snprintf(
            text, sizeof text,
            "{swarm: 1, space: {cells: {size: [2, 2]}}, entities: [{}],\n outputs: {csv: x,\n %s: "
            "x}}",
            k_outputs[i]);
        assert_int_equal(read_text(text), MF_E_RANGE);
        /* the output that the table of keys has later is the wrong one; the first one is csv */
        assert_names(s_error, "s.yaml 3 outputs x");
    }
    must_read("{swarm: 1, entities: [{}], outputs: {csv: '8080', page: 8080}}");
    must_read("{swarm: 1, entities: [{}], outputs: {csv: /dev/null, events: /dev/null}}");
}

/* SBE-04: ${NAME:default}, variations by name and number, values of the command line. */
static void test_sbe04_variables_variations_and_given_values(void **state)
{
    static const char k_text[] =
        "swarm: 1\n"
        "seed: 5\n"
        "entities: [{name: 'w${TAG:x}', count: '${COUNT:10}'}]\n"
        "variations:\n"
        "  few: {}\n"
        "  many: {entities.0.count: 7, time.end: 9, entities.0.place: [1, 2, 3]}\n"
        "  wrong: {entities.0.cuont: 7}\n";
    const char *const sets[] = {"COUNT=3", "seed=8", "entities.0.body={kind: physics}"};
    struct mf_scenario_given given = {.set = sets, .sets = 3};
    (void)state;
    assert_int_equal(read_given(k_text, &given), MF_E_OK);
    assert_true(s_scenario.seed == 8 && s_scenario.members == 3 && s_scenario.variations == 3);
    assert_int_equal(s_scenario.entity[0].body.kind, MF_SCENARIO_BODY_PHYSICS);
    assert_string_equal(s_scenario.entity[0].name, "wx");
    given.variation = "many";
    assert_int_equal(read_given(k_text, &given), MF_E_OK);
    assert_true(s_scenario.members == 7 && s_scenario.time.end_s == 9.0);
    assert_true(s_scenario.variation_number == 1 && s_scenario.entity[0].body.kind == 1);
    given.variation = "0";
    assert_int_equal(read_given(k_text, &given), MF_E_OK);
    assert_string_equal(s_scenario.variation, "few");
    given.variation = "wrong";
    assert_int_equal(read_given(k_text, &given), MF_E_RANGE);
    assert_names(s_error, "s.yaml 7 entities.0.cuont");
    given.variation = "none";
    assert_int_equal(read_given(k_text, &given), MF_E_RANGE);
    assert_names(s_error, "s.yaml 5 none few many wrong");
    const char *const unknown[] = {"COUNTS=3"};
    given = (struct mf_scenario_given){.set = unknown, .sets = 1};
    assert_int_equal(read_given(k_text, &given), MF_E_RANGE);
    assert_names(s_error, "s.yaml 1 --set COUNTS=3 ${COUNTS}");
}

/* An error is one line, whatever the value is that it names; letters stay as they are. */
static void test_an_error_is_one_line(void **state)
{
    static const char k_text[] = "swarm: 1\nentities: [{name: a}]\n";
    const char *const set[] = {"w\xC3\xA4nd\nx\x1B[1m"};
    const struct mf_scenario_given given = {.set = set, .sets = 1};
    (void)state;
    assert_int_equal(read_given(k_text, &given), MF_E_RANGE);
    assert_names(s_error, "s.yaml 1 --set w\xC3\xA4nd?x?[1m KEY=VALUE");
    assert_null(strchr(s_error, '\n'));
}

/* SBE-04: the command line has the last word: over a variation for the same key, over an earlier
 * value of its own, and a whole map that it gives is not changed by a variation. */
static void test_sbe04_the_command_line_outranks_a_variation(void **state)
{
    static const char k_text[] =
        "swarm: 1\n"
        "space: {boundary: [[0, 0], [9, 0], [9, 9]]}\n"
        "entities: [{name: a, body: {kind: thrust, up: 30}, params: {MIS_TAKEOFF_ALT: 4}}]\n"
        "plan: {kind: bcd, altitude: 20}\n"
        "variations:\n"
        "  low: {plan.altitude: 7, plan.dive: 3, entities.0.body.up: 50}\n"
        "  fast: {entities.0.params.MPC_XY_CRUISE: 3}\n";
    static const struct {
        const char *variation, *set[2];
        double altitude_m, dive_m, up_n;
    } k[] = {
        {"low", {"seed=1", "seed=2"}, 7.0, 3.0, 50.0},
        {"low", {"plan.altitude=11", "seed=2"}, 11.0, 3.0, 50.0},
        {"low", {"plan.altitude=11", "plan.altitude=12"}, 12.0, 3.0, 50.0},
        {"low", {"plan={kind: avbcd, dive: 5}", "seed=2"}, 30.0, 5.0, 50.0},
        {"low", {"plan={kind: avbcd, dive: 5}", "plan.dive=6"}, 30.0, 6.0, 50.0},
        {"low", {"plan.dive=6", "plan={kind: avbcd, dive: 5}"}, 30.0, 5.0, 50.0},
        {"low", {"entities=[{name: b, body: {kind: thrust}}]", "seed=2"}, 7.0, 3.0, 40.0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        const struct mf_scenario_given given = {k[i].variation, k[i].set, 2};
        if (read_given(k_text, &given) != MF_E_OK) {
            fail_msg("%zu: %s", i, s_error);
        }
        assert_true(s_scenario.search.altitude_m == k[i].altitude_m);
        assert_true(s_scenario.search.dive_m == k[i].dive_m);
        assert_true(s_scenario.entity[0].body.thrust.up == k[i].up_n);
    }
    const char *const sets[] = {"entities.0.params.MPC_XY_CRUISE=8", "plan={kind: bcd, knid: 1}"};
    struct mf_scenario_given given = {"fast", sets, 1};
    const char *whole[] = {"entities.0.params={MPC_XY_VEL_MAX: 5}"};
    if (read_given(k_text, &given) != MF_E_OK) {
        fail_msg("%s", s_error);
    }
    assert_int_equal(s_scenario.entity[0].params, 2);
    assert_true(s_scenario.entity[0].param[1].value == 8.0);
    given = (struct mf_scenario_given){"fast", whole, 1};
    assert_int_equal(read_given(k_text, &given), MF_E_OK);
    assert_int_equal(s_scenario.entity[0].params, 1);
    assert_string_equal(s_scenario.entity[0].param[0].name, "MPC_XY_VEL_MAX");
    given = (struct mf_scenario_given){"fast", sets, 2};
    assert_int_equal(read_given(k_text, &given), MF_E_RANGE);
    assert_names(s_error, "plan knid kind");
}

static void test_members_have_names_and_are_found_by_them(void **state)
{
    char name[MF_SCENARIO_NAME_MAX + 12u];
    uint32_t from, to;
    (void)state;
    must_read("{swarm: 1, entities: [{name: a, count: 3}, {name: b}, {name: c, count: 2}],\n"
              " outputs: {csv: {file: f, of: [a.2, c]}}}");
    static const char *const k_names[] = {"a.1", "a.2", "a.3", "b", "c.1", "c.2"};
    static const bool k_chosen[] = {false, true, false, false, true, true};
    for (uint32_t i = 0; i < 6; i++) {
        mf_scenario_member_name(&s_scenario, i, name);
        assert_string_equal(name, k_names[i]);
        assert_true(mf_scenario_find(&s_scenario, name, &from, &to) && from == i && to == i + 1);
        assert_int_equal(mf_scenario_is_chosen(&s_scenario, &s_scenario.outputs.csv.of, i, true),
                         k_chosen[i]);
        assert_true(mf_scenario_is_chosen(&s_scenario, &s_scenario.outputs.kml.of, i, true));
    }
    assert_true(mf_scenario_find(&s_scenario, "a", &from, &to) && from == 0 && to == 3);
    static const char *const k_none[] = {"a.0", "a.4", "a.x", "a.1.5", "d", ""};
    for (size_t i = 0; i < 6; i++) {
        assert_false(mf_scenario_find(&s_scenario, k_none[i], &from, &to));
    }
}

static uint64_t sum_of(const char *text)
{
    must_read(text);
    return s_scenario.sum;
}

/* A checkpoint belongs to a scenario by the sum of its values, which does not depend on addresses
 * and lines. */
static void test_a_sum_is_of_values_that_a_resumed_run_must_keep(void **state)
{
    static const char *const k_same[] = {
        "# changed\n\nswarm: 1\nentities: [{params: {A: 1}, place: [1, 2, 3]}, {}]\n",
        "{swarm: 1, time: {end: 3, clock: x2, catch_up: skip}, links: {group: 5760}, "
        "entities: [{params: {A: 1}, place: [1, 2, 3]}, {}]}",
    };
    static const char *const k_other[] = {
        "{swarm: 1, entities: [{params: {A: 2}, place: [1, 2, 3]}, {}]}",
        "{swarm: 1, entities: [{params: {B: 1}, place: [1, 2, 3]}, {}]}",
        "{swarm: 1, entities: [{params: {A: 1}, place: [1, 2]}, {}]}",
        "{swarm: 1, entities: [{params: {A: 1}, place: [1, 2, 3]}, {}, {}]}",
        "{swarm: 1, entities: [{}, {params: {A: 1}, place: [1, 2, 3]}]}",
        "{swarm: 1, time: {step: 0.02}, entities: [{params: {A: 1}, place: [1, 2, 3]}, {}]}",
    };
    const uint64_t sum = sum_of("{swarm: 1, entities: [{params: {A: 1}, place: [1, 2, 3]}, {}]}");
    (void)state;
    for (size_t i = 0; i < sizeof k_same / sizeof k_same[0]; i++) {
        assert_true(sum_of(k_same[i]) == sum);
    }
    for (size_t i = 0; i < sizeof k_other / sizeof k_other[0]; i++) {
        assert_true(sum_of(k_other[i]) != sum);
    }
}

/* A list has an element for each of the file's, with defaults. Its pointer is NULL if the file
 * lacks the list. */
static void test_lists_are_as_long_as_the_file(void **state)
{
    static const char k_text[] =
        "{swarm: 1, entities: [{sensors: [{kind: ring, rate: 2}, {kind: range}]}], "
        "space: {obstacles: [{radius: 3}]}}";
    (void)state;
    must_read(k_text);
    const struct mf_scenario *s = &s_scenario;
    assert_int_equal(s->entity[0].sensors, 2);
    assert_true(s->entity[0].sensor[0].rate_hz == 2.0 && s->entity[0].sensor[1].rate_hz == 1.0);
    assert_int_equal(s->search.obstacles, 1);
    assert_true(s->search.obstacle[0].radius_m == 3.0 && s->search.obstacle[0].height_m == 10.0);
    assert_null(s->expect);
    assert_null(s->process);
    assert_int_equal(s->networks, 1);
    assert_int_equal(s->network[0].kind, MF_NETWORK_BUILTIN);
    mf_scenario_free(&s_scenario);
    assert_null(s->entity);
    assert_null(s->blocks);
}

/* Memory alone limits lists of places and maps of parameters. */
static void test_long_lists_are_read(void **state)
{
    static char s_text[16384];
    size_t n = (size_t)snprintf(s_text, sizeof s_text, "{swarm: 1, entities: [{place: {list: [");
    (void)state;
    for (uint32_t i = 0; i < 300; i++) {
        n += (size_t)snprintf(s_text + n, sizeof s_text - n, "%s[%u, -1]", i > 0 ? ", " : "", i);
    }
    n += (size_t)snprintf(s_text + n, sizeof s_text - n, "]}, params: {");
    for (uint32_t i = 0; i < 40; i++) {
        n += (size_t)snprintf(s_text + n, sizeof s_text - n, "%sP%u: %u", i > 0 ? ", " : "", i, i);
    }
    (void)snprintf(s_text + n, sizeof s_text - n, "}}]}");
    must_read(s_text);
    const struct mf_scenario_entity *e = &s_scenario.entity[0];
    assert_int_equal(e->place.places, 300);
    assert_true(e->place.list[299][0] == 299.0 && e->place.list[299][1] == -1.0 &&
                e->place.list[299][2] == 0.0);
    assert_int_equal(e->params, 40);
    assert_string_equal(e->param[39].name, "P39");
    assert_true(e->param[39].value == 39.0);
}

static void test_memory_of_one_file_is_bounded(void **state)
{
    struct mf_reading r = {.file = "f.yaml"};
    (void)state;
    assert_non_null(mf_reading_array(&r, 1, MF_KEYS_BYTES_MAX / 8u, 8));
    assert_non_null(mf_reading_array(&r, 2, 0, 8));
    assert_null(mf_reading_array(&r, 3, 1, 1));
    assert_names(r.error, "f.yaml 3 256");
    assert_null(mf_reading_array(&r, 4, SIZE_MAX, SIZE_MAX));
    mf_keys_free(r.blocks);
}

/* LDS-08: a task that an operator gives alone has the keys of a scenario's, and its defaults. */
static void test_lds08_a_task_stands_alone(void **state)
{
    static const struct {
        const char *text, *data;
    } k[] = {
        {"{crry: 7}", "task 1 crry carry"},
        {"[1]", "task 1 map {goto: [3, 4]}"},
        {"", "task 1 map {goto: [3, 4]}"},
        {"{priority: urgent}", "task 1 priority urgent low normal high"},
        {"{carry: \"${HOME}\"}", "task 1 carry HOME --set HOME=VALUE ${HOME:VALUE}"},
    };
    struct mf_scenario_task t;
    const char json[] = "{\"carry\": 7, \"to\": [3, 4], \"priority\": \"high\"}";
    (void)state;
    assert_true(mf_scenario_task_read(json, sizeof json - 1, &t, s_error));
    assert_string_equal(t.step.carry, "7");
    assert_string_equal(t.step.attr, "package");
    assert_true(t.step.to[0] == 3.0 && t.step.to[1] == 4.0 && isnan(t.step.go[0]));
    assert_true(t.priority == MF_GRID_PRIORITY_HIGH && !t.tracked && t.steps == 0);
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        assert_false(mf_scenario_task_read(k[i].text, strlen(k[i].text), &t, s_error));
        assert_names(s_error, k[i].data);
    }
    assert_false(mf_scenario_task_read("{goto: [", 8, &t, s_error));
}

/* Each key of links that opens a connection, alone. */
static void test_which_keys_link_a_swarm(void **state)
{
    (void)state;
    for (int i = 0; i < 7; i++) {
        struct mf_scenario o = {.links = {.address = {0}}};
        struct mf_scenario_links *l = &o.links;
        l->address[0] = i == 1 ? 'a' : '\0';
        l->group = i == 2 ? 1 : 0;
        l->window.port = i == 3 ? 1 : 0;
        l->window.vehicles.count = i == 4 ? 1 : 0;
        l->udp[0] = i == 5 ? 'a' : '\0';
        l->api[0] = i == 6 ? 'a' : '\0';
        assert_int_equal(mf_scenario_is_linked(&o), i > 0);
    }
}

static void test_values_of_the_air(void **state)
{
    (void)state;
    must_read("{swarm: 1, entities: [{name: a}],\n"
              "space: {weather: {values: {heat: 21, dust: 0.5, haze: 3}}}}");
    const struct mf_weather_air *air = &s_scenario.weather.is.air;
    assert_int_equal(air->values, 3);
    assert_string_equal(air->value[1].name, "dust");
    assert_true(air->value[0].value == 21.0 && air->value[1].value == 0.5);
    assert_true(air->value[2].value == 3.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sbe04_a_scenario_is_read_with_its_defaults),
        cmocka_unit_test(test_sbe04_figure_12_is_read),
        cmocka_unit_test(test_sbe13_a_rigid_body_is_read),
        cmocka_unit_test(test_errors_name_line_key_and_what_would_be_right),
        cmocka_unit_test(test_sbe04_entities_are_named_before_others_name_them),
        cmocka_unit_test(test_no_two_outputs_share_a_file),
        cmocka_unit_test(test_sbe04_variables_variations_and_given_values),
        cmocka_unit_test(test_an_error_is_one_line),
        cmocka_unit_test(test_sbe04_the_command_line_outranks_a_variation),
        cmocka_unit_test(test_members_have_names_and_are_found_by_them),
        cmocka_unit_test(test_a_sum_is_of_values_that_a_resumed_run_must_keep),
        cmocka_unit_test(test_lists_are_as_long_as_the_file),
        cmocka_unit_test(test_long_lists_are_read),
        cmocka_unit_test(test_memory_of_one_file_is_bounded),
        cmocka_unit_test(test_lds08_a_task_stands_alone),
        cmocka_unit_test(test_which_keys_link_a_swarm),
        cmocka_unit_test(test_values_of_the_air),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
