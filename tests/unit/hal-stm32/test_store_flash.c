/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The store in flash, on the flash driver, on a model of the chip's flash controller: the power
 * fails at every word that is programmed and every sector that is erased, before it and in
 * its middle.
 */
#include "hal-stm32/store_flash.h"
#include "tests/unit/hal-stm32/f405.h"
#include "tests/unit/support/cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define MISSION     20u
#define PARAMS      8u
#define SMALL_BYTES 2048u /* of a sector are used: it is full after a few commits */
#define COMMITS     12u

static struct f405 s_chip;
static struct f405 s_before; /* of the commit that is cut */
static struct mf_flash s_flash;
static struct mf_store_flash s_store;
static uint8_t s_mission[2][MISSION * 32u], s_param[2][PARAMS * 24u];

static int start(uint32_t sector_bytes)
{
    const struct mf_store_banks banks[MF_STORE_AREA_COUNT] = {
        [MF_STORE_MISSION] = {{s_mission[0], s_mission[1]}, MISSION},
        [MF_STORE_PARAM] = {{s_param[0], s_param[1]}, PARAMS},
    };
    memset(s_mission, 0xEE, sizeof s_mission); /* memory does not survive */
    memset(s_param, 0xEE, sizeof s_param);
    s_flash = (struct mf_flash){&s_chip.bus, F405_STORE_BASE, F405_SECTOR_BYTES, 10};
    return mf_store_flash_init(&s_store, &mf_flash_ops, &s_flash, sector_bytes, banks);
}

static int setup(void **state)
{
    (void)state;
    f405_init(&s_chip);
    return 0;
}

/* What a commit holds: its number decides area, count and contents. */
static enum mf_store_area area_of(unsigned number)
{
    return number % 3 == 2 ? MF_STORE_PARAM : MF_STORE_MISSION;
}

static uint16_t count_of(unsigned number)
{
    return (uint16_t)(number == 4                         ? 0
                      : area_of(number) == MF_STORE_PARAM ? PARAMS
                                                          : MISSION - number % 5);
}

static int commit(unsigned number)
{
    uint8_t record[32];
    for (uint16_t i = 0; i < count_of(number); i++) {
        memset(record, (int)(number * 16u + i), sizeof record);
        assert_int_equal(mf_store_flash_ops.put(&s_store, area_of(number), i, record), MF_E_OK);
    }
    return mf_store_flash_ops.commit(&s_store, area_of(number), count_of(number), number);
}

/* Is active what commit @p number of this area wrote? 0: nothing was ever written */
static bool holds(enum mf_store_area area, unsigned number)
{
    struct mf_store_info info;
    uint8_t record[32], want[32];
    const size_t n = mf_store_record_bytes(area);
    assert_int_equal(mf_store_flash_ops.info(&s_store, area, &info), MF_E_OK);
    if (info.tag != number || info.count != (number == 0 ? 0 : count_of(number))) {
        return false;
    }
    for (uint16_t i = 0; i < info.count; i++) {
        assert_int_equal(mf_store_flash_ops.get(&s_store, area, i, record), MF_E_OK);
        memset(want, (int)(number * 16u + i), n);
        if (memcmp(record, want, n) != 0) {
            return false;
        }
    }
    return mf_store_flash_ops.get(&s_store, area, info.count, record) == MF_E_RANGE;
}

/* The last commit of an area up to @p number; 0: none. */
static unsigned last_of(enum mf_store_area area, unsigned number)
{
    while (number > 0 && area_of(number) != area) {
        number--;
    }
    return number;
}

static bool holds_all_up_to(unsigned number)
{
    return holds(MF_STORE_MISSION, last_of(MF_STORE_MISSION, number)) &&
           holds(MF_STORE_PARAM, last_of(MF_STORE_PARAM, number));
}

static void test_records_survive_a_restart(void **state)
{
    (void)state;
    assert_int_equal(start(F405_SECTOR_BYTES), MF_E_OK);
    assert_true(s_store.persistent && holds_all_up_to(0));
    for (unsigned i = 1; i <= COMMITS; i++) {
        assert_int_equal(commit(i), MF_E_OK);
        assert_true(holds_all_up_to(i));
    }
    assert_int_equal(s_chip.erasures, 0); /* the chip came erased */
    f405_reset(&s_chip);
    assert_int_equal(start(F405_SECTOR_BYTES), MF_E_OK);
    assert_true(holds_all_up_to(COMMITS));
}

static void test_layout_of_the_flash(void **state)
{
    (void)state;
    static const uint8_t k_record[24] = {'M', 'A', 'Y', 'F', 'L', 'Y'};
    assert_int_equal(start(F405_SECTOR_BYTES), MF_E_OK);
    assert_int_equal(mf_store_flash_ops.put(&s_store, MF_STORE_PARAM, 0, k_record), MF_E_OK);
    assert_int_equal(mf_store_flash_ops.commit(&s_store, MF_STORE_PARAM, 1, 0x12345678), MF_E_OK);
    /* the CRC by zlib of Python, as PX4 begins and ends it, over words 4 to 6 and the record */
    const uint32_t want[] = {1,          0xFFFFFFFE, 0,          0x5446534D, 0x4D460018, 1,
                             0x12345678, 0x9CA380D3, 0x4659414D, 0x0000594C, 0,          0};
    assert_memory_equal(s_chip.sector[0], want, sizeof want);
    assert_int_equal(s_chip.sector[0][14], 0xFFFFFFFF);
    assert_int_equal(s_chip.sector[1][0], 0xFFFFFFFF);
}

/* All that a commit changes, in memory and on the chip. */
struct board {
    struct f405 chip;
    struct mf_store_flash store;
    uint8_t mission[2][MISSION * 32u], param[2][PARAMS * 24u];
};

static void keep_board(struct board *b)
{
    b->chip = s_chip;
    b->store = s_store;
    memcpy(b->mission, s_mission, sizeof s_mission);
    memcpy(b->param, s_param, sizeof s_param);
}

static void take_board(const struct board *b)
{
    s_chip = b->chip;
    s_store = b->store;
    memcpy(s_mission, b->mission, sizeof s_mission);
    memcpy(s_param, b->param, sizeof s_param);
}

/* Does commit @p number, with the power failing at this of its operations. @return whether it
 * failed: then it is done anew after that */
static bool cut(unsigned number, int64_t power)
{
    s_chip.power_left = power;
    const int result = commit(number);
    if (!s_chip.dead) {
        assert_int_equal(result, MF_E_OK);
        return false;
    }
    f405_reset(&s_chip);
    assert_int_equal(start(SMALL_BYTES), MF_E_OK);
    assert_true(holds_all_up_to(number - 1) || holds_all_up_to(number));
    assert_int_equal(commit(number), MF_E_OK); /* and it works on */
    f405_reset(&s_chip);
    assert_int_equal(start(SMALL_BYTES), MF_E_OK);
    assert_true(holds_all_up_to(number));
    return true;
}

/* @param apart  so many words are from one cut to the next */
static void cut_everywhere(bool torn_clean, unsigned apart)
{
    static struct board s_kept;
    unsigned cuts = 0;
    s_chip.torn_clean = torn_clean;
    assert_int_equal(start(SMALL_BYTES), MF_E_OK);
    for (unsigned number = 1; number <= COMMITS; number++) {
        keep_board(&s_kept);
        for (int64_t power = number % apart; cut(number, power); power += apart, cuts++) {
            take_board(&s_kept);
        }
        s_chip.power_left = -1;
    }
    assert_true(cuts > 1000u / apart);
    assert_true(s_chip.erasures >= 2); /* both sectors were full in turn */
}

static void test_a_power_cut_at_any_word_leaves_the_old_or_the_new(void **state)
{
    (void)state;
    cut_everywhere(false, 3u - (unsigned)mf_cases(1, 2));
}

static void test_a_power_cut_between_any_two_words_leaves_the_old_or_the_new(void **state)
{
    (void)state;
    cut_everywhere(true, 4u - (unsigned)mf_cases(1, 3));
}

/* The first start programs, too, and may be cut. */
static void test_a_power_cut_while_the_first_sector_is_prepared(void **state)
{
    (void)state;
    for (int64_t power = 0; power < 6; power++) {
        f405_init(&s_chip);
        s_chip.sector[0][77] = 0x12345678; /* somebody else's */
        s_chip.power_left = power;
        (void)start(F405_SECTOR_BYTES);
        f405_reset(&s_chip);
        assert_int_equal(start(F405_SECTOR_BYTES), MF_E_OK);
        assert_true(holds_all_up_to(0));
        assert_int_equal(commit(1), MF_E_OK);
        f405_reset(&s_chip);
        assert_int_equal(start(F405_SECTOR_BYTES), MF_E_OK);
        assert_true(holds_all_up_to(1));
    }
}

/* A whole sector of 128 kB, and the commit that no longer fits, cut at some of its words. */
static void test_a_power_cut_while_a_full_sector_is_left_for_the_other(void **state)
{
    (void)state;
    unsigned number = 0;
    assert_int_equal(start(F405_SECTOR_BYTES), MF_E_OK);
    do {
        s_before = s_chip;
        s_before.bus.ctx = &s_chip;
        assert_int_equal(commit(++number % COMMITS + 1), MF_E_OK);
    } while (s_store.sector == 0);
    assert_true(number > 150);
    const unsigned last = number % COMMITS + 1, before = (number - 1) % COMMITS + 1;
    const int64_t words = (int64_t)s_chip.programs - s_before.programs;
    const int64_t apart = words / mf_cases(12, (int)words);
    for (int64_t power = 0; power < words; power += apart) {
        s_chip = s_before;
        f405_reset(&s_chip);
        assert_int_equal(start(F405_SECTOR_BYTES), MF_E_OK);
        s_chip.power_left = power;
        assert_int_equal(commit(last), MF_E_IO);
        assert_true(s_chip.dead);
        assert_true(holds(area_of(before), before)); /* nothing changed */
        f405_reset(&s_chip);
        assert_int_equal(start(F405_SECTOR_BYTES), MF_E_OK);
        assert_true(holds(area_of(before), before));
        assert_int_equal(s_store.sector, 0);
    }
}

/* As in QEMU: programming does not stick. */
static void test_flash_that_keeps_nothing_leaves_a_store_in_memory(void **state)
{
    (void)state;
    s_chip.emulator = true;
    assert_int_equal(start(F405_SECTOR_BYTES), MF_E_IO);
    assert_false(s_store.persistent);
    assert_int_equal(commit(1), MF_E_OK);
    assert_int_equal(commit(2), MF_E_OK);
    assert_true(holds_all_up_to(2));
}

static int erase_not_now(void *ctx, unsigned sector)
{
    (void)ctx, (void)sector;
    return MF_E_AGAIN;
}

/* In flight a board refuses to erase: the core would stand still for a second. */
static void test_a_commit_that_would_have_to_erase_may_be_refused(void **state)
{
    (void)state;
    struct mf_flash_ops ops = mf_flash_ops;
    unsigned done = 0;
    assert_int_equal(start(SMALL_BYTES), MF_E_OK);
    ops.erase = erase_not_now;
    s_store.flash = &ops;
    while (commit(done + 1) == MF_E_OK) {
        done++;
    }
    assert_true(done > 3); /* the spare sector was used first */
    assert_true(holds_all_up_to(done));
    s_store.flash = &mf_flash_ops;
    assert_int_equal(commit(done + 1), MF_E_OK);
    f405_reset(&s_chip);
    assert_int_equal(start(SMALL_BYTES), MF_E_OK);
    assert_true(holds_all_up_to(done + 1));
}

static void test_an_error_of_the_controller_is_an_error_of_the_commit(void **state)
{
    (void)state;
    assert_int_equal(start(F405_SECTOR_BYTES), MF_E_OK);
    assert_int_equal(commit(1), MF_E_OK);
    s_chip.flash_sr = 1u << 16; /* BSY, for ever */
    assert_int_equal(commit(2), MF_E_IO);
    assert_true(holds_all_up_to(1));
    s_chip.flash_sr = 0;
    assert_int_equal(commit(2), MF_E_OK);
    assert_true(holds_all_up_to(2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_records_survive_a_restart, setup),
        cmocka_unit_test_setup(test_layout_of_the_flash, setup),
        cmocka_unit_test_setup(test_a_power_cut_at_any_word_leaves_the_old_or_the_new, setup),
        cmocka_unit_test_setup(test_a_power_cut_between_any_two_words_leaves_the_old_or_the_new,
                               setup),
        cmocka_unit_test_setup(test_a_power_cut_while_the_first_sector_is_prepared, setup),
        cmocka_unit_test_setup(test_a_power_cut_while_a_full_sector_is_left_for_the_other, setup),
        cmocka_unit_test_setup(test_flash_that_keeps_nothing_leaves_a_store_in_memory, setup),
        cmocka_unit_test_setup(test_a_commit_that_would_have_to_erase_may_be_refused, setup),
        cmocka_unit_test_setup(test_an_error_of_the_controller_is_an_error_of_the_commit, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
