/* SPDX-License-Identifier: Apache-2.0 */
/* A link whose quality is changed while frames are on their way. What a frame says does not matter
 * on the way out: here each is its number. */
#include "drone/quality.h"
#include "host/spec/qualityspec.h"
#include "math/chance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define S    MF_SECOND_US
#define SEED 7u
#define LINK 4u

static struct mf_quality s_quality;
static struct mf_quality_link s_wraps[1];
static struct mf_quality_chunk s_chunk[20];
static uint32_t s_got[256];
static size_t s_count;

static int wire_write(void *ctx, const uint8_t *bytes, size_t n)
{
    (void)ctx;
    assert_true(n == sizeof s_got[0] && s_count < 256);
    memcpy(&s_got[s_count++], bytes, n);
    return (int)n;
}

static int wire_read(void *ctx, uint8_t *bytes, size_t cap)
{
    (void)ctx;
    memset(bytes, 0, cap);
    return 0; /* nothing comes */
}

static size_t wire_room(void *ctx)
{
    (void)ctx;
    return SIZE_MAX;
}

static const struct mf_serial_ops k_ops = {wire_write, wire_read, wire_room};
static const struct mf_serial k_wire = {.ops = &k_ops};

static struct mf_link_quality parsed(const char *spec, mf_us_t since_us)
{
    struct mf_link_quality quality;
    char reason[MF_LINK_REASON_MAX];
    assert_int_equal(mf_link_spec_parse(spec, &quality, reason), MF_E_OK);
    quality.since_us = since_us;
    return quality;
}

static struct mf_serial begin(const char *spec)
{
    const struct mf_quality_memory memory = {s_wraps, 1, s_chunk, 20};
    const struct mf_link_quality quality = parsed(spec, 0);
    memset(s_wraps, 0, sizeof s_wraps);
    s_count = 0;
    mf_quality_init(&s_quality, &memory, SEED, 1, 0);
    return mf_quality_open(&s_quality, 0, &quality, LINK, &k_wire);
}

static void change(const char *spec)
{
    const struct mf_link_quality quality = parsed(spec, s_quality.now_us);
    mf_quality_change(&s_quality, 0, &quality);
}

static void send(const struct mf_serial *serial, uint32_t first, uint32_t count)
{
    for (uint32_t n = first; n < first + count; n++) {
        assert_int_equal(mf_serial_write(serial, (const uint8_t *)&n, sizeof n), sizeof n);
    }
}

/* By the definition in docs/links.md: of seed, instance, link, way and number. */
static bool is_lost(uint64_t number, double percent)
{
    const uint64_t peer =
        mf_chance_u64(mf_chance_u64(SEED, 1), UINT64_C(0x4C494E4B) << 32 | LINK << 16);
    return mf_chance_unit(mf_chance_u64(peer, MF_WAY_OUT), number * 16) * 100.0 < percent;
}

static void test_losses_are_those_of_the_number_from_then_on(void **state)
{
    (void)state;
    const struct mf_serial serial = begin("loss=50%");
    send(&serial, 0, 17);
    s_count = 0;
    change("out:loss=25%");
    send(&serial, 100, 100);
    size_t at = 0;
    for (uint32_t n = 0; n < 100; n++) {
        if (!is_lost(n, 25.0)) {
            assert_true(at < s_count && s_got[at] == 100 + n);
            at++;
        }
    }
    assert_int_equal(at, s_count);
    assert_in_range(at, 60, 90);
    assert_int_equal(s_wraps[0].line[MF_WAY_OUT].stats.frames, 117);
}

static void test_nothing_overtakes_what_is_under_way(void **state)
{
    (void)state;
    const struct mf_serial serial = begin("delay=2s,rate=100");
    send(&serial, 0, 10);
    mf_quality_run(&s_quality, S);
    change("none");
    send(&serial, 10, 10);
    assert_int_equal(s_count, 0);
    mf_quality_run(&s_quality, 2 * S + S / 2);
    assert_int_equal(s_count, 20);
    for (uint32_t n = 0; n < 20; n++) {
        assert_int_equal(s_got[n], n);
    }
    send(&serial, 20, 1); /* and now it is none */
    assert_int_equal(s_count, 21);
}

static void test_times_count_from_then_on(void **state)
{
    (void)state;
    const struct mf_serial serial = begin("disconnect=9s");
    mf_quality_run(&s_quality, 5 * S);
    change("out:silent=1s+2s,disconnect=4s+1s");
    const struct mf_link_quality quality = parsed("disconnect=4s+1s", 5 * S);
    send(&serial, 0, 1);
    mf_quality_run(&s_quality, 6 * S);
    send(&serial, 1, 1);
    mf_quality_run(&s_quality, 8 * S);
    send(&serial, 2, 1);
    assert_true(s_count == 2 && s_got[1] == 2);
    assert_int_equal(mf_quality_due(&s_quality), 9 * S);
    assert_int_equal(mf_quality_cut(&s_quality), -1);
    assert_true(mf_quality_admit(&s_quality, &quality, &k_wire));
    mf_quality_run(&s_quality, 9 * S);
    assert_int_equal(mf_quality_cut(&s_quality), 0);
    assert_false(mf_quality_admit(&s_quality, &quality, &k_wire));
    change("disconnect=0s+1s"); /* again, at once */
    assert_int_equal(mf_quality_cut(&s_quality), 0);
    assert_int_equal(mf_quality_cut(&s_quality), -1);
    mf_quality_run(&s_quality, 10 * S);
    assert_true(mf_quality_admit(&s_quality, &quality, &k_wire));
    change("disconnect=1h");
    assert_int_equal(mf_quality_cut(&s_quality), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_losses_are_those_of_the_number_from_then_on),
        cmocka_unit_test(test_nothing_overtakes_what_is_under_way),
        cmocka_unit_test(test_times_count_from_then_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
