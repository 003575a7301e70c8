/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes protocol misbehaviour. Up to the first newline an input is a list of rules, behind it what
 * clients say; its frames are also what the vehicle says. What is accepted is printed and must read
 * back the same; then everything passes both ways under it, and what leaves must be whole frames,
 * the vehicle's own ones numbered without gaps. The length chooses whether the vehicle has a key:
 * then those of version 2 are signed, each later than the one before.
 */
#include <string.h>

#include "drone/misbehave.h"
#include "host/spec/misbehavespec.h"
#include "tests/fuzz/fuzz_device.h"
#include "tests/unit/support/firmware.h"

static struct mf_misbehave_link s_wraps;
static struct mf_misbehave_work s_work;
static struct mf_signing s_signing;
static struct mf_vehicle s_vehicle; /* of which only the key and the time are asked for */

struct device {
    struct fuzz_device in;
    bool any;      /* of the vehicle's own frames */
    uint8_t seq;   /* of the last one */
    uint64_t time; /* of the last signature */
};

static int device_write(void *ctx, const uint8_t *bytes, size_t n)
{
    struct device *d = ctx;
    struct mf_parser parser;
    struct mf_frame frame;
    check(n > 0 && n <= MF_FRAME_MAX);
    memset(&parser, 0, sizeof parser);
    check(mf_parser_feed(&parser, bytes, n) == n);
    check(mf_parser_next(&parser, &frame) && frame.raw_len == n);
    check(frame.sysid == 1 && frame.compid == 1);
    check(!d->any || frame.seq == (uint8_t)(d->seq + 1));
    check(mf_frame_is_signed(&frame) == (s_signing.has_key && frame.version == 2));
    if (mf_frame_is_signed(&frame)) {
        const uint64_t time = mf_frame_signature(&frame).time;
        check(mf_frame_signed_with(&frame, s_signing.key) && time > d->time);
        d->time = time;
    }
    d->any = true;
    d->seq = frame.seq;
    return (int)n;
}

static const struct mf_serial_ops k_device = {device_write, fuzz_device_read, fuzz_device_room};

static void check_round_trip(const struct mf_rule *rule)
{
    char once[MF_RULE_SPEC_MAX], again[MF_RULE_SPEC_MAX], reason[MF_RULE_REASON_MAX];
    struct mf_rule read;
    mf_rule_spec_print(rule, once);
    check(strlen(once) < MF_RULE_SPEC_MAX - 1);
    check(mf_rule_spec_parse(once, strlen(once), &read, reason) == MF_E_OK);
    mf_rule_spec_print(&read, again);
    check(strcmp(once, again) == 0);
}

/* The same frame as the vehicle's, of known messages only. */
static void say(const struct mf_serial *outer, const struct mf_frame *frame, uint8_t seq)
{
    union mf_msg msg;
    uint8_t bytes[MF_FRAME_MAX];
    const struct mf_sender from = {frame->version, seq, 1, 1};
    mf_msg_unpack(frame->info, frame->payload, frame->len, &msg);
    size_t n = mf_frame_encode(&from, frame->info, &msg, bytes);
    if (s_signing.has_key && frame->version == 2) {
        const struct mf_signature by = {4, ++s_signing.time};
        n = mf_frame_sign(bytes, n, frame->info, s_signing.key, by);
    }
    check(n > 0 && mf_serial_write(outer, bytes, n) == (int)n);
}

/* @param seq  of the vehicle's next frame: it goes on where the device fell silent */
static void pass_on(struct mf_misbehave *s, const struct mf_serial *outer, uint8_t *seq)
{
    struct mf_parser parser;
    struct mf_frame frame;
    uint8_t bytes[512];
    memset(&parser, 0, sizeof parser);
    for (int n = 1; n > 0;) {
        n = mf_serial_read(outer, bytes, sizeof bytes);
        check(n >= 0 && n <= (int)sizeof bytes);
        for (int at = 0; at < n;) {
            at += (int)mf_parser_feed(&parser, bytes + at, (size_t)(n - at));
            while (mf_parser_next(&parser, &frame)) {
                say(outer, &frame, (*seq)++);
            }
        }
        s->now_us += MF_MS_US;
        mf_misbehave_run(s, s->now_us);
        check(s_work.at <= s_work.len && s_work.len <= sizeof s_work.in);
        check(s->held_count <= MF_MISBEHAVE_HELD_MAX);
    }
}

/* @return false: one of them is none */
static bool read_rules(struct mf_misbehave *s, const char *text, size_t n)
{
    char reason[MF_RULE_REASON_MAX] = "";
    for (size_t at = 0; at <= n;) {
        const char *comma = memchr(text + at, ',', n - at);
        const size_t len = comma != NULL ? (size_t)(comma - text) - at : n - at;
        struct mf_rule rule;
        if (mf_rule_spec_parse(text + at, len, &rule, reason) != MF_E_OK) {
            check(reason[0] != '\0' && strlen(reason) < sizeof reason);
            return false;
        }
        check_round_trip(&rule);
        (void)mf_misbehave_add(s, &rule);
        at += len + 1;
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct mf_misbehave s;
    const mf_us_t vehicle_us = 10 * MF_SECOND_US;
    const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
    const size_t n = end != NULL ? (size_t)(end - data) : size;
    memset(&s_wraps, 0, sizeof s_wraps);
    memset(&s_work, 0xA5, sizeof s_work);
    mf_misbehave_init(&s, &s_wraps, &s_work, 1, 1, 1, &vehicle_us);
    s_signing = (struct mf_signing){
        .hal = &s_vehicle.hal, .now = &s_vehicle.now, .has_key = (size & 2) != 0, .key = {1, 2, 3}};
    s_vehicle.signing = &s_signing;
    s.vehicle = &s_vehicle;
    if (!read_rules(&s, (const char *)data, n) || end == NULL) {
        return 0;
    }
    struct device device = {.in = {end + 1, size - n - 1}};
    const struct mf_serial inner = {&k_device, &device, (size & 1) != 0, false, false};
    const struct mf_serial outer = mf_misbehave_open(&s, 0, &inner);
    uint8_t seq = 0;
    for (int i = 0; i < 8; i++) { /* until nothing waits any more */
        pass_on(&s, &outer, &seq);
        mf_misbehave_run(&s, s.now_us + 4000 * MF_SECOND_US);
    }
    check(mf_misbehave_due(&s) == MF_NEVER);
    return 0;
}
