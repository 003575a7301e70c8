/* SPDX-License-Identifier: Apache-2.0 */
/* Scripts and recordings played to a drone (SIM-042): the same input gives the same bytes. */
#include "boards/conform/script.h"
#include "tests/unit/support/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define FILES 2

#define UAS_ID      "4d415946354142434445000000000000000000ff"
#define OPERATOR_ID "46494e38376173747264676531326b3800000000"

/* Two recordings in memory. */
struct file {
    uint8_t bytes[4 << 20];
    size_t len, at;
};

static struct file s_file[FILES];
static struct player s_player;
static struct script s_script;
static struct mf_recording_reader s_reader;
static struct {
    uint64_t frames;
    uint32_t crc;
} s_sent;

static bool write_file(void *ctx, const uint8_t *bytes, size_t n)
{
    struct file *f = ctx;
    assert_true(f->len + n <= sizeof f->bytes);
    memcpy(f->bytes + f->len, bytes, n);
    f->len += n;
    return true;
}

static size_t read_file(void *ctx, uint8_t *bytes, size_t n)
{
    struct file *f = ctx;
    n = f->len - f->at < n ? f->len - f->at : n;
    memcpy(bytes, f->bytes + f->at, n);
    f->at += n;
    return n;
}

static void on_sent(void *ctx, uint16_t link, const uint8_t *bytes, size_t n)
{
    (void)ctx;
    (void)link;
    s_sent.frames++;
    s_sent.crc = mf_crc16((uint16_t)s_sent.crc, bytes, n);
}

static void begin(struct file *to)
{
    memset(&s_player, 0, sizeof s_player);
    memset(&s_sent, 0, sizeof s_sent);
    to->len = 0;
    s_player.sent = on_sent;
    player_init(&s_player, write_file, to);
    script_init(&s_script, &s_player);
}

static void line(const char *text)
{
    char copy[SCRIPT_LINE_MAX];
    assert_true(strlen(text) < sizeof copy);
    memcpy(copy, text, strlen(text) + 1);
    if (script_line(&s_script, copy) != MF_E_OK) {
        fail_msg("%s", s_script.error);
    }
}

static void refused(const char *text, const char *data)
{
    char copy[SCRIPT_LINE_MAX], where[32];
    memcpy(copy, text, strlen(text) + 1);
    assert_int_not_equal(script_line(&s_script, copy), MF_E_OK);
    (void)snprintf(where, sizeof where, "line %u", (unsigned)s_script.line);
    assert_names(s_script.error, where);
    assert_names(s_script.error, data);
}

static void refused_setting(const char *setting)
{
    char text[SCRIPT_LINE_MAX], first[32];
    (void)snprintf(text, sizeof text, "set %s", setting);
    (void)snprintf(first, sizeof first, "%.*s", (int)strcspn(setting, " "), setting);
    refused(text, first); /* a long setting is cut in the text */
    assert_names(s_script.error, mf_err_text(MF_E_RANGE));
}

/* A short flight with two clients, one of which goes. */
static void fly(void)
{
    line("set home.lat=-33.5");
    line("set param.MIS_TAKEOFF_ALT=4");
    line("set fault=gps_off@3s+1s");
    line("boot 1700000000");
    line("open 0 sim");
    line("open 7 px4 datagram # another one");
    line("");
    line("run 1.5");
    line("send 7 PARAM_REQUEST_LIST");
    line("run 1");
    line("send 0 COMMAND_LONG command=400 param1=1");
    line("hand 0 COMMAND_LONG command=22 param4=nan param5=nan param6=nan param7=500");
    line("bytes 0 fd 00 0102 fe");
    line("run 5");
    line("close 7");
    line("late 12.5");
    line("send 0 COMMAND_LONG command=20");
    line("events 5");
    line("rate 50");
    line("run 20");
    player_end(&s_player);
}

static enum mf_recording_state play(struct file *from, struct file *to)
{
    begin(to);
    from->at = 0;
    s_reader = (struct mf_recording_reader){.read = read_file, .ctx = from};
    const int result = player_run(&s_player, &s_reader);
    if (result != MF_E_OK) {
        fail_msg("%s", s_player.error);
    }
    return s_player.state;
}

static void test_sim042_a_recording_played_records_itself(void **state)
{
    (void)state;
    begin(&s_file[0]);
    fly();
    const uint64_t frames = s_sent.frames;
    const uint32_t crc = s_sent.crc;
    assert_true(frames > 1000);
    (void)play(&s_file[0], &s_file[1]);
    assert_int_equal(s_sent.frames, frames);
    assert_int_equal(s_sent.crc, crc);
    assert_int_equal(s_file[0].len, s_file[1].len);
    assert_memory_equal(s_file[0].bytes, s_file[1].bytes, s_file[0].len);
}

static void test_sim042_a_script_gives_the_same_bytes_twice(void **state)
{
    (void)state;
    begin(&s_file[0]);
    fly();
    begin(&s_file[1]);
    fly();
    assert_int_equal(s_file[0].len, s_file[1].len);
    assert_memory_equal(s_file[0].bytes, s_file[1].bytes, s_file[0].len);
}

/* A killed process leaves a file that ends anywhere. */
static void test_sim042_a_cut_recording_plays_up_to_the_cut(void **state)
{
    (void)state;
    begin(&s_file[0]);
    fly();
    const size_t whole = s_file[0].len;
    for (size_t part = 1; part < 40; part++) {
        s_file[0].len = whole * part / 40 + part % 3;
        const enum mf_recording_state end = play(&s_file[0], &s_file[1]);
        assert_true(end == MF_RECORDING_CUT || end == MF_RECORDING_OVER);
        const size_t whole_records = (size_t)s_reader.at; /* of the recording */
        assert_true(s_file[1].len >= whole_records);
        assert_memory_equal(s_file[0].bytes, s_file[1].bytes, whole_records);
    }
}

/* The flight in s_file[0], in which the device refuses frame number @p which, into s_file[1].
 * @return length up to there; 0: there are fewer frames */
static size_t refuse_frame(unsigned which)
{
    uint8_t bytes[MF_RECORD_MAX];
    struct mf_record record;
    unsigned count = 0;
    size_t refused = 0;
    s_file[0].at = 0;
    mf_recording_header(s_file[1].bytes);
    s_file[1].len = MF_RECORDING_HEADER_BYTES;
    s_reader = (struct mf_recording_reader){.read = read_file, .ctx = &s_file[0]};
    while (mf_recording_next(&s_reader, &record) == MF_RECORDING_RECORD) {
        const bool here = record.type == MF_RECORD_OUT && count++ == which;
        if (here) {
            record = (struct mf_record){
                .type = MF_RECORD_REFUSED, .link = record.link, .value = {(int64_t)record.n, 0}};
        }
        (void)write_file(&s_file[1], bytes, mf_record_encode(&record, bytes));
        refused = here ? s_file[1].len : refused;
    }
    return refused;
}

static void stand_a_while(void)
{
    begin(&s_file[0]);
    line("boot");
    line("open 0 min");
    line("open 1 min");
    line("run 3");
    player_end(&s_player);
}

static void test_refusals_of_a_device_are_played_too(void **state)
{
    (void)state;
    stand_a_while();
    (void)refuse_frame(0);
    const uint64_t frames = s_sent.frames;
    (void)play(&s_file[1], &s_file[0]);
    assert_int_equal(s_sent.frames, frames - 1);
    assert_int_equal(s_player.drone.object.vehicle.links[0].stats.tx_dropped, 1);
}

/* Before the frames of a pass the vehicle reads, and nothing has come. */
static void test_a_refusal_keeps_its_place_among_the_frames_of_a_pass(void **state)
{
    (void)state;
    for (unsigned which = 0;; which++) {
        stand_a_while();
        const size_t n = refuse_frame(which);
        if (n == 0) {
            assert_true(which > 10);
            return;
        }
        (void)play(&s_file[1], &s_file[0]);
        assert_true(s_file[0].len >= n);
        assert_memory_equal(s_file[0].bytes, s_file[1].bytes, n);
    }
}

static void test_sim042_ids_of_remote_identification(void **state)
{
    (void)state;
    begin(&s_file[0]);
    line("boot");
    assert_null(s_player.drone.object.vehicle.remote_id.card);
    begin(&s_file[0]);
    line("set remote_id=1 4 2 7 " UAS_ID " " OPERATOR_ID);
    line("boot");
    const struct mf_remote_id_card *card = s_player.drone.object.vehicle.remote_id.card;
    assert_non_null(card);
    assert_true(card->id_type == 1 && card->ua_type == 4);
    assert_true(card->category_eu == 2 && card->class_eu == 7);
    assert_memory_equal(card->uas_id, "MAYF5ABCDE\0\0\0\0\0\0\0\0\0\xff", 20);
    assert_memory_equal(card->operator_id, "FIN87astrdge12k8\0\0\0", 20);
}

static void test_what_cannot_be_played_says_why(void **state)
{
    (void)state;
    begin(&s_file[0]);
    refused("dance", "dance");
    refused_setting("home.lat");
    refused("set wings=2", "wings=2");
    refused_setting("sysid=two");
    refused_setting("fault=gps_off@5+0");
    refused_setting("remote_id=1 2 0");
    refused_setting("remote_id=1 256 0 0 " UAS_ID " " OPERATOR_ID);
    refused_setting("remote_id=1 2 0 x " UAS_ID " " OPERATOR_ID);
    refused_setting("remote_id=1 2 0 0 " UAS_ID OPERATOR_ID "0");
    refused_setting("remote_id=1 2 0 0 " UAS_ID " " OPERATOR_ID "0");
    refused_setting("remote_id=1 2 0 0 " UAS_ID " g" OPERATOR_ID);
    refused_setting("remote_id=1 2 0 0 Z" UAS_ID " 000");
    refused("run 1", "boot");
    line("set home.lat=91");
    refused("boot", "settings");
    begin(&s_file[0]);
    line("boot");
    refused("set sysid=3", "setting boot");
    refused("open 0 fast", "fast");
    refused("open 129 sim", "129 0 128");
    refused("close 4", "link 4");
    refused("hand 4 HEARTBEAT type=6", "link 4");
    refused("hand 0 HARTBEAT", "HARTBEAT");
    line("open 0 min");
    refused("open 0 min", "link 0");
    refused("send 0 HARTBEAT", "HARTBEAT");
    refused("send 0 HEARTBEAT typ=1", "HEARTBEAT typ");
    refused("send 0 HEARTBEAT type=one", "one");
    refused("bytes 0 f", "f");
    refused("run", "run");
    refused("run -1", "-1 0 1e+09");
    line("from 255 190 1");
    line("send 0 HEARTBEAT type=6");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim042_a_recording_played_records_itself),
        cmocka_unit_test(test_sim042_a_script_gives_the_same_bytes_twice),
        cmocka_unit_test(test_sim042_a_cut_recording_plays_up_to_the_cut),
        cmocka_unit_test(test_refusals_of_a_device_are_played_too),
        cmocka_unit_test(test_a_refusal_keeps_its_place_among_the_frames_of_a_pass),
        cmocka_unit_test(test_sim042_ids_of_remote_identification),
        cmocka_unit_test(test_what_cannot_be_played_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
