/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/cells/grid_build.c: from the keys of a world of 6 x 4 cells to its settings, and
 * what is refused. The index of cell [x, y] is 6 y + x. */
#include "boards/swarm/cells/grid.h"

#include "tests/unit/boards/swarm/swarm_fixture.h"

static struct swarm_grid s_grid;

#define SPACE       "space:\n  cells: {size: [6, 4, 1], metres: 10}\n"
#define PACKAGE     "  attributes: [[1, 2, package, 7]]\n"
#define ENTITIES    "entities:\n"
#define DRONE_BEGIN "  - {name: d, count: 2, as: agent, body: {kind: cell, speed: 2}, "
#define DRONE       DRONE_BEGIN "place: {list: [[0, 2], [0, 3]]}, " EQUIPMENT "}\n"
#define EQUIPMENT                                          \
    "battery: {mah: 2.5, move: 0.01, charge_below: 0.2}, " \
    "actuators: [{attr: package, mode: GRAB, direction: NONE, range: 0}]"
#define CONTROLLER  "controllers:\n  - {id: 0}\n"
#define TASKS(list) "controllers:\n  - {id: 0, tasks: [" list "]}\n"

static int build(const char *text)
{
    memset(&s_grid, 0, sizeof s_grid);
    return swarm_grid_build(swarm_of(text), &s_grid, false);
}

static void must_build(const char *text)
{
    if (build(text) != SWARM_OK) {
        fail_msg("%s", s_swarm.error);
    }
}

static void must_refuse(const char *text, const char *data)
{
    assert_int_equal(build(text), SWARM_INPUT);
    assert_names(s_swarm.error, data);
}

static int end(void **state)
{
    (void)state;
    memset(&s_grid, 0, sizeof s_grid);
    return 0;
}

static void test_drones_of_an_entity(void **state)
{
    (void)state;
    must_build(SPACE ENTITIES DRONE CONTROLLER);
    assert_int_equal(s_grid.s.drone_count, 2);
    assert_int_equal(s_grid.own_drones, 2);
    const struct mf_grid_drone *d = &s_grid.drone[1];
    assert_int_equal(s_grid.drone[0].home, 12);
    assert_int_equal(d->home, 18);
    assert_int_equal(d->appears, 1); /* missions begin after 1 s unless a scenario says more */
    assert_int_equal(d->body.speed, 2);
    assert_int_equal(d->body.capacity_uah, 2500);
    assert_int_equal(d->body.move_uah, 10);
    assert_int_equal(d->charge_below_uah, 500);
    assert_int_equal(d->controller, 0);
    assert_int_equal(d->actuators, 1);
    assert_string_equal(d->actuator[0].name, "package");
    assert_int_equal(d->actuator[0].mode, MF_GRID_GRAB);
}

static void test_a_world_has_its_size_and_scale(void **state)
{
    (void)state;
    must_build("time: {tick: 2}\n" SPACE "  origin: [47, 8, 500]\n" PACKAGE
               "  blocked: [[3, 0], [3, 1]]\n  hidden: [[5, 3]]\n" ENTITIES DRONE CONTROLLER);
    assert_int_equal(s_grid.s.size[0], 6);
    assert_int_equal(s_grid.s.size[1], 4);
    assert_int_equal(s_grid.s.size[2], 1);
    assert_true(s_grid.s.metres == 10.0 && s_grid.s.tick_s == 2.0);
    assert_true(s_grid.s.origin[0] == 47.0 && s_grid.s.origin[2] == 500.0);
    assert_int_equal(s_grid.s.blocked_count, 2);
    assert_int_equal(s_grid.blocked[1], 9);
    assert_int_equal(s_grid.s.hidden_count, 1);
    assert_int_equal(s_grid.hidden[0], 23);
    assert_int_equal(s_grid.s.attribute_count, 1);
    assert_int_equal(s_grid.s.attributes[0].cell, 13);
    assert_string_equal(s_grid.s.attributes[0].name, "package");
}

static void test_drones_have_the_names_of_members(void **state)
{
    char name[SWARM_NAME_MAX];
    (void)state;
    must_build(SPACE ENTITIES DRONE CONTROLLER);
    swarm_grid_drone_name(&s_swarm, &s_grid, 2, name);
    assert_string_equal(name, "d.2");
    swarm_grid_drone_name(&s_swarm, &s_grid, 5, name);
    assert_string_equal(name, "added.3");
}

static void test_spares_stand_behind_the_scenarios(void **state)
{
    (void)state;
    must_build(SPACE ENTITIES DRONE TASKS("{goto: [1, 1]}"));
    memset(&s_grid, 0, sizeof s_grid);
    assert_int_equal(swarm_grid_build(&s_swarm, &s_grid, true), SWARM_OK);
    assert_int_equal(s_grid.own_drones, 2);
    assert_int_equal(s_grid.own_tasks, 1);
    assert_int_equal(s_grid.s.drone_count, 66);
    assert_int_equal(s_grid.s.task_count, 65);
    assert_true(s_grid.drone[2].appears == MF_GRID_NEVER);
    assert_int_equal(s_grid.task[1].controller, SWARM_GRID_NOBODY);
    assert_int_equal(s_grid.task[0].controller, 0);
}

static void test_a_task_to_carry_is_four_steps(void **state)
{
    (void)state;
    must_build(SPACE PACKAGE ENTITIES DRONE TASKS("{carry: 7, to: [4, 1]}"));
    const struct mf_grid_task *t = &s_grid.task[0];
    assert_int_equal(t->steps, 4);
    assert_int_equal(t->step[0].kind, MF_GRID_STEP_FETCH);
    assert_string_equal(t->step[0].name, "package");
    assert_int_equal(t->step[1].kind, MF_GRID_STEP_GRAB);
    assert_int_equal(t->step[2].kind, MF_GRID_STEP_GOTO);
    assert_int_equal(t->step[2].cell, 10);
    assert_int_equal(t->step[3].kind, MF_GRID_STEP_DROP);
}

static void test_a_task_from_a_place_to_another(void **state)
{
    (void)state;
    must_build(SPACE ENTITIES DRONE TASKS("{from: [1, 1], to: [4, 1]}"));
    const struct mf_grid_task *t = &s_grid.task[0];
    assert_int_equal(t->steps, 2);
    assert_int_equal(t->step[0].cell, 7);
    assert_int_equal(t->step[1].cell, 10);
}

static void test_a_task_of_a_list(void **state)
{
    (void)state;
    must_build(SPACE ENTITIES DRONE TASKS(
        "{do: [{goto: [2, 0]}, {wait: 5}, {go_home: true}], drone: d.2, priority: high}"));
    const struct mf_grid_task *t = &s_grid.task[0];
    assert_int_equal(t->drone, 2);
    assert_int_equal(t->priority, 2);
    assert_int_equal(t->steps, 3);
    assert_int_equal(t->step[0].cell, 2);
    assert_int_equal(t->step[1].kind, MF_GRID_STEP_WAIT);
    assert_int_equal(t->step[1].ticks, 5);
    assert_int_equal(t->step[2].kind, MF_GRID_STEP_HOME);
}

static void test_controllers_are_sorted_by_id(void **state)
{
    (void)state;
    must_build(SPACE ENTITIES DRONE "controllers:\n  - {id: 5, of: d.1, tasks: [{goto: [1, 1]}]}\n"
                                    "  - {id: 2, tasks: [{goto: [2, 2]}]}\n");
    assert_int_equal(s_grid.s.controller_count, 2);
    assert_int_equal(s_grid.controller[0].id, 2);
    assert_int_equal(s_grid.controller[1].id, 5);
    assert_int_equal(s_grid.order[0], 1);
    assert_int_equal(s_grid.order[1], 0);
    assert_int_equal(s_grid.task[0].step[0].cell, 14); /* tasks of the lower id come first */
    assert_int_equal(s_grid.task[1].step[0].cell, 7);
    assert_int_equal(s_grid.drone[0].controller, 1); /* d.1 is named */
    assert_int_equal(s_grid.drone[1].controller, 0); /* the first that names none */
}

static void test_effects_that_prolong_tasks(void **state)
{
    (void)state;
    must_build(SPACE ENTITIES DRONE TASKS(
        "{goto: [1, 1]}, {goto: [2, 2]}") "effector: {on: true, prolong: [3, 4], script: [{kind: "
                                          "block, at: 9, "
                                          "from: [1, 0], to: [2, 0]}]}\n");
    assert_int_equal(s_grid.s.effect_count, 3);
    assert_int_equal(s_grid.effect[1].kind, MF_GRID_EFFECT_PROLONG);
    assert_int_equal(s_grid.effect[1].task, 2);
    assert_int_equal(s_grid.effect[1].ticks, 4);
    assert_int_equal(s_grid.effect[2].kind, MF_GRID_EFFECT_BLOCK);
    assert_int_equal(s_grid.effect[2].at, 9);
    assert_true(s_grid.effect[2].box);
    assert_int_equal(s_grid.effect[2].to.x, 2);
}

static void test_an_effector_that_is_off_has_no_effects(void **state)
{
    (void)state;
    must_build(
        SPACE ENTITIES DRONE TASKS("{goto: [1, 1]}") "effector: {on: false, prolong: [3]}\n");
    assert_int_equal(s_grid.s.effect_count, 0);
}

static void test_cells_that_do_not_exist(void **state)
{
    (void)state;
    must_refuse(SPACE ENTITIES DRONE TASKS("{goto: [6, 0]}"), "tasks [6, 0, 0] 6 x 4 x 1");
    must_refuse(SPACE ENTITIES DRONE TASKS("{goto: [0, 4]}"), "tasks [0, 4, 0] 6 x 4 x 1");
    must_refuse(SPACE ENTITIES DRONE TASKS("{goto: [0.5, 0]}"), "tasks [0.5, 0, 0] 6 x 4 x 1");
    must_refuse(SPACE "  blocked: [[9, 0]]\n" ENTITIES DRONE CONTROLLER,
                "space.blocked [9, 0, 0] 6 x 4 x 1");
}

static void test_cells_with_walls_hold_no_other_thing(void **state)
{
    (void)state;
    must_refuse(SPACE "  blocked: [[0, 2]]\n" ENTITIES DRONE CONTROLLER, "d cell blocked");
    must_refuse(SPACE "  hidden: [[0, 3]]\n" ENTITIES DRONE CONTROLLER, "d cell blocked");
    must_refuse(SPACE PACKAGE "  blocked: [[1, 2]]\n" ENTITIES DRONE CONTROLLER,
                "space.attributes package blocked");
}

static void test_an_attribute_twice_in_a_cell(void **state)
{
    (void)state;
    must_refuse(SPACE "  attributes: [[1, 2, a, 1], [1, 2, a, 2]]\n" ENTITIES DRONE CONTROLLER,
                "space.attributes a");
    must_build(
        SPACE
        "  attributes: [[1, 2, a, 1], [1, 2, b, 2], [2, 2, a, 3]]\n" ENTITIES DRONE CONTROLLER);
}

static void test_a_task_is_one_instruction(void **state)
{
    (void)state;
    must_refuse(SPACE ENTITIES DRONE TASKS("{goto: [1, 1], wait: 3}"), "task goto from carry do");
    must_refuse(SPACE ENTITIES DRONE TASKS("{priority: high}"), "task goto from carry do");
    must_refuse(SPACE PACKAGE ENTITIES DRONE TASKS("{carry: 7}"), "from carry to");
    must_refuse(SPACE ENTITIES DRONE TASKS("{from: [1, 1]}"), "from carry to");
    must_refuse(SPACE ENTITIES DRONE TASKS("{to: [1, 1]}"), "to goto");
}

static void test_a_task_needs_equipment(void **state)
{
    (void)state;
    must_refuse(SPACE ENTITIES DRONE TASKS("{grab: crate}"), "tasks grab crate actuator");
    must_refuse(SPACE ENTITIES DRONE TASKS("{goto: [1, 1], needs: heat}"), "tasks sensor heat");
    must_build(SPACE ENTITIES DRONE TASKS("{drop: package}")); /* a gripper drops, too */
    must_refuse(SPACE ENTITIES DRONE TASKS("{assign: package, value: 3}"),
                "tasks assign package actuator");
}

static void test_a_task_of_a_drone_that_does_not_exist(void **state)
{
    (void)state;
    must_refuse(SPACE ENTITIES DRONE TASKS("{goto: [1, 1], drone: d.3}"), "d.3 drone");
    must_refuse(SPACE ENTITIES DRONE TASKS("{goto: [1, 1], drone: d}"), "d drone"); /* it is two */
}

static void test_controllers_that_are_refused(void **state)
{
    (void)state;
    must_refuse(SPACE ENTITIES DRONE "controllers:\n  - {id: 0}\n  - {id: 0}\n",
                "controllers id 0");
    must_refuse(SPACE ENTITIES DRONE "controllers:\n  - {id: 0, trust: {alpha: 1, beta: 1}}\n",
                "trust alpha beta 1");
    must_refuse(SPACE ENTITIES DRONE "controllers:\n  - {id: 0, of: bird}\n", "of bird");
    must_refuse(SPACE ENTITIES DRONE "controllers:\n  - {id: 0, of: d.1}\n", "d of");
}

static void test_members_that_do_not_belong_into_cells(void **state)
{
    (void)state;
    must_refuse(SPACE ENTITIES "  - {name: d, as: agent, place: [0, 0]}\n" CONTROLLER,
                "d body: cell");
    must_refuse(
        SPACE ENTITIES
        "  - {name: d, as: agent, body: {kind: cell}, place: {geo: [47, 8, 0]}}\n" CONTROLLER,
        "d place list");
    must_refuse(SPACE ENTITIES DRONE_BEGIN
                "place: {list: [[0, 2], [0, 3]]}, battery: {mah: 5, move: 0}}\n" CONTROLLER,
                "d battery move tick");
    must_refuse(SPACE ENTITIES "  - {name: d, body: {kind: thrust}, place: [0, 0]}\n" CONTROLLER,
                "d body: cell");
    must_refuse(
        SPACE ENTITIES
        "  - {name: d, as: agent, body: {kind: cell}, behaviour: walk, place: [0, 0]}\n" CONTROLLER,
        "d controller");
}

static void test_a_world_without_drones(void **state)
{
    (void)state;
    must_refuse(SPACE ENTITIES
                "  - {name: c, thing: charger, rate: 100, place: [1, 1]}\n" CONTROLLER,
                "space.cells drone");
}

static void test_chargers_and_movers_are_no_drones(void **state)
{
    (void)state;
    must_build(SPACE ENTITIES DRONE
               "  - {name: c, thing: charger, rate: 100, place: [1, 1]}\n"
               "  - {name: m, thing: mover, place: [2, 1], "
               "cell: {attr: cow, value: 1, to: [5, 1], every: 3}}\n" CONTROLLER);
    assert_int_equal(s_grid.s.drone_count, 2);
    assert_int_equal(s_grid.s.charger_count, 1);
    assert_int_equal(s_grid.charger[0].cell, 7);
    assert_int_equal(s_grid.charger[0].rate_uah, 100000);
    assert_int_equal(s_grid.s.thing_count, 1);
    assert_int_equal(s_grid.thing[0].from, 8);
    assert_int_equal(s_grid.thing[0].to, 11);
    assert_int_equal(s_grid.thing[0].every, 3);
    must_refuse(SPACE ENTITIES DRONE "  - {name: m, thing: mover, place: [2, 1]}\n" CONTROLLER,
                "m cell.attr");
}

static void test_effects_that_lack_something(void **state)
{
    static const struct {
        const char *effect, *data;
    } k[] = {{"{kind: kill, at: 1}", "effector drone"},
             {"{kind: block, at: 1}", "effector from"},
             {"{kind: edit, at: 1, from: [1, 1]}", "effector attr"},
             {"{kind: fail, at: 1}", "effector task"},
             {"{kind: fail, at: 1, task: 2}", "effector task 2"},
             {"{kind: bird, at: 1, from: [1, 1]}", "effector to"},
             {"{kind: prolong, chance: 0.1}", "effector ticks"},
             {"{kind: bird, chance: 0.1, from: [1, 1], to: [2, 2]}", "effector chance block edit"}};
    char text[1024];
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        (void)snprintf(text, sizeof text, "%seffector: {on: true, script: [%s]}\n",
                       SPACE ENTITIES DRONE TASKS("{goto: [1, 1]}"), k[i].effect);
        must_refuse(text, k[i].data);
    }
}

static void test_a_world_of_too_many_cells(void **state)
{
    (void)state;
    must_refuse(
        "space:\n  cells: {size: [4000, 4000, 4000], metres: 10}\n" ENTITIES DRONE CONTROLLER,
        "space.cells.size 4000000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drones_of_an_entity),
        cmocka_unit_test(test_a_world_has_its_size_and_scale),
        cmocka_unit_test(test_drones_have_the_names_of_members),
        cmocka_unit_test(test_spares_stand_behind_the_scenarios),
        cmocka_unit_test(test_a_task_to_carry_is_four_steps),
        cmocka_unit_test(test_a_task_from_a_place_to_another),
        cmocka_unit_test(test_a_task_of_a_list),
        cmocka_unit_test(test_controllers_are_sorted_by_id),
        cmocka_unit_test(test_effects_that_prolong_tasks),
        cmocka_unit_test(test_an_effector_that_is_off_has_no_effects),
        cmocka_unit_test(test_cells_that_do_not_exist),
        cmocka_unit_test(test_cells_with_walls_hold_no_other_thing),
        cmocka_unit_test(test_an_attribute_twice_in_a_cell),
        cmocka_unit_test(test_a_task_is_one_instruction),
        cmocka_unit_test(test_a_task_needs_equipment),
        cmocka_unit_test(test_a_task_of_a_drone_that_does_not_exist),
        cmocka_unit_test(test_controllers_that_are_refused),
        cmocka_unit_test(test_members_that_do_not_belong_into_cells),
        cmocka_unit_test(test_a_world_without_drones),
        cmocka_unit_test(test_chargers_and_movers_are_no_drones),
        cmocka_unit_test(test_effects_that_lack_something),
        cmocka_unit_test(test_a_world_of_too_many_cells),
    };
    return cmocka_run_group_tests(tests, NULL, end);
}
