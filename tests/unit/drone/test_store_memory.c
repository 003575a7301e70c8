/* SPDX-License-Identifier: Apache-2.0 */
/* The store in memory: capacities of the caller's, and a commit that exchanges the banks. */
#include "drone/store_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define RECORDS 3

static struct mf_store_memory s_store;
static uint8_t s_mission[2][RECORDS * 32 + 1]; /* and a byte that must stay */
static uint8_t s_param[2][24];

static int setup(void **state)
{
    (void)state;
    const struct mf_store_banks banks[MF_STORE_AREA_COUNT] = {
        [MF_STORE_MISSION] = {{s_mission[0], s_mission[1]}, RECORDS},
        [MF_STORE_PARAM] = {{s_param[0], s_param[1]}, 1},
    };
    memset(s_mission, 0xEE, sizeof s_mission);
    mf_store_memory_init(&s_store, banks);
    return 0;
}

static int put(enum mf_store_area area, uint16_t index, uint8_t value)
{
    uint8_t record[32];
    memset(record, value, sizeof record);
    return mf_store_memory_ops.put(&s_store, area, index, record);
}

/* @return the byte that a record consists of, or -1 */
static int got(enum mf_store_area area, uint16_t index, size_t size)
{
    uint8_t record[33];
    memset(record, 0xDD, sizeof record);
    if (mf_store_memory_ops.get(&s_store, area, index, record) != MF_E_OK) {
        return -1;
    }
    for (size_t i = 1; i < size; i++) {
        assert_int_equal(record[i], record[0]);
    }
    assert_int_equal(record[size], 0xDD); /* no more than the record */
    return record[0];
}

static struct mf_store_info info(enum mf_store_area area)
{
    struct mf_store_info about;
    assert_int_equal(mf_store_memory_ops.info(&s_store, area, &about), MF_E_OK);
    return about;
}

static void test_an_area_begins_empty_with_the_callers_capacity(void **state)
{
    (void)state;
    assert_int_equal(info(MF_STORE_MISSION).capacity, 3);
    assert_int_equal(info(MF_STORE_PARAM).capacity, 1);
    assert_int_equal(info(MF_STORE_MISSION).count, 0);
    assert_int_equal(info(MF_STORE_MISSION).tag, 0);
    assert_int_equal(got(MF_STORE_MISSION, 0, 32), -1);
}

static void test_an_area_without_memory_holds_nothing(void **state)
{
    (void)state;
    assert_int_equal(info(MF_STORE_RALLY).capacity, 0);
    assert_int_equal(put(MF_STORE_RALLY, 0, 1), MF_E_FULL);
    assert_int_equal(mf_store_memory_ops.commit(&s_store, MF_STORE_RALLY, 0, 7), MF_E_OK);
    assert_int_equal(mf_store_memory_ops.commit(&s_store, MF_STORE_RALLY, 1, 8), MF_E_IO);
    assert_int_equal(info(MF_STORE_RALLY).tag, 7);
}

static void test_staged_records_are_seen_after_the_commit_only(void **state)
{
    (void)state;
    assert_int_equal(put(MF_STORE_MISSION, 0, 10), MF_E_OK);
    assert_int_equal(put(MF_STORE_MISSION, 1, 11), MF_E_OK);
    assert_int_equal(got(MF_STORE_MISSION, 0, 32), -1);
    assert_int_equal(mf_store_memory_ops.commit(&s_store, MF_STORE_MISSION, 2, 0xABCD), MF_E_OK);
    assert_int_equal(got(MF_STORE_MISSION, 0, 32), 10);
    assert_int_equal(got(MF_STORE_MISSION, 1, 32), 11);
    assert_int_equal(got(MF_STORE_MISSION, 2, 32), -1);
    assert_int_equal(info(MF_STORE_MISSION).tag, 0xABCD);

    assert_int_equal(put(MF_STORE_MISSION, 0, 20), MF_E_OK); /* an upload that ends half-way */
    assert_int_equal(got(MF_STORE_MISSION, 0, 32), 10);
    assert_int_equal(info(MF_STORE_MISSION).count, 2);
    assert_int_equal(mf_store_memory_ops.commit(&s_store, MF_STORE_MISSION, 1, 1), MF_E_OK);
    assert_int_equal(got(MF_STORE_MISSION, 0, 32), 20);
}

static void test_a_full_area_refuses_and_touches_nothing_behind_its_memory(void **state)
{
    (void)state;
    for (unsigned bank = 0; bank < 2; bank++) {
        for (uint16_t i = 0; i < RECORDS; i++) {
            assert_int_equal(put(MF_STORE_MISSION, i, 1), MF_E_OK);
        }
        assert_int_equal(put(MF_STORE_MISSION, RECORDS, 2), MF_E_FULL);
        assert_int_equal(mf_store_memory_ops.commit(&s_store, MF_STORE_MISSION, RECORDS, 1),
                         MF_E_OK);
    }
    assert_int_equal(s_mission[0][RECORDS * 32], 0xEE);
    assert_int_equal(s_mission[1][RECORDS * 32], 0xEE);
    assert_int_equal(mf_store_memory_ops.commit(&s_store, MF_STORE_MISSION, RECORDS + 1, 9),
                     MF_E_IO);
    assert_int_equal(info(MF_STORE_MISSION).tag, 1);
}

static void test_areas_have_records_of_their_own_size(void **state)
{
    (void)state;
    assert_int_equal(mf_store_record_bytes(MF_STORE_PARAM), 24);
    assert_int_equal(mf_store_record_bytes(MF_STORE_SIGNING), 32);
    assert_int_equal(put(MF_STORE_PARAM, 0, 5), MF_E_OK);
    assert_int_equal(put(MF_STORE_MISSION, 0, 6), MF_E_OK);
    assert_int_equal(mf_store_memory_ops.commit(&s_store, MF_STORE_PARAM, 1, 1), MF_E_OK);
    assert_int_equal(got(MF_STORE_PARAM, 0, 24), 5);
    assert_int_equal(got(MF_STORE_MISSION, 0, 32), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_an_area_begins_empty_with_the_callers_capacity, setup),
        cmocka_unit_test_setup(test_an_area_without_memory_holds_nothing, setup),
        cmocka_unit_test_setup(test_staged_records_are_seen_after_the_commit_only, setup),
        cmocka_unit_test_setup(test_a_full_area_refuses_and_touches_nothing_behind_its_memory,
                               setup),
        cmocka_unit_test_setup(test_areas_have_records_of_their_own_size, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
