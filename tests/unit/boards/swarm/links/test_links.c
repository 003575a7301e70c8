/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/links/links.h: frames of vehicles to the devices of their links, their lines of the
 * trace, system ids of a window, and how far clients let time run. Clients are devices of this
 * test, and its own operations open links in the place of vehicles. */
#include "boards/swarm/core/trace.h"
#include "boards/swarm/links/links_internal.h"
#include "boards/swarm/members/carrier.h"
#include "tests/unit/boards/swarm/swarm_fixture.h"

#define FLOWS 10u

/* A client. */
struct device {
    char got[300]; /* all bytes that were written */
    size_t size;
    int refuses; /* result of write(); 1: it takes the bytes */
};

static struct device s_device[FLOWS];
static struct swarm_peer s_peer[1u + FLOWS]; /* the first is of the network, the others of flows */
static struct mf_net_peer s_net_peer;
static struct mf_net_port s_net_port;
static mf_us_t s_vehicle_us; /* clock of each vehicle */
static mf_us_t s_lost_us;    /* vehicle v.2 is lost from then on */
static char
    s_calls[200]; /* links: "+VEHICLE:ALIAS " opened, "-VEHICLE " closed, "?VEHICLE " read */

static void note(const char *what, uint32_t i)
{
    const size_t at = strlen(s_calls);
    (void)snprintf(s_calls + at, sizeof s_calls - at, "%s%u ", what, (unsigned)i);
}

/* ---- devices */

static int device_write(void *ctx, const uint8_t *bytes, size_t n)
{
    struct device *d = ctx;
    if (d->refuses != 1) {
        return d->refuses;
    }
    assert_true(d->size + n <= sizeof d->got);
    memcpy(d->got + d->size, bytes, n);
    d->size += n;
    return (int)n;
}

static const struct mf_serial_ops k_device = {.write = device_write};

/* ---- vehicles */

static bool is_lost(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    (void)w;
    return i == 1 && at_us >= s_lost_us;
}

static const struct swarm_carrier k_carrier = {.is_lost = is_lost};

static int open_link(struct swarm_links *l, uint32_t peer, uint32_t i, uint8_t alias,
                     const char **why)
{
    const unsigned number = swarm_links_free_number(l, i);
    char what[16];
    *why = number < SWARM_CLIENTS ? NULL : "full";
    if (*why != NULL) {
        return -1;
    }
    (void)swarm_links_observe(l, i);
    l->vehicle_links[i].link[number] =
        (struct swarm_link){.all = l, .peer = peer, .vehicle = i, .alias = alias, .open = true};
    l->open++;
    (void)snprintf(what, sizeof what, "+%u:", (unsigned)i);
    note(what, alias);
    return (int)number;
}

static void close_link(struct swarm_links *l, uint32_t i, int number)
{
    assert_true(l->vehicle_links[i].link[number].open);
    note("-", i);
}

static void read_peer(struct swarm_links *l, const struct swarm_peer *peer)
{
    (void)l;
    note("?", peer->vehicle);
}

static const struct swarm_link_ops k_ops = {
    .open = open_link, .close = close_link, .read = read_peer};

/* ---- a swarm */

static struct swarm_links *prepare(const char *entities)
{
    static char s_text[200];
    (void)snprintf(s_text, sizeof s_text, "time: {end: 9, clock: fast}\nentities: %s\n", entities);
    struct swarm *w = swarm_of(s_text);
    w->hold.rate = 1.0;
    for (int k = 0; k < MF_SCENARIO_KINDS; k++) {
        w->members.carrier[k] = &k_carrier;
    }
    assert_int_equal(swarm_links_make(w), SWARM_OK);
    struct swarm_links *l = swarm_links_of(w);
    memset(s_peer, 0, sizeof s_peer);
    l->peer = s_peer;
    l->ops = &k_ops;
    l->net.memory.peers = &s_net_peer;
    l->net.memory.ports = &s_net_port;
    l->net.memory.peer_max = 1;
    for (uint32_t i = 0; i < s_scenario.members; i++) {
        l->clock[i].now_us = &s_vehicle_us;
    }
    s_calls[0] = '\0';
    s_vehicle_us = 0;
    s_lost_us = MF_NEVER;
    return l;
}

static const char *open_flow(uint32_t vehicle, uint32_t number)
{
    s_device[number] = (struct device){.refuses = 1};
    return swarm_links_open_flow(&s_swarm, vehicle, number,
                                 &(struct mf_serial){.ops = &k_device, .ctx = &s_device[number]});
}

static int end(void **state)
{
    struct swarm_links *l = swarm_links_of(&s_swarm);
    (void)state;
    (void)pthread_mutex_destroy(&l->lock);
    free(l);
    s_swarm.state[SWARM_SLOT_LINKS] = NULL;
    return 0;
}

static int write_link(uint32_t i, unsigned number, mf_us_t at_us, const char *text)
{
    return swarm_links_write(swarm_links_find(&s_swarm, i, number), at_us, (const uint8_t *)text,
                             strlen(text));
}

static void device_has(uint32_t number, const char *text)
{
    assert_int_equal(s_device[number].size, strlen(text));
    assert_memory_equal(s_device[number].got, text, strlen(text));
}

/* ---- links */

static void test_a_frame_goes_to_all_links_of_its_vehicle(void **state)
{
    (void)state;
    (void)prepare("[{name: v, count: 2}]");
    assert_null(open_flow(0, 0));
    assert_null(open_flow(1, 1));
    assert_null(open_flow(0, 2));
    swarm_links_send(&s_swarm, 0, (const uint8_t *)"abc", 3);
    swarm_links_send(&s_swarm, 1, (const uint8_t *)"d", 1);
    device_has(0, "abc");
    device_has(1, "d");
    device_has(2, "abc");
    swarm_links_close_at(swarm_links_of(&s_swarm), 0, 0);
    swarm_links_send(&s_swarm, 0, (const uint8_t *)"e", 1);
    device_has(0, "abc");
    device_has(2, "abce");
}

/* A vehicle has seven links; a client gets the lowest that is free. */
static void test_numbers_of_links(void **state)
{
    struct swarm_links *l = prepare("[{name: v, count: 2}]");
    (void)state;
    for (uint32_t k = 0; k < 7; k++) {
        assert_int_equal(swarm_links_free_number(l, 0), k);
        assert_null(open_flow(0, k));
    }
    assert_int_equal(swarm_links_free_number(l, 0), 7);
    assert_non_null(open_flow(0, 8));
    assert_null(open_flow(1, 9));
    assert_int_equal(l->open, 8);
    swarm_links_close_at(l, 0, 4);
    swarm_links_close_at(l, 0, 2);
    swarm_links_close_at(l, 0, 2); /* it is closed already */
    assert_int_equal(l->open, 6);
    assert_null(swarm_links_find(&s_swarm, 0, 2));
    assert_non_null(swarm_links_find(&s_swarm, 0, 3));
    assert_null(swarm_links_find(&s_swarm, 0, 7));
    assert_null(open_flow(0, 8));
    assert_true(swarm_links_find(&s_swarm, 0, 2)->peer == 1u + 8u);
    assert_int_equal(swarm_links_free_number(l, 0), 4);
}

static void test_who_has_a_client(void **state)
{
    struct swarm_links *l = prepare("[{name: v, count: 2}]");
    (void)state;
    assert_false(swarm_links_has_clients(&s_swarm));
    assert_true(swarm_links_system.limit_us(&s_swarm, 0) == MF_NEVER);
    assert_null(open_flow(1, 0));
    assert_true(swarm_links_vehicle_has_client(&s_swarm, 1));
    assert_false(swarm_links_vehicle_has_client(&s_swarm, 0));
    assert_true(swarm_links_has_clients(&s_swarm));
    s_swarm.now_us = 1000000; /* with clients time runs in pieces of 50 ms */
    assert_true(swarm_links_system.limit_us(&s_swarm, 0) == 1050000);
    swarm_links_close_at(l, 1, 0);
    assert_false(swarm_links_vehicle_has_client(&s_swarm, 1));
    assert_false(swarm_links_has_clients(&s_swarm));
    assert_false(swarm_links_observe(l, 1)); /* it has had one */
    assert_true(swarm_links_observe(l, 0));
    assert_false(swarm_links_observe(l, 0));
    assert_true(l->observed_count == 2 && l->observed[0] == 1 && l->observed[1] == 0);
}

static void test_a_flow_that_is_not_open_is_not_read(void **state)
{
    (void)state;
    (void)prepare("[{name: v, count: 2}]");
    assert_null(open_flow(1, 3));
    swarm_links_read_flow(&s_swarm, 2);
    swarm_links_read_flow(&s_swarm, 3);
    assert_string_equal(s_calls, "+1:0 ?1 ");
}

/* ---- writing */

/* The vehicle's own time counts: it may be ahead of the swarm's, or in another process. */
static void test_bytes_of_an_absent_vehicle_are_dropped(void **state)
{
    struct swarm_links *l = prepare("[{name: v, count: 2}]");
    (void)state;
    assert_null(open_flow(1, 0));
    s_lost_us = 2000;
    s_vehicle_us = 1999;
    s_swarm.now_us = 3000;
    assert_int_equal(write_link(1, 0, 0, "ab"), 2);
    device_has(0, "ab");
    s_vehicle_us = 2000;
    s_swarm.now_us = 1000;
    assert_int_equal(write_link(1, 0, 0, "c"), 1); /* as if it were written */
    device_has(0, "ab");
    l->clock[1].now_us = NULL; /* the swarm's time counts */
    assert_int_equal(write_link(1, 0, 0, "d"), 1);
    device_has(0, "abd");
    s_swarm.now_us = 2000;
    assert_int_equal(write_link(1, 0, 0, "e"), 1);
    device_has(0, "abd");
}

static void test_what_a_device_refuses(void **state)
{
    (void)state;
    (void)prepare("[{name: v}]");
    assert_null(open_flow(0, 0));
    s_device[0].refuses = 0;
    assert_int_equal(write_link(0, 0, 0, "ab"), 0);
    s_device[0].refuses = MF_E_IO;
    assert_int_equal(write_link(0, 0, 0, "ab"), MF_E_IO);
}

/* The client of a window gets frames with another system id and a right checksum, and nothing
 * else. */
static void test_frames_of_another_system_id(void **state)
{
    const struct mf_msg_heartbeat m = {.type = 2, .mavlink_version = 3};
    const struct mf_sender from = {2, 0, 1, 1};
    uint8_t bytes[MF_FRAME_MAX];
    struct mf_frame frame;
    (void)state;
    (void)prepare("[{name: v}]");
    const size_t n = mf_frame_encode(&from, mf_msg_find(MF_MSG_HEARTBEAT), &m, bytes);
    assert_null(open_flow(0, 0));
    swarm_links_find(&s_swarm, 0, 0)->alias = 77;
    swarm_links_send(&s_swarm, 0, bytes, n);
    assert_int_equal(s_device[0].size, n);
    assert_true(mf_frame_read((const uint8_t *)s_device[0].got, n, &frame));
    assert_int_equal(frame.sysid, 77);
    assert_memory_equal(frame.payload, bytes + 10, frame.len);
    assert_int_equal(write_link(0, 0, 0, "abc"), 3); /* not a frame */
    assert_int_equal(s_device[0].size, n);
}

/* ---- the trace */

/* printf abc | sha256sum: ba7816bf8f01cfea..., of ab fb8e20fc2e4c3f24..., of c 2e7d2c03a9507ae2...
 */
static void test_the_trace_has_a_line_per_link_and_time(void **state)
{
    static struct captured s_out;
    char path[] = "/tmp/test_links_XXXXXX", text[1000];
    (void)state;
    (void)prepare("[{name: v, count: 2}]");
    const int fd = mkstemp(path);
    assert_true(fd >= 0 && close(fd) == 0);
    s_command.trace = path;
    assert_int_equal(swarm_trace_system.on[SWARM_CONNECT](&s_swarm), SWARM_OK);
    assert_null(open_flow(0, 0));
    assert_null(open_flow(0, 1));
    assert_null(open_flow(1, 2));
    s_swarm.now_us = 5;
    swarm_links_trace_input(swarm_links_find(&s_swarm, 0, 0), (const uint8_t *)"c", 1);
    (void)write_link(0, 0, 5, "ab");
    (void)write_link(1, 0, 5, "ab");
    (void)write_link(0, 1, 5, "abc");
    (void)write_link(0, 0, 5, "c");
    (void)write_link(0, 0, 6, "ab");
    s_swarm.now_us = 6;
    swarm_links_trace_input(swarm_links_find(&s_swarm, 0, 0), (const uint8_t *)"", 0);
    s_lost_us = 0;
    (void)write_link(1, 0, 5, "c"); /* dropped */
    s_device[0].refuses = 0;
    (void)write_link(0, 0, 7, "c"); /* refused */
    capture(&s_out, stdout);
    assert_true(swarm_trace_system.complete(&s_swarm));
    (void)captured(&s_out);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1u, file)] = '\0';
    (void)fclose(file);
    (void)remove(path);
    assert_string_equal(text, "5000 v.1 gets at link 0: 1:2e7d2c03a9507ae2\n"
                              "5000 v.1 sends at link 0: 3:ba7816bf8f01cfea\n"
                              "5000 v.1 sends at link 1: 3:ba7816bf8f01cfea\n"
                              "5000 v.2 sends at link 0: 2:fb8e20fc2e4c3f24\n"
                              "6000 v.1 sends at link 0: 2:fb8e20fc2e4c3f24\n");
}

/* ---- a window */

/* Vehicles 0, 250 and 500 have system id 1, vehicle 3 has 4, 249 and 499 have 250. The first of an
 * id in the window keeps it, others get the lowest that is free: 2, 3, and 5 after 4. The
 * alias of a vehicle that keeps its own id is 0. */
static void test_system_ids_of_a_window(void **state)
{
    static struct swarm_shared_client s_client;
    static const uint32_t k_first[] = {3, 250, 0, 500, 249, 499}, k_second[] = {500};
    struct swarm_links *l = prepare("[{name: v, count: 501}]");
    (void)state;
    s_peer[0] = (struct swarm_peer){.open = true, .reach = SWARM_REACH_WINDOW, .shared = &s_client};
    l->net.peer_top = 1;
    swarm_window_set(l, k_first, 6);
    assert_string_equal(s_calls, "+3:0 +250:0 +0:2 +500:3 +249:0 +499:5 ");
    assert_int_equal(s_client.count, 6);
    s_calls[0] = '\0';
    swarm_window_set(l, k_second, 1);
    assert_string_equal(s_calls, "-3 -250 -0 -500 -249 -499 +500:0 ");
    assert_true(s_client.count == 1 && l->open == 1);
    assert_true(s_client.entry[0].alias == 1 && s_client.entry[0].link == 0);
    s_calls[0] = '\0';
    s_peer[0].reach = SWARM_REACH_GROUP; /* a group does not follow the window */
    swarm_window_set(l, k_first, 6);
    assert_string_equal(s_calls, "");
}

/* ---- time */

static void test_the_nearest_barrier_limits_time(void **state)
{
    struct mf_wake wake = {.transport_us = MF_NEVER, .limit_us = 900};
    struct swarm_links *l = prepare("[{name: v, count: 3}]");
    (void)state;
    s_swarm.now_us = 500;
    swarm_links_on_wake(&s_swarm, 2, &(struct mf_wake){MF_NEVER, MF_NEVER, MF_NEVER, 550});
    assert_true(swarm_links_limit_us(&s_swarm) == MF_NEVER); /* no client has asked */
    (void)swarm_links_observe(l, 0);
    (void)swarm_links_observe(l, 1);
    swarm_links_on_wake(&s_swarm, 0, &wake);
    assert_true(swarm_links_limit_us(&s_swarm) == 900);
    wake.limit_us = 600;
    swarm_links_on_wake(&s_swarm, 1, &wake);
    assert_true(swarm_links_limit_us(&s_swarm) == 600);
    s_swarm.now_us = 700; /* time does not go back */
    assert_true(swarm_links_limit_us(&s_swarm) == 700);
    wake.limit_us = MF_NEVER;
    swarm_links_on_wake(&s_swarm, 1, &wake);
    assert_true(swarm_links_limit_us(&s_swarm) == 900);
}

/* Time of a clock that can wait does so while more than 16384 bytes wait for a client. */
static void test_a_backlog_holds_time(void **state)
{
    struct swarm_links *l = prepare("[{name: v}]");
    (void)state;
    s_net_peer = (struct mf_net_peer){.net = &l->net, .fd = 0, .queue = {.tail = 16384}};
    l->net.active = &s_net_peer;
    s_swarm.now_us = 500;
    assert_true(swarm_links_limit_us(&s_swarm) == MF_NEVER);
    s_net_peer.queue.tail = 16385;
    assert_true(swarm_links_limit_us(&s_swarm) == 500);
    s_scenario.time.clock = MF_SCENARIO_CLOCK_REAL; /* the wall does not wait */
    assert_true(swarm_links_limit_us(&s_swarm) == MF_NEVER);
    s_swarm.hold.rate = 2.0;
    assert_true(swarm_links_limit_us(&s_swarm) == 500);
}

/* Transport time 300 us ahead of vehicle time: a time-out at 1000 is due at 700 of the vehicle, or
 * at a barrier before, unless the vehicle stands there. */
static void test_transport_time_that_passes_with_the_vehicle(void **state)
{
    struct mf_wake wake = {.transport_us = 1000, .limit_us = 500};
    struct swarm_links *l = prepare("[{name: v}]");
    (void)state;
    l->clock[0].offset_us = 300;
    s_vehicle_us = 400;
    swarm_links_on_wake(&s_swarm, 0, &wake);
    assert_true(wake.transport_us == 700); /* before the first client barriers do not count */
    (void)swarm_links_observe(l, 0);
    wake.transport_us = 1000;
    swarm_links_on_wake(&s_swarm, 0, &wake);
    assert_true(wake.transport_us == 500);
    assert_true(l->clock[0].due_us == MF_NEVER && l->clock[0].limit_us == 500);
    s_vehicle_us = 500;
    wake.transport_us = 1000;
    swarm_links_on_wake(&s_swarm, 0, &wake);
    assert_true(wake.transport_us == 700);
    wake.transport_us = MF_NEVER;
    swarm_links_on_wake(&s_swarm, 0, &wake);
    assert_true(wake.transport_us == MF_NEVER);
}

/* Transport time of the wall: links keep the time-out, and the vehicle wakes at a barrier alone. */
static void test_transport_time_that_passes_with_the_wall(void **state)
{
    struct mf_wake wake = {.transport_us = 1000, .limit_us = 500};
    struct swarm_links *l = prepare("[{name: v}]");
    (void)state;
    (void)swarm_links_observe(l, 0);
    l->clock[0].wall_us = &l->wall_us;
    l->clock[0].offset_us = 300;
    swarm_links_on_wake(&s_swarm, 0, &wake);
    assert_true(wake.transport_us == 500 && l->clock[0].due_us == 1000);
    s_vehicle_us = 500;
    wake.transport_us = 1100;
    swarm_links_on_wake(&s_swarm, 0, &wake);
    assert_true(wake.transport_us == MF_NEVER && l->clock[0].due_us == 1100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_a_frame_goes_to_all_links_of_its_vehicle, end),
        cmocka_unit_test_teardown(test_numbers_of_links, end),
        cmocka_unit_test_teardown(test_who_has_a_client, end),
        cmocka_unit_test_teardown(test_a_flow_that_is_not_open_is_not_read, end),
        cmocka_unit_test_teardown(test_bytes_of_an_absent_vehicle_are_dropped, end),
        cmocka_unit_test_teardown(test_what_a_device_refuses, end),
        cmocka_unit_test_teardown(test_frames_of_another_system_id, end),
        cmocka_unit_test_teardown(test_the_trace_has_a_line_per_link_and_time, end),
        cmocka_unit_test_teardown(test_system_ids_of_a_window, end),
        cmocka_unit_test_teardown(test_the_nearest_barrier_limits_time, end),
        cmocka_unit_test_teardown(test_a_backlog_holds_time, end),
        cmocka_unit_test_teardown(test_transport_time_that_passes_with_the_vehicle, end),
        cmocka_unit_test_teardown(test_transport_time_that_passes_with_the_wall, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
