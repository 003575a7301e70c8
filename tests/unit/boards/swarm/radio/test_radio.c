/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/radio/radio.h: rounds of the radio medium: their times, who receives, what a packet
 * carries, the columns and the hash; packets of outboxes, of networks, and of real radios. */
#include "boards/swarm/radio/radio.h"

#include "boards/swarm/members/carrier.h"
#include "boards/swarm/minds/outbox.h"
#include "boards/swarm/radio/network.h"
#include "tests/unit/boards/swarm/radio/standing.h"

static struct mf_engine_slot s_heap[SWARM_TIMERS + 1u];
static char s_heard[2000]; /* a reception: "TIME_us-END_us RECEIVER<SENDER#NUMBER:BYTES, " */
static char s_behind[200]; /* a packet for the drone behind a ghost: "GHOST<ORIGIN#NUMBER, " */
static double s_strength_dbm;
static uint8_t s_bytes[MF_PACKET_BYTES_MAX]; /* of the last reception */
static uint32_t s_size;

static struct mf_pose pose(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    (void)w, (void)i, (void)at_us;
    return (struct mf_pose){.lat_deg = 47.5,
                            .lon_deg = -8.25,
                            .alt_amsl_m = 500.0,
                            .vel_ned_mps = {1.0f, -2.0f, 0.5f},
                            .yaw_rad = -1.57079633f};
}

static void pass_to_drone(struct swarm *w, uint32_t i, const struct mf_ghost_packet *p)
{
    const size_t at = strlen(s_behind);
    (void)w;
    assert_true(p->heard);
    (void)snprintf(s_behind + at, sizeof s_behind - at, "%u<%u#%u, ", (unsigned)i,
                   (unsigned)p->origin, (unsigned)p->number);
}

static const struct swarm_carrier k_carrier = {
    .pose = pose, .place = place, .is_lost = is_lost, .receive = pass_to_drone};

static void hear(struct swarm *w, const struct swarm_radio_heard *heard)
{
    const size_t at = strlen(s_heard);
    const struct mf_packet *p = &heard->packet;
    (void)w;
    s_strength_dbm = heard->strength_dbm;
    s_size = p->size;
    memcpy(s_bytes, p->bytes, p->size);
    (void)snprintf(s_heard + at, sizeof s_heard - at, "%u-%u %u<%u#%u:%.*s, ",
                   (unsigned)heard->at_us, (unsigned)heard->end_us, (unsigned)heard->i,
                   (unsigned)p->sender, (unsigned)p->number, p->size < 9 ? (int)p->size : 0,
                   (const char *)p->bytes);
}

/* ---- a run of radios and networks */

/* Prepare the radios of a scenario. Its members stand on a line to the north, 10 m apart. */
static struct swarm *prepare(const char *text)
{
    static const struct swarm_system *const k_systems[] = {&swarm_radio_system,
                                                           &swarm_network_system, NULL};
    static char s_text[2000];
    (void)snprintf(s_text, sizeof s_text, "time: {end: 100, clock: real}\n%s", text);
    struct swarm *w = swarm_of(s_text);
    assert_true(s_scenario.members <= STANDING_MAX);
    w->systems = k_systems;
    w->hold.rate = 1.0;
    for (int k = 0; k < MF_SCENARIO_KINDS; k++) {
        w->members.carrier[k] = &k_carrier;
    }
    memset(s_neu_m, 0, sizeof s_neu_m);
    memset(s_lost, 0, sizeof s_lost);
    for (uint32_t i = 0; i < STANDING_MAX; i++) {
        s_neu_m[i][0] = 10.0 * (double)i;
    }
    s_heard[0] = s_behind[0] = '\0';
    s_strength_dbm = 0.0;
    mf_engine_init(&w->engine, s_heap, SWARM_TIMERS);
    assert_int_equal(mf_workers_start(&w->workers, 1), MF_E_OK);
    if (swarm_systems_do(w, SWARM_PREPARE) != SWARM_OK) {
        fail_msg("%s", w->error);
    }
    return w;
}

/* Begin the rounds, and note all receptions of one entity. */
static void begin(struct swarm *w, const char *entity)
{
    char name[1][MF_SCENARIO_NAME_MAX] = {""};
    const struct mf_scenario_chosen of = {.count = 1, .name = name};
    (void)snprintf(name[0], sizeof name[0], "%s", entity);
    swarm_radio_report(w, &of, hear);
    assert_int_equal(swarm_systems_do(w, SWARM_BEGIN), SWARM_OK);
}

static void run_to(struct swarm *w, mf_us_t end_us)
{
    struct mf_order order;
    while (mf_engine_next(&w->engine, &order) && order.at_us <= end_us) {
        w->now_us = order.at_us;
        mf_engine_step(&w->engine);
    }
    w->now_us = end_us;
}

static int end(void **state)
{
    (void)state;
    assert_true(swarm_systems_complete(&s_swarm));
    swarm_systems_close(&s_swarm, SWARM_OK);
    mf_workers_stop(&s_swarm.workers);
    return 0;
}

/* ---- rounds of the medium */

#define TO_THREE                                                                                   \
    "medium: {kind: free_space, range: 100}\n"                                                     \
    "entities:\n"                                                                                  \
    "  - {name: s, as: agent, behaviour: walk, radio: generic, send: {every: 1, start: 2, bytes: " \
    "[97, 98, 99, 100, 101]}}\n"                                                                   \
    "  - {name: r, count: 3, as: agent, behaviour: walk, radio: generic}\n"

/* Five bytes at 250 kbit/s: 40 bits / 250 bits/ms = 160 us. A receiver at exactly the range
 * receives. */
static void test_receivers_within_range_get_the_packet(void **state)
{
    struct swarm *w = prepare(TO_THREE);
    (void)state;
    memcpy(s_neu_m[1], (double[]){60.0, 80.0, 0.0}, sizeof s_neu_m[1]);  /* 100 m */
    memcpy(s_neu_m[2], (double[]){60.0, 80.0, 0.1}, sizeof s_neu_m[2]);  /* 100.00005 m */
    memcpy(s_neu_m[3], (double[]){0.0, 0.0, -100.0}, sizeof s_neu_m[3]); /* 100 m */
    begin(w, "r");
    run_to(w, 2 * MF_SECOND_US);
    assert_string_equal(s_heard, "2000000-2000160 1<0#0:abcde, 2000000-2000160 3<0#0:abcde, ");
}

/* Free space: 15 dBm - 20 log10(4 pi 10 m / 0.122740 m), the wavelength of 2442.5 MHz:
 * 4 pi 10 / 0.122740 = 1023.82; 20 log10 of it 60.204. */
static void test_strength_follows_distance(void **state)
{
    struct swarm *w = prepare(TO_THREE);
    (void)state;
    begin(w, "r.1");
    run_to(w, 2 * MF_SECOND_US);
    assert_string_equal(s_heard, "2000000-2000160 1<0#0:abcde, ");
    assert_true(fabs(s_strength_dbm - -45.204) < 0.001);
}

static void test_a_sender_does_not_receive_its_own_packet(void **state)
{
    struct swarm *w = prepare(TO_THREE);
    (void)state;
    begin(w, "s");
    run_to(w, 9 * MF_SECOND_US);
    assert_string_equal(s_heard, "");
}

/* A packet of no bits takes the least time, 1 us. Rounds are start + k * every: 1/2 + k/4 s, and
 * k s for the other. Senders of one round are in the order of members; numbers count from 0. */
static void test_rounds_are_at_the_times_of_sending(void **state)
{
    struct swarm *w = prepare(
        "entities:\n"
        "  - {name: a, as: agent, behaviour: walk, radio: generic, send: {every: 0.25, start: "
        "0.5}}\n"
        "  - {name: b, as: agent, behaviour: walk, radio: generic, send: 1}\n"
        "  - {name: r, as: agent, behaviour: walk, radio: generic}\n");
    (void)state;
    begin(w, "r");
    run_to(w, MF_SECOND_US);
    assert_string_equal(s_heard, "0-1 2<1#0:, 500000-500001 2<0#0:, 750000-750001 2<0#1:, "
                                 "1000000-1000001 2<0#2:, 1000000-1000001 2<1#1:, ");
}

#define OTHER_CHANNEL                                                                          \
    "entities:\n"                                                                              \
    "  - {name: s, as: agent, behaviour: walk, radio: {kind: cc2420, channel: 11}, send: 1}\n" \
    "  - {name: other, as: agent, behaviour: walk, radio: {kind: cc2420, channel: 26}}\n"      \
    "  - {name: same, as: agent, behaviour: walk, radio: {kind: cc2420, channel: 11}}\n"

/* 2405 and 2480 MHz are 75 MHz apart, and a radio hears 2.5 MHz to each side. */
static void test_radios_of_other_channels_do_not_receive(void **state)
{
    struct swarm *w = prepare(OTHER_CHANNEL);
    (void)state;
    begin(w, "other");
    run_to(w, MF_SECOND_US);
    assert_string_equal(s_heard, "");
    (void)end(NULL);
    w = prepare(OTHER_CHANNEL);
    begin(w, "same");
    run_to(w, 0);
    assert_string_equal(s_heard, "0-1 2<0#0:, ");
}

static void test_who_is_lost_neither_sends_nor_receives(void **state)
{
    struct swarm *w = prepare(TO_THREE);
    (void)state;
    s_lost[2] = true;
    begin(w, "r");
    run_to(w, 2 * MF_SECOND_US);
    assert_string_equal(s_heard, "2000000-2000160 1<0#0:abcde, 2000000-2000160 3<0#0:abcde, ");
    s_lost[0] = true;
    run_to(w, 3 * MF_SECOND_US);
    s_lost[0] = s_lost[2] = false;
    s_heard[0] = '\0';
    run_to(w, 4 * MF_SECOND_US); /* a packet that was not sent has taken no number */
    assert_memory_equal(s_heard, "4000000-4000160 1<0#1:", 22);
}

/* The medium refuses packets from beyond 1000 km, and such a packet takes no number. */
static void test_a_packet_that_the_medium_refuses_is_not_sent(void **state)
{
    struct swarm *w = prepare(TO_THREE);
    (void)state;
    s_neu_m[0][1] = 1000001.0;
    begin(w, "r.1");
    run_to(w, 2 * MF_SECOND_US);
    s_neu_m[0][1] = 0.0;
    run_to(w, 3 * MF_SECOND_US);
    assert_string_equal(s_heard, "3000000-3000160 1<0#0:abcde, ");
}

static int32_t read_i32(const uint8_t *p)
{
    return (int32_t)(p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
}

static int16_t read_i16(const uint8_t *p)
{
    return (int16_t)(p[0] | (unsigned)p[1] << 8);
}

/* SBE-07: GLOBAL_POSITION_INT: time [ms], place [1e-7 deg, mm], velocity [cm/s], heading [0.01
 * deg]: west is 270 degrees. */
static void test_a_position_is_a_frame_of_mavlink(void **state)
{
    struct mf_frame frame;
    struct swarm *w = prepare(
        "space: {origin: [47, 8, 400]}\n"
        "entities:\n"
        "  - {name: r, as: agent, behaviour: walk, radio: generic}\n"
        "  - {name: s, as: agent, behaviour: walk, radio: generic, send: {every: 2, message: "
        "position}}\n");
    (void)state;
    begin(w, "r");
    run_to(w, 2 * MF_SECOND_US);
    assert_true(mf_frame_read(s_bytes, s_size, &frame));
    assert_true(frame.version == 2 && frame.info->id == 33);
    assert_true(frame.sysid == 2 && frame.compid == 1 && frame.seq == 1); /* the second packet */
    assert_int_equal(read_i32(frame.payload), 2000);
    assert_int_equal(read_i32(frame.payload + 4), 475000000);
    assert_int_equal(read_i32(frame.payload + 8), -82500000);
    assert_int_equal(read_i32(frame.payload + 12), 500000);
    assert_int_equal(read_i32(frame.payload + 16), 100000);
    assert_int_equal(read_i16(frame.payload + 20), 100);
    assert_int_equal(read_i16(frame.payload + 22), -200);
    assert_int_equal(read_i16(frame.payload + 24), 50);
    assert_int_equal(read_i16(frame.payload + 26), 27000);
}

/* ---- packets of outboxes */

#define WITH_OUTBOX                                                                                \
    "entities:\n"                                                                                  \
    "  - {name: own, as: agent, behaviour: {kind: own, name: x}, radio: cc2420, send: {every: 1, " \
    "start: 1}}\n"                                                                                 \
    "  - {name: r, as: agent, behaviour: walk, radio: cc2420}\n"                                   \
    "  - {name: mute, as: agent, behaviour: walk}\n"

static const char *transmit(struct swarm *w, uint32_t i, const char *text, mf_us_t at_us)
{
    return swarm_radio_transmit(w, i, (const uint8_t *)text, strlen(text), at_us);
}

/* Two bytes take 16 / 250 ms = 64 us. */
static void test_a_packet_of_an_outbox_needs_no_round_of_its_entity(void **state)
{
    struct swarm *w = prepare(WITH_OUTBOX);
    (void)state;
    begin(w, "r");
    run_to(w, 500000);
    assert_string_equal(s_heard, "");
    assert_null(transmit(w, 0, "ab", 500000));
    assert_null(transmit(w, 0, "", 500000));
    run_to(w, 500000);
    assert_string_equal(s_heard, "500000-500064 1<0#0:ab, 500000-500001 1<0#1:, ");
    s_heard[0] = '\0';
    assert_null(transmit(w, 0, "c", 999999)); /* 8 bits: 32 us */
    assert_null(transmit(w, 0, "d", 1000000));
    run_to(w, 1000000); /* the packet of the round comes before that of the outbox */
    assert_string_equal(s_heard, "999999-1000031 1<0#2:c, 1000000-1000001 1<0#3:, "
                                 "1000000-1000032 1<0#4:d, ");
}

static void test_a_round_empties_the_outbox(void **state)
{
    struct swarm *w = prepare(WITH_OUTBOX);
    (void)state;
    begin(w, "r");
    for (int k = 0; k < 8; k++) {
        assert_null(transmit(w, 0, "", 20));
    }
    assert_non_null(transmit(w, 0, "", 20));
    run_to(w, 20);
    for (int k = 0; k < 8; k++) {
        assert_null(transmit(w, 0, "", 30));
    }
    assert_non_null(transmit(w, 0, "", 30));
    s_heard[0] = '\0';
    run_to(w, 30);
    assert_memory_equal(s_heard, "30-31 1<0#8:, ", 14);
    assert_int_equal(strlen(s_heard), 6 * 15 + 2 * 14); /* numbers 8 and 9 are shorter */
}

static void test_who_may_not_transmit(void **state)
{
    struct swarm *w = prepare(WITH_OUTBOX);
    (void)state;
    begin(w, "r");
    assert_non_null(transmit(w, 1, "a", 0)); /* a radio without an outbox */
    assert_non_null(transmit(w, 2, "a", 0)); /* no radio */
    assert_non_null(transmit(w, 3, "a", 0)); /* no member */
    run_to(w, 10);
    assert_string_equal(s_heard, "");
}

/* ---- columns, summary, hash */

static void columns_are(uint32_t i, const char *expected)
{
    char text[100] = "";
    FILE *file = fmemopen(text, sizeof text, "w");
    assert_non_null(file);
    swarm_radio_system.columns[0].write(&s_swarm, i, file);
    (void)fclose(file);
    assert_string_equal(text, expected);
}

/* SBE-09: the CC2420 sends with 17.4 mA, receives with 18.8 mA, and needs 0.426 mA else, at 250
 * kbit/s. own: 250 bytes sent in 8 ms, 125 received in 4 ms, 9.988 s of neither: 17.4 * 0.008
 * + 18.8 * 0.004 + 0.426 * 9.988 = 0.1392 + 0.0752 + 4.254888. r: 250 bytes received: 18.8 * 0.008
 * + 0.426 * 9.992 = 0.1504 + 4.256592; at 10 m, with 2405 MHz: 20 log10(4 pi 10 / 0.124654)
 * = 60.0695, from 0 dBm. */
static void test_columns_of_a_member(void **state)
{
    static const uint8_t k_bytes[250] = {0};
    struct swarm *w =
        prepare("entities:\n"
                "  - {name: own, as: agent, behaviour: {kind: own, name: x}, radio: cc2420}\n"
                "  - {name: r, as: agent, behaviour: walk, radio: cc2420}\n"
                "  - {name: mute, as: agent, behaviour: walk}\n");
    (void)state;
    begin(w, "r");
    columns_are(0, ",0,0,,0.000");
    assert_null(swarm_radio_transmit(w, 0, k_bytes, sizeof k_bytes, 0));
    run_to(w, 10 * MF_SECOND_US);
    assert_true(swarm_systems_arrived(
        w, &(struct swarm_arrival){.receiver = 0, .sender = 1, .size = 125, .bytes = k_bytes}));
    columns_are(0, ",1,1,0.00,4.469");
    columns_are(1, ",0,1,-60.07,4.407");
    columns_are(2, ",,,,");
}

static void test_the_summary_counts_all_radios(void **state)
{
    static struct captured s_out;
    struct swarm *w = prepare(TO_THREE);
    (void)state;
    begin(w, "r");
    run_to(w, 3 * MF_SECOND_US);
    capture(&s_out, stdout);
    swarm_systems_print_summary(w);
    assert_names(captured(&s_out), "4 radios 2 packets 6"); /* two rounds, three receivers */
}

/* Independently in Python, with u(k, n) the n-th number of SplitMix64 from k: radio 1 has
 * h = u(u(0, 0) , 1) of the numbers 0 and 1 of sender 0, without strengths; the hash is
 * u(u(0 ^ 0, 0) ^ h, 2). */
static void test_the_hash_is_that_of_all_receptions(void **state)
{
    struct swarm *w =
        prepare("entities: [{name: r, count: 2, as: agent, behaviour: walk, radio: generic}]\n");
    (void)state;
    begin(w, "r");
    assert_true(swarm_radio_system.digest(w, 0) == UINT64_C(0xa706dd2f4d197e6f));
    for (uint32_t k = 0; k < 2; k++) {
        assert_true(swarm_systems_arrived(
            w, &(struct swarm_arrival){.receiver = 1, .number = k, .bytes = s_bytes}));
    }
    assert_true(swarm_radio_system.digest(w, 0) == UINT64_C(0x6ba7586d1b1e3b79));
}

/* ---- packets of networks */

/* A network takes the medium's place: 500 ms later, beyond the medium's range, without strength. */
static void test_a_network_carries_the_packets_of_radios(void **state)
{
    struct swarm *w =
        prepare("medium: {range: 5}\n"
                "network: {delay: 0.5}\n"
                "entities:\n"
                "  - {name: s, as: agent, behaviour: walk, radio: generic, send: {every: 1, bytes: "
                "[97]}}\n"
                "  - {name: r, count: 2, as: agent, behaviour: walk, radio: generic}\n");
    (void)state;
    begin(w, "r");
    run_to(w, 499999);
    assert_string_equal(s_heard, "");
    s_lost[2] = true; /* who is lost when the packet arrives does not get it */
    run_to(w, 500000);
    assert_string_equal(s_heard, "500000-500001 1<0#0:a, ");
    assert_true(isnan(s_strength_dbm));
    columns_are(1, ",0,1,0.00,0.000");
    columns_are(2, ",0,0,,0.000");
}

/* Programs and behaviours have room for the 280 bytes of a radio's packet; others are counted. */
static void test_longer_packets_of_a_network_are_counted_only(void **state)
{
    static const uint8_t k_bytes[281] = {0};
    struct swarm *w = prepare(TO_THREE);
    struct swarm_arrival a = {.at_us = 7, .receiver = 2, .size = 281, .bytes = k_bytes};
    (void)state;
    begin(w, "r");
    assert_true(swarm_systems_arrived(w, &a));
    assert_string_equal(s_heard, "");
    columns_are(2, ",0,1,0.00,0.000");
    a.size = 280;
    a.number = 4;
    assert_true(swarm_systems_arrived(w, &a));
    assert_string_equal(s_heard, "7-8 2<0#4:, ");
    columns_are(2, ",0,2,0.00,0.000");
}

static void test_other_arrivals_are_not_those_of_radios(void **state)
{
    struct swarm *w = prepare(WITH_OUTBOX);
    struct swarm_arrival a = {.receiver = 2, .bytes = s_bytes};
    (void)state;
    begin(w, "r");
    assert_false(swarm_systems_arrived(w, &a)); /* the member lacks a radio */
    a.receiver = 1;
    a.number = SWARM_DATAGRAM_FIRST;
    assert_false(swarm_systems_arrived(w, &a));
    a.number = SWARM_DATAGRAM_FIRST - 1u;
    assert_true(swarm_systems_arrived(w, &a));
}

/* ---- packets of real radios */

#define WITH_GHOST                                                                            \
    "entities:\n"                                                                             \
    "  - {name: g, as: ghost, link: 'udp:14550', radio: generic}\n"                           \
    "  - {name: r, as: agent, behaviour: walk, radio: generic, send: {every: 1, start: 1}}\n" \
    "  - {name: mute, as: agent, behaviour: walk}\n"

static const char *enter(struct swarm *w, bool heard, uint32_t origin, uint32_t number)
{
    const struct mf_ghost_packet p = {.heard = heard,
                                      .strength_dbm = -50.0,
                                      .origin = origin,
                                      .number = number,
                                      .bytes = s_bytes};
    return swarm_radio_enter(w, 0, &p, w->now_us);
}

/* Rounds of such packets are 10 ms apart, whenever the packets have come. */
static void test_packets_of_a_real_radio_wait_for_a_round(void **state)
{
    struct swarm *w = prepare(WITH_GHOST);
    (void)state;
    begin(w, "r");
    run_to(w, 13000);
    assert_null(enter(w, false, 0, 9));
    assert_null(enter(w, false, 0, 8));
    assert_null(enter(w, false, 0, 9)); /* twice */
    run_to(w, 19999);
    assert_string_equal(s_heard, "");
    run_to(w, 40000);
    assert_string_equal(s_heard, "20000-20001 1<0#8:, 20000-20001 1<0#9:, ");
}

/* The medium and a link bring the same packet: it counts once, and goes to the drone only if its
 * own radio has not received it. */
static void test_a_ghost_receives_a_packet_once(void **state)
{
    struct swarm *w = prepare(WITH_GHOST);
    (void)state;
    begin(w, "r");
    run_to(w, 900000);
    assert_null(enter(w, true, 1, 0));
    assert_null(enter(w, true, 1, 0));
    assert_null(enter(w, true, 0, 5)); /* its own */
    columns_are(0, ",0,1,-50.00,0.000");
    run_to(w, 1000000);
    columns_are(0, ",0,1,-50.00,0.000");
    assert_string_equal(s_behind, "");
    run_to(w, 2000000);
    assert_string_equal(s_behind, "0<1#1, ");
    assert_null(enter(w, true, 1, 1));
    columns_are(0, ",0,2,-45.20,0.000");
}

static void test_wrong_packets_of_a_real_radio(void **state)
{
    struct swarm *w = prepare(WITH_GHOST);
    struct mf_ghost_packet p = {.heard = true, .origin = 1, .bytes = s_bytes};
    (void)state;
    begin(w, "r");
    assert_non_null(swarm_radio_enter(w, 2, &p, 0)); /* no radio */
    assert_non_null(enter(w, true, 3, 0));           /* of no member */
    p.strength_dbm = (double)NAN;
    assert_non_null(swarm_radio_enter(w, 0, &p, 0));
    p.strength_dbm = -50.0;
    p.n = 281;
    assert_non_null(swarm_radio_enter(w, 0, &p, 0));
    columns_are(0, ",0,0,,0.000");
    p.n = 280;
    assert_null(swarm_radio_enter(w, 0, &p, 0));
    columns_are(0, ",0,1,-50.00,0.000");
}

/* 256 packets have room until the next round. */
static void test_too_many_packets_of_a_real_radio_are_refused(void **state)
{
    static struct captured s_out;
    struct swarm *w = prepare(WITH_GHOST);
    (void)state;
    begin(w, "mute");
    for (uint32_t k = 0; k < 256; k++) {
        assert_null(enter(w, false, 0, k));
    }
    assert_null(enter(w, false, 0, 255)); /* twice */
    assert_non_null(enter(w, false, 0, 256));
    run_to(w, 10000);
    assert_null(enter(w, false, 0, 257));
    capture(&s_out, stdout);
    swarm_systems_print_summary(w);
    assert_names(captured(&s_out), "2 radios 256 packets 256 1 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_receivers_within_range_get_the_packet, end),
        cmocka_unit_test_teardown(test_strength_follows_distance, end),
        cmocka_unit_test_teardown(test_a_sender_does_not_receive_its_own_packet, end),
        cmocka_unit_test_teardown(test_rounds_are_at_the_times_of_sending, end),
        cmocka_unit_test_teardown(test_radios_of_other_channels_do_not_receive, end),
        cmocka_unit_test_teardown(test_who_is_lost_neither_sends_nor_receives, end),
        cmocka_unit_test_teardown(test_a_packet_that_the_medium_refuses_is_not_sent, end),
        cmocka_unit_test_teardown(test_a_position_is_a_frame_of_mavlink, end),
        cmocka_unit_test_teardown(test_a_packet_of_an_outbox_needs_no_round_of_its_entity, end),
        cmocka_unit_test_teardown(test_a_round_empties_the_outbox, end),
        cmocka_unit_test_teardown(test_who_may_not_transmit, end),
        cmocka_unit_test_teardown(test_columns_of_a_member, end),
        cmocka_unit_test_teardown(test_the_summary_counts_all_radios, end),
        cmocka_unit_test_teardown(test_the_hash_is_that_of_all_receptions, end),
        cmocka_unit_test_teardown(test_a_network_carries_the_packets_of_radios, end),
        cmocka_unit_test_teardown(test_longer_packets_of_a_network_are_counted_only, end),
        cmocka_unit_test_teardown(test_other_arrivals_are_not_those_of_radios, end),
        cmocka_unit_test_teardown(test_packets_of_a_real_radio_wait_for_a_round, end),
        cmocka_unit_test_teardown(test_a_ghost_receives_a_packet_once, end),
        cmocka_unit_test_teardown(test_wrong_packets_of_a_real_radio, end),
        cmocka_unit_test_teardown(test_too_many_packets_of_a_real_radio_are_refused, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
