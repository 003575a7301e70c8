/* SPDX-License-Identifier: Apache-2.0 */
/* LDS-07, LDS-20: the list of messages, and which fields each type has. LDS-12: trust. */
#include "fleet/messages.h"
#include "fleet/trust.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define DRONE(n) (MF_ADDRESS_DRONE | (n))

static uint8_t s_bytes[4096];

static struct mf_messages list(uint32_t capacity)
{
    struct mf_memory memory = {s_bytes, sizeof s_bytes, 0};
    struct mf_messages m;
    assert_true(mf_messages_bytes(capacity) <= sizeof s_bytes);
    assert_int_equal(mf_messages_init(&m, capacity, &memory), MF_E_OK);
    return m;
}

static void add(struct mf_messages *m, enum mf_message_type type, uint32_t from, uint32_t to)
{
    assert_non_null(
        mf_messages_add(m, 1, type, from, to, &(struct mf_message_content){.task = from}));
}

static void test_lds07_order_search_remove(void **state)
{
    struct mf_messages m = list(8);
    struct mf_message got;
    (void)state;
    add(&m, MF_MESSAGE_INFO_UPDATE, DRONE(1), 0);
    add(&m, MF_MESSAGE_REQ_PATH, DRONE(2), 0);
    add(&m, MF_MESSAGE_TASK, 0, DRONE(1));
    add(&m, MF_MESSAGE_REQ_PATH, DRONE(1), 0);
    assert_int_equal(mf_messages_search(&m, MF_MESSAGE_REQ_PATH, DRONE(1), 0)->number, 4);
    assert_null(mf_messages_search(&m, MF_MESSAGE_REQ_PATH, DRONE(3), 0));
    assert_true(mf_messages_take(&m, 0, &got) && got.number == 1);
    assert_true(mf_messages_take(&m, 0, &got) && got.number == 2);
    assert_int_equal(mf_messages_remove(&m, DRONE(1)), 2);
    assert_false(mf_messages_take(&m, 0, &got));
    assert_false(mf_messages_take(&m, DRONE(1), &got));
    assert_int_equal(m.sent, 4);
}

static void test_full_list_counts(void **state)
{
    struct mf_messages m = list(2);
    (void)state;
    add(&m, MF_MESSAGE_PLAY, 0, DRONE(1));
    add(&m, MF_MESSAGE_PLAY, 0, DRONE(2));
    assert_null(
        mf_messages_add(&m, 1, MF_MESSAGE_PLAY, 0, DRONE(3), &(struct mf_message_content){0}));
    assert_int_equal(m.lost, 1);
    assert_int_equal(m.sent, 2);
}

static void test_lds20_fields_of_types(void **state)
{
    static const char *const k_fields[MF_MESSAGE_TYPES] = {"INFO_UPDATE c t s b",
                                                           "REQ_TASK c",
                                                           "REQ_PATH c t",
                                                           "CELL_ATTR c n v",
                                                           "TASK t",
                                                           "PATH c t m",
                                                           "TASK_DONE t m a b",
                                                           "TASK_FAILED t n",
                                                           "REVOKE t n",
                                                           "GO_HOME",
                                                           "CHARGE c m",
                                                           "GOTO c",
                                                           "PLAY",
                                                           "DATA c n v"};
    (void)state;
    for (uint32_t i = 0; i < MF_MESSAGE_TYPES; i++) {
        const struct mf_message_fields *f = &mf_message_fields[i];
        char text[64];
        (void)snprintf(text, sizeof text, "%s%s%s%s%s%s%s%s%s", f->type, f->cell ? " c" : "",
                       f->task ? " t" : "", f->cost ? " m" : "", f->ticks ? " a" : "",
                       f->state ? " s" : "", f->name ? " n" : "", f->battery ? " b" : "",
                       f->value ? " v" : "");
        assert_string_equal(text, k_fields[i]);
    }
}

/* 20 of 22, then 25 of 29: the product of Eq. 1, and the single ratios of Listing 7. */
static void test_lds12_trust(void **state)
{
    const struct mf_trust_settings s = {.alpha = 1.0, .failed = 0.5};
    const struct mf_trust_settings both = {.alpha = 0.5, .beta = 0.5};
    const struct mf_trust_settings published = {.alpha = 1.0, .compat = true};
    (void)state;
    const double first = mf_trust_after(&s, 1.0, mf_trust_ratio(&s, 20, 22), 1.0);
    assert_true(first == 20.0 / 22.0);
    assert_true(mf_trust_after(&s, first, mf_trust_ratio(&s, 25, 29), 1.0) ==
                20.0 / 22.0 * (25.0 / 29.0));
    assert_true(mf_trust_ratio(&s, 30, 20) == 1.0); /* at most */
    assert_true(mf_trust_ratio(&published, 30, 20) == 1.5);
    assert_true(mf_trust_ratio(&s, 5, 0) == 1.0);
    assert_true(mf_trust_ratio(&s, 0, 0) == 1.0 && mf_trust_ratio(&s, 0, 1) == 1.0);
    assert_true(mf_trust_ratio(&s, 0, 4) == 0.25);
    assert_true(mf_trust_after(&both, 1.0, 1.0, 0.5) == 1.0);
    assert_true(mf_trust_after(&both, 1.0, 1.0, 0.25) == 0.75);
    assert_true(mf_trust_after(&both, 0.5, 0.5, 1.0) == 0.375);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lds07_order_search_remove),
        cmocka_unit_test(test_full_list_counts),
        cmocka_unit_test(test_lds20_fields_of_types),
        cmocka_unit_test(test_lds12_trust),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
