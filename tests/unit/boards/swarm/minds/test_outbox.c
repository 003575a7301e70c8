/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/minds/outbox.h: SBE-18: packets wait for their time, in order, and places run out.
 */
#include "boards/swarm/minds/outbox.h"

#include "tests/unit/boards/swarm/swarm_fixture.h"

static const char k_scenario[] =
    "time: {end: 1}\n"
    "entities:\n"
    "  - {name: mute, as: agent, behaviour: {kind: own, name: x}}\n"
    "  - {name: own, count: 2, as: agent, radio: cc2420, behaviour: {kind: own, name: x}}\n"
    "  - {name: built_in, as: agent, radio: cc2420, behaviour: walk}\n";

static uint32_t prepare(struct swarm *w)
{
    uint32_t count = 99;
    assert_int_equal(swarm_outbox_prepare(w, &count), SWARM_OK);
    return count;
}

static void test_who_has_an_outbox(void **state)
{
    (void)state;
    static const bool k_has[] = {false, true, true, false};
    struct swarm *w = swarm_of(k_scenario);
    assert_int_equal(prepare(w), 2);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(swarm_outbox_has(w, i), k_has[i]);
    }
    assert_non_null(swarm_outbox_add(w, 0, NULL, 0, 0));
    (void)snprintf(s_scenario.bus.listen, sizeof s_scenario.bus.listen, "0");
    assert_int_equal(prepare(w), 3); /* a controller may use each radio */
    assert_true(swarm_outbox_has(w, 3));
}

static void test_packets_leave_at_their_time_in_order(void **state)
{
    (void)state;
    struct swarm *w = swarm_of(k_scenario);
    struct mf_packet packet = {0};
    (void)prepare(w);
    assert_true(swarm_outbox_next_us(w, 1) == MF_NEVER);
    assert_null(swarm_outbox_add(w, 1, (const uint8_t *)"late", 4, 50));
    assert_null(swarm_outbox_add(w, 1, (const uint8_t *)"a", 1, 20));
    assert_null(swarm_outbox_add(w, 1, (const uint8_t *)"bc", 2, 10));
    assert_true(swarm_outbox_next_us(w, 1) == 10 && swarm_outbox_next_us(w, 2) == MF_NEVER);
    assert_false(swarm_outbox_take(w, 1, 9, &packet));
    assert_true(swarm_outbox_take(w, 1, 20, &packet));
    assert_true(packet.size == 1 && packet.bytes[0] == 'a');
    assert_true(swarm_outbox_take(w, 1, 20, &packet));
    assert_true(packet.size == 2 && packet.bytes[0] == 'b');
    assert_false(swarm_outbox_take(w, 1, 20, &packet));
    assert_true(swarm_outbox_next_us(w, 1) == 50);
    swarm_outbox_clear(w, 1);
    assert_true(swarm_outbox_take(w, 1, 50, &packet));
    assert_memory_equal(packet.bytes, "late", 4);
}

/* A packet that is in the air keeps its place until the round is over. */
static void test_places_run_out(void **state)
{
    (void)state;
    struct swarm *w = swarm_of(k_scenario);
    const uint8_t bytes[MF_PACKET_BYTES_MAX + 1] = {7};
    struct mf_packet packet = {0};
    (void)prepare(w);
    assert_non_null(swarm_outbox_add(w, 1, bytes, sizeof bytes, 0));
    for (uint32_t k = 0; k < 8; k++) {
        assert_null(swarm_outbox_add(w, 1, bytes, sizeof bytes - 1u, 0));
    }
    assert_non_null(swarm_outbox_add(w, 1, bytes, 1, 0));
    assert_true(swarm_outbox_take(w, 1, 0, &packet));
    assert_non_null(swarm_outbox_add(w, 1, bytes, 1, 0));
    swarm_outbox_clear(w, 1);
    assert_null(swarm_outbox_add(w, 1, bytes, 1, 0));
    assert_null(swarm_outbox_add(w, 2, bytes, 1, 0)); /* each member has places of its own */
}

/* Memory of this process [bytes]. */
static size_t resident_bytes(void)
{
    char text[128]; /* pages: of all memory, then those that are resident */
    FILE *file = fopen("/proc/self/statm", "re");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    (void)fclose(file);
    return strtoul(strchr(text, ' '), NULL, 10) * 4096u;
}

/* 100,000 radios that a controller may use, and does not: rounds read 4 bytes of each, 0.4 MB in
 * all, where eight places of a packet have 2,400 bytes. */
static void test_who_sends_nothing_takes_no_memory(void **state)
{
    (void)state;
    struct swarm *w = swarm_of("time: {end: 1}\nbus: {listen: '0'}\n"
                               "entities: [{name: a, count: 100000, as: agent, radio: cc2420}]\n");
    struct mf_packet packet;
    assert_int_equal(prepare(w), 100000);
    const size_t before = resident_bytes();
    for (uint32_t i = 0; i < 100000; i++) {
        assert_true(swarm_outbox_next_us(w, i) == MF_NEVER);
        assert_false(swarm_outbox_take(w, i, 9, &packet));
        swarm_outbox_clear(w, i);
    }
    assert_true(resident_bytes() - before < 1000000u);
    assert_null(swarm_outbox_add(w, 77777, (const uint8_t *)"a", 1, 9));
    assert_true(swarm_outbox_next_us(w, 77777) == 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_has_an_outbox),
        cmocka_unit_test(test_packets_leave_at_their_time_in_order),
        cmocka_unit_test(test_places_run_out),
        cmocka_unit_test(test_who_sends_nothing_takes_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
