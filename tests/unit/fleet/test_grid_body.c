/* SPDX-License-Identifier: Apache-2.0 */
/* fleet/grid_body.c: a drone of a world of cells whose body obeys orders. The body here stands in
 * for a vehicle: in each look it flies 10 m along its mission, and 2 looks take it off the ground.
 */
#include "tests/unit/fleet/grid_fixture.h"

#include "math/geodesic.h"
#include "mavlink/enums.h"

#include <math.h>

#define ITEMS_MAX 80u

static const double k_origin[3] = {47.0, 8.0, 400.0};

static struct {
    struct mf_msg_mission_item_int item[ITEMS_MAX];
    uint16_t items, at;
    uint32_t missions, stops, landings, waits;
    double neu_m[3];
    bool flies, refuses, silent;
    int32_t reached;
    uint8_t landed, gripper; /* gripper: what it answers to DO_GRIPPER */
    char log[256];           /* a letter per item of each mission, then what was ordered */
} s_body;

static void note(char letter)
{
    const size_t n = strlen(s_body.log);
    assert_true(n + 2 < sizeof s_body.log);
    s_body.log[n] = letter;
}

static int give(void *ctx, uint32_t msgid, const void *msg, uint8_t *result)
{
    const struct mf_msg_command_int *m = msg;
    assert_ptr_equal(ctx, &s_body);
    assert_int_equal(msgid, MF_MSG_COMMAND_INT);
    *result = MAV_RESULT_ACCEPTED;
    switch (m->command) {
    case MAV_CMD_MISSION_START:
        s_body.flies = true;
        break;
    case MAV_CMD_NAV_LOITER_UNLIM:
        s_body.flies = false;
        s_body.stops++;
        note('|');
        break;
    case MAV_CMD_NAV_LAND:
        s_body.flies = false;
        s_body.landings++;
        s_body.landed = MAV_LANDED_STATE_ON_GROUND;
        note('L');
        break;
    case MAV_CMD_DO_GRIPPER:
        *result = s_body.gripper;
        note(m->param2 == 1.0f ? 'g' : 'd');
        break;
    default:
        fail();
    }
    return MF_E_OK;
}

static void place_of(const struct mf_msg_mission_item_int *m, double neu_m[3])
{
    mf_geo_to_local((struct mf_geo){k_origin[0], k_origin[1]},
                    (struct mf_geo){(double)m->x / 1e7, (double)m->y / 1e7}, neu_m);
    neu_m[2] = (double)mf_f32_from_bits(m->z) - k_origin[2];
}

/* @return whether the item is reached within this look */
static bool fly_item(const struct mf_msg_mission_item_int *m, double *left_m)
{
    double to_m[3];
    if (m->command == MAV_CMD_NAV_TAKEOFF) {
        *left_m = 0.0;
        s_body.landed = MAV_LANDED_STATE_IN_AIR;
        return ++s_body.waits % 2 == 0;
    }
    if (m->command != MAV_CMD_NAV_WAYPOINT) {
        return true;
    }
    place_of(m, to_m);
    const double north = to_m[0] - s_body.neu_m[0], east = to_m[1] - s_body.neu_m[1];
    const double far_m = sqrt(north * north + east * east);
    const double part = far_m <= *left_m + 0.1 ? 1.0 : *left_m / far_m;
    s_body.neu_m[0] += north * part;
    s_body.neu_m[1] += east * part;
    s_body.neu_m[2] = to_m[2];
    *left_m -= part * far_m;
    return part == 1.0;
}

static void look(void *ctx, struct mf_order_view *view)
{
    double left_m = 10.0;
    (void)ctx;
    while (s_body.flies && s_body.at < s_body.items && left_m > 0.1 &&
           fly_item(&s_body.item[s_body.at], &left_m)) {
        s_body.reached = s_body.at++;
    }
    while (s_body.flies && s_body.at < s_body.items &&
           s_body.item[s_body.at].command == MAV_CMD_DO_GRIPPER) {
        s_body.reached = s_body.at++; /* takes no time */
    }
    const struct mf_geo at = mf_geo_from_local((struct mf_geo){k_origin[0], k_origin[1]},
                                               s_body.neu_m[0], s_body.neu_m[1]);
    *view =
        (struct mf_order_view){.known = !s_body.silent,
                               .landed = s_body.landed,
                               .reached = s_body.reached,
                               .position = {
                                   .lat = (int32_t)lround(at.lat_deg * 1e7),
                                   .lon = (int32_t)lround(at.lon_deg * 1e7),
                                   .alt = (int32_t)lround((k_origin[2] + s_body.neu_m[2]) * 1e3),
                               }};
}

static int upload(void *ctx, struct mf_msg_mission_item_int *items, uint16_t count, uint8_t *result)
{
    (void)ctx;
    assert_true(count <= ITEMS_MAX);
    *result = s_body.refuses ? MAV_MISSION_DENIED : MAV_MISSION_ACCEPTED;
    if (s_body.refuses) {
        return MF_E_OK;
    }
    memcpy(s_body.item, items, count * sizeof *items);
    s_body.items = count;
    s_body.at = 0;
    s_body.reached = -1;
    s_body.missions++;
    for (uint16_t i = 0; i < count; i++) {
        note(items[i].command == MAV_CMD_NAV_TAKEOFF       ? 'T'
             : items[i].command == MAV_CMD_NAV_WAYPOINT    ? 'w'
             : items[i].command == MAV_CMD_DO_CHANGE_SPEED ? 's'
                                                           : 'G');
    }
    return MF_E_OK;
}

static const struct mf_order_ops k_ops = {give, look, upload};

/* A row of 10 x 3 cells with one drone at (0, 0) that grabs packages. */
static void begin_flown(void)
{
    begin(10, 3);
    memcpy(w.s.origin, k_origin, sizeof k_origin);
    w.s.tick_s = 2.0;
    memset(&s_body, 0, sizeof s_body);
    s_body.neu_m[0] = s_body.neu_m[1] = 5.0;
    s_body.landed = MAV_LANDED_STATE_ON_GROUND;
    s_body.reached = -1;
    s_body.gripper = MAV_RESULT_UNSUPPORTED;
    struct mf_grid_drone *d = add_drone(0, 0);
    d->port = (struct mf_order_port){&k_ops, &s_body};
    add_actuator(d, "package", MF_GRID_GRAB);
}

/* Three moves to the package and five with it; take-off takes the two looks of which one is before
 * the first move; home is seven moves away, and there it lands. */
static void test_lds24_a_parcel_is_two_missions(void **state)
{
    (void)state;
    double neu_m[3];
    begin_flown();
    add_attribute(3, 0, "package", "1");
    add_carry("1", 5, 2);
    start();
    ticks(3);
    assert_string_equal(s_body.log, "TswG"); /* take off, speed, one waypoint, grab */
    const struct mf_msg_mission_item_int *i = s_body.item;
    assert_true(mf_f32_from_bits(i[1].param1) == 1.0f && mf_f32_from_bits(i[1].param2) == 5.0f);
    place_of(&i[2], neu_m); /* 10 m a cell: its middle, half a cell up */
    assert_true(fabs(neu_m[0] - 5.0) < 0.02 && fabs(neu_m[1] - 35.0) < 0.02 && neu_m[2] == 5.0);
    assert_true(mf_f32_from_bits(i[2].param2) == 1.0f);
    assert_int_equal(i[2].frame, MAV_FRAME_GLOBAL_INT);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(i[k].autocontinue, 1);
    }
    assert_true(mf_f32_from_bits(i[3].param1) == 1.0f && mf_f32_from_bits(i[3].param2) == 1.0f);
    while (mf_grid_tick(w.q)) {
        assert_true(mf_grid_ticks(w.q) < 200);
    }
    /* with it: a turn at (5, 0); then home along one turn, and down */
    assert_string_equal(s_body.log, "TswGswwGswwL");
    assert_int_equal(s_body.landings, 1);
    assert_int_equal(s_body.stops, 0);
    assert_int_equal(w.records, 1);
    assert_int_equal(w.record[0].estimated, 3 + 4);
    assert_int_equal(w.record[0].actual, 3 + 4 + 2 + 1); /* it is seen one tick later */
    assert_non_null(mf_field_find(mf_grid_field(w.q), cell(5, 2), "package"));
    assert_int_equal(mf_grid_drone(w.q, 1).battery_uah, 2500000 - (3 + 4 + 7) * 10000);
    assert_int_equal(where(1), cell(0, 0));
}

/* What an agent would do with the same world, task for task. */
static void test_lds24_the_order_is_that_of_agents(void **state)
{
    (void)state;
    uint32_t order[2][3];
    for (int flown = 0; flown < 2; flown++) {
        begin_flown();
        w.drone[0].port.ops = flown ? &k_ops : NULL;
        add_attribute(3, 0, "package", "1");
        add_attribute(6, 1, "package", "2");
        add_carry("1", 5, 2);
        add_carry("2", 0, 2);
        add_goto(9, 2)->priority = MF_GRID_PRIORITY_HIGH;
        run();
        assert_int_equal(w.records, 3);
        for (uint32_t i = 0; i < 3; i++) {
            order[flown][i] = w.record[i].task;
            assert_int_equal(w.record[i].outcome, MF_GRID_OUTCOME_DONE);
        }
    }
    assert_memory_equal(order[0], order[1], sizeof order[0]);
}

static uint8_t command(float action)
{
    const struct mf_order_port port = mf_grid_port(w.q, 1);
    const struct mf_msg_command_int m = {
        .command = MAV_CMD_DO_GRIPPER, .param1 = 1.0f, .param2 = action};
    uint8_t result = MAV_RESULT_TEMPORARILY_REJECTED;
    assert_int_equal(port.ops->give(port.ctx, MF_MSG_COMMAND_INT, &m, &result), MF_E_OK);
    return result;
}

static void test_lds16_a_gripper_answers_what_the_world_did(void **state)
{
    (void)state;
    begin_flown();
    add_attribute(0, 0, "package", "1");
    start();
    ticks(1);
    assert_int_equal(command(0.0f), MAV_RESULT_FAILED); /* it has nothing */
    assert_int_equal(command(1.0f), MAV_RESULT_ACCEPTED);
    assert_true(mf_grid_drone(w.q, 1).carries);
    assert_null(mf_field_find(mf_grid_field(w.q), cell(0, 0), "package"));
    assert_int_equal(command(1.0f), MAV_RESULT_FAILED); /* the cell is empty */
    assert_int_equal(command(0.0f), MAV_RESULT_ACCEPTED);
    assert_non_null(mf_field_find(mf_grid_field(w.q), cell(0, 0), "package"));
    assert_int_equal(command(2.0f), MAV_RESULT_DENIED);
    s_body.gripper = MAV_RESULT_FAILED; /* its own gripper is broken */
    assert_int_equal(command(1.0f), MAV_RESULT_FAILED);
    assert_false(mf_grid_drone(w.q, 1).carries);
    w.drone[0].actuators = 0;
    s_body.gripper = MAV_RESULT_ACCEPTED;
    assert_int_equal(command(1.0f), MAV_RESULT_UNSUPPORTED);
    w.drone[0].port.ops = NULL; /* an agent answers the same, and has no missions */
    w.drone[0].actuators = 1;
    assert_int_equal(command(1.0f), MAV_RESULT_ACCEPTED);
    assert_int_equal(command(1.0f), MAV_RESULT_FAILED);
    const struct mf_order_port port = mf_grid_port(w.q, 1);
    struct mf_msg_mission_item_int item = {.command = MAV_CMD_NAV_WAYPOINT};
    assert_false(mf_order_mission(&port, &item, 1));
    assert_false(mf_order_land(&port));
}

/* A step that no mission leads to is a command; a grab with nothing there fails the task. */
static void test_lds16_refused_grabs_fail_tasks(void **state)
{
    (void)state;
    begin_flown();
    add_step(add_task(), MF_GRID_STEP_GRAB, 0, "package", "");
    struct mf_grid_task *t = add_goto(2, 0);
    add_step(t, MF_GRID_STEP_GRAB, 0, "package", "");
    run();
    assert_int_equal(w.records, 2);
    assert_string_equal(w.record[0].reason, "nothing to grab");
    assert_string_equal(w.record[1].reason, "nothing to grab");
    assert_string_equal(s_body.log, "gTswGswL");
}

/* A hidden wall at (3, 0): it stops before it, tells, and flies around. */
static void test_lds18_a_wall_is_seen_before_it_is_met(void **state)
{
    (void)state;
    begin_flown();
    uint32_t stopped_at = 0;
    w.hidden[w.s.hidden_count++] = cell(3, 0);
    add_goto(6, 0);
    start();
    while (mf_grid_tick(w.q)) {
        assert_int_not_equal(where(1), cell(3, 0));
        stopped_at = stopped_at == 0 && s_body.stops == 1 ? where(1) : stopped_at;
        assert_true(mf_grid_ticks(w.q) < 200);
    }
    assert_int_equal(w.record[0].outcome, MF_GRID_OUTCOME_DONE);
    assert_int_equal(count_messages(MF_MESSAGE_CELL_ATTR), 1);
    assert_int_equal(s_body.stops, 1);
    assert_int_equal(stopped_at, cell(1, 0)); /* 2 cells ahead are looked at */
    /* one row up and down are 2 moves more */
    assert_int_equal(mf_grid_drone(w.q, 1).battery_uah, 2500000 - (6 + 2 + 8) * 10000);
}

/* Held up on its way it stops, and goes on from there: in even ticks only. */
static void test_lds23_weather_stops_it(void **state)
{
    (void)state;
    begin_flown();
    struct mf_grid_effect *e = add_effect(MF_GRID_EFFECT_WEATHER, 8);
    e->ticks = 10;
    e->from = (struct mf_cell){0, 0, 0};
    e->to = (struct mf_cell){9, 2, 0};
    e->amount = 1000;
    add_goto(9, 0);
    run();
    assert_int_equal(w.record[0].outcome, MF_GRID_OUTCOME_DONE);
    assert_int_equal(s_body.stops, 1);
    assert_int_equal(s_body.missions, 3);
    assert_int_equal(w.record[0].actual, 9 + 2 + 10 + 1);
}

/* Landed, and off again, to charge; who dies or has an empty battery comes down where it is. */
static void test_lds15_it_lands_to_charge(void **state)
{
    (void)state;
    begin_flown();
    w.drone[0].body.capacity_uah = 100000;
    w.drone[0].charge_below_uah = 20000;
    w.charger[w.s.charger_count++] = (struct mf_charger){.cell = cell(8, 2), .rate_uah = 50000};
    add_goto(9, 0);
    add_goto(0, 2);
    run();
    assert_int_equal(w.records, 2);
    assert_int_equal(w.record[1].outcome, MF_GRID_OUTCOME_DONE);
    assert_true(s_body.landings >= 2);

    begin_flown();
    add_effect(MF_GRID_EFFECT_KILL, 7)->drone = 1;
    add_goto(9, 0);
    run();
    assert_int_equal(mf_grid_drone(w.q, 1).state, MF_GRID_STATE_DEAD);
    assert_string_equal(s_body.log, "Tsw|L");

    begin_flown();
    w.drone[0].body.capacity_uah = 30000;
    w.controller[0].go_home = MF_GRID_RETURN_NEVER;
    add_goto(9, 0);
    add_actuator(&w.drone[0], "none", MF_GRID_GRAB);
    run();
    assert_int_equal(w.records, 0);
    assert_int_equal(s_body.missions, 0); /* its controller knows that it is not enough */
}

/* Who refuses, or says nothing, does not keep the world awake; who does not move has no way. */
static void test_a_body_that_does_not_obey(void **state)
{
    (void)state;
    begin_flown();
    s_body.refuses = true;
    add_goto(9, 0);
    run();
    assert_int_equal(s_body.missions, 0);
    assert_false(mf_grid_is_done(w.q, 1, NULL));
    begin_flown();
    s_body.silent = true;
    add_goto(9, 0);
    run();
    assert_int_equal(s_body.missions, 0);
    /* it falls silent on its way, and another one takes its task; nobody else could */
    begin_flown();
    (void)add_drone(0, 2);
    add_goto(9, 0)->tracked = true;
    start();
    ticks(6);
    s_body.silent = true;
    while (mf_grid_tick(w.q)) {
        assert_true(mf_grid_ticks(w.q) < 200);
    }
    assert_int_equal(w.records, 2);
    assert_string_equal(w.record[0].reason, "silent");
    assert_int_equal(w.record[0].tick, 6 + 5 + 2);
    assert_int_equal(w.record[1].drone, 2);
    begin_flown();
    add_goto(9, 0);
    start();
    ticks(6);
    s_body.flies = false; /* somebody else has stopped it */
    while (mf_grid_tick(w.q)) {
        assert_true(mf_grid_ticks(w.q) < 500);
    }
    assert_string_equal(w.record[0].reason, "no way");
}

/* A way with more corners than a mission has room for is flown in parts. */
static void test_a_way_of_many_corners(void **state)
{
    (void)state;
    begin_flown();
    w.s.size[0] = 60;
    w.s.size[1] = 60;
    w.drone[0].body.capacity_uah = 0;
    uint32_t blocked[4096];
    uint32_t n = 0;
    for (uint32_t i = 0; i < 59; i++) { /* a staircase one cell wide */
        for (uint32_t k = 0; k < 60; k++) {
            if (k != i && k != i + 1u) {
                blocked[n++] = cell(k, i);
            }
        }
    }
    w.s.blocked = blocked;
    w.s.blocked_count = n;
    add_goto(59, 58);
    run();
    assert_int_equal(w.record[0].outcome, MF_GRID_OUTCOME_DONE);
    assert_int_equal(w.record[0].estimated, 59 + 58);
    assert_true(s_body.missions >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lds24_a_parcel_is_two_missions),
        cmocka_unit_test(test_lds24_the_order_is_that_of_agents),
        cmocka_unit_test(test_lds16_a_gripper_answers_what_the_world_did),
        cmocka_unit_test(test_lds16_refused_grabs_fail_tasks),
        cmocka_unit_test(test_lds18_a_wall_is_seen_before_it_is_met),
        cmocka_unit_test(test_lds23_weather_stops_it),
        cmocka_unit_test(test_lds15_it_lands_to_charge),
        cmocka_unit_test(test_a_body_that_does_not_obey),
        cmocka_unit_test(test_a_way_of_many_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
