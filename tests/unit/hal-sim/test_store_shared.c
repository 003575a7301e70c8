/* SPDX-License-Identifier: Apache-2.0 */
/* hal-sim/store_shared.h. Places are computed by hand: at 60 degrees north a metre is twice as many
 * degrees of longitude as at the equator. */
#include "hal-sim/store_shared.h"

#include "mavlink/enums.h"
#include "mavlink/message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define OWN 4u

static const struct mf_item k_items[] = {
    {.x = 10000000,
     .y = 1799990000,
     .command = MAV_CMD_NAV_WAYPOINT,
     .frame = MAV_FRAME_GLOBAL_INT},
    {.x = 10000000,
     .y = 1799980000,
     .command = MAV_CMD_NAV_WAYPOINT,
     .frame = MAV_FRAME_GLOBAL_RELATIVE_ALT_INT},
    {.x = 7, .y = 8, .command = MAV_CMD_DO_JUMP, .frame = MAV_FRAME_MISSION},
};

static struct {
    struct mf_item items[3];
    struct mf_shared_plan plan;
    struct mf_store_shared store, other;
    uint8_t bytes[MF_STORE_SHARED_BYTES(OWN)];
    struct mf_memory memory;
} s;

static int begin(void **state)
{
    (void)state;
    memset(&s, 0, sizeof s);
    memcpy(s.items, k_items, sizeof s.items);
    for (size_t i = 0; i < 3; i++) {
        s.items[i].z = mf_f32_bits(50.0f);
    }
    s.plan =
        (struct mf_shared_plan){.mission = {s.items, 3, 77}, .lat_deg = 0.0, .lon_deg = 179.998};
    s.memory = (struct mf_memory){.bytes = s.bytes, .size = sizeof s.bytes};
    return 0;
}

static struct mf_item get(struct mf_store_shared *store, uint16_t index)
{
    struct mf_item item;
    assert_int_equal(mf_store_shared_ops.get(store, MF_STORE_MISSION, index, &item), MF_E_OK);
    return item;
}

static struct mf_store_info info(struct mf_store_shared *store, enum mf_store_area area)
{
    struct mf_store_info about;
    assert_int_equal(mf_store_shared_ops.info(store, area, &about), MF_E_OK);
    return about;
}

/* To 60 degrees north and 0.004 degrees east, 12.5 m up: over the date line. */
static void test_a_shift_is_applied_when_an_item_is_read(void **state)
{
    (void)state;
    const struct mf_plan_shift shift = mf_plan_shift(&s.plan, 60.0, -179.998, 12.5);
    mf_store_shared_init(&s.store, &s.plan, &shift, NULL, 0);
    struct mf_item item = get(&s.store, 0);
    /* 0.001 deg east of the plan's place becomes 0.002 deg east of the new one */
    assert_int_equal(item.x, 10000000 + 600000000);
    assert_in_range(item.y + 1800000000, 40000 - 1, 40000 + 1);
    assert_true(mf_f32_from_bits(item.z) == 62.5f);
    item = get(&s.store, 1);
    assert_int_equal(item.y, -1799980000);
    assert_true(mf_f32_from_bits(item.z) == 50.0f); /* above home, which has moved */
    item = get(&s.store, 2);
    assert_true(item.x == 7 && item.y == 8 && mf_f32_from_bits(item.z) == 50.0f);
    struct mf_item none;
    assert_int_equal(mf_store_shared_ops.get(&s.store, MF_STORE_MISSION, 3, &none), MF_E_RANGE);
    assert_int_equal(mf_store_shared_ops.get(&s.store, MF_STORE_FENCE, 0, &none), MF_E_RANGE);
}

static void test_without_a_shift_items_are_those_of_the_plan(void **state)
{
    (void)state;
    const struct mf_plan_shift shift = mf_plan_shift(&s.plan, 0.0, 179.998, 0.0);
    mf_store_shared_init(&s.store, &s.plan, &shift, NULL, 0);
    for (uint16_t i = 0; i < 3; i++) {
        const struct mf_item item = get(&s.store, i);
        assert_memory_equal(&item, &s.items[i], sizeof item);
    }
    const struct mf_store_info about = info(&s.store, MF_STORE_MISSION);
    assert_true(about.count == 3 && about.tag == 77 && about.capacity == 3);
    assert_int_equal(info(&s.store, MF_STORE_PARAM).capacity, 0);
}

/* What is uploaded belongs to one vehicle, and to the area that was uploaded. */
static void test_an_upload_is_a_copy_of_its_own(void **state)
{
    (void)state;
    const struct mf_plan_shift shift = mf_plan_shift(&s.plan, 1.0, 179.998, 0.0);
    s.plan.fence = (struct mf_shared_items){s.items, 1, 5};
    mf_store_shared_init(&s.store, &s.plan, &shift, &s.memory, OWN);
    mf_store_shared_init(&s.other, &s.plan, &shift, NULL, OWN);
    assert_int_equal(info(&s.store, MF_STORE_MISSION).capacity, OWN);
    const struct mf_item mine = {.x = 123, .command = MAV_CMD_NAV_WAYPOINT};
    assert_int_equal(mf_store_shared_ops.put(&s.store, MF_STORE_MISSION, 0, &mine), MF_E_OK);
    assert_int_equal(get(&s.store, 0).x, 20000000); /* the active ones stay */
    assert_int_equal(mf_store_shared_ops.put(&s.store, MF_STORE_MISSION, OWN, &mine), MF_E_FULL);
    assert_int_equal(mf_store_shared_ops.commit(&s.store, MF_STORE_MISSION, 1, 9), MF_E_OK);
    const struct mf_item now = get(&s.store, 0);
    assert_memory_equal(&now, &mine, sizeof mine);
    assert_true(info(&s.store, MF_STORE_MISSION).tag == 9);
    assert_true(info(&s.store, MF_STORE_FENCE).tag == 5);
    assert_int_equal(get(&s.other, 0).x, 20000000);
    assert_true(info(&s.other, MF_STORE_MISSION).tag == 77);
}

static void test_without_memory_an_upload_is_refused(void **state)
{
    const struct mf_item mine = {0};
    (void)state;
    mf_store_shared_init(&s.store, NULL, NULL, NULL, OWN);
    assert_int_equal(info(&s.store, MF_STORE_MISSION).capacity, 0);
    assert_int_equal(mf_store_shared_ops.put(&s.store, MF_STORE_MISSION, 0, &mine), MF_E_FULL);
    assert_int_equal(mf_store_shared_ops.commit(&s.store, MF_STORE_MISSION, 0, 0), MF_E_IO);
    s.memory.size = sizeof s.bytes / 2u;
    mf_store_shared_init(&s.store, NULL, NULL, &s.memory, OWN);
    assert_int_equal(mf_store_shared_ops.put(&s.store, MF_STORE_MISSION, 0, &mine), MF_E_FULL);
    assert_int_equal(mf_store_shared_ops.put(&s.store, MF_STORE_PARAM, 0, &mine), MF_E_FULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_a_shift_is_applied_when_an_item_is_read, begin),
        cmocka_unit_test_setup(test_without_a_shift_items_are_those_of_the_plan, begin),
        cmocka_unit_test_setup(test_an_upload_is_a_copy_of_its_own, begin),
        cmocka_unit_test_setup(test_without_memory_an_upload_is_refused, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
