/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/members/plans.h: files of plans, as vehicles that share them would store them. */
#include "boards/swarm/members/plans.h"

#include "mavlink/enums.h"
#include "mavlink/message.h"
#include "tests/unit/boards/swarm/swarm_fixture.h"

#include <limits.h>
#include <math.h>

static char s_folder[] = "/tmp/test_plans_XXXXXX";
static char s_plan[PATH_MAX];

#define ITEM(command, lat, lon, up)                                             \
    "{\"type\": \"SimpleItem\", \"autoContinue\": true, \"command\": " #command \
    ", \"frame\": 3, \"doJumpId\": 1, \"params\": [0, 0, 0, null, " #lat ", " #lon ", " #up "]}"
#define PLAN(home, items)                                                                     \
    "{\"fileType\": \"Plan\", \"version\": 1, \"groundStation\": \"QGroundControl\", "        \
    "\"geoFence\": {\"circles\": [], \"polygons\": [], \"version\": 2}, "                     \
    "\"rallyPoints\": {\"points\": [], \"version\": 2}, \"mission\": {\"version\": 2, "       \
    "\"firmwareType\": 12, \"vehicleType\": 2, \"cruiseSpeed\": 15, \"hoverSpeed\": 5, " home \
    "\"items\": [" items "]}}"
#define HOME  "\"plannedHomePosition\": [47.5, 8.25, 488.5], "
#define ITEMS ITEM(22, 47.5, 8.25, 15) ", " ITEM(16, 47.501, 8.25, 20)

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(s_folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    (void)remove(s_plan);
    return rmdir(s_folder);
}

static int begin(void **state)
{
    (void)state;
    (void)swarm_of("space: {origin: [47, 8, 500]}\ntime: {end: 1}\n"
                   "entities: [{name: v, behaviour: walk}]\n");
    (void)snprintf(s_swarm.file, sizeof s_swarm.file, "%s/x.yaml", s_folder);
    (void)snprintf(s_plan, sizeof s_plan, "%s/a.plan", s_folder);
    return 0;
}

static const struct mf_shared_plan *read_plan(const char *text)
{
    FILE *to = fopen(s_plan, "w");
    assert_non_null(to);
    (void)fputs(text, to);
    (void)fclose(to);
    s_swarm.error[0] = '\0';
    return swarm_plan_read(&s_swarm, "a.plan", 6);
}

static const struct mf_shared_plan *must_read(const char *text)
{
    const struct mf_shared_plan *plan = read_plan(text);
    if (plan == NULL) {
        fail_msg("%s", s_swarm.error);
    }
    return plan;
}

static void must_refuse(const char *text, const char *data)
{
    assert_null(read_plan(text));
    assert_names(s_swarm.error, data);
    assert_non_null(strstr(s_swarm.error, "x.yaml:6: plan: "));
}

static void test_items_are_records_of_a_store(void **state)
{
    (void)state;
    const struct mf_shared_plan *plan = must_read(PLAN(HOME, ITEMS));
    assert_int_equal(plan->mission.count, 2);
    assert_int_equal(plan->fence.count, 0);
    assert_int_equal(plan->rally.count, 0);
    const struct mf_item *item = plan->mission.item;
    assert_int_equal(item[0].command, 22);
    assert_int_equal(item[1].command, 16);
    assert_int_equal(item[1].x, 475010000);
    assert_int_equal(item[1].y, 82500000);
    assert_true(mf_f32_from_bits(item[1].z) == 20.0f);
    assert_true(plan->mission.tag != 0);
}

static void test_a_plan_was_made_for_its_home(void **state)
{
    (void)state;
    const struct mf_shared_plan *plan = must_read(PLAN(HOME, ITEMS));
    assert_true(plan->lat_deg == 47.5 && plan->lon_deg == 8.25);
    assert_true(plan->alt_amsl_m == 488.5);
}

static void test_without_a_home_it_was_made_for_its_first_place(void **state)
{
    (void)state;
    const struct mf_shared_plan *plan = must_read(PLAN("", ITEM(22, 47.5, 8.25, 15)));
    assert_true(fabs(plan->lat_deg - 47.5) < 1e-7 && fabs(plan->lon_deg - 8.25) < 1e-7);
    assert_true(plan->alt_amsl_m == 500.0); /* the height of the scenario's origin */
}

static void test_other_items_have_another_tag(void **state)
{
    (void)state;
    const uint32_t tag = must_read(PLAN(HOME, ITEMS))->mission.tag;
    assert_int_equal(must_read(PLAN(HOME, ITEMS))->mission.tag, tag);
    assert_int_not_equal(
        must_read(PLAN(HOME, ITEM(22, 47.5, 8.25, 15) ", " ITEM(16, 47.501, 8.25, 21)))
            ->mission.tag,
        tag);
}

static void test_a_plan_without_any_place(void **state)
{
    (void)state;
    must_refuse(PLAN("", "{\"type\": \"SimpleItem\", \"autoContinue\": true, \"command\": 178, "
                         "\"frame\": 2, \"doJumpId\": 1, \"params\": [1, 5, -1, 0, 0, 0, 0]}"),
                "home place");
    must_refuse(PLAN("", ""), "mission.items");
}

static void test_a_file_that_is_not_a_plan(void **state)
{
    (void)state;
    must_refuse("{\"fileType\": \"Plan\"", s_plan);
    must_refuse("", s_plan);
}

static void test_a_plan_that_is_not_there(void **state)
{
    char data[PATH_MAX + 8];
    (void)state;
    assert_null(swarm_plan_read(&s_swarm, "nowhere.plan", 9));
    (void)snprintf(data, sizeof data, "%s/nowhere.plan", s_folder);
    assert_names(s_swarm.error, data);
    assert_non_null(strstr(s_swarm.error, "x.yaml:9: plan: "));
}

static void test_an_item_that_a_vehicle_would_refuse(void **state)
{
    (void)state;
    must_refuse(PLAN(HOME, ITEM(22, 47.5, 8.25, 15) ", " ITEM(16, 147.5, 8.25, 15)),
                "-90 90 147.5");
    must_refuse(PLAN(HOME, ITEM(22, 47.5, 8.25, 15) ", " ITEM(12345, 47.5, 8.25, 15)), "12345");
}

static void test_entities_with_one_file_share_it(void **state)
{
    static struct swarm_kind s_kind[2];
    struct mf_scenario_entity e[2] = {{.plan = "a.plan"}, {.plan = "a.plan"}};
    (void)state;
    (void)must_read(PLAN(HOME, ITEMS));
    s_scenario.entity = e;
    s_swarm.members.kind = s_kind;
    s_kind[0].plan = swarm_plan(&s_swarm, &e[0]);
    assert_non_null(s_kind[0].plan);
    assert_ptr_equal(swarm_plan(&s_swarm, &e[1]), s_kind[0].plan);
    (void)snprintf(e[1].plan, sizeof e[1].plan, "./a.plan"); /* another name is read again */
    const struct mf_shared_plan *again = swarm_plan(&s_swarm, &e[1]);
    assert_non_null(again);
    assert_ptr_not_equal(again, s_kind[0].plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_items_are_records_of_a_store, begin),
        cmocka_unit_test_setup(test_a_plan_was_made_for_its_home, begin),
        cmocka_unit_test_setup(test_without_a_home_it_was_made_for_its_first_place, begin),
        cmocka_unit_test_setup(test_other_items_have_another_tag, begin),
        cmocka_unit_test_setup(test_a_plan_without_any_place, begin),
        cmocka_unit_test_setup(test_a_file_that_is_not_a_plan, begin),
        cmocka_unit_test_setup(test_a_plan_that_is_not_there, begin),
        cmocka_unit_test_setup(test_an_item_that_a_vehicle_would_refuse, begin),
        cmocka_unit_test_setup(test_entities_with_one_file_share_it, begin),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
