/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a crowd costs, without a scenario around it: processor time per simulated second, memory,
 * and how both grow. Prints lines 'name value unit'; ci/figures.py puts the limits beside them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "drone/calls.h"
#include "firmware/report/stream.h"
#include "firmware/state/link.h"
#include "fleet/place.h"
#include "hal-sim/crowd.h"
#include "hal-sim/image.h"
#include "mavlink/enums.h"
#include "world/egm96.h"
#include "world/world.h"

#define LAT_DEG 47.397742
#define LON_DEG 8.545594
#define LEG_DEG 0.0018 /* 200 m of latitude */

static void must(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "crowd: %s\n", what);
        exit(1);
    }
}

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The processor time of each thread. */
static void thread_cpu_s(const struct mf_workers *workers, double cpu_s[MF_WORKERS_MAX])
{
    for (uint32_t i = 0; i < workers->count; i++) {
        struct timespec t;
        clockid_t clock = CLOCK_THREAD_CPUTIME_ID;
        must(i == 0 || pthread_getcpuclockid(workers->thread[i], &clock) == 0, "no clock");
        must(clock_gettime(clock, &t) == 0, "no clock");
        cpu_s[i] = (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
    }
}

static double wall_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double resident_mb(void)
{
    struct rusage u;
    must(getrusage(RUSAGE_SELF, &u) == 0, "no memory figures");
    return (double)u.ru_maxrss * 1024.0 / 1e6;
}

static struct mf_item item(uint16_t command, double north_deg, double east_deg)
{
    return (struct mf_item){.param = {0, 0, 0, mf_f32_bits(NAN)},
                            .x = (int32_t)((LAT_DEG + north_deg) * 1e7),
                            .y = (int32_t)((LON_DEG + east_deg) * 1e7),
                            .z = mf_f32_bits(30.0f),
                            .command = command,
                            .frame = MAV_FRAME_GLOBAL_RELATIVE_ALT_INT,
                            .autocontinue = 1};
}

static struct mf_item s_item[6];
static struct mf_shared_plan s_plan;

/* A square of 200 m, again and again. */
static void make_plan(void)
{
    const double east_deg = LEG_DEG / cos(LAT_DEG / 57.29577951308232);
    s_item[0] = item(MAV_CMD_NAV_TAKEOFF, 0, 0);
    s_item[1] = item(MAV_CMD_NAV_WAYPOINT, LEG_DEG, 0);
    s_item[2] = item(MAV_CMD_NAV_WAYPOINT, LEG_DEG, east_deg);
    s_item[3] = item(MAV_CMD_NAV_WAYPOINT, 0, east_deg);
    s_item[4] = item(MAV_CMD_NAV_WAYPOINT, 0, 0);
    s_item[5] = item(MAV_CMD_DO_JUMP, 0, 0);
    s_item[5].frame = MAV_FRAME_MISSION;
    s_item[5].param[0] = mf_f32_bits(1.0f);
    s_item[5].param[1] = mf_f32_bits(-1.0f);
    s_plan =
        (struct mf_shared_plan){.mission = {s_item, 6, 1}, .lat_deg = LAT_DEG, .lon_deg = LON_DEG};
}

static enum mf_world_motion s_motion;

/* Who listens: a client in memory for each vehicle, or nobody. */
static int32_t s_interval_us[MF_STREAM_COUNT];
static struct mf_link (*s_links)[2]; /* NULL: nobody; the second is a visitor's */
static uint64_t s_heard;             /* bytes */

static int hear(void *ctx, const uint8_t *bytes, size_t n)
{
    (void)ctx, (void)bytes;
    s_heard += n;
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

static const struct mf_serial_ops k_listener = {hear, say_nothing, room};

static int describe(void *ctx, uint32_t i, struct mf_drone_setup *setup,
                    struct mf_world_settings *world, struct mf_store_shared *store)
{
    const uint32_t row = i / 100u;
    (void)ctx;
    world->home_lat_deg = LAT_DEG + 0.00018 * row;
    world->home_lon_deg = LON_DEG + 0.00018 * (i % 100u);
    world->instance = i + 1u;
    world->motion = s_motion;
    setup->vehicle.sysid = (uint8_t)(1u + i % 250u);
    setup->vehicle.compid = 1;
    setup->vehicle.uid = i + 1u;
    setup->vehicle.options.px4_motion = s_motion == MF_WORLD_MOTION_PHYSICS;
    if (s_links != NULL) {
        setup->vehicle.links = s_links[i];
        setup->vehicle.link_count = 2;
    }
    const struct mf_plan_shift shift =
        mf_plan_shift(&s_plan, world->home_lat_deg, world->home_lon_deg, 0.0);
    mf_store_shared_init(store, &s_plan, &shift, NULL, 0);
    return MF_E_OK;
}

static void command(struct mf_drone *drone, struct mf_inside *inside, uint16_t id, float param1)
{
    struct mf_msg_command_int m = {.command = id, .param1 = param1};
    struct mf_msg_command_ack ack = {0};
    must(mf_inside_command(inside, drone, &m, &ack) == MF_E_OK && ack.result == 0, "refused");
}

static void start(void *ctx, uint32_t shard, uint32_t i, struct mf_drone *drone,
                  struct mf_inside *inside)
{
    (void)ctx, (void)shard, (void)i;
    command(drone, inside, MAV_CMD_MISSION_START, 0.0f);
}

static int booted(void *ctx, uint32_t i, struct mf_drone *drone)
{
    (void)ctx, (void)i;
    if (s_links == NULL) {
        return MF_E_OK;
    }
    const int link = mf_drone_open(
        drone, &(struct mf_drone_link){.serial = {.ops = &k_listener, .isolated = true},
                                       .name = "memory",
                                       .interval_us = s_interval_us});
    return link >= 0 ? MF_E_OK : link;
}

static const struct mf_crowd_ops k_ops = {.describe = describe, .booted = booted};

struct outcome {
    double ratio, cpu_ratio, thread_ratio, mb, boot_us, write_ms, resume_ms;
    uint64_t digest;
};

/* ---- checkpoints */

static bool take(void *ctx, const void *bytes, size_t n)
{
    return write(*(const int *)ctx, bytes, n) == (ssize_t)n;
}

static bool give(void *ctx, void *bytes, size_t n)
{
    return read(*(const int *)ctx, bytes, n) == (ssize_t)n;
}

/* To a file, and back into memory that is as new. */
static void go_through_a_file(const struct mf_memory *memory, struct outcome *o)
{
    struct mf_image_part part = {memory->bytes, memory->size};
    const struct mf_image_key key = {1, 2};
    struct mf_image_head head = {0};
    FILE *file = tmpfile();
    must(file != NULL, "no file");
    int fd = fileno(file);
    double begin_s = cpu_s();
    must(take(&fd, &head, sizeof head) && mf_image_write(&head, &key, &part, 1, take, &fd),
         "no checkpoint");
    o->write_ms = (cpu_s() - begin_s) * 1e3;
    must(munmap(memory->bytes, memory->size) == 0, "no way back");
    must(lseek(fd, sizeof head, SEEK_SET) > 0, "no way back");
    begin_s = cpu_s();
    must(mmap(memory->bytes, memory->size, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1,
              0) == memory->bytes,
         "another address");
    must(mf_image_check(&head, sizeof head + memory->size, &key, &part, 1) == MF_IMAGE_OK &&
             mf_image_read(&head, &part, 1, give, &fd) == MF_IMAGE_OK,
         "not resumed");
    o->resume_ms = (cpu_s() - begin_s) * 1e3;
    (void)fclose(file);
}

static void fly(uint32_t count, uint32_t threads, mf_us_t end_us, struct outcome *o)
{
    const size_t parts = s_motion == MF_WORLD_MOTION_PHYSICS ? (size_t)MF_WORLD_PARTS_BYTES : 0;
    const size_t bytes = mf_crowd_bytes(count, parts);
    struct mf_memory memory = {.bytes = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
                               .size = bytes};
    must(memory.bytes != MAP_FAILED, "no memory");
    struct mf_geoid geoid = {0};
    struct mf_pack pack;
    must(mf_pack_open(&pack, mf_egm96_pack, mf_egm96_pack_size) == MF_E_OK, "no geoid");
    must(mf_geoid_add(&geoid, &pack, MF_PACK_AS_MADE) == MF_E_OK, "no geoid");
    struct mf_workers workers;
    must(mf_workers_start(&workers, threads) == MF_E_OK, "no threads");
    const struct mf_crowd_setup setup = {
        .count = count, .memory = &memory, .parts_each = parts, .ops = &k_ops, .geoid = &geoid};
    const double boot_s = cpu_s();
    struct mf_crowd *crowd = mf_crowd_init(&setup);
    uint32_t failed;
    must(crowd != NULL && mf_crowd_boot(crowd, &workers, &failed) == MF_E_OK, "no boot");
    o->boot_us = (cpu_s() - boot_s) * 1e6 / count;
    mf_crowd_run(crowd, &workers, MF_SECOND_US);
    mf_crowd_visit(crowd, &workers, MF_SECOND_US, 0, count, start, NULL);
    double before_s[MF_WORKERS_MAX] = {0}, after_s[MF_WORKERS_MAX] = {0}, longest_s = 0.0;
    thread_cpu_s(&workers, before_s);
    const double wall = wall_s(), cpu = cpu_s();
    mf_crowd_run(crowd, &workers, end_us);
    thread_cpu_s(&workers, after_s);
    for (uint32_t i = 0; i < threads; i++) {
        longest_s = fmax(longest_s, after_s[i] - before_s[i]);
    }
    const double simulated = (double)(end_us - MF_SECOND_US) / 1e6;
    o->ratio = simulated / (wall_s() - wall);
    o->cpu_ratio = simulated / (cpu_s() - cpu);
    o->thread_ratio = simulated / longest_s;
    o->mb = resident_mb();
    o->digest = mf_crowd_digest(crowd);
    go_through_a_file(&memory, o);
    must(mf_crowd_digest(crowd) == o->digest, "the checkpoint is not the crowd");
    mf_workers_stop(&workers);
}

/* In a process of its own, whose memory is that of the run. */
static struct outcome apart(uint32_t count, uint32_t threads, mf_us_t end_us)
{
    struct outcome *o =
        mmap(NULL, sizeof *o, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    must(o != MAP_FAILED, "no memory");
    const pid_t child = fork();
    int status = 1;
    if (child == 0) {
        fly(count, threads, end_us, o);
        _exit(0);
    }
    must(child > 0 && waitpid(child, &status, 0) == child && status == 0, "a run failed");
    return *o;
}

/* The best of two: what disturbs a run only makes it slower. */
static struct outcome best(uint32_t count, uint32_t threads, mf_us_t end_us)
{
    const struct outcome a = apart(count, threads, end_us), b = apart(count, threads, end_us);
    must(a.digest == b.digest, "two runs differ");
    return a.thread_ratio > b.thread_ratio ? a : b;
}

/* Ten thousand members of a scenario are read, and have places [s]. */
static double place_s(void)
{
    static const char k_text[] =
        "{swarm: 1, entities: [{name: w, count: 10000, place: {grid: [100, 100], spacing: 20}}]}";
    static struct mf_scenario s_scenario;
    const struct mf_scenario_given none = {0};
    char error[MF_KEYS_ERROR_MAX];
    const double from = cpu_s();
    must(mf_scenario_read("bench", k_text, sizeof k_text - 1, &none, &s_scenario, error) == MF_E_OK,
         "no scenario");
    double north_deg = 0.0;
    for (uint32_t i = 0; i < s_scenario.members; i++) {
        north_deg = fmax(north_deg, mf_place(&s_scenario, i).at.lat_deg);
    }
    must(north_deg > s_scenario.origin[0], "no places"); /* row 99 lies 1,980 m to the north */
    return cpu_s() - from;
}

static void print(const char *name, double value, const char *unit)
{
    printf("%s %.4g %s\n", name, value, unit);
    fflush(stdout);
}

/* Each vehicle has a client that gets everything, or its position alone. */
static void observe(bool all)
{
    mf_stream_profile(MF_PROFILE_sim, s_interval_us);
    for (int i = 0; i < MF_STREAM_COUNT; i++) {
        const bool wanted = all || i == MF_STREAM_GLOBAL_POSITION_INT;
        s_interval_us[i] = wanted ? s_interval_us[i] : MF_STREAM_OFF;
    }
    s_links = mmap(NULL, 10000 * sizeof *s_links, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    must((void *)s_links != MAP_FAILED, "no memory");
}

static void print_observed(const char *name)
{
    print(name, best(10000, 1, 11 * MF_SECOND_US).cpu_ratio, "x");
}

/* One run, for a profiler: COUNT THREADS SECONDS [physics | observed | position]. */
static void run_once(int argc, char **argv)
{
    struct outcome o;
    const bool physics = argc > 4 && strcmp(argv[4], "physics") == 0;
    s_motion = physics ? MF_WORLD_MOTION_PHYSICS : MF_WORLD_MOTION_CONSTANT;
    if (argc > 4 && !physics) {
        observe(strcmp(argv[4], "observed") == 0);
    }
    fly((uint32_t)strtoul(argv[1], NULL, 10), (uint32_t)strtoul(argv[2], NULL, 10),
        strtol(argv[3], NULL, 10) * MF_SECOND_US, &o);
    printf("x%.1f by the wall, x%.1f of a core, %.1f MB, boot %.2f us, digest %016lx\n", o.ratio,
           o.cpu_ratio, o.mb, o.boot_us, (unsigned long)o.digest);
}

int main(int argc, char **argv)
{
    make_plan();
    if (argc > 3) {
        run_once(argc, argv);
        return 0;
    }
    const struct outcome few = best(1000, 1, 2000 * MF_SECOND_US);
    const struct outcome some = best(10000, 1, 600 * MF_SECOND_US);
    const struct outcome many = best(100000, 1, 200 * MF_SECOND_US);
    print("crowd.constant", some.cpu_ratio, "x");
    print("crowd.memory", some.mb, "MB");
    print("crowd.boot", some.boot_us, "us");
    print("crowd.placed", place_s(), "s");
    print("crowd.checkpoint", some.write_ms, "ms");
    print("crowd.resume", some.resume_ms, "ms");
    print("crowd.many", many.cpu_ratio, "x");
    print("crowd.many.memory", many.mb, "MB");
    print("crowd.growth", few.cpu_ratio / (many.cpu_ratio * 100.0), "x");
    const struct outcome two = best(10000, 2, 600 * MF_SECOND_US);
    must(two.digest == some.digest, "two threads do something else");
    print("crowd.threads", two.thread_ratio / some.thread_ratio, "x");
    if (getenv("DEMAND") != NULL) {
        print("crowd.threads.idle", two.ratio / some.ratio, "x");
    }
    s_motion = MF_WORLD_MOTION_PHYSICS;
    print("crowd.physics", best(10000, 1, 600 * MF_SECOND_US).cpu_ratio, "x");
    s_motion = MF_WORLD_MOTION_CONSTANT;
    observe(true);
    print_observed("crowd.observed");
    observe(false);
    print_observed("crowd.observed.position");
    return 0;
}
