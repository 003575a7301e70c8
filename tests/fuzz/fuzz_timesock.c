/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes the time socket: two controllers whose lines are cut at random, on a clock that goes as
 * far as they permit. The first byte chooses the clock. Of the others, 0x80 and 0x81 say which
 * controller speaks from now on, 0x82 ends the turn of the loop, and all others are said. What must
 * hold for any input is checked, and abort() called if it does not.
 */
#include <stdlib.h>
#include <string.h>

#include "host/time/time_control.h"
#include "tests/fuzz/fuzz_device.h"

struct end {
    struct fuzz_device device;
    uint8_t in[256];
};

/* Every line that leaves is whole, printable and bounded. */
static int end_write(void *ctx, const uint8_t *bytes, size_t n)
{
    (void)ctx;
    check(n > 0 && n < MF_TIME_TEXT_MAX && bytes[n - 1] == '\n');
    for (size_t i = 0; i + 1 < n; i++) {
        check(bytes[i] >= ' ' && bytes[i] <= '~');
    }
    return (int)n;
}

/* Time goes on as far as permitted, at most to the next wish; each wish is an event. */
static void turn(struct mf_time_control *t, struct mf_time_report *r)
{
    const mf_us_t limit_us = mf_time_control_pass(t, r);
    check(limit_us >= r->now_us);
    check(limit_us == MF_NEVER || limit_us <= MF_TIME_MAX_US || limit_us == r->event_us);
    check(!t->lockstep || limit_us != MF_NEVER);
    mf_time_control_answer(t);
    (void)mf_time_control_read(t);
    r->now_us = mf_earlier(limit_us, r->next_us);
    if (r->now_us == r->next_us) {
        r->events++;
        r->next_us = r->event_us = r->now_us + 1000;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct mf_serial_ops k_end = {end_write, fuzz_device_read, fuzz_device_room};
    struct end end[2] = {{.device = {NULL, 0}}, {.device = {NULL, 0}}};
    struct mf_time_control t;
    struct mf_time_report r = {.next_us = 1000, .event_us = 1000};
    mf_time_control_init(&t, size > 0 && data[0] % 2 == 0, "fuzzed", 1);
    for (uint16_t i = 0; i < 2; i++) {
        check(mf_time_control_open(&t, i, &(struct mf_serial){.ops = &k_end, .ctx = &end[i]}));
    }
    struct end *e = &end[0];
    for (size_t i = 1; i < size; i++) {
        if (data[i] == 0x82) {
            turn(&t, &r);
        } else if (data[i] == 0x80 || data[i] == 0x81) {
            e = &end[data[i] & 1u];
        } else {
            fuzz_device_say(&e->device, e->in, sizeof e->in, data[i]);
        }
    }
    /* whatever is left is dealt with */
    for (size_t i = 0; i < 2 * sizeof end[0].in && end[0].device.len + end[1].device.len > 0; i++) {
        turn(&t, &r);
    }
    check(end[0].device.len == 0 && end[1].device.len == 0);
    check(mf_time_control_broken(&t) == MF_E_NOENT);
    return 0;
}
