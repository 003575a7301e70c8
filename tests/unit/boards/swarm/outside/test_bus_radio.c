/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/outside/bus_radio.h: packets that wait for a turn of controllers, the time of the
 * turn, and what controllers and feeds may transmit. */
#include "boards/swarm/outside/bus_radio.h"

#include "boards/swarm/members/carrier.h"
#include "boards/swarm/minds/outbox.h"
#include "tests/unit/boards/swarm/swarm_fixture.h"

#include <sys/mman.h>

#define HEARD_MAX 1048576u /* most packets that wait */

static struct mf_engine_slot s_heap[SWARM_TIMERS + 1u];
static struct swarm_bus_radio s_radio;
static char s_turns[100]; /* times of turns */

static void take_turn(void *ctx, uint32_t id, mf_us_t at_us)
{
    const size_t at = strlen(s_turns);
    (void)ctx, (void)id;
    (void)snprintf(s_turns + at, sizeof s_turns - at, "%u ", (unsigned)at_us);
}

static struct swarm *prepare(void)
{
    static const struct swarm_system *const k_systems[] = {&swarm_radio_system, NULL};
    struct swarm *w =
        swarm_of("time: {end: 9, clock: real}\n"
                 "entities:\n"
                 "  - {name: a, as: agent, behaviour: {kind: own, name: x}, radio: generic}\n"
                 "  - {name: g, as: ghost, link: 'udp:14550', radio: generic}\n"
                 "  - {name: mute, as: agent, behaviour: walk}\n");
    w->systems = k_systems;
    mf_engine_init(&w->engine, s_heap, SWARM_TIMERS);
    s_radio = (struct swarm_bus_radio){.lost = 0};
    mf_timer_init(&s_radio.timer, MF_PHASE_OBSERVE, 0, take_turn, NULL);
    s_turns[0] = '\0';
    return w;
}

static void run_to(struct swarm *w, mf_us_t end_us)
{
    struct mf_order order;
    while (mf_engine_next(&w->engine, &order) && order.at_us <= end_us) {
        mf_engine_step(&w->engine);
    }
}

/* ---- packets that wait */

static bool keep(uint32_t number, uint32_t size)
{
    static const uint8_t k_bytes[MF_PACKET_BYTES_MAX] = {0};
    return swarm_bus_radio_keep(
        &s_radio, &(struct swarm_radio_heard){1, {2, number, k_bytes, size}, -50.0, 7, 8});
}

static void test_packets_wait_until_they_are_told(void **state)
{
    (void)state;
    (void)prepare();
    for (uint32_t k = 0; k < 3000; k++) { /* more than the first piece of memory */
        assert_true(keep(k, k % 281u));
    }
    assert_true(s_radio.heard.count == 3000 && s_radio.lost == 0);
    swarm_bus_radio_free(&s_radio);
    assert_true(s_radio.heard.count == 0 && s_radio.heard.at == NULL);
}

/* A million packets wait; the test maps pages for them, and does not touch these. */
static void test_packets_beyond_a_million_are_counted_as_lost(void **state)
{
    const size_t size = (size_t)512 * HEARD_MAX; /* a row has fewer than 512 bytes */
    (void)state;
    (void)prepare();
    void *rows = mmap(NULL, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(rows != MAP_FAILED);
    s_radio.heard = (struct swarm_rows){.at = rows, .count = HEARD_MAX - 1u, .capacity = HEARD_MAX};
    assert_true(keep(0, 280));
    assert_true(s_radio.heard.count == HEARD_MAX && s_radio.lost == 0);
    assert_true(keep(1, 280));
    assert_true(keep(2, 0));
    assert_true(s_radio.heard.count == HEARD_MAX && s_radio.lost == 2);
    assert_int_equal(munmap(rows, size), 0);
}

/* ---- the turn */

static void test_an_earlier_end_moves_the_turn(void **state)
{
    struct swarm *w = prepare();
    (void)state;
    swarm_bus_radio_hasten(w, &s_radio, 500);
    swarm_bus_radio_hasten(w, &s_radio, 700); /* later: the turn stays */
    swarm_bus_radio_hasten(w, &s_radio, 300);
    swarm_bus_radio_hasten(w, &s_radio, 400);
    assert_true(s_radio.due_us == 300);
    run_to(w, 1000);
    assert_string_equal(s_turns, "300 ");
}

static void test_a_turn_that_was_taken_is_set_anew(void **state)
{
    struct swarm *w = prepare();
    (void)state;
    swarm_bus_radio_hasten(w, &s_radio, 300);
    run_to(w, 300);
    swarm_bus_radio_hasten(w, &s_radio, 900);
    swarm_bus_radio_hasten(w, &s_radio, 800);
    run_to(w, 1000);
    assert_string_equal(s_turns, "300 800 ");
}

/* ---- packets that are sent */

static void test_members_whose_radio_is_simulated(void **state)
{
    static const bool k_own[] = {true, false, true, false}; /* a ghost; no member */
    struct swarm *w = prepare();
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(swarm_bus_radio_is_own(w, 0, i), k_own[i]);
    }
}

static void test_the_radio_transmits_for_a_controller(void **state)
{
    struct swarm *w = prepare();
    struct mf_bus_packet p = {.heard = true, .bytes = (const uint8_t *)"abc", .n = 3};
    struct mf_packet sent = {0};
    (void)state;
    assert_int_equal(swarm_systems_do(w, SWARM_PREPARE), SWARM_OK);
    assert_int_equal(swarm_systems_do(w, SWARM_BEGIN), SWARM_OK);
    assert_non_null(swarm_bus_radio_transmit(w, &p, 40)); /* the medium alone brings it packets */
    assert_true(swarm_outbox_next_us(w, 0) == MF_NEVER);
    p.heard = false;
    p.member = 2;
    assert_non_null(swarm_bus_radio_transmit(w, &p, 40)); /* no radio */
    p.member = 0;
    assert_null(swarm_bus_radio_transmit(w, &p, 40));
    assert_true(swarm_outbox_next_us(w, 0) == 40);
    assert_true(swarm_outbox_take(w, 0, 40, &sent) && sent.size == 3);
    assert_memory_equal(sent.bytes, "abc", 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packets_wait_until_they_are_told),
        cmocka_unit_test(test_packets_beyond_a_million_are_counted_as_lost),
        cmocka_unit_test(test_an_earlier_end_moves_the_turn),
        cmocka_unit_test(test_a_turn_that_was_taken_is_set_anew),
        cmocka_unit_test(test_members_whose_radio_is_simulated),
        cmocka_unit_test(test_the_radio_transmits_for_a_controller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
