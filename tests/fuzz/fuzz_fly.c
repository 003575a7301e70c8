/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes what fly hears of a vehicle. The first byte chooses what it does: upload and fly a plan,
 * fetch a mission, or send a command; the second whether the link gives datagrams. Of the rest, a
 * byte 0xFF is an hour of silence, and a byte below it a message of the table with the bytes behind
 * the next one, its length; 0xFE are bytes that no frame was made of. The vehicle is system 1.
 */
#include "mavlink/enums.h"
#include "tests/fuzz/fuzz.h"
#include "tools/fly/report.h"

#include <jansson.h>
#include <string.h>

#define SILENCE   0xFFu
#define RAW       0xFEu
#define WAITS_MAX 4000 /* of a client whose vehicle says nothing more */

struct vehicle {
    const uint8_t *at;
    size_t n;
    int64_t now_us;
    int waits;
    uint8_t seq;
};

static struct fly_client s_client;
static struct fly_flight s_flight;
static struct mf_plan s_plan;

static int take_frame(void *ctx, const uint8_t *bytes, size_t n)
{
    struct vehicle *v = ctx;
    struct mf_frame frame;
    check(mf_frame_read(bytes, n, &frame) && frame.raw_len == n && frame.sysid == FLY_SYSID);
    return v->waits < WAITS_MAX ? 0 : -1;
}

/* Messages that a flight waits for are more frequent than others. */
static const struct mf_msg_info *message_of(uint8_t byte)
{
    static const uint32_t k_id[] = {
        MF_MSG_HEARTBEAT,        MF_MSG_SYS_STATUS,           MF_MSG_GLOBAL_POSITION_INT,
        MF_MSG_HOME_POSITION,    MF_MSG_EXTENDED_SYS_STATE,   MF_MSG_MISSION_REQUEST_INT,
        MF_MSG_MISSION_ACK,      MF_MSG_MISSION_COUNT,        MF_MSG_MISSION_ITEM_INT,
        MF_MSG_MISSION_CURRENT,  MF_MSG_MISSION_ITEM_REACHED, MF_MSG_COMMAND_ACK,
        MF_MSG_STATUSTEXT,       MF_MSG_GPS_RAW_INT,          MF_MSG_BATTERY_STATUS,
        MF_MSG_AUTOPILOT_VERSION};
    size_t count;
    const struct mf_msg_info *table = mf_msg_table(&count);
    return byte < sizeof k_id / sizeof k_id[0] ? mf_msg_find(k_id[byte]) : &table[byte % count];
}

static int give_bytes(void *ctx, uint8_t *bytes, size_t cap, int64_t timeout_us)
{
    struct vehicle *v = ctx;
    check(cap >= MF_FRAME_MAX && timeout_us >= 0);
    if (v->n < 2 || v->at[0] == SILENCE) {
        v->now_us += v->n >= 2 ? INT64_C(3600000000) : timeout_us + 1;
        v->at += v->n >= 2 ? 1 : 0;
        v->n -= v->n >= 2 ? 1 : 0;
        return ++v->waits < WAITS_MAX ? 0 : -1;
    }
    const uint8_t what = v->at[0];
    const size_t left = v->n - 2, wanted = v->at[1], length = wanted < left ? wanted : left;
    const uint8_t *payload = v->at + 2;
    v->at += 2 + length;
    v->n -= 2 + length;
    v->now_us += 1000 + v->seq;
    if (what == RAW) {
        memcpy(bytes, payload, length);
        return (int)length;
    }
    const struct mf_msg_info *info = message_of(what);
    const struct mf_sender from = {2, v->seq++, 1, 1};
    union mf_msg m;
    mf_msg_unpack(info, payload, length < info->len_max ? length : info->len_max, &m);
    return (int)mf_frame_encode(&from, info, &m, bytes);
}

static int64_t now(void *ctx)
{
    return ((const struct vehicle *)ctx)->now_us;
}

/* Nothing that a vehicle says may move the cursor. */
static void check_shown(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const unsigned char c = (unsigned char)text[i],
                            before = i > 0 ? (unsigned char)text[i - 1] : 0;
        check((c >= 0x20 && c != 0x7F) || c == '\n');
        check(before != 0xC2 || c < 0x80 || c >= 0xA0);
    }
}

static void check_report(int code)
{
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    check(out != NULL);
    fly_report_json(&s_flight, code, out);
    check(fclose(out) == 0);
    json_t *report = json_loadb(text, n, 0, NULL);
    check(json_is_object(report));
    json_decref(report);
    free(text);
}

static void fly(FILE *null)
{
    char *shown = NULL;
    size_t shown_n = 0;
    static struct fly_console s_console;
    static const struct fly_options k_options = {.endpoint = "fuzz",
                                                 .takeoff_alt_m = 10.0,
                                                 .side_m = 20.0,
                                                 .speed_mps = 5.0,
                                                 .verify = true,
                                                 .timeout_s = 36000.0};
    memset(&s_flight, 0, sizeof s_flight);
    memset(&s_plan, 0, sizeof s_plan);
    fly_console_init(&s_console, null, false);
    s_console.out = open_memstream(&shown, &shown_n);
    check(s_console.out != NULL);
    s_flight.options = &k_options;
    s_flight.client = &s_client;
    s_flight.console = &s_console;
    s_flight.plan = &s_plan;
    s_client.observe = fly_flight_observe;
    s_client.observer = &s_flight;
    const int code = fly_flight_run(&s_flight);
    check(code == 0 || s_flight.reason[0] != '\0');
    check(s_flight.leg_count <= FLY_LEGS_MAX);
    check_report(code);
    fly_report(&s_flight, code);
    check(fclose(s_console.out) == 0);
    check_shown(shown, shown_n);
    free(shown);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct fly_link_ops k_ops = {take_frame, give_bytes, now};
    static struct mf_msg_mission_item_int s_item[16];
    static FILE *s_null;
    if (size < 4 || size > 8192) {
        return 0;
    }
    s_null = s_null != NULL ? s_null : fopen("/dev/null", "we");
    check(s_null != NULL);
    struct vehicle vehicle = {.at = data + 2, .n = size - 2};
    const struct fly_link link = {&k_ops, &vehicle, data[1] % 2 == 1};
    struct fly_transfer how = {0};
    fly_client_init(&s_client, link, NULL, NULL);
    if (data[0] % 3u == 0) {
        fly(s_null);
        return 0;
    }
    s_client.target_sysid = s_client.target_compid = 1;
    if (data[0] % 3u == 1) {
        struct fly_mission mission = {.item = s_item, .capacity = 16, .type = data[0] % 2u};
        const int result = fly_download(&s_client, &mission, &how);
        check(result != FLY_E_OK || mission.count <= mission.capacity);
    } else {
        const struct mf_msg_command_long command = {.command = MAV_CMD_NAV_TAKEOFF};
        (void)fly_client_command(&s_client, &command);
    }
    return 0;
}
