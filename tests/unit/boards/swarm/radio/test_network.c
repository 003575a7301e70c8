/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/radio/network.h: built-in networks: when packets arrive, at which members, in which
 * order, with which bytes; which network carries them; packets that wait for members with keeps().
 */
#include "boards/swarm/radio/network.h"

#include "boards/swarm/members/carrier.h"
#include "boards/swarm/radio/radio.h"
#include "boards/swarm/radio/receptions.h"
#include "tests/unit/boards/swarm/radio/standing.h"

#include <sys/resource.h>

#define MEMBERS 5u

static struct mf_engine_slot s_heap[SWARM_TIMERS + 1u];
static char s_taken[200]; /* a packet that a system has taken: "TIME_us RECEIVER<SENDER#NUMBER, " */

static const struct swarm_carrier k_carrier = {.place = place, .is_lost = is_lost};

static void note(char *text, size_t size, const struct swarm_arrival *a)
{
    const size_t at = strlen(text);
    (void)snprintf(text + at, size - at, "%u %u<%u#%u, ", (unsigned)a->at_us, (unsigned)a->receiver,
                   (unsigned)a->sender, (unsigned)a->number);
}

static bool take(struct swarm *w, const struct swarm_arrival *a)
{
    (void)w;
    note(s_taken, sizeof s_taken, a);
    return true;
}

/* Networks of four vehicles and a station at the origin: v.1 to v.4, which are members 0 to 3, and
 * home, 4. */
static struct swarm *prepare(const char *networks)
{
    static const struct swarm_system k_taker = {.name = "taker", .arrived = take};
    static const struct swarm_system *const k_systems[] = {&swarm_network_system, &k_taker, NULL};
    static char s_text[1000];
    (void)snprintf(s_text, sizeof s_text,
                   "seed: 7\ntime: {end: 100}\nnetwork: %s\n"
                   "entities: [{name: v, count: 4}, {name: home}]\n",
                   networks);
    struct swarm *w = swarm_of(s_text);
    w->systems = k_systems;
    for (int k = 0; k < MF_SCENARIO_KINDS; k++) {
        w->members.carrier[k] = &k_carrier;
    }
    memset(s_neu_m, 0, sizeof s_neu_m);
    memset(s_lost, 0, sizeof s_lost);
    s_taken[0] = '\0';
    mf_engine_init(&w->engine, s_heap, SWARM_TIMERS);
    return w;
}

static int end(void **state)
{
    (void)state;
    swarm_systems_close(&s_swarm, SWARM_OK);
    return 0;
}

static int send(struct swarm *w, uint32_t from, uint32_t to, size_t size, mf_us_t at_us)
{
    static const uint8_t k_bytes[SWARM_NETWORK_BYTES_MAX + 1u] = {0};
    return swarm_network_send(w, &(struct swarm_departure){SWARM_PACKET, SWARM_NETWORK_ANY, from,
                                                           to, k_bytes, size, at_us});
}

/* All packets that have arrived by a time. */
static const char *arrivals(struct swarm *w, mf_us_t until_us)
{
    static char s_text[2000];
    struct swarm_arrival a;
    s_text[0] = '\0';
    while (swarm_network_next_arrival(w, until_us, &a)) {
        assert_true(a.ns == (uint64_t)a.at_us * 1000u);
        note(s_text, sizeof s_text, &a);
    }
    return s_text;
}

/* ---- time */

/* GZ-04: 125 bytes are 1000 bits: 1 ms at 1 Mbit/s, behind 20 ms. */
static void test_a_packet_takes_the_delay_and_its_bits(void **state)
{
    struct swarm *w = prepare("{delay: 0.02, rate: 1e6}");
    (void)state;
    assert_int_equal(send(w, 0, 1, 125, 5000), MF_E_OK);
    assert_int_equal(send(w, 0, 1, 0, 5000), MF_E_OK);
    assert_string_equal(arrivals(w, 24999), "");
    assert_string_equal(arrivals(w, 25999), "25000 1<0#1, ");
    assert_string_equal(arrivals(w, 26000), "26000 1<0#0, ");
    assert_string_equal(arrivals(w, MF_NEVER), "");
}

static void test_without_a_rate_bits_take_no_time(void **state)
{
    struct swarm *w = prepare("{}");
    (void)state;
    assert_int_equal(send(w, 0, 1, 65000, 0), MF_E_OK);
    assert_string_equal(arrivals(w, MF_NEVER), "1000 1<0#0, "); /* the default delay of 1 ms */
}

/* GZ-04: the ports in front of a datagram are not of its payload: 129 bytes carry 125. Datagrams
 * have numbers of their own. */
static void test_ports_of_a_datagram_take_no_time(void **state)
{
    static const uint8_t k_bytes[129] = {0};
    struct swarm *w = prepare("{delay: 0, rate: 1e6}");
    struct swarm_departure d = {SWARM_DATAGRAM, SWARM_NETWORK_ANY, 0, 1,
                                k_bytes,        sizeof k_bytes,    0};
    (void)state;
    assert_int_equal(send(w, 0, 1, 0, 0), MF_E_OK);
    assert_int_equal(swarm_network_send(w, &d), MF_E_OK);
    assert_int_equal(swarm_network_send(w, &d), MF_E_OK);
    assert_int_equal(send(w, 0, 1, 0, 0), MF_E_OK); /* 2^31 = 2147483648 */
    assert_string_equal(arrivals(w, 1000), "0 1<0#0, 0 1<0#1, "
                                           "1000 1<0#2147483648, 1000 1<0#2147483649, ");
}

/* ---- order */

static void test_arrivals_of_an_instant_are_in_the_order_of_members(void **state)
{
    struct swarm *w = prepare("{delay: 0}");
    (void)state;
    (void)send(w, 3, 1, 0, 7);
    (void)send(w, 2, 1, 0, 7);
    (void)send(w, 2, 0, 0, 7);
    (void)send(w, 2, 1, 0, 7);
    (void)send(w, 4, 3, 0, 6);
    (void)send(w, 0, 1, 0, 8);
    assert_string_equal(arrivals(w, MF_NEVER),
                        "6 3<4#0, 7 0<2#1, 7 1<2#0, 7 1<2#2, 7 1<3#0, 8 1<0#0, ");
}

/* 600 packets of 0 to 599 bytes in a mixed order, as 7 is prime to 600. Each byte takes
 * 8 us; so they arrive at 0, 8, ... 4792 us. */
static void test_many_packets_arrive_in_order(void **state)
{
    struct swarm *w = prepare("{delay: 0, rate: 1e6}");
    struct swarm_arrival a;
    (void)state;
    for (uint32_t k = 0; k < 600; k++) {
        assert_int_equal(send(w, k % 4u, 4, 7u * k % 600u, 0), MF_E_OK);
    }
    for (uint32_t k = 0; k < 600; k++) {
        assert_true(swarm_network_next_arrival(w, MF_NEVER, &a));
        assert_true(a.size == k && a.at_us == (mf_us_t)(8u * k));
    }
    assert_false(swarm_network_next_arrival(w, MF_NEVER, &a));
}

/* ---- who receives */

/* v.2 stands at sqrt(20^2 + 30^2 + 60^2) = 70 m, v.3 1 mm farther up: beyond. */
static void test_the_range_is_a_ball(void **state)
{
    struct swarm *w = prepare("{range: 70}");
    (void)state;
    memcpy(s_neu_m[1], (double[]){20.0, -30.0, 60.0}, sizeof s_neu_m[1]);
    memcpy(s_neu_m[2], (double[]){20.0, -30.0, 60.001}, sizeof s_neu_m[2]);
    (void)send(w, 0, SWARM_NETWORK_ALL, 0, 0);
    assert_string_equal(arrivals(w, MF_NEVER), "1000 1<0#0, 1000 3<0#0, 1000 4<0#0, ");
    assert_true(swarm_network_in_reach(w, 0, 0, 1, 0));
    assert_false(swarm_network_in_reach(w, 0, 0, 2, 0));
    assert_true(swarm_network_in_reach(w, 0, 1, 2, 0));
}

static void test_who_is_absent_receives_nothing(void **state)
{
    struct swarm *w = prepare("{}");
    (void)state;
    s_lost[1] = true;
    (void)send(w, 0, SWARM_NETWORK_ALL, 0, 0);
    (void)send(w, 0, 1, 0, 0);
    assert_string_equal(arrivals(w, MF_NEVER), "1000 2<0#0, 1000 3<0#0, 1000 4<0#0, ");
    assert_false(swarm_network_in_reach(w, 0, 0, 1, 0));
    assert_false(swarm_network_in_reach(w, 0, 1, 0, 0));
}

/* Independently in Python, with SplitMix64 of seed 7 and the names of both members: of numbers 0 to
 * 15 from v.1, these are above 0.5 at v.2: 0 4 7 8 9 10 14; at v.3: 0 3 4 7 8 9 11 12. */
static void test_loss_follows_from_the_ends_and_the_number(void **state)
{
    static const uint32_t k_arrive[2][8] = {{0, 4, 7, 8, 9, 10, 14}, {0, 3, 4, 7, 8, 9, 11, 12}};
    struct swarm *w = prepare("{loss: 0.5}");
    struct swarm_arrival a;
    (void)state;
    for (uint32_t k = 0; k < 16; k++) {
        (void)send(w, 0, 1 + k % 2u, 0, 0);
    }
    for (uint32_t to = 1; to <= 2; to++) { /* v.2 was sent the even numbers, v.3 the odd */
        for (uint32_t k = 0; k < 6u + to; k++) {
            if (k_arrive[to - 1u][k] % 2u == to - 1u) {
                assert_true(swarm_network_next_arrival(w, MF_NEVER, &a));
                assert_true(a.receiver == to && a.number == k_arrive[to - 1u][k]);
            }
        }
    }
    assert_false(swarm_network_next_arrival(w, MF_NEVER, &a));
}

static void test_all_is_lost(void **state)
{
    static struct captured s_out;
    struct swarm *w = prepare("{loss: 1}");
    (void)state;
    for (uint32_t k = 0; k < 100; k++) {
        assert_int_equal(send(w, 0, SWARM_NETWORK_ALL, 1, 0), MF_E_OK);
    }
    assert_string_equal(arrivals(w, MF_NEVER), "");
    capture(&s_out, stdout);
    swarm_systems_print_summary(w);
    assert_names(captured(&s_out), "100 packets 0");
}

/* ---- networks */

#define TWO_NETWORKS                                                                          \
    "[{name: a, nodes: [v.1, v.2], delay: 0.001}, {name: b, nodes: [v.1, v.2, home], delay: " \
    "0.002}]"

static void test_the_first_network_with_both_ends_carries_a_packet(void **state)
{
    struct swarm *w = prepare(TWO_NETWORKS);
    struct swarm_departure d = {SWARM_PACKET, 1, 0, 1, "", 0, 0};
    (void)state;
    assert_int_equal(send(w, 0, 1, 0, 0), MF_E_OK);
    assert_int_equal(send(w, 0, 4, 0, 0), MF_E_OK);
    assert_int_equal(swarm_network_send(w, &d), MF_E_OK); /* over b */
    assert_int_equal(send(w, 0, SWARM_NETWORK_ALL, 0, 0), MF_E_OK);
    assert_string_equal(arrivals(w, MF_NEVER), "1000 1<0#0, 1000 1<0#3, 2000 1<0#2, 2000 4<0#1, ");
}

static void test_a_packet_without_a_network_is_lost(void **state)
{
    struct swarm *w = prepare(TWO_NETWORKS);
    struct swarm_departure d = {SWARM_PACKET, 0, 0, 4, "", 0, 0};
    (void)state;
    assert_int_equal(send(w, 0, 2, 0, 0), MF_E_OK);
    assert_int_equal(send(w, 2, SWARM_NETWORK_ALL, 0, 0), MF_E_OK);
    assert_int_equal(swarm_network_send(w, &d), MF_E_OK); /* home is not on a */
    assert_string_equal(arrivals(w, MF_NEVER), "");
    assert_int_equal(send(w, 0, 1, 0, 0), MF_E_OK); /* lost packets have taken numbers */
    assert_string_equal(arrivals(w, MF_NEVER), "1000 1<0#2, ");
}

static void test_interfaces_of_members(void **state)
{
    static const bool k_on[2][MEMBERS] = {{true, true}, {true, true, false, false, true}};
    struct swarm *w = prepare(TWO_NETWORKS);
    (void)state;
    for (uint32_t k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < MEMBERS; i++) {
            assert_int_equal(swarm_network_has(w, k, i), k_on[k][i]);
        }
    }
    assert_false(swarm_network_has(w, 2, 0));
}

static void test_packets_that_cannot_be_sent(void **state)
{
    struct swarm *w = prepare("{}");
    (void)state;
    assert_int_equal(send(w, 0, 1, 65001, 0), MF_E_RANGE);
    assert_int_equal(send(w, 5, 1, 0, 0), MF_E_RANGE);
    assert_int_equal(send(w, 0, 5, 0, 0), MF_E_RANGE);
    assert_int_equal(send(w, 0, 1, 65000, 0), MF_E_OK);
    assert_string_equal(arrivals(w, MF_NEVER), "1000 1<0#0, "); /* they have taken no number */
}

/* ---- memory of payloads */

/* All receivers share a copy of the sender's bytes; it lives until all have received. */
static void test_receivers_share_a_copy_of_the_bytes(void **state)
{
    struct swarm *w = prepare("{}");
    struct swarm_arrival a;
    char bytes[] = "abc";
    const uint8_t *shared = NULL;
    (void)state;
    assert_int_equal(
        swarm_network_send(w, &(struct swarm_departure){SWARM_PACKET, SWARM_NETWORK_ANY, 0,
                                                        SWARM_NETWORK_ALL, bytes, 3, 0}),
        MF_E_OK);
    memset(bytes, 'x', sizeof bytes);
    for (uint32_t k = 1; k <= 4; k++) {
        assert_true(swarm_network_next_arrival(w, MF_NEVER, &a));
        assert_true(a.receiver == k && a.size == 3 && (shared == NULL || a.bytes == shared));
        shared = a.bytes;
        (void)send(w, 1, 0, 100, 5000); /* other packets take other memory */
        assert_memory_equal(a.bytes, "abc", 3);
    }
}

/* Packets use the slots of earlier payloads, also of packets that were out of range. */
static void test_each_packet_has_its_own_bytes(void **state)
{
    struct swarm *w = prepare("{range: 10}");
    struct swarm_arrival a;
    (void)state;
    s_neu_m[3][0] = 11.0;
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t k = 0; k < 50; k++) {
            uint8_t bytes[2] = {(uint8_t)round, (uint8_t)k};
            struct swarm_departure d = {SWARM_PACKET, SWARM_NETWORK_ANY, 0, 1 + k % 3u,
                                        bytes,        sizeof bytes,      0};
            assert_int_equal(swarm_network_send(w, &d), MF_E_OK);
        }
        for (uint32_t k = 0; swarm_network_next_arrival(w, MF_NEVER, &a); k++) {
            assert_true(a.number == 50u * round + a.bytes[1] && a.bytes[0] == round);
            assert_true(a.receiver == 1u + a.bytes[1] % 3u && a.receiver < 3 && k < 34);
        }
    }
}

#ifdef __SANITIZE_ADDRESS__
#define MEMORY_KB 400000 /* the sanitizer keeps 256 MB that are free already */
#else
#define MEMORY_KB 200000
#endif

/* 8000 packets of 65,000 bytes would need 520 MB: half of them arrive, half are out of range. */
static void test_payloads_give_their_memory_back(void **state)
{
    struct rusage before, after;
    struct swarm *w = prepare("{range: 10}");
    (void)state;
    s_neu_m[3][0] = 11.0;
    assert_int_equal(getrusage(RUSAGE_SELF, &before), 0);
    for (uint32_t k = 0; k < 4000; k++) {
        assert_int_equal(send(w, 0, 1, 65000, 0), MF_E_OK);
        assert_int_equal(send(w, 0, 3, 65000, 0), MF_E_OK);
        assert_true(strlen(arrivals(w, MF_NEVER)) > 0);
    }
    assert_int_equal(getrusage(RUSAGE_SELF, &after), 0);
    assert_true(after.ru_maxrss - before.ru_maxrss < MEMORY_KB);
}

/* ---- members that keep packets, and systems that take them at once */

static bool keeps(const struct swarm *w, uint32_t member)
{
    (void)w;
    return member == 1;
}

/* Radios make the engine stop at arrivals. Packets for a member with keeps() wait in the order of
 * their arrival, before those that are still under way. */
static void test_packets_wait_for_members_that_keep_them(void **state)
{
    static int s_radio;
    struct mf_order order;
    struct swarm *w = prepare("{delay: 0.001}");
    (void)state;
    w->state[SWARM_SLOT_RADIO] = &s_radio;
    assert_true(swarm_is_networked(w));
    assert_int_equal(swarm_systems_do(w, SWARM_BEGIN), SWARM_OK);
    swarm_network_keep(w, keeps);
    (void)send(w, 0, SWARM_NETWORK_ALL, 0, 100);
    (void)send(w, 2, 1, 0, 0);
    assert_true(mf_engine_next(&w->engine, &order) && order.at_us == 1000);
    mf_engine_step(&w->engine);
    assert_string_equal(s_taken, "");
    assert_true(mf_engine_next(&w->engine, &order) && order.at_us == 1100);
    mf_engine_step(&w->engine);
    assert_string_equal(s_taken, "1100 2<0#0, 1100 3<0#0, 1100 4<0#0, ");
    assert_false(mf_engine_next(&w->engine, &order));
    (void)send(w, 3, 1, 0, 500); /* 1500 */
    assert_string_equal(arrivals(w, 1499), "1000 1<2#0, 1100 1<0#0, ");
    assert_string_equal(arrivals(w, 1500), "1500 1<3#0, ");
    w->state[SWARM_SLOT_RADIO] = NULL;
}

static void test_without_radios_no_instant_is_one_of_arrival(void **state)
{
    struct mf_order order;
    struct swarm *w = prepare("{}");
    (void)state;
    assert_false(swarm_is_networked(w));
    assert_int_equal(swarm_systems_do(w, SWARM_BEGIN), SWARM_OK);
    (void)send(w, 0, 1, 0, 0);
    assert_false(mf_engine_next(&w->engine, &order));
    assert_string_equal(arrivals(w, 1000), "1000 1<0#0, ");
}

static void test_observers_see_who_has_received(void **state)
{
    static struct mf_bus_writer s_frame;
    struct swarm_onlooker onlooker = {{0}};
    struct swarm *w = prepare("{}");
    (void)state;
    swarm_receptions_watch(w);
    (void)send(w, 2, 4, 0, 0);
    assert_string_equal(arrivals(w, 999), "");
    mf_bus_begin(&s_frame, MF_BUS_RECEPTIONS, 0, 0);
    assert_false(swarm_receptions_put(w, &onlooker, &s_frame));
    assert_string_equal(arrivals(w, 1000), "1000 4<2#0, ");
    mf_bus_begin(&s_frame, MF_BUS_RECEPTIONS, 0, 0);
    assert_true(swarm_receptions_put(w, &onlooker, &s_frame));
    assert_memory_equal(s_frame.bytes + MF_BUS_HEADER, "\1\0\0\0\1\0\0\0\2\0\0\0\4\0\0\0", 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_a_packet_takes_the_delay_and_its_bits, end),
        cmocka_unit_test_teardown(test_without_a_rate_bits_take_no_time, end),
        cmocka_unit_test_teardown(test_ports_of_a_datagram_take_no_time, end),
        cmocka_unit_test_teardown(test_arrivals_of_an_instant_are_in_the_order_of_members, end),
        cmocka_unit_test_teardown(test_many_packets_arrive_in_order, end),
        cmocka_unit_test_teardown(test_the_range_is_a_ball, end),
        cmocka_unit_test_teardown(test_who_is_absent_receives_nothing, end),
        cmocka_unit_test_teardown(test_loss_follows_from_the_ends_and_the_number, end),
        cmocka_unit_test_teardown(test_all_is_lost, end),
        cmocka_unit_test_teardown(test_the_first_network_with_both_ends_carries_a_packet, end),
        cmocka_unit_test_teardown(test_a_packet_without_a_network_is_lost, end),
        cmocka_unit_test_teardown(test_interfaces_of_members, end),
        cmocka_unit_test_teardown(test_packets_that_cannot_be_sent, end),
        cmocka_unit_test_teardown(test_receivers_share_a_copy_of_the_bytes, end),
        cmocka_unit_test_teardown(test_each_packet_has_its_own_bytes, end),
        cmocka_unit_test_teardown(test_payloads_give_their_memory_back, end),
        cmocka_unit_test_teardown(test_packets_wait_for_members_that_keep_them, end),
        cmocka_unit_test_teardown(test_without_radios_no_instant_is_one_of_arrival, end),
        cmocka_unit_test_teardown(test_observers_see_who_has_received, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
