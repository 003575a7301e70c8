/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes the control API on a vehicle in its world: three connections, of which the first two are
 * local, whose bytes are cut at random. Of the input, 0x80 .. 0x82 say which connection speaks from
 * now on, 0x83 ends a turn of the loop, 0x84 closes the connection, and all others are said. What
 * must hold for any input is checked, and abort() called if it does not.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "drone/drone.h"
#include "host/api/api.h"
#include "host/spec/plan.h"
#include "tests/fuzz/fuzz_device.h"

#define ENDS 3u

struct end {
    struct fuzz_device device;
    uint8_t in[4096];
    size_t out;
};

static struct world {
    struct mf_drone drone;
    struct mf_wiring wiring;
    struct mf_memory memory; /* of its parts */
    uint8_t parts[MF_WORLD_PARTS_BYTES + MF_WIRING_MISBEHAVE_BYTES(0)];
    struct mf_time_control time;
    struct mf_api api;
    struct mf_api_server server;
    struct mf_link_quality quality;
    struct mf_now now;
    struct end end[ENDS];
    struct mf_http http; /* the last: its answers, 2 MB, are written before they are read */
} s;

static int end_write(void *ctx, const uint8_t *bytes, size_t n)
{
    struct end *e = ctx;
    check(bytes != NULL && n > 0 && n <= 4096 - e->out);
    e->out += n;
    return (int)n;
}

static size_t end_room(void *ctx)
{
    return 4096 - ((struct end *)ctx)->out;
}

static const struct mf_serial_ops k_end = {end_write, fuzz_device_read, end_room};

static struct mf_now clock_read(void *ctx)
{
    (void)ctx;
    return s.now;
}

static void figures(void *ctx, struct mf_api_figures *f)
{
    (void)ctx;
    *f = (struct mf_api_figures){.version = "1", .clock = "real", .rate = 1.0};
}

static void about_link(void *ctx, uint16_t link, struct mf_api_link *about)
{
    (void)ctx, (void)link, (void)about;
}

static int set_clock(void *ctx, const char *word, double rate)
{
    (void)ctx;
    check(rate > 0.0);
    return strcmp(word, "fast") == 0 ? MF_E_OK : MF_E_RANGE;
}

static int about_port(void *ctx, uint16_t port, struct mf_api_port *about)
{
    (void)ctx;
    *about = (struct mf_api_port){.kind = "tcp", .quality = &s.quality, .address = "here"};
    return port == 0 ? MF_E_OK : MF_E_NOENT;
}

static void set_quality(void *ctx, uint16_t port, const struct mf_link_quality *quality)
{
    (void)ctx;
    check(port == 0);
    s.quality = *quality;
}

static int command(void *ctx, struct mf_msg_command_int *m, struct mf_msg_command_ack *ack)
{
    (void)ctx;
    check(m->x == INT32_MAX || (m->x >= -1800000000 && m->x <= 1800000000));
    *ack = (struct mf_msg_command_ack){.command = m->command, .result = (uint8_t)m->command};
    return m->command % 2 == 0 ? MF_E_OK : MF_E_AGAIN;
}

static int upload(void *ctx, uint8_t type, struct mf_msg_mission_item_int *items, uint16_t count,
                  uint8_t *result)
{
    (void)ctx;
    check(items != NULL || count == 0);
    *result = (uint8_t)(type + count % 3);
    return count % 2 == 0 ? MF_E_OK : MF_E_AGAIN;
}

static int set_param(void *ctx, struct mf_msg_param_set *m, uint8_t *error,
                     struct mf_msg_param_value *now)
{
    (void)ctx;
    *error = m->param_value % 4;
    *now = (struct mf_msg_param_value){.param_value = m->param_value};
    return MF_E_OK;
}

static void open_end(uint16_t i)
{
    const struct mf_serial serial = {.ops = &k_end, .ctx = &s.end[i]};
    check(mf_http_open(&s.http, i, &serial, i < 2, s.now.transport_us));
}

static struct mf_api_plan s_plan;
static char s_large[MF_HTTP_LARGE_MAX + 1u];

static void boot(void)
{
    static const struct mf_clock_ops k_clock = {clock_read};
    static const struct mf_api_ops k_ops = {figures,     about_link, set_clock, about_port,
                                            set_quality, command,    upload,    set_param};
    memset(&s, 0, offsetof(struct world, http.answers));
    struct mf_hal hal = mf_hal_null();
    struct mf_world_settings settings = mf_world_settings_default();
    s.memory = (struct mf_memory){.bytes = s.parts, .size = sizeof s.parts};
    settings.memory = &s.memory;
    mf_wiring_init(&s.wiring, &(struct mf_wiring_setup){.memory = &s.memory});
    s.server = (struct mf_api_server){.http = &s.http,
                                      .vehicles = &s.api,
                                      .count = 1,
                                      .config = "a: 1\n",
                                      .config_len = 5,
                                      .token = "token-token",
                                      .plan = &s_plan};
    s.api = (struct mf_api){.server = &s.server,
                            .drone = &s.drone,
                            .vehicle = &s.drone.vehicle,
                            .time = &s.time,
                            .ops = &k_ops,
                            .log = hal.log,
                            .log_ctx = hal.log_ctx};
    hal.clock = &k_clock;
    hal.log = &mf_api_log_ops;
    hal.log_ctx = &s.api;
    static struct mf_journal journal;
    const struct mf_drone_setup setup = {
        .world = &settings,
        .wiring = &s.wiring,
        .vehicle = {.hal = hal, .sysid = 1, .compid = 1, .journal = &journal}};
    check(mf_drone_init(&s.drone, &setup) == MF_E_OK);
    mf_time_control_init(&s.time, false, "real", 1);
    mf_http_init(&s.http, mf_api_handle, mf_api_is_short, &s.server);
    s.http.takes_large = mf_api_takes_large;
    s.http.large = s_large;
    mf_api_boot(&s.api);
}

static void turn(void)
{
    const struct mf_time_report report = {
        .now_us = s.now.vehicle_us, .next_us = MF_NEVER, .event_us = MF_NEVER};
    (void)mf_drone_step(&s.drone);
    const mf_us_t limit_us = mf_time_control_pass(&s.time, &report);
    check(limit_us >= s.now.vehicle_us);
    mf_api_watch(&s.api);
    check(mf_api_turn(&s.server, s.now.transport_us) >= s.now.transport_us);
    mf_time_control_answer(&s.time);
    (void)mf_time_control_read(&s.time);
    for (int done = mf_http_done(&s.http); done >= 0; done = mf_http_done(&s.http)) {
        mf_http_close(&s.http, (uint16_t)done);
        s.end[done].device.len = s.end[done].out = 0;
        open_end((uint16_t)done);
    }
    for (size_t i = 0; i < ENDS; i++) {
        s.end[i].out = 0;
    }
    check(s.http.count == ENDS && s.time.count <= 1);
    s.now.vehicle_us = mf_earlier(s.now.vehicle_us + 20 * MF_MS_US, limit_us);
    s.now.transport_us += 20 * MF_MS_US;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    boot();
    for (uint16_t i = 0; i < ENDS; i++) {
        open_end(i);
    }
    uint16_t speaks = 0;
    for (size_t i = 0; i < size; i++) {
        struct end *e = &s.end[speaks];
        if (data[i] == 0x83) {
            turn();
        } else if (data[i] >= 0x80 && data[i] <= 0x82) {
            speaks = data[i] & 0xFu;
        } else if (data[i] == 0x84) {
            mf_http_close(&s.http, speaks);
            e->device.len = e->out = 0;
            open_end(speaks);
        } else {
            fuzz_device_say(&e->device, e->in, sizeof e->in, data[i]);
        }
    }
    for (int i = 0; i < 4; i++) {
        turn();
    }
    return 0;
}
