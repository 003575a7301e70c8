/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/core: errors, memory of a run, and kinds of members and of worlds. */
#include "boards/swarm/core/arena.h"
#include "boards/swarm/core/kinds.h"
#include "boards/swarm/core/program.h"
#include "boards/swarm/core/wall.h"

#include "tests/unit/boards/swarm/swarm_fixture.h"

#include <sys/mman.h>

static const char k_world[] = "time: {end: 1}\nentities: [{name: v, behaviour: walk}]\n";

static void test_an_error_has_its_file_and_line(void **state)
{
    (void)state;
    struct swarm *w = swarm_of(k_world);
    assert_int_equal(swarm_refuse(w, 12, "no %s in %d places", "bee", 3), SWARM_INPUT);
    assert_string_equal(w->error, "test.yaml:12: no bee in 3 places");
}

static void test_a_long_error_is_cut_off(void **state)
{
    char text[2 * MF_KEYS_ERROR_MAX];
    (void)state;
    struct swarm *w = swarm_of(k_world);
    memset(text, 'x', sizeof text - 1u);
    text[sizeof text - 1u] = '\0';
    assert_int_equal(swarm_refuse(w, 1, "%s", text), SWARM_INPUT);
    assert_true(strlen(w->error) < sizeof w->error);
    assert_memory_equal(w->error, "test.yaml:1: xxx", 16);
}

static void test_memory_of_a_run_is_zeroed_and_aligned(void **state)
{
    (void)state;
    struct swarm *w = swarm_of(k_world);
    uint8_t *first = swarm_memory(w, 1, 100);
    assert_non_null(first);
    uint64_t *second = swarm_memory(w, 1, 3u << 20); /* beyond the first mebibyte */
    assert_true((uintptr_t)second >= (uintptr_t)first + 100u);
    assert_int_equal((uintptr_t)second % 16u, 0);
    for (size_t k = 0; k < (3u << 20) / sizeof *second; k += 511) {
        assert_true(second[k] == 0);
        second[k] = UINT64_MAX;
    }
    assert_int_equal(first[99], 0);
    /* another mapping behind its end is in its way */
    uint8_t *end = w->arena.bytes + w->arena.size;
    assert_ptr_equal(
        mmap(end, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0), end);
    assert_null(swarm_memory(w, 7, 2500000));
    assert_names(w->error, "test.yaml 7 3 MB");
    assert_non_null(swarm_memory(w, 7, 16)); /* it still has room for this */
}

static void test_an_array_grows_from_1024_by_doubling(void **state)
{
    size_t capacity = 0;
    (void)state;
    char *array = swarm_with_room(NULL, 0, &capacity, 8);
    assert_non_null(array);
    assert_int_equal(capacity, 1024);
    assert_ptr_equal(swarm_with_room(array, 1023, &capacity, 8), array);
    array[8191] = 'x';
    array = swarm_with_room(array, 1024, &capacity, 8);
    assert_int_equal(capacity, 2048);
    assert_int_equal(array[8191], 'x');
    assert_null(swarm_with_room(array, 2048, &capacity, SIZE_MAX / 8192u));
    assert_int_equal(capacity, 2048); /* it is as before */
    free(array);
}

static void test_kinds_of_members(void **state)
{
    (void)state;
    const struct swarm *w = swarm_of("time: {end: 1}\n"
                                     "entities:\n"
                                     "  - {name: v, behaviour: walk}\n"
                                     "  - {name: a, count: 2, as: agent}\n"
                                     "  - {name: t, thing: beacon, place: [1, 2]}\n");
    static const bool k_vehicle[] = {true, false, false, false};
    static const bool k_thing[] = {false, false, false, true};
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(swarm_is_vehicle(w, i), k_vehicle[i]);
        assert_int_equal(swarm_is_thing(w, i), k_thing[i]);
    }
}

static void test_a_world_of_vehicles_does_not_go_by_steps(void **state)
{
    (void)state;
    const struct swarm *w = swarm_of(k_world);
    assert_false(swarm_has_cells(w));
    assert_false(swarm_searches(w));
    assert_false(swarm_is_stepped(w));
}

static void test_worlds_of_cells_and_searches_go_by_steps(void **state)
{
    (void)state;
    struct swarm *w = swarm_of(k_world);
    s_scenario.grid.size[0] = 4.0;
    assert_true(swarm_has_cells(w) && !swarm_searches(w) && swarm_is_stepped(w));
    s_scenario.grid.size[0] = 0.0;
    s_scenario.search.plan = 0;
    assert_true(!swarm_has_cells(w) && swarm_searches(w) && swarm_is_stepped(w));
}

static void test_a_program_is_one_number(void **state)
{
    (void)state;
    assert_true(swarm_program_sum() != 0);
    assert_true(swarm_program_sum() == swarm_program_sum());
}

static void test_the_wall_goes_forward_and_memory_is_counted(void **state)
{
    (void)state;
    const double before_s = swarm_wall_s();
    assert_true(swarm_wall_s() >= before_s);
    assert_true(swarm_resident_mb() > 0.1 && swarm_resident_mb() < 1e5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_error_has_its_file_and_line),
        cmocka_unit_test(test_a_long_error_is_cut_off),
        cmocka_unit_test(test_memory_of_a_run_is_zeroed_and_aligned),
        cmocka_unit_test(test_an_array_grows_from_1024_by_doubling),
        cmocka_unit_test(test_kinds_of_members),
        cmocka_unit_test(test_a_world_of_vehicles_does_not_go_by_steps),
        cmocka_unit_test(test_worlds_of_cells_and_searches_go_by_steps),
        cmocka_unit_test(test_a_program_is_one_number),
        cmocka_unit_test(test_the_wall_goes_forward_and_memory_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
