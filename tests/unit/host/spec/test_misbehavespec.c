/* SPDX-License-Identifier: Apache-2.0 */
#include "host/spec/misbehavespec.h"

#include "mavlink/enums.h"
#include "mavlink/message.h"
#include "tests/unit/support/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static char s_reason[MF_RULE_REASON_MAX];

static struct mf_rule good(const char *text)
{
    struct mf_rule rule;
    if (mf_rule_spec_parse(text, strlen(text), &rule, s_reason) != MF_E_OK) {
        fail_msg("%s: %s", text, s_reason);
    }
    return rule;
}

static void test_sim046_parts_of_a_rule(void **state)
{
    (void)state;
    struct mf_rule r = good("command_denied");
    assert_int_equal(r.kind, MF_RULE_COMMAND_DENIED);
    assert_false(r.selected);
    assert_int_equal(r.times, 0);
    assert_int_equal(r.from_us, 0);
    assert_int_equal(r.for_us, MF_NEVER);
    r = good("command_rejected(arm)*2@30s+1min");
    assert_int_equal(r.kind, MF_RULE_COMMAND_REJECTED);
    assert_true(r.selected);
    assert_int_equal(r.id, 400);
    assert_int_equal(r.times, 2);
    assert_int_equal(r.from_us, 30000000);
    assert_int_equal(r.for_us, 60000000);
    r = good("command_late=1500ms+2");
    assert_int_equal(r.delay_us, 1500000);
    assert_int_equal(r.for_us, 2000000);
    assert_int_equal(good("command_late").delay_us, 3000000);
    r = good("mission_download_refused(rally)=65535*1000000");
    assert_int_equal(r.id, 2);
    assert_int_equal(r.value, 65535);
    assert_int_equal(r.times, 1000000);
    r = good("mission_upload_lost=3");
    assert_int_equal(r.value, 3);
    assert_int_equal(r.times, 1);
    assert_false(r.selected);
    assert_int_equal(good("ftp_error").value, 1);
}

static void test_selectors_are_numbers_or_names(void **state)
{
    (void)state;
    const struct {
        const char *text;
        uint32_t id;
    } k_same[] = {{"command_denied(22)", 22},
                  {"command_denied(takeoff)", 22},
                  {"command_denied(NAV_TAKEOFF)", 22},
                  {"command_denied(MAV_CMD_NAV_TAKEOFF)", 22},
                  {"command_denied(mav_cmd_nav_takeoff)", 22},
                  {"command_denied(65535)", 65535},
                  {"command_denied(rtl)", 20},
                  {"command_denied(MISSION_START)", 300},
                  {"request_unanswered(HOME_POSITION)", 242},
                  {"message_silence(home_position)", 242},
                  {"message_silence(16777215)", 16777215},
                  {"mission_ack_lost(fence)", 1},
                  {"mission_ack_lost(0)", 0},
                  {"ftp_lost(open)", 4},
                  {"ftp_lost(15)", 15}};
    for (size_t i = 0; i < sizeof k_same / sizeof k_same[0]; i++) {
        const struct mf_rule r = good(k_same[i].text);
        assert_true(r.selected);
        assert_int_equal(r.id, k_same[i].id);
    }
    const struct mf_rule r = good("param_lost(MPC_XY_CRUISE)");
    assert_true(r.selected);
    assert_string_equal(r.name, "MPC_XY_CRUISE");
}

static void test_what_is_wrong_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *text, *data;
    } k_bad[] = {{"", "'' docs/misbehaviour.md"},
                 {"command_denid", "command_denid command_denied"},
                 {"xyzzy", "xyzzy docs/misbehaviour.md"},
                 {"command_denied(takof)", "command_denied takof takeoff"},
                 {"command_denied()", "command_denied '' MAV_CMD docs/misbehaviour.md"},
                 {"command_denied(65536)", "command_denied 65536 0 65535"},
                 {"command_denied(22x)", "command_denied 22x 0 65535"},
                 {"command_denied(22", "command_denied(22"},
                 {"command_denied(22)x", "command_denied(22)x"},
                 {"command_denied=3", "command_denied value"},
                 {"command_denied*0", "command_denied 0 1 1000000"},
                 {"command_denied*1000001", "command_denied 1000001 1 1000000"},
                 {"command_denied*-1", "command_denied -1 1 1000000"},
                 {"command_denied@", "'' us ms s m min h 30s"},
                 {"command_denied@-1s", "-1s 0 1e+09 s"},
                 {"command_denied@1s+0s", "0s 0 1e+09 s"},
                 {"command_denied+1s@1s", "@ + command_denied@30s+10s"},
                 {"command_denied@2y", "2y us ms s m min h 30s"},
                 {"command_late=2h", "2h 0 3600 s"},
                 {"mission_upload_lost=65536", "mission_upload_lost 65536 ITEM 0 65535"},
                 {"mission_upload_lost=-1", "mission_upload_lost -1 ITEM 0 65535"},
                 {"mission_upload_lost(walls)", "mission_upload_lost walls rally"},
                 {"mission_upload_lost(3)", "mission_upload_lost 3 0 2"},
                 {"message_silence", "message_silence message_silence(GLOBAL_POSITION_INT)"},
                 {"message_silence(HEART_BEAT)", "message_silence HEART_BEAT HEARTBEAT"},
                 {"param_lost(MPC_XY_CRUISED)", "param_lost MPC_XY_CRUISED MPC_XY_CRUISE"},
                 {"param_lost(mpc_xy_cruise)", "param_lost mpc_xy_cruise MPC_XY_CRUISE"},
                 {"param_lost(A_NAME_THAT_IS_MUCH_TOO_LONG)",
                  "param_lost A_NAME_THAT_IS_MUCH_TOO_LONG docs/parameters.md"},
                 {"ftp_error=0", "ftp_error 0 ERROR 1 10"},
                 {"ftp_error(open)=11", "ftp_error 11 ERROR 1 10"},
                 {"ftp_error(fly)", "ftp_error fly FTP"}};
    for (size_t i = 0; i < sizeof k_bad / sizeof k_bad[0]; i++) {
        struct mf_rule r;
        s_reason[0] = '\0';
        assert_int_equal(mf_rule_spec_parse(k_bad[i].text, strlen(k_bad[i].text), &r, s_reason),
                         MF_E_RANGE);
        assert_names(s_reason, k_bad[i].data);
    }
    char longer[MF_RULE_SPEC_MAX + 1];
    struct mf_rule r;
    memset(longer, 'a', sizeof longer);
    assert_int_equal(mf_rule_spec_parse(longer, MF_RULE_SPEC_MAX, &r, s_reason), MF_E_RANGE);
    assert_names(s_reason, "191");
}

static void test_printed_and_read_again(void **state)
{
    (void)state;
    static const struct {
        const char *text, *printed;
    } k_case[] = {
        {"command_denied", "command_denied"},
        {"command_denied(takeoff)*2@1.5+1m", "command_denied(NAV_TAKEOFF)*2@1500ms+1min"},
        {"command_denied(4711)+1", "command_denied(4711)@0s+1s"},
        {"command_late", "command_late=3s"},
        {"mission_upload_lost(1)=7", "mission_upload_lost(fence)=7*1"},
        {"message_silence(0)", "message_silence(HEARTBEAT)"},
        {"message_silence(77777)", "message_silence(77777)"},
        {"param_lost(MPC_XY_CRUISE)*3", "param_lost(MPC_XY_CRUISE)*3"},
        {"ftp_error(4)=10", "ftp_error(open)=10"},
    };
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        char once[MF_RULE_SPEC_MAX], again[MF_RULE_SPEC_MAX];
        const struct mf_rule first = good(k_case[i].text);
        mf_rule_spec_print(&first, once);
        assert_string_equal(once, k_case[i].printed);
        const struct mf_rule second = good(once);
        mf_rule_spec_print(&second, again);
        assert_string_equal(once, again);
        assert_memory_equal(&first, &second, sizeof first);
    }
}

/* Every row of the table is spelled as it says, and fits into its limits. */
static void test_the_table(void **state)
{
    (void)state;
    for (int i = 0; i < MF_RULE_COUNT; i++) {
        char takes[32];
        const struct mf_rule_info *info = mf_rule_info((enum mf_rule_kind)i);
        assert_int_equal(mf_rule_find(info->name), i);
        assert_true(strlen(info->effect) > 0);
        mf_rule_takes((enum mf_rule_kind)i, takes, sizeof takes);
        assert_int_equal(strchr(takes, '(') != NULL, info->selector != MF_SELECTOR_NONE);
        assert_int_equal(strchr(takes, '=') != NULL, info->value != MF_VALUE_NONE);
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(info->name, mf_rule_info((enum mf_rule_kind)j)->name);
        }
    }
    assert_int_equal(mf_rule_find("COMMAND_DENIED"), MF_E_NOENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim046_parts_of_a_rule),
        cmocka_unit_test(test_selectors_are_numbers_or_names),
        cmocka_unit_test(test_what_is_wrong_is_said),
        cmocka_unit_test(test_printed_and_read_again),
        cmocka_unit_test(test_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
