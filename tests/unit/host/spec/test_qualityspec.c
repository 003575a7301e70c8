/* SPDX-License-Identifier: Apache-2.0 */
#include "host/spec/qualityspec.h"
#include "tests/unit/support/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static char s_reason[MF_LINK_REASON_MAX];

static struct mf_link_quality good(const char *text)
{
    struct mf_link_quality q;
    if (mf_link_spec_parse(text, &q, s_reason) != MF_E_OK) {
        fail_msg("%s: %s", text, s_reason);
    }
    return q;
}

static void test_none_is_perfect(void **state)
{
    (void)state;
    const struct mf_link_quality q = good("none");
    assert_false(q.shaped);
    assert_true(q.way[MF_WAY_IN].silent.from_us == MF_NEVER && q.disconnect.from_us == MF_NEVER);
}

static void test_terms_of_both_ways_and_of_one(void **state)
{
    (void)state;
    const struct mf_link_quality q =
        good("loss=10%, delay=50ms,in:loss=2.5,out:rate=5760,burst=2%:8,out:burst=1%:4:80%,"
             "jitter=0.02,duplicate=3%,reorder=4%,corrupt=5%,in:silent=20s+10s,disconnect=1min");
    const struct mf_way_quality *in = &q.way[MF_WAY_IN], *out = &q.way[MF_WAY_OUT];
    assert_true(q.shaped);
    assert_true(in->loss == 2.5 && out->loss == 10.0);
    assert_true(in->delay_us == 50000 && out->delay_us == 50000 && in->jitter_us == 20000);
    assert_true(in->rate_bps == 0 && out->rate_bps == 5760);
    assert_true(in->burst.percent == 2.0 && in->burst.frames == 8.0 && in->burst.loss == 100.0);
    assert_true(out->burst.percent == 1.0 && out->burst.frames == 4.0 && out->burst.loss == 80.0);
    assert_true(in->duplicate == 3.0 && out->reorder == 4.0 && in->corrupt == 5.0);
    assert_true(in->silent.from_us == 20000000 && in->silent.for_us == 10000000);
    assert_true(out->silent.from_us == MF_NEVER);
    assert_true(q.disconnect.from_us == 60000000 && q.disconnect.for_us == MF_NEVER);
}

static void test_presets_can_be_refined(void **state)
{
    (void)state;
    assert_true(good("sik57k").way[MF_WAY_OUT].rate_bps == 5760);
    assert_true(good("sik57k,loss=7%").way[MF_WAY_IN].loss == 7.0);
    assert_true(good("loss=7%,sik57k").way[MF_WAY_IN].loss == 1.0);
    assert_true(good("lte").way[MF_WAY_IN].rate_bps > good("lte").way[MF_WAY_OUT].rate_bps);
    assert_true(good("satcom").way[MF_WAY_IN].delay_us == 300000);
}

static void test_wrong_ones_are_refused_with_what_is_allowed(void **state)
{
    (void)state;
    static const struct {
        const char *text, *data;
    } bad[] = {
        {"los=10%", "los loss"},
        {"sik57", "sik57 sik57k"},
        {"sik", "sik sik57k"},
        {"radio", "radio sik57k lte satcom loss"},
        {"", "'' sik57k lte satcom"},
        {"loss", "loss '' loss=5%"},
        {"loss=", "loss '' loss=5%"},
        {"loss=101%", "loss 101% 0 100 percent"},
        {"loss=-1", "loss -1 0 100 percent"},
        {"loss=1%%", "loss 1%%"},
        {"loss=nan", "loss nan"},
        {"delay=5x", "delay 5x delay=50ms"},
        {"delay=61s", "delay 61s 0 60 s"},
        {"rate=99", "rate 99 100 12500000 bytes/s"},
        {"rate=1k", "rate 1k rate=5760"},
        {"burst=2%:0.5", "burst 0.5 1 10000 frames"},
        {"burst=2%:", "burst 2%: burst=2%:10"},
        {"burst=2%:8:x", "burst x burst=2%:10"},
        {"silent=5s+", "silent '' silent=30s+10s"},
        {"in:sik57k", "sik57k in:"},
        {"out:disconnect=5s", "out: out:silent"},
        {"disconnect", "disconnect=30s+10s"},
        {"loss=1%,,delay=1s", "'' sik57k lte satcom"},
        {"in:", "'' sik57k lte satcom"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct mf_link_quality q = {.shaped = true};
        assert_int_equal(mf_link_spec_parse(bad[i].text, &q, s_reason), MF_E_RANGE);
        assert_true(q.shaped && q.way[0].loss == 0.0); /* untouched */
        assert_names(s_reason, bad[i].data);
    }
    char longest[MF_LINK_SPEC_MAX + 1];
    memset(longest, 'x', sizeof longest);
    longest[MF_LINK_SPEC_MAX] = '\0';
    struct mf_link_quality q;
    assert_int_equal(mf_link_spec_parse(longest, &q, s_reason), MF_E_RANGE);
}

static void test_what_is_printed_reads_back(void **state)
{
    (void)state;
    static const char *const k_text[] = {
        "none",
        "sik57k",
        "lte",
        "satcom",
        "loss=0%",
        "loss=33.333333333333336%,in:delay=1us,out:jitter=1.5s",
        "silent=1s,out:silent=2s+3ms,disconnect=0+1h",
        "loss=1%,burst=2.5%:7.25:99.9%,delay=60,jitter=60,rate=12500000,duplicate=0.1",
        "reorder=0.2,corrupt=0.3,silent=31536000+31536000,disconnect=31536000+31536000",
    };
    for (size_t i = 0; i < sizeof k_text / sizeof k_text[0]; i++) {
        char once[MF_LINK_SPEC_MAX], again[MF_LINK_SPEC_MAX];
        const struct mf_link_quality q = good(k_text[i]);
        mf_link_spec_print(&q, once);
        const struct mf_link_quality read = good(once);
        mf_link_spec_print(&read, again);
        assert_string_equal(once, again);
        assert_int_equal(q.shaped, read.shaped);
        for (int way = 0; way < MF_WAY_COUNT; way++) {
            const struct mf_way_quality *a = &q.way[way], *b = &read.way[way];
            assert_true(a->loss == b->loss && a->burst.frames == b->burst.frames);
            assert_true(a->delay_us == b->delay_us && a->jitter_us == b->jitter_us);
            assert_true(a->rate_bps == b->rate_bps && a->silent.for_us == b->silent.for_us);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_none_is_perfect),
        cmocka_unit_test(test_terms_of_both_ways_and_of_one),
        cmocka_unit_test(test_presets_can_be_refined),
        cmocka_unit_test(test_wrong_ones_are_refused_with_what_is_allowed),
        cmocka_unit_test(test_what_is_printed_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
