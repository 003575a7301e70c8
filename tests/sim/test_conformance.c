/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One script in one profile: vehicles 1 and 9,999 (by day: 999) of a crowd send what boards/conform
 * sends, byte for byte on each link. ci/stm32_same.py runs the same scripts on boards/conform and
 * on the chip, and gives a flight of boards/posix to this program: RECORDING=FILE.
 */
#include "boards/conform/script.h"
#include "firmware/protocol/param_change.h"
#include "hal-sim/crowd.h"
#include "tests/unit/support/cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#define COUNT     9999
#define FEW       999 /* by day */
#define LINKS     3u
#define ITEMS     100u /* of an upload */
#define PLAYED    2u   /* vehicles that get the script's input */
#define BYTES_MAX (4u << 20)

/* What leaves a link. */
struct stream {
    size_t n;
    uint8_t bytes[BYTES_MAX];
};

/* The other end of a link of a vehicle of the crowd. */
struct port {
    struct stream *to;
    const uint8_t *in; /* that waits to be read */
    size_t waiting;
    char name[MF_RECORD_NAME_BYTES];
    int32_t interval_us[MF_STREAM_COUNT];
};

/* A vehicle that gets the input, with all that boards/conform gives to its own. */
struct played {
    uint32_t i; /* its number in the crowd, from 0 */
    struct mf_link links[LINKS];
    struct mf_shell shells[LINKS];
    struct mf_barrier barriers[LINKS];
    struct mf_signing signing;
    struct mf_ftp ftp;
    struct mf_journal journal;
    struct port port[LINKS];
    struct stream stream[LINKS];
    struct mf_memory memory;
    uint8_t parts[MF_WORLD_PARTS_BYTES + 65536u];
};

static struct {
    struct player player; /* boards/conform */
    struct script script;
    uint8_t recording[2u * BYTES_MAX];
    size_t recorded, read;
    struct stream expected[LINKS];
    struct played played[PLAYED];
    const struct mf_record *record; /* that is played */
} s;

static void append(struct stream *to, const uint8_t *bytes, size_t n)
{
    assert_true(n <= sizeof to->bytes - to->n);
    memcpy(to->bytes + to->n, bytes, n);
    to->n += n;
}

/* ---- boards/conform plays the script; its recording is the input of the others */

static bool keep_record(void *ctx, const uint8_t *bytes, size_t n)
{
    (void)ctx;
    assert_true(n <= sizeof s.recording - s.recorded);
    memcpy(s.recording + s.recorded, bytes, n);
    s.recorded += n;
    return true;
}

static void keep_sent(void *ctx, uint16_t link, const uint8_t *bytes, size_t n)
{
    (void)ctx;
    append(&s.expected[link], bytes, n);
}

/* Words by which the two clocks of a script part, or leap: those of a crowd do neither. */
static bool parts_clocks(const char *line)
{
    return strncmp(line, "late", 4) == 0 || strncmp(line, "rate", 4) == 0 ||
           strncmp(line, "events", 6) == 0;
}

static void begin(void)
{
    memset(&s, 0, sizeof s);
    s.player.sent = keep_sent;
    player_init(&s.player, keep_record, NULL);
}

static void run_script(const char *path)
{
    static char s_line[SCRIPT_LINE_MAX];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    begin();
    script_init(&s.script, &s.player);
    char links[] = "set links=3";
    assert_int_equal(script_line(&s.script, links), MF_E_OK);
    while (fgets(s_line, sizeof s_line, file) != NULL) {
        if (!parts_clocks(s_line) && script_line(&s.script, s_line) != MF_E_OK) {
            fail_msg("%s", s.script.error);
        }
    }
    player_end(&s.player);
    mf_recorder_flush(s.player.recorder);
    fclose(file);
}

static size_t read_file(void *ctx, uint8_t *bytes, size_t n)
{
    return fread(bytes, 1, n, ctx);
}

/* What was recorded elsewhere instead. */
static void run_recording(const char *path)
{
    static struct mf_recording_reader s_reader;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    begin();
    s_reader = (struct mf_recording_reader){.read = read_file, .ctx = file};
    if (player_run(&s.player, &s_reader) != MF_E_OK) {
        fail_msg("%s", s.player.error);
    }
    fclose(file);
}

/* ---- the crowd */

static int write_port(void *ctx, const uint8_t *bytes, size_t n)
{
    append(((struct port *)ctx)->to, bytes, n);
    return (int)n;
}

static int read_port(void *ctx, uint8_t *bytes, size_t cap)
{
    struct port *port = ctx;
    const size_t n = port->waiting < cap ? port->waiting : cap;
    if (n > 0) {
        memcpy(bytes, port->in, n);
    }
    port->in += n;
    port->waiting -= n;
    return (int)n;
}

static size_t much_room(void *ctx)
{
    (void)ctx;
    return 65536;
}

static const struct mf_serial_ops k_port = {write_port, read_port, much_room};

static struct played *find_played(uint32_t i)
{
    for (size_t k = 0; k < PLAYED; k++) {
        if (s.played[k].i == i) {
            return &s.played[k];
        }
    }
    return NULL;
}

/* The profile is that of the conform drone, which has read it. */
static int describe(void *ctx, uint32_t i, struct mf_drone_setup *setup,
                    struct mf_world_settings *world, struct mf_store_shared *store)
{
    (void)ctx;
    const struct drone_settings *profile = &s.player.drone.settings;
    struct played *p = find_played(i);
    const struct mf_world_settings given = *world;
    const struct mf_plan_shift none = {0};
    mf_store_shared_init(store, NULL, &none, p != NULL ? &p->memory : NULL, p != NULL ? ITEMS : 0u);
    setup->vehicle.sysid = (uint8_t)(1u + i % 250u);
    setup->vehicle.compid = 1;
    setup->vehicle.uid = i + 1u;
    world->instance = i + 1u;
    if (p == NULL) {
        return MF_E_OK;
    }
    *world = profile->world;
    world->geoid = given.geoid;
    world->terrain = NULL;
    world->memory = &p->memory;
    world->instance = profile->uid;
    setup->vehicle.links = p->links;
    setup->vehicle.link_count = LINKS;
    setup->vehicle.shells = p->shells;
    setup->vehicle.barriers = profile->holdable_clock != 0 ? p->barriers : NULL;
    setup->vehicle.signing = &p->signing;
    setup->vehicle.remote_id = profile->remote_id_given ? &profile->remote_id : NULL;
    setup->vehicle.ftp = &p->ftp;
    setup->vehicle.journal = &p->journal;
    setup->vehicle.sysid = (uint8_t)profile->sysid;
    setup->vehicle.uid = profile->uid;
    setup->vehicle.utc_us = profile->world.epoch_utc_us;
    setup->vehicle.options.start_grid_us = profile->start_grid_us;
    setup->vehicle.options.px4_motion = profile->world.motion == MF_WORLD_MOTION_PHYSICS;
    return MF_E_OK;
}

static int booted(void *ctx, uint32_t i, struct mf_drone *drone)
{
    (void)ctx;
    const struct drone_settings *profile = &s.player.drone.settings;
    int result = MF_E_OK;
    for (size_t k = 0; find_played(i) != NULL && k < profile->param_count && result == MF_E_OK;
         k++) {
        result = mf_param_override(mf_drone_vehicle(drone), profile->param[k].name,
                                   profile->param[k].value);
    }
    return result;
}

static const struct mf_crowd_ops k_ops = {.describe = describe, .booted = booted};

static void open_port(struct played *p, struct mf_drone *drone, const struct mf_record *record)
{
    struct port *port = &p->port[record->link];
    const uint8_t *bytes = record->bytes;
    if (bytes == NULL) {
        fail_msg("an OPEN without a name");
        return;
    }
    for (size_t i = 0; i < sizeof port->name && i < record->n; i++) {
        port->name[i] = (char)bytes[i];
    }
    for (int i = 0; i < MF_STREAM_COUNT; i++) {
        port->interval_us[i] = MF_STREAM_OFF;
    }
    for (size_t at = sizeof port->name; at < record->n; at += 8) {
        const int stream = mf_stream_find((uint32_t)mf_record_get(bytes + at, 4));
        assert_true(stream >= 0);
        port->interval_us[stream] = (int32_t)mf_record_get(bytes + at + 4, 4);
    }
    port->to = &p->stream[record->link];
    const struct mf_serial serial = {.ops = &k_port,
                                     .ctx = port,
                                     .datagram = (record->value[0] & MF_RECORD_DATAGRAM) != 0,
                                     .isolated = (record->value[0] & MF_RECORD_ISOLATED) != 0,
                                     .usb = (record->value[0] & MF_RECORD_USB) != 0};
    assert_true(mf_drone_open(drone, &(struct mf_drone_link){.serial = serial,
                                                             .name = port->name,
                                                             .interval_us = port->interval_us,
                                                             .number = record->link}) >= 0);
}

static void do_record(void *ctx, uint32_t i, struct mf_drone *drone)
{
    (void)ctx;
    struct played *p = find_played(i);
    const struct mf_record *record = s.record;
    if (record->type == MF_RECORD_OPEN) {
        open_port(p, drone, record);
    } else if (record->type == MF_RECORD_CLOSE) {
        mf_drone_close(drone, record->link);
    } else {
        assert_true(record->n <= BYTES_MAX && p->port[record->link].waiting == 0);
        p->port[record->link].in = record->bytes;
        p->port[record->link].waiting = record->n;
    }
}

static size_t read_recording(void *ctx, uint8_t *bytes, size_t n)
{
    (void)ctx;
    const size_t left = s.recorded - s.read, some = n < left ? n : left;
    memcpy(bytes, s.recording + s.read, some);
    s.read += some;
    return some;
}

static void play_record(struct mf_crowd *crowd, const struct mf_record *record, mf_us_t at_us)
{
    s.record = record;
    mf_crowd_run(crowd, NULL, at_us);
    for (size_t k = 0; k < PLAYED; k++) {
        assert_true(mf_crowd_touch(crowd, s.played[k].i, at_us, do_record, NULL));
        mf_crowd_run(crowd, NULL, at_us);
    }
}

/* All that went into the conform drone goes into those of the crowd, at the same times. What opens
 * or closes links does so between two steps, and shows in the next one. */
static mf_us_t play(struct mf_crowd *crowd)
{
    static struct mf_recording_reader s_reader;
    static struct mf_record s_waiting[LINKS];
    static uint8_t s_bytes[LINKS][MF_RECORD_MAX];
    struct mf_record record;
    size_t waiting = 0;
    mf_us_t now_us = 0;
    s_reader = (struct mf_recording_reader){.read = read_recording};
    while (mf_recording_next(&s_reader, &record) == MF_RECORDING_RECORD) {
        if (record.type == MF_RECORD_OPEN || record.type == MF_RECORD_CLOSE) {
            assert_true(waiting < LINKS);
            if (record.n > 0) {
                memcpy(s_bytes[waiting], record.bytes, record.n);
            }
            s_waiting[waiting] = record;
            s_waiting[waiting].bytes = s_bytes[waiting];
            waiting++;
        } else if (record.type == MF_RECORD_CLOCK) {
            now_us = record.value[0];
            for (size_t k = 0; k < waiting; k++) {
                play_record(crowd, &s_waiting[k], now_us);
            }
            waiting = 0;
        } else if (record.type == MF_RECORD_IN) {
            play_record(crowd, &record, now_us);
        }
    }
    mf_crowd_run(crowd, NULL, now_us);
    return now_us;
}

static void assert_same_streams(const struct played *p)
{
    for (size_t link = 0; link < LINKS; link++) {
        const struct stream *a = &s.expected[link], *b = &p->stream[link];
        const size_t least = a->n < b->n ? a->n : b->n;
        if (a->n != b->n || memcmp(a->bytes, b->bytes, least) != 0) {
            size_t at = 0;
            while (at < least && a->bytes[at] == b->bytes[at]) {
                at++;
            }
            fail_msg("vehicle %u, link %zu: byte %zu of %zu and %zu differs", p->i + 1u, link, at,
                     a->n, b->n);
        }
    }
}

/* The crowd gets the input that boards/conform has got. */
static void fly_crowd(uint32_t count)
{
    s.played[0].i = 0;
    s.played[1].i = count - 1u;
    for (size_t k = 0; k < PLAYED; k++) {
        s.played[k].memory =
            (struct mf_memory){.bytes = s.played[k].parts, .size = sizeof s.played[k].parts};
    }
    const size_t bytes = mf_crowd_bytes(count, 0);
    struct mf_memory memory = {
        .bytes = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
        .size = bytes};
    assert_true(memory.bytes != MAP_FAILED);
    struct mf_crowd *crowd = mf_crowd_init(&(struct mf_crowd_setup){
        .count = count, .memory = &memory, .ops = &k_ops, .geoid = &s.player.drone.earth.geoid});
    uint32_t failed = 0;
    assert_non_null(crowd);
    assert_int_equal(mf_crowd_boot(crowd, NULL, &failed), MF_E_OK);
    assert_true(play(crowd) > 30 * MF_SECOND_US);
    assert_true(s.expected[0].n > 50000); /* not two silences */
    for (size_t k = 0; k < PLAYED; k++) {
        assert_same_streams(&s.played[k]);
    }
    munmap(memory.bytes, bytes);
}

/* SBE-01, SIM-042 */
static void test_sbe01_a_vehicle_of_a_crowd_sends_what_conform_sends(void **state)
{
    (void)state;
    const char *recording = getenv("RECORDING");
    if (recording != NULL) {
        run_recording(recording);
        fly_crowd(COUNT);
        return;
    }
    run_script("tests/conform/flight.txt");
    fly_crowd((uint32_t)mf_cases(FEW, COUNT));
    run_script("tests/conform/physics.txt");
    fly_crowd((uint32_t)mf_cases(FEW, COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sbe01_a_vehicle_of_a_crowd_sends_what_conform_sends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
