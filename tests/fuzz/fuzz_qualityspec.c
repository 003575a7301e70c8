/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes the quality of a link. Up to the first newline an input is a specification, behind it what
 * the device brings. What is accepted is printed and must read back the same; then the wrapper
 * passes the bytes on under it, both ways, and must neither invent nor overrun anything.
 */
#include <string.h>

#include "drone/quality.h"
#include "host/spec/qualityspec.h"
#include "tests/fuzz/fuzz_device.h"

static struct mf_quality_link s_wraps;
static struct mf_quality_chunk s_chunk[40]; /* less than both ways may hold */

static int device_write(void *ctx, const uint8_t *bytes, size_t n)
{
    (void)ctx;
    check(n > 0 && n <= MF_FRAME_MAX && bytes != NULL);
    return (int)n;
}

static const struct mf_serial_ops k_device = {device_write, fuzz_device_read, fuzz_device_room};

static void check_round_trip(const struct mf_link_quality *quality)
{
    char once[MF_LINK_SPEC_MAX], again[MF_LINK_SPEC_MAX], reason[MF_LINK_REASON_MAX];
    struct mf_link_quality read;
    mf_link_spec_print(quality, once);
    check(strlen(once) < MF_LINK_SPEC_MAX - 1);
    check(mf_link_spec_parse(once, &read, reason) == MF_E_OK);
    mf_link_spec_print(&read, again);
    check(strcmp(once, again) == 0);
}

static void pass_on(const struct mf_link_quality *quality, const uint8_t *data, size_t size)
{
    struct mf_quality all;
    struct fuzz_device device = {data, size};
    const struct mf_serial inner = {&k_device, &device, (size & 1) != 0, false, false};
    uint8_t bytes[512];
    size_t total = 0;
    memset(&s_wraps, 0, offsetof(struct mf_quality_link, line));
    const struct mf_quality_memory memory = {&s_wraps, 1, s_chunk, 40};
    mf_quality_init(&all, &memory, 1, 1, 0);
    const struct mf_serial outer = mf_quality_open(&all, 0, quality, 0, &inner);
    for (mf_us_t now_us = 0; now_us < 200 * MF_SECOND_US; now_us += 10 * MF_SECOND_US) {
        for (int n = 1; n > 0;) {
            n = mf_serial_read(&outer, bytes, sizeof bytes);
            check(n >= 0 && n <= (int)sizeof bytes);
            total += (size_t)n;
            if (n > 0) {
                (void)mf_serial_write(&outer, bytes,
                                      (size_t)n < MF_FRAME_MAX ? (size_t)n : MF_FRAME_MAX);
            }
        }
        mf_quality_run(&all, now_us);
        const mf_us_t from_us = quality->disconnect.from_us; /* at 0 it came after that */
        const bool cut = !inner.datagram && from_us > 0 && now_us >= from_us;
        check(mf_quality_cut(&all) == (cut ? 0 : -1));
        if (cut) { /* what the board does then */
            mf_quality_close(&all, 0);
            check(mf_quality_due(&all) == MF_NEVER && all.pool.taken == 0);
            break;
        }
        check(mf_quality_due(&all) > now_us - 20 * MF_SECOND_US);
    }
    check(total <= 2 * size);
    check(s_wraps.line[0].used <= MF_QUALITY_BYTES && s_wraps.line[1].used <= MF_QUALITY_BYTES);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[MF_LINK_SPEC_MAX + 16], reason[MF_LINK_REASON_MAX] = "";
    const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
    const size_t n = end != NULL ? (size_t)(end - data) : size;
    if (n >= sizeof text) {
        return 0;
    }
    memcpy(text, data, n);
    text[n] = '\0';
    struct mf_link_quality quality;
    if (mf_link_spec_parse(text, &quality, reason) != MF_E_OK) {
        check(reason[0] != '\0' && strlen(reason) < sizeof reason);
        return 0;
    }
    check_round_trip(&quality);
    if (quality.shaped && end != NULL) {
        pass_on(&quality, end + 1, size - n - 1);
    }
    return 0;
}
