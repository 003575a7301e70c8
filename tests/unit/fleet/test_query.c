/* SPDX-License-Identifier: Apache-2.0 */
/* fleet/query.h: SBE-16: members by type and by id. */
#include "fleet/query.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct mf_scenario s;

/* Members 0 to 9: four bees, of which radios; three vehicles; a hive; two rigid bodies. */
static int begin(void **state)
{
    static const char k_text[] =
        "swarm: 1\n"
        "time: {end: 9}\n"
        "entities:\n"
        "  - {name: bee, count: 4, as: agent, body: bee, radio: {kind: cc2420}, behaviour: walk}\n"
        "  - {name: v, count: 3, sensors: [{kind: compass}, {kind: range}], behaviour: walk}\n"
        "  - {name: hive, thing: hive}\n"
        "  - {name: ball, count: 2, as: agent, body: rigid, sensors: [{kind: range}]}\n";
    char error[MF_KEYS_ERROR_MAX];
    const struct mf_scenario_given none = {0};
    (void)state;
    mf_scenario_free(&s);
    if (mf_scenario_read("s.yaml", k_text, strlen(k_text), &none, &s, error) != MF_E_OK) {
        fail_msg("%s", error);
    }
    return 0;
}

static void want(struct mf_query *q, enum mf_query_key key, const char *word)
{
    assert_true(mf_query_want(q, key, word, strlen(word)));
}

/* The members that pass, a digit each. */
static void must_find(const struct mf_query *q, const char *members)
{
    char found[16] = "";
    size_t n = 0;
    for (uint32_t i = 0; (i = mf_query_next(&s, q, i)) < s.members; i++) {
        found[n++] = (char)('0' + i);
    }
    assert_string_equal(found, members);
}

static void test_sbe16_members_are_found_by_type(void **state)
{
    (void)state;
    struct mf_query q = mf_query_all();
    must_find(&q, "0123456789");
    want(&q, MF_QUERY_KIND, "agent");
    must_find(&q, "012389");
    want(&q, MF_QUERY_BODY, "rigid");
    must_find(&q, "89");
    q = mf_query_all();
    want(&q, MF_QUERY_SENSOR, "range");
    must_find(&q, "45689");
    want(&q, MF_QUERY_BEHAVIOUR, "walk");
    must_find(&q, "456");
    q = mf_query_all();
    want(&q, MF_QUERY_RADIO, "cc2420");
    must_find(&q, "0123");
    q = mf_query_all();
    want(&q, MF_QUERY_THING, "hive");
    must_find(&q, "7");
    q = mf_query_all();
    want(&q, MF_QUERY_BODY, "constant"); /* a thing has none */
    must_find(&q, "456");
    q = mf_query_all();
    want(&q, MF_QUERY_SENSOR, "camera");
    must_find(&q, "");
}

/* A word that a key does not have changes nothing; each key tells its words. */
static void test_sbe16_words_are_checked(void **state)
{
    (void)state;
    struct mf_query q = mf_query_all();
    assert_false(mf_query_want(&q, MF_QUERY_BODY, "steel", 5));
    assert_false(mf_query_want(&q, MF_QUERY_BODY, "bee", 2));
    must_find(&q, "0123456789");
    for (int key = 0; key < MF_QUERY_KEYS; key++) {
        assert_true(strlen(mf_query_key((enum mf_query_key)key)) > 0);
        assert_non_null(mf_query_words((enum mf_query_key)key)[0]);
    }
}

static void test_sbe16_one_is_found_by_its_id(void **state)
{
    (void)state;
    assert_int_equal(mf_query_id(&s, "bee.3"), 2);
    assert_int_equal(mf_query_id(&s, "hive"), 7);
    assert_int_equal(mf_query_id(&s, "10"), 9);
    static const char *const k_none[] = {"bee", "bee.5", "0", "11", "7x", "99999999999", ""};
    for (size_t i = 0; i < sizeof k_none / sizeof k_none[0]; i++) {
        assert_int_equal(mf_query_id(&s, k_none[i]), s.members);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_sbe16_members_are_found_by_type, begin),
        cmocka_unit_test_setup(test_sbe16_words_are_checked, begin),
        cmocka_unit_test_setup(test_sbe16_one_is_found_by_its_id, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
