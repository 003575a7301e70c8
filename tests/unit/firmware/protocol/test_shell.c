/* SPDX-License-Identifier: Apache-2.0 */
/* The shell over SERIAL_CONTROL: what clients write and read, byte by byte. */
#include "tests/unit/firmware/flight_fixture.h"

#include "firmware/protocol/shell.h"
#include "tests/unit/support/names.h"

#include <stdio.h>

/* SERIAL_CONTROL.device and flags, as MAVLink numbers them */
#define SHELL   10
#define REPLY   1
#define RESPOND 2

/* What QGroundControl sets: RESPOND, EXCLUSIVE and MULTI. */
#define QGC (2 | 4 | 16)

static const struct mf_options k_default;

static char said[32768];

/* Sends at most 70 bytes to (system, component). */
static void send(const char *text, uint8_t device, uint8_t flags, uint8_t system, uint8_t component)
{
    struct mf_msg_serial_control m = {.device = device,
                                      .flags = flags,
                                      .count = (uint8_t)strlen(text),
                                      .target_system = system,
                                      .target_component = component};
    assert_true(strlen(text) <= sizeof m.data);
    memcpy(m.data, text, strlen(text));
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_SERIAL_CONTROL, &m);
    (void)mf_vehicle_step(&fx.v);
}

static void pass_10_ms(void)
{
    fx.mock.now.transport_us += 10000;
    (void)mf_vehicle_step(&fx.v);
}

/* All that the shell says until it is done, in the frames that PX4 makes. */
static const char *hear(void)
{
    struct mf_msg_serial_control m;
    size_t n = 0;
    for (int pause = 0; pause < 100; pause++) {
        while (mf_mock_take(&fx.mock, 0, MF_MSG_SERIAL_CONTROL, &m)) {
            assert_int_equal(m.device, SHELL);
            assert_int_equal(m.flags, REPLY);
            assert_int_equal(m.baudrate, 0);
            assert_int_equal(m.timeout, 0);
            assert_in_range(m.count, 1, 70);
            assert_int_equal(m.target_system, 245);
            assert_int_equal(m.target_component, 190);
            assert_true(n + m.count < sizeof said);
            memcpy(said + n, m.data, m.count);
            n += m.count;
        }
        if (fx.v.due_us[MF_TASK_SHELL] == MF_NEVER) {
            break;
        }
        pass_10_ms();
    }
    assert_true(fx.v.due_us[MF_TASK_SHELL] == MF_NEVER);
    said[n] = '\0';
    return said;
}

static const char *type(const char *text)
{
    send(text, SHELL, QGC, 1, 1);
    return hear();
}

/* As QGroundControl opens its console: nothing is written, and a prompt comes. */
static int open_shell(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    assert_string_equal(type(""), "nsh> ");
    return 0;
}

static void test_first_line_behind_the_prompt(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    assert_string_equal(type("\n"), "nsh> \nnsh> ");
    assert_string_equal(type("nosuch -x\n"), "nosuch -x\nnsh: nosuch: command not found\nnsh> ");
}

static void test_a_line_in_pieces(void **state)
{
    (void)state;
    assert_string_equal(type("ver"), "");
    assert_string_equal(type(" al"), "");
    assert_string_equal(type("l\n"), "ver all\nHW arch: MAYFLY\nMayfly version: 0.2.0\n"
                                     "PX4 version: Release 1.17.0 (17891583)\nnsh> ");
    assert_string_equal(type("dmesg\r\n ver\nver"),
                        "dmesg\nnsh>  ver\nusage: ver all\nnsh> "); /* two lines, and a half */
    assert_string_equal(type("\n"), "ver\nusage: ver all\nnsh> ");
}

static void test_help_names_every_command(void **state)
{
    static const char *const k_name[] = {"commander", "dmesg",  "help", "listener",
                                         "param",     "reboot", "top",  "ver"};
    (void)state;
    const char *at = type("help\n");
    assert_memory_equal(at, "help\nCommands:\n  commander ", 27);
    for (size_t i = 0; i < sizeof k_name / sizeof k_name[0]; i++) {
        at = strstr(at, k_name[i]);
        assert_non_null(at);
    }
}

static void test_param_show(void **state)
{
    (void)state;
    char want[160];
    (void)snprintf(want, sizeof want,
                   "param show RTL_CONE_ANG\nSymbols: x = used, + = saved, * = unsaved\n"
                   "x   RTL_CONE_ANG [%d,%d] : 45\n\n %d parameters used.\nnsh> ",
                   MF_PARAM_RTL_CONE_ANG, MF_PARAM_RTL_CONE_ANG, MF_PARAM_COUNT);
    assert_string_equal(type("param show RTL_CONE_ANG\n"), want);
    const char *all = type("param show\n");
    assert_non_null(strstr(all, "\nx   BAT1_A_PER_V [0,0] : -1.0000\n"));
    assert_non_null(strstr(all, "\nx   UAVCAN_ENABLE ["));
    size_t lines = 0;
    for (const char *line = strchr(all, '\n'); line != NULL; line = strchr(line + 1, '\n')) {
        lines++;
    }
    assert_int_equal(lines, MF_PARAM_COUNT + 4);
    const char *some = type("param show MIS_*\n");
    assert_non_null(strstr(some, "\nx   MIS_TAKEOFF_ALT ["));
    assert_null(strstr(some, "RTL_"));
}

static void test_param_set_is_param_set(void **state)
{
    struct mf_msg_param_value m;
    (void)state;
    assert_string_equal(type("param set RTL_RETURN_ALT 42.5\n"),
                        "param set RTL_RETURN_ALT 42.5\n"
                        "  RTL_RETURN_ALT: curr: 30.0000 -> new: 42.5000\nnsh> ");
    assert_true(mf_param_f(&fx.v.params, MF_PARAM_RTL_RETURN_ALT) == 42.5f);
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_PARAM_VALUE, &m)); /* everybody is told */
    assert_int_equal(m.param_value, 0x422A0000);
    (void)type("param set COM_FLTMODE1 -1\n");
    assert_int_equal(mf_param_i(&fx.v.params, MF_PARAM_COM_FLTMODE1), -1);
    static const struct {
        const char *words, *answer;
        int err; /* without an answer */
    } k_case[] = {
        {"RTL_CONE_ANG 91", NULL, MF_E_RANGE},
        {"RTL_CONE_ANG 4.5", NULL, MF_E_RANGE},
        {"RTL_CONE_ANG 99999999999", NULL, MF_E_RANGE},
        {"MAV_TYPE 1", NULL, MF_E_DENIED},
        {"NO_SUCH 1", "ERROR [param] Parameter NO_SUCH not found.\n", 0},
        {"RTL_CONE_ANG", "usage: param set NAME VALUE\n", 0},
        {"RTL_CONE_ANG 4x", "usage: param set NAME VALUE\n", 0},
        {"RTL_CONE_ANG -", "usage: param set NAME VALUE\n", 0},
        {"RTL_CONE_ANG 1.2.3", "usage: param set NAME VALUE\n", 0},
        {"RTL_CONE_ANG nan", "usage: param set NAME VALUE\n", 0},
        {"ABCDEFGHIJKLMNOPQ 1", "ERROR [param] Parameter ABCDEFGHIJKLMNOPQ not found.\n", 0},
    };
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        char line[64], want[160];
        (void)snprintf(line, sizeof line, "param set %s\n", k_case[i].words);
        if (k_case[i].answer != NULL) {
            (void)snprintf(want, sizeof want, "%s%snsh> ", line, k_case[i].answer);
        } else {
            (void)snprintf(want, sizeof want, "%sERROR [param] %s\nnsh> ", line,
                           mf_err_text(k_case[i].err));
        }
        assert_string_equal(type(line), want);
    }
    assert_int_equal(mf_param_i(&fx.v.params, MF_PARAM_RTL_CONE_ANG), 45);
}

/* The same handlers as COMMAND_LONG's: same results, same texts, counted alike; no COMMAND_ACK. */
static void test_commander(void **state)
{
    (void)state;
    assert_string_equal(type("commander status\n"), "commander status\nINFO  [commander] Disarmed\n"
                                                    "INFO  [commander] navigation mode: Hold\n"
                                                    "INFO  [commander] in failsafe: no\nnsh> ");
    assert_string_equal(type("commander check\n"),
                        "commander check\nINFO  [commander] Preflight check: OK\n"
                        "INFO  [commander] check: accepted\nnsh> ");
    assert_string_equal(type("commander takeoff\n"),
                        "commander takeoff\nINFO  [commander] takeoff: accepted\n"
                        "INFO  [commander] arm: accepted\nnsh> ");
    assert_true(fx.v.commander.armed);
    assert_int_equal(fx.v.commander.mode, MF_MODE_TAKEOFF);
    assert_string_equal(type("commander mode auto:loiter\n"),
                        "commander mode auto:loiter\nINFO  [commander] mode: accepted\nnsh> ");
    assert_int_equal(fx.v.commander.mode, MF_MODE_HOLD);
    assert_string_equal(type("commander mode auto:mission\n"),
                        "commander mode auto:mission\n"
                        "ERROR [commander] mode: temporarily rejected\nnsh> ");
    assert_string_equal(type("commander land\n"),
                        "commander land\nINFO  [commander] land: accepted\nnsh> ");
    assert_string_equal(type("commander disarm -f\n"),
                        "commander disarm -f\nINFO  [commander] disarm: accepted\nnsh> ");
    assert_false(fx.v.commander.armed);
    assert_int_equal(fx.v.counters.commands_accepted, 6);
    assert_int_equal(fx.v.counters.commands_refused, 1);
    assert_int_equal(fx.v.journal->answers.last[2].command, 400);
    assert_int_equal(fx.v.journal->answers.last[2].sysid, 245);
    assert_int_equal(fx_count(MF_MSG_COMMAND_ACK), 0);
    assert_non_null(strstr(type("commander mode nosuch\n"), "manual|altctl|posctl|auto:mission|"));
    assert_non_null(strstr(type("commander\n"), "usage: commander status|check|arm"));
    fx_gps(false);
    assert_non_null(strstr(type("commander check\n"), "Preflight check: FAILED\n"));
    const char *denied = type("commander arm\n");
    assert_non_null(strstr(denied, "ERROR [commander] arm: "));
    assert_null(strstr(denied, "accepted"));
}

static void test_dmesg_has_the_last_texts(void **state)
{
    (void)state;
    fx.mock.now.vehicle_us = 1500000;
    (void)mf_vehicle_step(&fx.v);
    for (int i = 0; i < 9; i++) {
        char text[20];
        (void)snprintf(text, sizeof text, "text %d", i);
        mf_say(&fx.v, MF_INFO, text);
    }
    const char *all = type("dmesg\n");
    assert_null(strstr(all, "text 0"));
    assert_non_null(strstr(all, "dmesg\n[1.500] text 1\n[1.500] text 2\n"));
    assert_non_null(strstr(all, "[1.500] text 8\nnsh> "));
    /* 86 characters of a longer one */
    mf_say(&fx.v, MF_INFO,
           "01234567890123456789012345678901234567890123456789"
           "01234567890123456789012345678901234567");
    assert_non_null(strstr(type("dmesg\n"), "] 01234567890123456789012345678901234567890123456789"
                                            "012345678901234567890123456789012345\nnsh> "));
}

static void test_listener(void **state)
{
    (void)state;
    mf_mock_place(&fx.mock, 47.25, 8.5, 500.0, true);
    mf_estimate_forget(&fx.v);
    const char *all = type("listener vehicle_global_position\n");
    assert_non_null(strstr(all, "\nTOPIC: vehicle_global_position\n    timestamp: "));
    assert_non_null(strstr(all, "\n    lat: 47.250000\n    lon: 8.500000\n    alt: 500.00000\n"));
    assert_non_null(strstr(all, "\n    lat_lon_valid: 1\n"));
    all = type("listener vehicle_attitude\n");
    assert_non_null(strstr(all, "\n    q: [1.00000, 0.00000, 0.00000, 0.00000]\nnsh> "));
    all = type("listener vehicle_status\n");
    assert_non_null(strstr(all, "\n    arming_state: 1\n"));
    assert_non_null(strstr(all, "\n    system_id: 1\n"));
    all = type("listener nosuch\n");
    assert_non_null(strstr(all, "usage: listener TOPIC, of\n  vehicle_attitude\n"));
    assert_non_null(strstr(all, "\n  battery_status\nnsh> "));
}

static void test_top(void **state)
{
    (void)state;
    const char *all = type("top\n");
    assert_non_null(strstr(all, " overruns 0, uptime 0.000 s\nTASK, CLOCK, DUE IN [s]\n"));
    assert_non_null(strstr(all, "\nNAVIGATOR, vehicle, never\n"));
    assert_non_null(strstr(all, "\nPARAMS, transport, never\n"));
}

static void test_reboot(void **state)
{
    (void)state;
    assert_non_null(strstr(type("reboot\n"), "INFO  [reboot] reboot: accepted\n"));
    assert_true(fx.v.reboot);
}

/* Cut, a line would mean something else: it does nothing. */
static void test_a_line_that_is_too_long_does_nothing(void **state)
{
    char blanks[71] = {0};
    (void)state;
    memset(blanks, ' ', 70);
    (void)type("param set RTL_CONE_ANG 7");
    assert_string_equal(type(blanks), "");
    assert_string_equal(type(blanks), "");
    assert_names(type("3\n"), "nsh: line nsh>");
    assert_string_equal(type("ver\n"), "ver\nusage: ver all\nnsh> ");
    assert_int_equal(mf_param_i(&fx.v.params, MF_PARAM_RTL_CONE_ANG), 45);
}

/* PX4 ignores other devices, and replies. */
static void test_what_is_not_for_the_shell(void **state)
{
    struct mf_msg_serial_control m = {.device = SHELL, .flags = RESPOND, .count = 71};
    (void)state;
    (void)fx_boot(k_default);
    for (int device = 0; device < 256; device++) {
        if (device != SHELL) {
            send("ver\n", (uint8_t)device, RESPOND, 1, 1);
        }
    }
    send("ver\n", SHELL, RESPOND | REPLY, 1, 1);
    assert_int_equal(fx.v.links[0].stats.rx_unhandled, 256);
    send("ver\n", SHELL, RESPOND, 2, 1);
    send("ver\n", SHELL, RESPOND, 1, 7);
    assert_int_equal(fx.v.links[0].stats.rx_foreign, 2);
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_SERIAL_CONTROL, &m);
    (void)mf_vehicle_step(&fx.v);
    assert_string_equal(hear(), "");
    assert_int_equal(fx.v.links[0].stats.rx_rejected, 1);
    send("ver\n", SHELL, RESPOND, 0, 0); /* to everybody, as from clients of MAVLink 1 */
    assert_string_equal(hear(), "nsh> ver\nusage: ver all\nnsh> ");
}

/* Who wants no response ends the shell: what was written still runs, unseen. */
/* A board may leave the shells out: what is written there is of no use, and nothing waits. */
static void test_no_shells(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    fx.v.shells = NULL;
    send("ver\n", SHELL, RESPOND, 1, 1);
    pass_10_ms();
    assert_int_equal(fx.v.links[0].stats.rx_unhandled, 1);
    assert_int_equal(mf_mock_count(&fx.mock, 0, MF_MSG_SERIAL_CONTROL), 0);
    assert_false(mf_vehicle_busy(&fx.v));
    assert_true(mf_shell_run(&fx.v, fx.v.now.transport_us) == MF_NEVER);
}

static void test_without_a_response(void **state)
{
    (void)state;
    send("param set RTL_CONE_ANG 9\nparam set RTL_TYPE 3\nparam", SHELL, 0, 1, 1);
    assert_string_equal(hear(), "");
    assert_int_equal(mf_param_i(&fx.v.params, MF_PARAM_RTL_CONE_ANG), 9);
    assert_int_equal(mf_param_i(&fx.v.params, MF_PARAM_RTL_TYPE), 3);
    assert_string_equal(type("ver\n"), "nsh> ver\nusage: ver all\nnsh> "); /* a new one */
}

/* A link that takes nothing for a while loses nothing. */
static void test_output_waits_for_room(void **state)
{
    (void)state;
    char whole[sizeof said];
    memcpy(whole, type("param show\n"), sizeof whole);
    fx.mock.port[0].room = 1000;
    send("param show\n", SHELL, RESPOND, 1, 1);
    for (int i = 0; i < 5; i++) {
        pass_10_ms();
    }
    assert_int_equal(fx.mock.port[0].refused, 0);
    assert_int_equal(fx.v.links[0].stats.tx_dropped, 0);
    assert_true(mf_vehicle_busy(&fx.v));
    fx.mock.port[0].room = SIZE_MAX;
    assert_string_equal(hear(), whole);
    assert_false(mf_vehicle_busy(&fx.v));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_line_behind_the_prompt),
        cmocka_unit_test_setup(test_a_line_in_pieces, open_shell),
        cmocka_unit_test_setup(test_help_names_every_command, open_shell),
        cmocka_unit_test_setup(test_param_show, open_shell),
        cmocka_unit_test_setup(test_param_set_is_param_set, open_shell),
        cmocka_unit_test_setup(test_commander, open_shell),
        cmocka_unit_test_setup(test_dmesg_has_the_last_texts, open_shell),
        cmocka_unit_test_setup(test_listener, open_shell),
        cmocka_unit_test_setup(test_top, open_shell),
        cmocka_unit_test_setup(test_reboot, open_shell),
        cmocka_unit_test_setup(test_a_line_that_is_too_long_does_nothing, open_shell),
        cmocka_unit_test(test_what_is_not_for_the_shell),
        cmocka_unit_test(test_no_shells),
        cmocka_unit_test_setup(test_without_a_response, open_shell),
        cmocka_unit_test_setup(test_output_waits_for_room, open_shell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
