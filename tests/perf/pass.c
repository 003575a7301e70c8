/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a hosted drone costs in processor time, without sockets: a plain one, on a virtual
 * clock. Prints lines 'name value unit'; ci/figures.py puts the limits beside them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "drone/drone.h"
#include "fleet/foreign.h"
#include "fleet/foreign_ac.h"
#include "world/egm96.h"
#include "world/multirotor.h"
#include "world/pack.h"

#define ROUNDS 5
#define PASSES 200000

static void must(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "pass: %s\n", what);
        exit(1);
    }
}

/* One drone, its clock, and the other end of its link. */
struct bench {
    struct mf_drone drone;
    struct mf_link link;
    struct mf_now now;
    uint8_t inbox[MF_FRAME_MAX];
    size_t inbox_len;
    uint64_t bytes; /* that the link took */
};

static struct mf_now read_clock(void *ctx)
{
    return *(const struct mf_now *)ctx;
}

static int discard(void *ctx, const uint8_t *bytes, size_t n)
{
    (void)bytes;
    ((struct bench *)ctx)->bytes += n;
    return (int)n;
}

static int take_inbox(void *ctx, uint8_t *bytes, size_t cap)
{
    struct bench *b = ctx;
    const size_t n = b->inbox_len < cap ? b->inbox_len : cap;
    memcpy(bytes, b->inbox, n);
    b->inbox_len = 0;
    return (int)n;
}

static size_t much_room(void *ctx)
{
    (void)ctx;
    return 65536;
}

static const struct mf_clock_ops k_clock = {read_clock};
static const struct mf_serial_ops k_serial = {discard, take_inbox, much_room};

static void begin(struct bench *b)
{
    const struct mf_world_settings world = mf_world_settings_default();
    struct mf_drone_setup setup = {
        .world = &world,
        .vehicle = {
            .hal = mf_hal_null(), .links = &b->link, .link_count = 1, .sysid = 1, .compid = 1}};
    setup.vehicle.hal.clock = &k_clock;
    setup.vehicle.hal.clock_ctx = &b->now;
    must(mf_drone_init(&b->drone, &setup) == MF_E_OK, "init failed");
}

static void start(struct bench *b)
{
    memset(b, 0, sizeof(*b));
    begin(b);
}

static int open_link(struct bench *b)
{
    static int32_t interval_us[MF_STREAM_COUNT];
    const struct mf_drone_link link = {
        .serial = {.ops = &k_serial, .ctx = b}, .name = "bench", .interval_us = interval_us};
    mf_stream_profile(MF_PROFILE_sim, interval_us);
    const int index = mf_drone_open(&b->drone, &link);
    must(index >= 0, "no link");
    return index;
}

static struct mf_wake step_by(struct bench *b, mf_us_t us)
{
    b->now.vehicle_us += us;
    b->now.transport_us += us;
    return mf_drone_step(&b->drone);
}

static void command(struct bench *b, uint16_t id, float param1, float param7)
{
    const struct mf_sender from = {.version = 2, .sysid = 255, .compid = 190};
    const struct mf_msg_command_long m = {.command = id,
                                          .param1 = param1,
                                          .param4 = NAN,
                                          .param5 = NAN,
                                          .param6 = NAN,
                                          .param7 = param7};
    b->inbox_len = mf_frame_encode(&from, mf_msg_find(MF_MSG_COMMAND_LONG), &m, b->inbox);
    step_by(b, 1000);
    must(b->inbox_len == 0, "the link was not read");
}

/* Processor time of this thread. */
static double cpu_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

/* The fastest of some rounds: what disturbs a round only ever adds. */
static double best(double value, double now)
{
    return value <= 0.0 || now < value ? now : value;
}

static void print(const char *name, double us)
{
    printf("%s %.4f us\n", name, us);
    fflush(stdout);
}

/* Passes at a fixed distance, whatever is due. */
static double passes_every(struct bench *b, mf_us_t us)
{
    double us_each = 0.0;
    for (int round = 0; round < ROUNDS; round++) {
        const double from = cpu_us();
        for (int i = 0; i < PASSES; i++) {
            step_by(b, us);
        }
        us_each = best(us_each, (cpu_us() - from) / PASSES);
    }
    return us_each;
}

static mf_us_t nearest(struct mf_wake w)
{
    const mf_us_t vehicle_us = w.essential_us < w.periodic_us ? w.essential_us : w.periodic_us;
    return vehicle_us < w.transport_us ? vehicle_us : w.transport_us;
}

/* Passes when the vehicle asked for them; a vehicle that asks for none is looked at once
 * a second. */
static double passes_when_due(struct bench *b)
{
    double us_each = 0.0;
    struct mf_wake wake = step_by(b, 1000);
    for (int round = 0; round < ROUNDS; round++) {
        const double from = cpu_us();
        for (int i = 0; i < PASSES; i++) {
            const mf_us_t at_us = nearest(wake);
            const mf_us_t wait_us = at_us == MF_NEVER ? MF_SECOND_US : at_us - b->now.vehicle_us;
            wake = step_by(b, wait_us > 0 ? wait_us : 1);
        }
        us_each = best(us_each, (cpu_us() - from) / PASSES);
    }
    return us_each;
}

/* In memory that is zeroed already. */
static void bench_boot(struct bench *b)
{
    double boot_us = 0.0;
    start(b);
    for (int i = 0; i < PASSES / 100; i++) {
        const double from = cpu_us();
        begin(b);
        boot_us = best(boot_us, cpu_us() - from);
    }
    print("drone.boot", boot_us);
}

static void bench_passes(struct bench *b)
{
    start(b);
    print("pass.idle", passes_every(b, 10000));
    start(b);
    open_link(b);
    step_by(b, 1000);
    const uint32_t frames = b->link.stats.tx_frames;
    const mf_us_t from_us = b->now.vehicle_us;
    print("pass.link", passes_when_due(b));
    const double seconds = (double)(b->now.vehicle_us - from_us) * 1e-6;
    printf("link.frames %.1f /s\n", (double)(b->link.stats.tx_frames - frames) / seconds);
    printf("link.bytes %.0f B/s\n", (double)b->bytes / seconds);
}

static void bench_flight(struct bench *b)
{
    start(b);
    step_by(b, MF_SECOND_US);
    const int link = open_link(b);
    command(b, 400, 1.0f, 0.0f);    /* COMPONENT_ARM_DISARM */
    command(b, 22, 0.0f, 30000.0f); /* NAV_TAKEOFF: high enough to climb all the time */
    step_by(b, 5 * MF_SECOND_US);
    mf_drone_close(&b->drone, link);
    must(!mf_world_pose(&b->drone.world, b->now.vehicle_us).on_ground, "it did not take off");
    print("pass.flying", passes_every(b, 2000));
    must(!mf_world_pose(&b->drone.world, b->now.vehicle_us).on_ground,
         "it did not stay in the air");
}

static void bench_codec(void)
{
    const struct mf_sender from = {.version = 2, .sysid = 1, .compid = 1};
    const struct mf_msg_info *info = mf_msg_find(MF_MSG_GLOBAL_POSITION_INT);
    struct mf_msg_global_position_int m = {
        .lat = 473977420, .lon = 85455940, .alt = 498000, .vx = -700, .hdg = 100};
    uint8_t frame[MF_FRAME_MAX];
    size_t len = 0;
    double pack_us = 0.0;
    double parse_us = 0.0;
    unsigned seen = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double t_us = cpu_us();
        for (uint32_t i = 0; i < PASSES; i++) {
            m.time_boot_ms = i;
            len = mf_frame_encode(&from, info, &m, frame);
        }
        pack_us = best(pack_us, (cpu_us() - t_us) / PASSES);
        struct mf_parser parser = {.len = 0};
        t_us = cpu_us();
        for (uint32_t i = 0; i < PASSES; i++) {
            struct mf_frame found;
            mf_parser_feed(&parser, frame, len);
            while (mf_parser_next(&parser, &found)) {
                mf_msg_unpack(found.info, found.payload, found.len, &m);
                seen++;
            }
        }
        parse_us = best(parse_us, (cpu_us() - t_us) / PASSES);
    }
    must(seen == ROUNDS * PASSES, "frames were lost");
    print("codec.pack", pack_us);
    print("codec.parse", parse_us);
}

static void bench_geodesic(void)
{
    const struct mf_geo from = {47.397742, 8.545594};
    const struct mf_geo_ray ray = mf_geo_ray(from, 1.0);
    volatile double sink = 0.0;
    double at_us = 0.0;
    double inverse_us = 0.0;
    for (int round = 0; round < ROUNDS; round++) {
        double t_us = cpu_us();
        for (int i = 0; i < PASSES; i++) {
            sink = sink + mf_geo_at(&ray, (double)i * 0.05, NULL).lat_deg;
        }
        at_us = best(at_us, (cpu_us() - t_us) / PASSES);
        t_us = cpu_us();
        for (int i = 0; i < PASSES; i++) {
            const struct mf_geo to = {47.397742 + 1e-7 * (double)i, 8.645594};
            sink = sink + mf_geo_inverse(from, to).distance_m;
        }
        inverse_us = best(inverse_us, (cpu_us() - t_us) / PASSES);
    }
    print("geodesic.at", at_us);
    print("geodesic.inverse", inverse_us);
}

/* Places of one tile, or of as many tiles as lookups. */
static double lookups(const struct mf_pack *pack, enum mf_pack_interpolation how, bool far_apart)
{
    static struct mf_pack_cache cache;
    const int count = far_apart ? PASSES / 100 : PASSES;
    volatile double sink = 0.0;
    double us_each = 0.0;
    for (int round = 0; round < ROUNDS; round++) {
        const double t_us = cpu_us();
        for (int i = 0; i < count; i++) {
            const double lon_deg = far_apart ? (double)(i * 31 % 360) : 8.0 + 1e-5 * (double)i;
            double value_m = 0.0;
            must(mf_pack_at(pack, &cache, how, 47.3, lon_deg, &value_m) == MF_E_OK, "no geoid");
            sink = sink + value_m;
        }
        us_each = best(us_each, (cpu_us() - t_us) / count);
    }
    return us_each;
}

static void bench_pack(void)
{
    struct mf_pack pack;
    must(mf_pack_open(&pack, mf_egm96_pack, mf_egm96_pack_size) == MF_E_OK, "no EGM96");
    print("geoid.bilinear", lookups(&pack, MF_PACK_BILINEAR, false));
    print("geoid.cubic", lookups(&pack, MF_PACK_CUBIC, false));
    print("geoid.tile", lookups(&pack, MF_PACK_BILINEAR, true));
}

/* In a turn, so that it neither stands nor falls. */
static void bench_multirotor(void)
{
    static struct mf_multirotor body;
    const struct mf_multirotor_settings settings = mf_multirotor_quad_x();
    double us = 0.0;
    for (int round = 0; round < ROUNDS; round++) {
        mf_multirotor_begin(&body, &settings, 0.0, 0.001);
        for (size_t i = 0; i < settings.rotors; i++) {
            body.command[i] = i == 0 ? 0.6 : 0.61;
        }
        const double t_us = cpu_us();
        for (int i = 0; i < PASSES; i++) {
            mf_multirotor_step(&body);
        }
        us = best(us, (cpu_us() - t_us) / PASSES);
        must(!body.standing, "it did not lift off");
    }
    print("body.step", us);
}

/* A tick of a body that an autopilot steers: packets both ways, gusts, noise, a step of 1 ms. */
static void bench_foreign(void)
{
    static struct mf_foreign body;
    const struct mf_foreign_settings settings = {.mass_kg = 3.0,
                                                 .wind_mps = 8.0,
                                                 .gusts_mps = 1.5,
                                                 .gust_time_s = 5.0,
                                                 .gyro_rps = 0.01,
                                                 .accel_mps2 = 0.1,
                                                 .seed = {1, 1}};
    uint8_t begin[MF_FOREIGN_AC_BEGIN], end[MF_FOREIGN_AC_END] = {0};
    const float half = 0.6f;
    memcpy(end, &half, sizeof half);
    double us = 0.0;
    for (int round = 0; round < ROUNDS; round++) {
        mf_foreign_begin(&body, &settings);
        const double t_us = cpu_us();
        for (uint32_t i = 1; i <= PASSES; i++) {
            float motors[MF_FOREIGN_AC_MOTORS];
            must(mf_foreign_ac_end_read(end, sizeof end, motors) == NULL, "a good packet");
            const struct mf_foreign_pulses pulses = mf_foreign_ac_pulses(motors, 1000, i);
            must(mf_foreign_take(&body, &pulses) == MF_FOREIGN_STEPPED, "it did not step");
            mf_foreign_ac_begin_write(&body.state, begin);
        }
        us = best(us, (cpu_us() - t_us) / PASSES);
    }
    print("body.tick", us);
}

int main(void)
{
    static struct bench bench; /* large: not on the stack */
    bench_boot(&bench);
    bench_passes(&bench);
    bench_flight(&bench);
    bench_codec();
    bench_geodesic();
    bench_pack();
    bench_multirotor();
    bench_foreign();
    return 0;
}
