/* SPDX-License-Identifier: Apache-2.0 */
/* hal-sim/crowd.h: vehicles of a crowd, compared with a drone that another loop steps each 20 ms.
 */
#include "hal-sim/crowd.h"

#include "drone/drone.h"
#include "drone/wiring.h"
#include "firmware/state/barrier.h"
#include "firmware/state/mode.h"
#include "hal-sim/image.h"
#include "mavlink/enums.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT   40u
#define LAT_DEG 47.0
#define LON_DEG 8.0
/* WGS84 at 47.0005 degrees: a degree of latitude is 111,170 m, so 0.001 degrees are 111.17 m */
#define LEG_E7 10000

struct event {
    uint32_t i;
    struct mf_crowd_state now;
};

static struct {
    struct mf_item item[3];
    struct mf_shared_plan plan;
    struct mf_memory memory;
    struct mf_crowd *crowd;
    enum mf_world_motion motion;
    struct mf_wiring *wiring; /* of vehicle 3 */
    uint32_t break_at;        /* the guard lets this vehicle fail; COUNT: none */
    mf_us_t break_us;
    struct event event[MF_CROWD_SHARDS][400];
    size_t events[MF_CROWD_SHARDS];
    struct mf_wake wake[COUNT]; /* as it was last */
    size_t heard;               /* bytes of the client of one */
} s;

static struct mf_item item(uint16_t command, int32_t north_e7)
{
    return (struct mf_item){.param = {0, 0, 0, mf_f32_bits(NAN)},
                            .x = (int32_t)(LAT_DEG * 1e7) + north_e7,
                            .y = (int32_t)(LON_DEG * 1e7),
                            .z = mf_f32_bits(15.0f),
                            .command = command,
                            .frame = MAV_FRAME_GLOBAL_RELATIVE_ALT_INT,
                            .autocontinue = 1};
}

static int describe(void *ctx, uint32_t i, struct mf_drone_setup *setup,
                    struct mf_world_settings *world, struct mf_store_shared *store)
{
    assert_ptr_equal(ctx, &s);
    world->home_lat_deg = LAT_DEG + 0.0001 * i;
    world->home_lon_deg = LON_DEG;
    world->instance = i + 1u;
    world->motion = s.motion;
    setup->vehicle.sysid = (uint8_t)(i + 1u);
    setup->vehicle.compid = 1;
    setup->vehicle.uid = i + 1u;
    setup->wiring = i == 3 ? s.wiring : NULL;
    const struct mf_plan_shift shift =
        mf_plan_shift(&s.plan, world->home_lat_deg, world->home_lon_deg, 0.0);
    mf_store_shared_init(store, &s.plan, &shift, NULL, 0);
    return MF_E_OK;
}

static void changed(void *ctx, uint32_t shard, uint32_t i, const struct mf_crowd_state *before,
                    const struct mf_crowd_state *now)
{
    assert_ptr_equal(ctx, &s);
    assert_true(before->at_us == now->at_us);
    assert_true(s.events[shard] < 400);
    s.event[shard][s.events[shard]++] = (struct event){i, *now};
}

static bool guard(void *ctx, uint32_t shard, uint32_t i, const mf_us_t *now_us,
                  void (*run)(void *part), void *part)
{
    (void)ctx, (void)shard;
    run(part);
    return i != s.break_at || *now_us < s.break_us;
}

static void woken(void *ctx, uint32_t i, struct mf_wake *wake)
{
    assert_ptr_equal(ctx, &s);
    s.wake[i] = *wake;
    /* who waits for an instant hears of it then */
    if (wake->limit_us > mf_crowd_state(s.crowd, i).at_us) {
        wake->periodic_us = mf_earlier(wake->periodic_us, wake->limit_us);
    }
}

static const struct mf_crowd_ops k_ops = {
    .describe = describe, .changed = changed, .woken = woken, .guard = guard};

static void boot(struct mf_workers *workers)
{
    const size_t parts = s.motion == MF_WORLD_MOTION_PHYSICS ? 6000 : 0;
    const size_t bytes = mf_crowd_bytes(COUNT, parts);
    uint32_t failed;
    memset(s.events, 0, sizeof s.events);
    free(s.memory.bytes);
    s.memory = (struct mf_memory){.bytes = calloc(1, bytes), .size = bytes};
    const struct mf_crowd_setup setup = {
        .count = COUNT, .memory = &s.memory, .parts_each = parts, .ops = &k_ops, .ctx = &s};
    s.crowd = mf_crowd_init(&setup);
    assert_non_null(s.crowd);
    assert_int_equal(mf_crowd_boot(s.crowd, workers, &failed), MF_E_OK);
}

static int begin(void **state)
{
    (void)state;
    memset(&s, 0, sizeof s);
    s.item[0] = item(MAV_CMD_NAV_TAKEOFF, 0);
    s.item[1] = item(MAV_CMD_NAV_WAYPOINT, LEG_E7);
    s.item[2] = item(MAV_CMD_NAV_LAND, LEG_E7);
    s.plan =
        (struct mf_shared_plan){.mission = {s.item, 3, 1}, .lat_deg = LAT_DEG, .lon_deg = LON_DEG};
    s.break_at = COUNT;
    return 0;
}

static int end(void **state)
{
    (void)state;
    free(s.memory.bytes);
    return 0;
}

static void start(void *ctx, uint32_t shard, uint32_t i, struct mf_drone *drone,
                  struct mf_inside *inside)
{
    (void)ctx, (void)shard, (void)i;
    struct mf_msg_command_int m = {.command = MAV_CMD_MISSION_START};
    struct mf_msg_command_ack ack = {.result = 99};
    assert_int_equal(mf_inside_command(inside, drone, &m, &ack), MF_E_OK);
    assert_int_equal(ack.result, MAV_RESULT_ACCEPTED);
}

static void fly(struct mf_workers *workers)
{
    boot(workers);
    mf_crowd_run(s.crowd, workers, 5 * MF_SECOND_US);
    assert_int_equal(mf_crowd_armed(s.crowd), 0);
    assert_int_equal(mf_crowd_up(s.crowd), 0);
    mf_crowd_visit(s.crowd, workers, 5 * MF_SECOND_US, 0, COUNT, start, NULL);
    mf_crowd_run(s.crowd, workers, 9 * MF_SECOND_US);
    assert_int_equal(mf_crowd_armed(s.crowd), COUNT);
    assert_int_equal(mf_crowd_up(s.crowd), COUNT);
    for (mf_us_t t_us = 13 * MF_SECOND_US; t_us <= 120 * MF_SECOND_US; t_us += 7 * MF_SECOND_US) {
        mf_crowd_run(s.crowd, workers, t_us);
    }
}

/* Time at which vehicle i first reached an item, or disarmed (3). */
static double when(uint32_t i, int32_t reached)
{
    for (uint32_t shard = 0; shard < MF_CROWD_SHARDS; shard++) {
        for (size_t k = 0; k < s.events[shard]; k++) {
            const struct event *e = &s.event[shard][k];
            const bool is =
                reached < 3 ? e->now.reached == reached : e->now.finished && !e->now.armed;
            if (e->i == i && is) {
                return (double)e->now.at_us / 1e6;
            }
        }
    }
    return -1.0;
}

static void assert_about(double value, double expected, double by)
{
    if (!(fabs(value - expected) <= by)) {
        fail_msg("%.9g is not %.9g", value, expected);
    }
}

/* Each vehicle flies from its own home. By hand: 15 m up at 3 m/s from 5 s on, 111.17 m at 10 m/s,
 * then down. */
static void test_missions_are_flown_on_time_each_at_its_place(void **state)
{
    (void)state;
    fly(NULL);
    for (uint32_t i = 0; i < COUNT; i++) {
        const double up = when(i, 0);
        assert_about(up, 10.0, 0.001);
        assert_about(when(i, 1) - up, 11.117, 0.001);
        const struct mf_crowd_state now = mf_crowd_state(s.crowd, i);
        assert_true(now.finished && !now.armed && !now.frozen && now.reached == 2);
        const struct mf_pose pose = mf_crowd_pose(s.crowd, i, now.at_us);
        assert_true(pose.on_ground);
        assert_about(pose.lat_deg, LAT_DEG + 0.0001 * i + 0.001, 2e-7);
        assert_about(pose.lon_deg, LON_DEG, 2e-7);
    }
    assert_true(mf_crowd_next(s.crowd) == MF_NEVER);
}

/* History and place of a vehicle are those of its last pass. */
static void assert_trail_at(uint32_t i)
{
    const struct mf_crowd_trail trail = mf_crowd_trail(s.crowd, i);
    const struct mf_pose pose = mf_crowd_pose(s.crowd, i, mf_crowd_state(s.crowd, i).at_us);
    const double place[3] = {pose.lat_deg, pose.lon_deg, pose.alt_amsl_m};
    assert_memory_equal(trail.place, place, sizeof place);
    assert_false(trail.frozen);
    assert_true(trail.done != 0);
}

/* The take-off is item 0, and ends at 10 s: 15 m at 3 m/s. */
static void test_states_say_how_far_a_mission_is(void **state)
{
    (void)state;
    boot(NULL);
    const struct mf_crowd_state first = mf_crowd_state(s.crowd, 3);
    assert_true(mf_crowd_next(s.crowd) == 0);
    assert_int_equal(first.landed, MF_LANDED_ON_GROUND);
    assert_true(!first.armed && first.reached == -1);
    mf_crowd_run(s.crowd, NULL, 5 * MF_SECOND_US);
    assert_true(s.events[0] == 0); /* nothing has changed since the boot */
    mf_crowd_visit(s.crowd, NULL, 5 * MF_SECOND_US, 3, 4, start, NULL);
    mf_crowd_run(s.crowd, NULL, 12 * MF_SECOND_US);
    const struct mf_crowd_state now = mf_crowd_state(s.crowd, 3);
    assert_int_equal(now.mode, MF_MODE_MISSION);
    assert_int_equal(now.landed, MF_LANDED_IN_AIR);
    assert_true(now.armed && now.reached == 0);
    assert_false(now.finished || now.falling || now.breach || now.failsafe || now.frozen);
    assert_trail_at(3);
    s.plan.mission.count = 1; /* the take-off alone */
    boot(NULL);
    mf_crowd_visit(s.crowd, NULL, 0, 3, 4, start, NULL);
    mf_crowd_run(s.crowd, NULL, 12 * MF_SECOND_US);
    assert_true(mf_crowd_state(s.crowd, 3).finished);
    assert_int_equal(mf_crowd_state(s.crowd, 3).reached, 0);
}

static void kill_motors(void *ctx, uint32_t shard, uint32_t i, struct mf_drone *drone,
                        struct mf_inside *inside)
{
    (void)ctx, (void)shard, (void)i;
    struct mf_msg_command_int m = {.command = MAV_CMD_COMPONENT_ARM_DISARM, .param2 = 21196.0f};
    struct mf_msg_command_ack ack = {.result = 99};
    assert_int_equal(mf_inside_command(inside, drone, &m, &ack), MF_E_OK);
    assert_int_equal(ack.result, MAV_RESULT_ACCEPTED);
}

/* A fall from 15 m takes sqrt(2 * 15 / 9.81) = 1.75 s. */
static void test_a_vehicle_without_motors_falls(void **state)
{
    (void)state;
    boot(NULL);
    mf_crowd_visit(s.crowd, NULL, 0, 3, 4, start, NULL);
    mf_crowd_run(s.crowd, NULL, 7 * MF_SECOND_US);
    assert_false(mf_crowd_state(s.crowd, 3).falling);
    mf_crowd_visit(s.crowd, NULL, 7 * MF_SECOND_US, 3, 4, kill_motors, NULL);
    assert_true(mf_crowd_state(s.crowd, 3).falling);
    assert_false(mf_crowd_state(s.crowd, 3).armed);
    mf_crowd_run(s.crowd, NULL, 8 * MF_SECOND_US);
    assert_true(mf_crowd_state(s.crowd, 3).falling);
    mf_crowd_run(s.crowd, NULL, 20 * MF_SECOND_US);
    assert_false(mf_crowd_state(s.crowd, 3).falling); /* on the ground */
    assert_false(mf_crowd_state(s.crowd, 4).falling); /* it never flew */
}

static void set_ceiling(void *ctx, uint32_t shard, uint32_t i, struct mf_drone *drone,
                        struct mf_inside *inside)
{
    (void)ctx, (void)shard, (void)i;
    struct mf_msg_param_set m = {.param_id = "GF_MAX_VER_DIST",
                                 .param_type = MAV_PARAM_TYPE_REAL32,
                                 .param_value = mf_f32_bits(12.0f)};
    struct mf_msg_param_value now;
    uint8_t error = 99;
    assert_int_equal(mf_inside_set_param(inside, drone, &m, &error, &now), MF_E_OK);
    assert_int_equal(error, MAV_PARAM_ERROR_NO_ERROR);
}

/* The vehicle is at 15 m after 5 s at 3 m/s; then the fence ends at 12 m. */
static void test_a_breach_of_the_fence_is_in_the_state(void **state)
{
    (void)state;
    boot(NULL);
    mf_crowd_visit(s.crowd, NULL, 0, 3, 5, start, NULL);
    mf_crowd_run(s.crowd, NULL, 6 * MF_SECOND_US);
    assert_false(mf_crowd_state(s.crowd, 3).breach);
    mf_crowd_visit(s.crowd, NULL, 6 * MF_SECOND_US, 3, 4, set_ceiling, NULL);
    mf_crowd_run(s.crowd, NULL, 7 * MF_SECOND_US);
    assert_true(mf_crowd_state(s.crowd, 3).breach);
    assert_true(mf_crowd_state(s.crowd, 3).armed && mf_crowd_state(s.crowd, 3).failsafe);
    assert_false(mf_crowd_state(s.crowd, 4).breach || mf_crowd_state(s.crowd, 4).failsafe);
    mf_crowd_visit(s.crowd, NULL, 7 * MF_SECOND_US, 3, 4, kill_motors, NULL);
    const struct mf_crowd_state now = mf_crowd_state(s.crowd, 3);
    assert_true(now.breach && !now.armed);
}

/* Wiring of one connection, which recorders would have. */
static void test_a_visit_takes_the_first_connection(void **state)
{
    static struct mf_wiring wiring;
    static struct mf_connection connection;
    (void)state;
    mf_wiring_init(
        &wiring, &(struct mf_wiring_setup){.connections = &connection, .count = 1, .start_us = 0});
    s.wiring = &wiring;
    boot(NULL);
    mf_crowd_visit(s.crowd, NULL, 0, 3, 4, start, NULL);
    assert_false(connection.open);
    assert_int_equal(connection.port, UINT16_MAX); /* the peer's */
    assert_true(mf_crowd_state(s.crowd, 3).armed);
}

static struct mf_now s_now;

static struct mf_now read_clock(void *ctx)
{
    (void)ctx;
    return s_now;
}

/* SIM-042: a member flies like a drone whose loop steps it every 20 ms, needed or not. */
static void test_a_member_does_what_a_drone_alone_does(void **state)
{
    static const struct mf_clock_ops k_clock = {read_clock};
    static struct mf_drone drone;
    static struct mf_link link;
    struct mf_store_shared store;
    struct mf_inside inside;
    struct mf_world_settings world = mf_world_settings_default();
    struct mf_drone_setup setup = {
        .world = &world, .vehicle = {.hal = mf_hal_null(), .links = &link, .link_count = 1}};
    (void)state;
    fly(NULL);
    assert_int_equal(describe(&s, 7, &setup, &world, &store), MF_E_OK);
    setup.vehicle.hal.clock = &k_clock;
    setup.vehicle.hal.store = &mf_store_shared_ops;
    setup.vehicle.hal.store_ctx = &store;
    s_now = (struct mf_now){0};
    assert_int_equal(mf_drone_init(&drone, &setup), MF_E_OK);
    mf_inside_init(&inside, 0);
    double landed = -1.0;
    for (mf_us_t t_us = 0; t_us <= 120 * MF_SECOND_US; t_us += 20000) {
        s_now = (struct mf_now){t_us, t_us};
        (void)mf_drone_step(&drone);
        if (t_us == 5 * MF_SECOND_US) {
            start(NULL, 0, 7, &drone, &inside);
            mf_inside_close(&inside, &drone);
        }
        if (landed < 0.0 && drone.vehicle.mission.reached == 2) {
            landed = (double)t_us / 1e6;
        }
    }
    const struct mf_pose alone = mf_world_pose(&drone.world, 120 * MF_SECOND_US);
    const struct mf_pose member = mf_crowd_pose(s.crowd, 7, 120 * MF_SECOND_US);
    assert_memory_equal(&alone.lat_deg, &member.lat_deg, sizeof alone.lat_deg);
    assert_memory_equal(&alone.lon_deg, &member.lon_deg, sizeof alone.lon_deg);
    assert_memory_equal(&alone.alt_amsl_m, &member.alt_amsl_m, sizeof alone.alt_amsl_m);
    assert_about(landed, when(7, 2), 0.02); /* seen up to one step later */
}

/* SBE-01: neither the number of threads nor where a run pauses changes anything. */
static void test_threads_and_pauses_change_nothing(void **state)
{
    static const uint32_t k_threads[] = {1, 2, 4};
    (void)state;
    for (int motion = 0; motion < 2; motion++) {
        s.motion = motion == 0 ? MF_WORLD_MOTION_CONSTANT : MF_WORLD_MOTION_PHYSICS;
        fly(NULL);
        const uint64_t digest = mf_crowd_digest(s.crowd);
        for (size_t i = 0; i < 3; i++) {
            struct mf_workers workers;
            assert_int_equal(mf_workers_start(&workers, k_threads[i]), MF_E_OK);
            fly(&workers);
            mf_workers_stop(&workers);
            assert_true(mf_crowd_digest(s.crowd) == digest);
        }
        boot(NULL);
        mf_crowd_run(s.crowd, NULL, 5 * MF_SECOND_US);
        mf_crowd_visit(s.crowd, NULL, 5 * MF_SECOND_US, 0, COUNT, start, NULL);
        mf_crowd_run(s.crowd, NULL, 118 * MF_SECOND_US);
        assert_true(mf_crowd_digest(s.crowd) == digest);
    }
}

struct buffer {
    uint8_t *bytes;
    size_t at;
};

static bool take(void *ctx, const void *bytes, size_t n)
{
    struct buffer *b = ctx;
    memcpy(b->bytes + b->at, bytes, n);
    b->at += n;
    return true;
}

static bool give(void *ctx, void *bytes, size_t n)
{
    struct buffer *b = ctx;
    memcpy(bytes, b->bytes + b->at, n);
    b->at += n;
    return true;
}

/* SBE-01: back to a checkpoint in memory, as often as one likes, by any number of threads. */
static void test_a_checkpoint_in_memory_brings_a_crowd_back(void **state)
{
    const struct mf_image_key key = {1, 2};
    struct mf_image_head head;
    (void)state;
    for (int motion = 0; motion < 2; motion++) {
        s.motion = motion == 0 ? MF_WORLD_MOTION_CONSTANT : MF_WORLD_MOTION_PHYSICS;
        boot(NULL);
        mf_crowd_run(s.crowd, NULL, 5 * MF_SECOND_US);
        mf_crowd_visit(s.crowd, NULL, 5 * MF_SECOND_US, 0, COUNT, start, NULL);
        mf_crowd_run(s.crowd, NULL, 17 * MF_SECOND_US);
        struct mf_image_part part = {s.memory.bytes, s.memory.size};
        struct buffer kept = {.bytes = malloc(s.memory.size)};
        assert_true(mf_image_write(&head, &key, &part, 1, take, &kept));
        mf_crowd_run(s.crowd, NULL, 120 * MF_SECOND_US);
        const uint64_t digest = mf_crowd_digest(s.crowd);
        for (uint32_t threads = 1; threads <= 2; threads++) {
            struct mf_workers workers;
            memset(s.memory.bytes, 0xEE, s.memory.size);
            kept.at = 0;
            assert_int_equal(mf_image_read(&head, &part, 1, give, &kept), MF_IMAGE_OK);
            assert_true(mf_crowd_digest(s.crowd) != digest);
            assert_int_equal(mf_workers_start(&workers, threads), MF_E_OK);
            mf_crowd_run(s.crowd, &workers, 120 * MF_SECOND_US);
            mf_workers_stop(&workers);
            assert_true(mf_crowd_digest(s.crowd) == digest);
        }
        free(kept.bytes);
    }
}

static void has_no_link(void *ctx, uint32_t shard, uint32_t i, struct mf_drone *drone,
                        struct mf_inside *inside)
{
    (void)ctx, (void)shard, (void)inside;
    assert_int_equal(i, 3);
    assert_int_equal(mf_vehicle_status(mf_drone_vehicle(drone)).links_open, 0);
}

/* A vehicle in flight without clients runs at its own instants only, some ten in a minute. */
static void test_an_unobserved_vehicle_runs_at_essential_instants_only(void **state)
{
    (void)state;
    fly(NULL);
    assert_true(mf_crowd_steps(s.crowd) < 25u * COUNT);
    mf_crowd_visit(s.crowd, NULL, 120 * MF_SECOND_US, 3, 4, has_no_link, NULL);
}

/* A vehicle that breaks stands still where it is; the others do what they do without it. */
/* ---- a client comes and goes */

static int hear(void *ctx, const uint8_t *bytes, size_t n)
{
    (void)bytes;
    *(size_t *)ctx += n;
    return (int)n;
}

// NOLINTNEXTLINE(readability-non-const-parameter): the contract's type
static int say_nothing(void *ctx, uint8_t *bytes, size_t cap)
{
    (void)ctx, (void)bytes, (void)cap;
    return 0;
}

static size_t room(void *ctx)
{
    (void)ctx;
    return 65536;
}

static const struct mf_serial_ops k_client = {hear, say_nothing, room};

#define CLIENT_OF 3u

static void let_in(void *ctx, uint32_t i, struct mf_drone *drone)
{
    static struct mf_link s_links[2];
    static struct mf_barrier s_barriers[2];
    static int32_t s_interval_us[MF_STREAM_COUNT];
    (void)ctx;
    assert_int_equal(i, CLIENT_OF);
    assert_ptr_equal(drone, mf_crowd_drone(s.crowd, i));
    mf_stream_profile(MF_PROFILE_sim, s_interval_us);
    assert_true(mf_crowd_lend(s.crowd, i, s_links, s_barriers, 2, NULL));
    assert_int_equal(
        mf_drone_open(drone, &(struct mf_drone_link){.serial = {.ops = &k_client, .ctx = &s.heard},
                                                     .name = "client",
                                                     .interval_us = s_interval_us}),
        0);
    assert_false(mf_crowd_lend(s.crowd, i, NULL, NULL, 0, NULL)); /* it has its links */
}

static void send_barrier(void *ctx, uint32_t i, struct mf_drone *drone)
{
    const float *action = ctx;
    const struct mf_msg_command_long m = {.command = MAV_CMD_USER_1,
                                          .param1 = action[0],
                                          .param2 = action[1],
                                          .target_system = (uint8_t)(i + 1u),
                                          .target_component = 1};
    assert_int_equal(
        mf_drone_message(drone, 0, (struct mf_address){255, 190}, MF_MSG_COMMAND_LONG, &m),
        MF_E_OK);
}

static void let_out(void *ctx, uint32_t i, struct mf_drone *drone)
{
    (void)ctx, (void)i;
    mf_drone_close(drone, 0);
}

/* A client of a vehicle changes no time of an event, of that vehicle or of the others. */
static void test_a_vehicle_with_a_client_runs_at_all_instants_the_others_as_before(void **state)
{
    struct mf_crowd_state alone[COUNT];
    (void)state;
    fly(NULL);
    for (uint32_t i = 0; i < COUNT; i++) {
        alone[i] = mf_crowd_state(s.crowd, i);
    }
    const uint64_t steps = mf_crowd_steps(s.crowd);
    boot(NULL);
    s.heard = 0;
    mf_crowd_run(s.crowd, NULL, 3 * MF_SECOND_US);
    assert_true(mf_crowd_touch(s.crowd, CLIENT_OF, 3 * MF_SECOND_US, let_in, NULL));
    const size_t first = s.heard;
    assert_true(first > 20);
    assert_true(s.wake[CLIENT_OF].periodic_us <= 3100 * MF_MS_US); /* ATTITUDE, 10 Hz */
    assert_true(s.wake[CLIENT_OF + 1u].periodic_us == MF_NEVER);
    mf_crowd_run(s.crowd, NULL, 5 * MF_SECOND_US);
    assert_true(s.heard >
                first + 2 * 10 * 40); /* 2 s of ATTITUDE alone are 20 frames of 40 bytes */
    assert_true(mf_crowd_touch(s.crowd, CLIENT_OF, 5 * MF_SECOND_US, let_out, NULL));
    const size_t last = s.heard;
    mf_crowd_visit(s.crowd, NULL, 5 * MF_SECOND_US, 0, COUNT, start, NULL);
    mf_crowd_run(s.crowd, NULL, 200 * MF_SECOND_US);
    assert_int_equal(s.heard, last);
    for (uint32_t i = 0; i < COUNT; i++) {
        const struct mf_crowd_state now = mf_crowd_state(s.crowd, i);
        assert_true(now.finished == alone[i].finished && now.mode == alone[i].mode &&
                    now.landed == alone[i].landed && now.reached == alone[i].reached);
        assert_true(i == CLIENT_OF || now.at_us == alone[i].at_us);
    }
    assert_true(mf_crowd_steps(s.crowd) > steps + 2 * 10);
}

/* HOLD stops the vehicle now; RUN for 0.75 s then, and the client hears of the end. */
static void test_a_barrier_of_a_client_is_in_what_the_board_hears(void **state)
{
    float hold[2] = {1.0f, 0.0f}, run[2] = {2.0f, 0.75f};
    (void)state;
    boot(NULL);
    mf_crowd_run(s.crowd, NULL, MF_SECOND_US);
    assert_true(mf_crowd_touch(s.crowd, CLIENT_OF, MF_SECOND_US, let_in, NULL));
    assert_true(s.wake[CLIENT_OF].limit_us == MF_NEVER);
    assert_true(mf_crowd_touch(s.crowd, CLIENT_OF, MF_SECOND_US, send_barrier, hold));
    assert_int_equal(s.wake[CLIENT_OF].limit_us, MF_SECOND_US);
    assert_true(mf_crowd_touch(s.crowd, CLIENT_OF, MF_SECOND_US, send_barrier, run));
    assert_int_equal(s.wake[CLIENT_OF].limit_us, 1750 * MF_MS_US);
    assert_int_equal(s.wake[CLIENT_OF + 1u].limit_us, MF_NEVER);
    const size_t before = s.heard;
    mf_crowd_run(s.crowd, NULL, 1750 * MF_MS_US);
    assert_true(s.heard > before);
    assert_int_equal(mf_crowd_state(s.crowd, CLIENT_OF).at_us, 1750 * MF_MS_US);
    assert_true(mf_crowd_touch(s.crowd, CLIENT_OF, 1750 * MF_MS_US, let_out, NULL));
    assert_true(s.wake[CLIENT_OF].limit_us == MF_NEVER); /* a client that is gone holds nothing */
    mf_crowd_reclaim(s.crowd, CLIENT_OF);
    mf_crowd_run(s.crowd, NULL, 2 * MF_SECOND_US);
    assert_true(mf_crowd_touch(s.crowd, CLIENT_OF, 2 * MF_SECOND_US, let_in, NULL)); /* again */
}

static void test_a_broken_vehicle_is_frozen_alone(void **state)
{
    (void)state;
    fly(NULL);
    const struct mf_pose other = mf_crowd_pose(s.crowd, 12, 120 * MF_SECOND_US);
    s.break_at = 11;
    s.break_us = 15 * MF_SECOND_US;
    fly(NULL);
    assert_int_equal(mf_crowd_frozen(s.crowd), 1);
    assert_true(mf_crowd_state(s.crowd, 11).frozen && mf_crowd_state(s.crowd, 11).armed);
    assert_false(mf_crowd_state(s.crowd, 12).frozen);
    const struct mf_crowd_trail trail = mf_crowd_trail(s.crowd, 11); /* its place is left out */
    assert_true(trail.frozen && trail.place[0] == 0 && trail.place[1] == 0 && trail.place[2] == 0);
    assert_trail_at(12);
    assert_int_equal(mf_crowd_armed(s.crowd), 1); /* the frozen one */
    const struct mf_pose now = mf_crowd_pose(s.crowd, 12, 120 * MF_SECOND_US);
    assert_memory_equal(&now.lat_deg, &other.lat_deg, sizeof now.lat_deg);
    mf_crowd_visit(s.crowd, NULL, 120 * MF_SECOND_US, 11, 12, start, NULL); /* nothing happens */
}

/* A body with physics finds no room: the first vehicle is named. */
static void test_without_memory_nothing_boots(void **state)
{
    uint32_t failed = 99;
    (void)state;
    s.motion = MF_WORLD_MOTION_PHYSICS;
    const size_t bytes = mf_crowd_bytes(COUNT, 0);
    s.memory = (struct mf_memory){.bytes = calloc(1, bytes), .size = bytes};
    struct mf_crowd_setup setup = {.count = COUNT, .memory = &s.memory, .ops = &k_ops, .ctx = &s};
    s.crowd = mf_crowd_init(&setup);
    assert_int_equal(mf_crowd_boot(s.crowd, NULL, &failed), MF_E_FULL);
    assert_int_equal(failed, 0);
    s.memory.used = bytes - 1000;
    assert_null(mf_crowd_init(&setup));
}

/* ---- turns: vehicles act while they run ahead; every third number has no vehicle */

static mf_us_t s_turn_us[COUNT];
static uint32_t s_turns[COUNT];

static int describe_some(void *ctx, uint32_t i, struct mf_drone_setup *setup,
                         struct mf_world_settings *world, struct mf_store_shared *store)
{
    return i % 3u == 2u ? (int)MF_E_NOENT : describe(ctx, i, setup, world, store);
}

static int booted_turns(void *ctx, uint32_t i, struct mf_drone *drone)
{
    (void)ctx, (void)drone;
    mf_crowd_turn(s.crowd, i, MF_SECOND_US);
    return MF_E_OK;
}

/* Arm, take off, and fly 2 m/s to the north in Offboard from 4 s on: a step in each turn. */
static mf_us_t act(void *ctx, uint32_t i, mf_us_t at_us, struct mf_drone *drone,
                   struct mf_inside *inside)
{
    static const uint16_t k_command[] = {MAV_CMD_COMPONENT_ARM_DISARM, MAV_CMD_NAV_TAKEOFF};
    struct mf_msg_command_ack ack = {.result = 99};
    assert_ptr_equal(ctx, &s);
    assert_true(at_us > s_turn_us[i]);
    s_turn_us[i] = at_us;
    const uint32_t n = s_turns[i]++;
    struct mf_msg_command_int m = {.param1 = 1.0f, .z = 6.0f};
    m.frame = MAV_FRAME_GLOBAL_RELATIVE_ALT_INT;
    if (n < 2) {
        m.command = k_command[n];
        assert_int_equal(mf_inside_command(inside, drone, &m, &ack), MF_E_OK);
        assert_int_equal(ack.result, MAV_RESULT_ACCEPTED);
        return at_us + MF_SECOND_US;
    }
    const struct mf_msg_set_position_target_local_ned v = {
        .coordinate_frame = MAV_FRAME_LOCAL_NED, .type_mask = 0xDC7, .vx = 2.0f};
    assert_int_equal(mf_inside_tell(inside, drone, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &v),
                     MF_E_OK);
    if (n == 4) {
        m.command = MAV_CMD_DO_SET_MODE;
        m.param2 = 6.0f; /* PX4's Offboard */
        assert_int_equal(mf_inside_command(inside, drone, &m, &ack), MF_E_OK);
        assert_int_equal(ack.result, MAV_RESULT_ACCEPTED);
    }
    return n < 40 ? at_us + MF_SECOND_US / 2 : MF_NEVER;
}

static uint64_t fly_by_turns(struct mf_workers *workers, mf_us_t step_us)
{
    static const struct mf_crowd_ops k_acting = {
        .describe = describe_some, .booted = booted_turns, .act = act, .changed = changed};
    const size_t bytes = mf_crowd_bytes(COUNT, 0);
    uint32_t failed;
    memset(s_turns, 0, sizeof s_turns);
    memset(s_turn_us, 0, sizeof s_turn_us);
    memset(s.events, 0, sizeof s.events);
    free(s.memory.bytes);
    s.memory = (struct mf_memory){.bytes = calloc(1, bytes), .size = bytes};
    const struct mf_crowd_setup setup = {
        .count = COUNT, .memory = &s.memory, .ops = &k_acting, .ctx = &s};
    s.crowd = mf_crowd_init(&setup);
    assert_int_equal(mf_crowd_boot(s.crowd, workers, &failed), MF_E_OK);
    for (mf_us_t t_us = 0; t_us <= 15 * MF_SECOND_US; t_us += step_us) {
        mf_crowd_run(s.crowd, workers, t_us);
    }
    assert_false(mf_crowd_is_idle(s.crowd)); /* there are turns to come */
    return mf_crowd_digest(s.crowd);
}

/* SBE-01: turns come on time in whatever order vehicles run. By hand: Offboard at the fifth turn,
 * 4 s; from the next setpoint on 2 m/s, so 22 m until 15 s. */
static void test_vehicles_have_turns_of_their_own(void **state)
{
    static struct mf_workers workers;
    (void)state;
    const uint64_t digest = fly_by_turns(NULL, MF_SECOND_US);
    for (uint32_t i = 0; i < COUNT; i++) {
        if (i % 3u == 2u) {
            assert_int_equal(s_turns[i], 0);
            continue;
        }
        /* at 1 s, 2 s, 3 s, then each half second: 27 until 15 s */
        assert_int_equal(s_turns[i], 27);
        const struct mf_pose pose = mf_crowd_pose(s.crowd, i, 15 * MF_SECOND_US);
        assert_about((pose.lat_deg - LAT_DEG - 0.0001 * i) * 111170.0, 22.0, 0.3);
        assert_about(pose.alt_amsl_m - 488.0, 6.0, 1e-6);
    }
    assert_int_equal(mf_workers_start(&workers, 3), MF_E_OK);
    assert_true(fly_by_turns(&workers, MF_SECOND_US / 5) == digest);
    mf_workers_stop(&workers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_missions_are_flown_on_time_each_at_its_place, begin,
                                        end),
        cmocka_unit_test_setup_teardown(test_states_say_how_far_a_mission_is, begin, end),
        cmocka_unit_test_setup_teardown(test_a_vehicle_without_motors_falls, begin, end),
        cmocka_unit_test_setup_teardown(test_a_breach_of_the_fence_is_in_the_state, begin, end),
        cmocka_unit_test_setup_teardown(test_a_visit_takes_the_first_connection, begin, end),
        cmocka_unit_test_setup_teardown(test_a_member_does_what_a_drone_alone_does, begin, end),
        cmocka_unit_test_setup_teardown(test_threads_and_pauses_change_nothing, begin, end),
        cmocka_unit_test_setup_teardown(test_a_checkpoint_in_memory_brings_a_crowd_back, begin,
                                        end),
        cmocka_unit_test_setup_teardown(test_an_unobserved_vehicle_runs_at_essential_instants_only,
                                        begin, end),
        cmocka_unit_test_setup_teardown(
            test_a_vehicle_with_a_client_runs_at_all_instants_the_others_as_before, begin, end),
        cmocka_unit_test_setup_teardown(test_a_barrier_of_a_client_is_in_what_the_board_hears,
                                        begin, end),
        cmocka_unit_test_setup_teardown(test_a_broken_vehicle_is_frozen_alone, begin, end),
        cmocka_unit_test_setup_teardown(test_without_memory_nothing_boots, begin, end),
        cmocka_unit_test_setup_teardown(test_vehicles_have_turns_of_their_own, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
