/* SPDX-License-Identifier: Apache-2.0 */
#include "host/config/config.h"

#include "host/config/config_item.h"
#include "tests/unit/support/names.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define ARGS_MAX 32
#define PATH     "mf-config-test.yaml" /* in a directory of this run's own */

static struct mf_config s_config;
static char *s_env[8];
static char s_path[] = PATH;

static int setup(void **state)
{
    (void)state;
    memset(s_env, 0, sizeof s_env);
    (void)unlink(s_path);
    return 0;
}

static void write_yaml(const char *text)
{
    FILE *file = fopen(s_path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Flags separated by spaces. */
static int read_flags(const char *flags)
{
    static char copy[1024];
    char *argv[ARGS_MAX] = {(char[]){"mayfly"}};
    int argc = 1;
    char *save = NULL;
    (void)snprintf(copy, sizeof copy, "%s", flags);
    for (char *arg = strtok_r(copy, " ", &save); arg != NULL; arg = strtok_r(NULL, " ", &save)) {
        assert_true(argc < ARGS_MAX);
        argv[argc++] = arg;
    }
    return mf_config_read(&s_config, argc, argv, s_env);
}

static void good(const char *flags)
{
    if (read_flags(flags) != MF_E_OK) {
        fail_msg("%s: %s", flags, s_config.error);
    }
}

static void bad(const char *flags, const char *data)
{
    assert_int_equal(read_flags(flags), MF_E_RANGE);
    assert_names(s_config.error, data);
}

static void bad_yaml(const char *yaml, const char *data)
{
    char expected[MF_CONFIG_ERROR_MAX];
    write_yaml(yaml);
    (void)snprintf(expected, sizeof expected, "%s %s", s_path, data);
    assert_int_equal(read_flags("--config " PATH), MF_E_RANGE);
    assert_names(s_config.error, expected);
}

static void bad_env(char *variable, const char *data)
{
    s_env[0] = variable;
    bad("", data);
    s_env[0] = NULL;
}

static void near(double value, double expected)
{
    assert_true(value > expected - 1e-12 && value < expected + 1e-12);
}

static void expect_links(enum mf_link_kind kind, const char *expected)
{
    char got[512] = "";
    for (int i = 0; i < s_config.link_count; i++) {
        if (s_config.link[i].kind == kind) {
            const size_t n = strlen(got);
            (void)snprintf(got + n, sizeof got - n, "%s%s", n > 0 ? " " : "",
                           s_config.link[i].address);
        }
    }
    assert_string_equal(got, expected);
}

static void test_sim014_defaults(void **state)
{
    (void)state;
    good("");
    near(s_config.home_lat_deg, 47.397742);
    near(s_config.home_lon_deg, 8.545594);
    near(s_config.home_alt_amsl_m, 488.0);
    assert_int_equal(s_config.sysid, 1);
    assert_int_equal(s_config.gnss_satellites, 10);
    assert_int_equal(s_config.battery_cells, 4);
    assert_int_equal(s_config.epoch_utc_us, 0);
    assert_string_equal(s_config.state, "");
    assert_false(s_config.px4_strict);
    expect_links(MF_LINK_TCP, "127.0.0.1:5760");
    expect_links(MF_LINK_UDP, "127.0.0.1:5760");
    expect_links(MF_LINK_UDP_OUT, "127.0.0.1:14550@18570 127.0.0.1:14540@14580");
    expect_links(MF_LINK_TCP_OUT, "");
    expect_links(MF_LINK_SERIAL, "");
}

static void test_instances_move_ports_as_px4_does(void **state)
{
    (void)state;
    good("--instance 3");
    assert_int_equal(s_config.sysid, 4);
    expect_links(MF_LINK_TCP, "127.0.0.1:5763");
    expect_links(MF_LINK_UDP, "127.0.0.1:5763");
    expect_links(MF_LINK_UDP_OUT, "127.0.0.1:14550@18573 127.0.0.1:14543@14583");
    good("--instance 9");
    expect_links(MF_LINK_UDP_OUT, "127.0.0.1:14550@18579 127.0.0.1:14549@14589");
    good("--instance 10");
    expect_links(MF_LINK_UDP_OUT, "127.0.0.1:14550@18580 127.0.0.1:14549@14590");
    good("--instance 253");
    assert_int_equal(s_config.sysid, 254);
    bad("--instance 254", "254 255 254 --sysid");
    good("--instance 254 --sysid 7");
    assert_int_equal(s_config.sysid, 7);
    expect_links(MF_LINK_TCP, "127.0.0.1:6014");
}

static void test_flags_override_environment_overrides_file_overrides_defaults(void **state)
{
    (void)state;
    const char *const config = "--config " PATH;
    write_yaml("battery: {voltage: 1, current: 2, remaining: 3}\n");
    good(config);
    near(s_config.battery_voltage_v, 1.0);
    s_env[0] = (char[]){"MAYFLY_BATTERY_VOLTAGE=11"};
    s_env[1] = (char[]){"MAYFLY_BATTERY_CURRENT=12"};
    good("--config " PATH " --battery-voltage 21");
    near(s_config.battery_voltage_v, 21.0);
    near(s_config.battery_current_a, 12.0);
    near(s_config.battery_remaining_percent, 3.0);
    assert_int_equal(s_config.battery_cells, 4);
}

static void test_the_environment_names_the_file_and_a_flag_another(void **state)
{
    (void)state;
    write_yaml("sysid: 42\n");
    s_env[0] = (char[]){"MAYFLY_CONFIG=" PATH};
    good("");
    assert_int_equal(s_config.sysid, 42);
    bad("--config /nosuch/file.yaml", "/nosuch/file.yaml No such file or directory");
}

static void test_links_of_a_kind_replace_those_below(void **state)
{
    (void)state;
    write_yaml("tcp: 6000\nudp: [6001, 6002]\nudp_out: none\nserial: [ '/dev/ttyS0:57600' ]\n");
    good("--config " PATH);
    expect_links(MF_LINK_TCP, "6000");
    expect_links(MF_LINK_UDP, "6001 6002");
    expect_links(MF_LINK_UDP_OUT, "");
    expect_links(MF_LINK_SERIAL, "/dev/ttyS0:57600");
    s_env[0] = (char[]){"MAYFLY_UDP=7001, 7002,[::]:7003"};
    good("--config " PATH " --tcp 8000 --tcp=0.0.0.0:8001 --serial none");
    expect_links(MF_LINK_TCP, "8000 0.0.0.0:8001");
    expect_links(MF_LINK_UDP, "7001 7002 [::]:7003");
    expect_links(MF_LINK_SERIAL, "");
    good("--tcp none --tcp-out qgc:5760");
    expect_links(MF_LINK_TCP, "");
    expect_links(MF_LINK_TCP_OUT, "qgc:5760");
    expect_links(MF_LINK_UDP, "7001 7002 [::]:7003");
}

static void test_a_link_may_have_its_own_rates(void **state)
{
    (void)state;
    write_yaml("streams: {ATTITUDE: 20, VFR_HUD: 0}\n"
               "udp_out:\n"
               "  - 10.0.0.1:14550\n"
               "  - address: 10.0.0.2:14540\n"
               "    profile: px4\n"
               "    streams: {ATTITUDE: 50 Hz}\n"
               "    forward: no\n");
    good("--config " PATH " --stream ALTITUDE=5");
    assert_int_equal(s_config.link[0].forward, -1);
    assert_int_equal(s_config.link[1].forward, 0);
    assert_true(s_config.forward);
    assert_int_equal(s_config.rate_count, 4);
    assert_string_equal(s_config.rate[2].name, "ATTITUDE");
    near(s_config.rate[2].hz, 50.0);
    assert_int_equal(s_config.rate[2].origin.line, 6);
    assert_int_equal(s_config.rate[0].link_id, -1);
    assert_int_equal(s_config.rate[3].link_id, -1);
    expect_links(MF_LINK_UDP_OUT, "10.0.0.1:14550 10.0.0.2:14540");
    assert_int_equal(s_config.link[0].profile, -1);
    assert_int_equal(s_config.link[1].profile, 1);
    assert_int_equal(s_config.rate[2].link_id, s_config.link[1].id);
    good("--config " PATH " --tcp-out a:1 --tcp none"); /* places in the list change, ids do not */
    assert_int_equal(s_config.rate[2].link_id, s_config.link[1].id);
}

static void test_home(void **state)
{
    (void)state;
    good("--home -35.363262,149.165237,584,353");
    near(s_config.home_lat_deg, -35.363262);
    near(s_config.home_lon_deg, 149.165237);
    near(s_config.home_alt_amsl_m, 584.0);
    near(s_config.home_yaw_deg, 353.0);
    write_yaml("home: [1, 2, 3]\n");
    good("--config " PATH);
    near(s_config.home_lon_deg, 2.0);
    near(s_config.home_yaw_deg, 0.0);
    write_yaml("home: {lat: 4, alt: 6, heading: 90 deg}\n");
    good("--config " PATH);
    near(s_config.home_lat_deg, 4.0);
    near(s_config.home_lon_deg, 8.545594);
    near(s_config.home_yaw_deg, 90.0);
    bad("--home 47,8", "--home LAT,LON,ALT_AMSL LAT,LON,ALT_AMSL,HEADING");
    bad("--home 47,8,1,2,3", "--home LAT,LON,ALT_AMSL LAT,LON,ALT_AMSL,HEADING");
    bad("--home 91,8,488", "--home 91 -90 90 deg");
    bad("--home 47,x,488", "--home x -180 180 deg");
}

static void test_px4_environment(void **state)
{
    (void)state;
    s_env[0] = (char[]){"PX4_HOME_LAT=1.5"};
    s_env[1] = (char[]){"PX4_HOME_LON=-2.5"};
    s_env[2] = (char[]){"PX4_HOME_ALT=30"};
    s_env[3] = (char[]){"PX4_SYS_AUTOSTART=10040"};
    s_env[4] = (char[]){"PX4_SIM_MODEL=x500"};
    good("");
    near(s_config.home_lat_deg, 1.5);
    near(s_config.home_lon_deg, -2.5);
    near(s_config.home_alt_amsl_m, 30.0);
    s_env[5] = (char[]){"MAYFLY_HOME=5,6,7"};
    good("");
    near(s_config.home_lat_deg, 5.0);
    s_env[5] = NULL;
    s_env[0] = (char[]){"PX4_HOME_LAT=north"};
    bad("", "PX4_HOME_LAT north -90 90 deg");
}

static void test_what_kubernetes_puts_into_the_environment_is_left_alone(void **state)
{
    (void)state;
    s_env[0] = (char[]){"MAYFLY_SERVICE_HOST=10.0.0.1"};
    s_env[1] = (char[]){"MAYFLY_SERVICE_PORT_MAVLINK=5760"};
    s_env[2] = (char[]){"MAYFLY_PORT=tcp://10.0.0.1:5760"};
    s_env[3] = (char[]){"MAYFLY_PORT_5760_TCP_ADDR=10.0.0.1"};
    s_env[4] = (char[]){"MAYFLY_1_PORT=tcp://10.0.0.2:5760"};
    s_env[5] = (char[]){"MAYFLY_STATE="}; /* empty is not given */
    good("");
}

static void test_free_ports(void **state)
{
    (void)state;
    good("--free-ports --instance 7");
    expect_links(MF_LINK_TCP, "127.0.0.1:0");
    expect_links(MF_LINK_UDP, "127.0.0.1:0");
    expect_links(MF_LINK_UDP_OUT, "");
    expect_links(MF_LINK_API, "127.0.0.1:0");
    good("--tcp 7 --free-ports --udp-out 14550 --api none");
    expect_links(MF_LINK_TCP, "7");
    expect_links(MF_LINK_UDP_OUT, "14550");
    expect_links(MF_LINK_API, "");
    good("--free-ports --clock lockstep");
    bad("--free-ports --clock lockstep --api none",
        "clock lockstep --time-socket PORT --time-server HOST:PORT --api PORT");
}

static void test_environment_variables_follow_from_keys(void **state)
{
    (void)state;
    for (int i = 0; i < MF_CONFIG_ITEM_COUNT; i++) {
        const struct mf_config_item *item = &mf_config_items[i];
        char env[64], flag[64];
        if (item->key == NULL || strncmp(item->env, "PX4_", 4) == 0) {
            continue;
        }
        (void)snprintf(env, sizeof env, "MAYFLY_%s", item->key);
        (void)snprintf(flag, sizeof flag, "--%s", item->key);
        for (char *c = env; *c != '\0'; c++) {
            *c = *c == '.' ? '_' : (char)toupper((unsigned char)*c);
        }
        for (char *c = flag; *c != '\0'; c++) {
            *c = *c == '.' || *c == '_' ? '-' : *c;
        }
        assert_string_equal(item->env, env);
        assert_null(strstr(item->env, "_SERVICE_"));
        if (item->flag != NULL) {
            assert_memory_equal(item->flag, flag,
                                strlen(item->flag)); /* --param, --stream: without the s */
        }
    }
}

static void test_sim046_faults(void **state)
{
    (void)state;
    s_env[0] = (char[]){"MAYFLY_FAULTS=gps_off@30s+10s, gps_off@2min"};
    good("");
    assert_int_equal(s_config.fault_count, 2);
    assert_int_equal(s_config.fault[0].after_us, 30000000);
    assert_int_equal(s_config.fault[1].after_us, 120000000);
    good("--faults gps_off --faults gps_off@9");
    assert_int_equal(s_config.fault_count, 2);
    assert_int_equal(s_config.fault[1].after_us, 9000000);
    good("--faults none");
    assert_int_equal(s_config.fault_count, 0);
    write_yaml("faults:\n  - gps_off@1+1\n  - gps_off@5\n");
    s_env[0] = NULL;
    good("--config " PATH);
    assert_int_equal(s_config.fault_count, 2);
    bad("--faults gps_of", "--faults gps_of gps_off");
}

static void expect_geoids(const char *expected)
{
    char got[512] = "";
    for (int i = 0; i < s_config.geoid_count; i++) {
        const struct mf_geoid_spec *spec = &s_config.geoid[i].spec;
        const size_t n = strlen(got);
        (void)snprintf(got + n, sizeof got - n, "%s%s(%s)%g", i > 0 ? " " : "", spec->name,
                       spec->file, spec->constant_m);
    }
    assert_string_equal(got, expected);
}

static void test_sim040_geoids(void **state)
{
    (void)state;
    good("");
    expect_geoids("egm96()0");
    assert_int_equal(s_config.geoid[0].spec.source, MF_GEOID_FROM_EMBEDDED);
    good("--geoid navd88:/a/b.mfpk,egm96:c --geoid egm96");
    expect_geoids("navd88(/a/b.mfpk)0 egm96(c)0 egm96()0");
    assert_int_equal(s_config.geoid[1].spec.source, MF_GEOID_FROM_FILE);
    good("--geoid constant:-47.5m");
    expect_geoids("constant()-47.5");
    good("--geoid none");
    expect_geoids("none()0");
    write_yaml("geoid: [navd88:x, egm96]\ngeoid_interpolation: bilinear\n");
    good("--config " PATH);
    expect_geoids("navd88(x)0 egm96()0");
    assert_int_equal(s_config.geoid_interpolation, 1);
    s_env[0] = (char[]){"MAYFLY_GEOID=constant:1, egm96"};
    good("--config " PATH);
    expect_geoids("constant()1 egm96()0");
    s_env[0] = NULL;
}

static void test_sim040_wrong_geoids(void **state)
{
#define FORMS " egm96 MODEL:FILE constant:METRES none"
    (void)state;
    bad("--geoid egm2008", "--geoid egm2008" FORMS);
    bad("--geoid none:x", "--geoid none:x" FORMS);
    bad("--geoid :x", "--geoid :x" FORMS);
    bad("--geoid x:", "--geoid x:" FORMS);
    bad("--geoid constant:121", "--geoid constant 121 -120 120 m");
    bad("--geoid none,none,none,none,none,none,none,none,none", "--geoid 8");
    bad_yaml("seed: 1\ngeoid: egm\n", "2 geoid egm" FORMS);
    bad_yaml("geoid: {egm96: x}\n", "1 geoid MODEL[:FILE]");
}

static void test_sim041_a_service_needs_a_fingerprint(void **state)
{
#define HASH "00112233445566778899aabbccddeeff00112233445566778899AABBCCDDEEFF"
    (void)state;
    good("--geoid-fingerprint " HASH);
    good("--elevation-service http://elevation --geoid-fingerprint " HASH);
    assert_string_equal(s_config.elevation_service, "http://elevation");
    bad("--elevation-service http://elevation",
        "--elevation-service geoid_fingerprint geoid info FILE");
    bad("--geoid-fingerprint 12", "--geoid-fingerprint 12 64");
    bad_yaml("seed: 1\n\ngeoid_fingerprint: xyz\n", "3 geoid_fingerprint xyz 64");
}

static void test_parameters(void **state)
{
    (void)state;
    write_yaml("params:\n  MPC_XY_CRUISE: 12.5\n  RTL_TYPE: 1\n");
    s_env[0] = (char[]){"MAYFLY_PARAMS=RTL_TYPE=2, NAV_DLL_ACT=1"};
    good("--config " PATH " --param RTL_TYPE=3");
    assert_int_equal(s_config.param_count, 5);
    assert_string_equal(s_config.param[0].name, "MPC_XY_CRUISE");
    near(s_config.param[0].value, 12.5);
    assert_int_equal(s_config.param[0].origin.line, 2);
    assert_string_equal(s_config.param[4].name, "RTL_TYPE");
    near(s_config.param[4].value, 3.0);
    s_env[0] = NULL;
    bad("--param RTL_TYPE", "--param RTL_TYPE NAME=VALUE");
    bad("--param RTL_TYPE=on", "--param RTL_TYPE on");
    bad_yaml("params:\n  RTL_TYPE: [1]\n", "2 params RTL_TYPE");
}

/* The link to the onboard computer has rates of its own, as in PX4, if it is the default one. */
static void test_px4_rates_by_link(void **state)
{
    static const char *const k_flag[] = {"--profile px4", "--px4-strict"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        good(k_flag[i]);
        assert_int_equal(s_config.profile, 1);
        assert_int_equal(s_config.link_count, 5);
        for (size_t link = 0; link < 4; link++) {
            const bool api = strcmp(s_config.link[link].address, "127.0.0.1:14540@14580") == 0;
            const bool gcs = strcmp(s_config.link[link].address, "127.0.0.1:14550@18570") == 0;
            assert_int_equal(s_config.link[link].profile, api ? 2 : gcs ? 1 : -1);
        }
    }
    good("--profile px4 --udp-out 127.0.0.1:14540");
    assert_int_equal(s_config.link[0].profile, -1);
    good("--profile px4-sitl");
    assert_int_equal(s_config.profile, 4);
    for (size_t link = 0; link < 4; link++) {
        const bool api = strcmp(s_config.link[link].address, "127.0.0.1:14540@14580") == 0;
        const bool gcs = strcmp(s_config.link[link].address, "127.0.0.1:14550@18570") == 0;
        assert_int_equal(s_config.link[link].profile, api ? 2 : gcs ? 4 : -1);
    }
    good("--profile onboard");
    assert_int_equal(s_config.profile, 2);
    for (size_t link = 0; link < 4; link++) {
        assert_int_equal(s_config.link[link].profile, -1);
    }
    write_yaml("tcp: {address: '5760', profile: onboard}\n");
    good("--config " PATH " --profile min");
    assert_int_equal(s_config.link[0].profile, 2);
}

static void test_strict_brings_px4_rates_and_texts_unless_chosen(void **state)
{
    (void)state;
    good("--px4-strict");
    assert_true(s_config.px4_strict && s_config.statustext_gcs_only);
    assert_int_equal(s_config.profile, 1);
    good("--px4-strict=yes --profile min --statustext-gcs-only=no");
    assert_true(s_config.px4_strict && !s_config.statustext_gcs_only);
    assert_int_equal(s_config.profile, 3);
    good("--px4-strict=off");
    assert_false(s_config.px4_strict);
}

static void test_epoch_and_units(void **state)
{
    (void)state;
    good("--epoch 2026-03-01T12:00:00Z --lifetime 90s --battery-remaining 55%");
    assert_int_equal(s_config.epoch_utc_us, INT64_C(1772366400000000));
    near(s_config.lifetime_s, 90.0);
    near(s_config.battery_remaining_percent, 55.0);
    bad("--epoch yesterday", "--epoch yesterday now 1970-01-01 2026-03-01T12:00:00Z");
    bad("--lifetime 90min", "--lifetime 90min min 0 31536000 s");
}

static void test_wrong_flags(void **state)
{
    (void)state;
    bad("--tpc 5760", "--tpc --tcp");
    bad("--battry-voltage=3", "--battry-voltage --battery-voltage");
    bad("--quux", "--quux --help-all");
    bad("drone.yaml", "drone.yaml --help-all");
    bad("--sysid", "--sysid number");
    bad("--state", "--state DIR");
    bad("--sysid 0", "--sysid 0 1 254");
    bad("--sysid 255", "--sysid 255 1 254");
    bad("--sysid 1.5", "--sysid 1.5 1 254");
    bad("--sysid one", "--sysid one 1 254");
    bad("--sysid=", "--sysid '' 1 254");
    bad("--instance -1", "--instance -1 0 40000");
    bad("--battery-remaining 130", "--battery-remaining 130 0 100 percent");
    bad("--wind-gusts nan", "--wind-gusts nan 0 20 m/s");
    bad("--log xml", "--log xml text json");
    bad("--motion warp", "--motion warp constant physics event");
    bad("--profile fast", "--profile fast sim px4 onboard min px4-sitl");
    bad("--px4-strict=perhaps", "--px4-strict perhaps true false");
    bad("--stream ATTITUDE=5000", "--stream ATTITUDE 5000 0 1000 Hz");
    bad("--stream ATTITUDE=-1", "--stream ATTITUDE -1 0 1000 Hz");
    bad("--tcp=", "--tcp [HOST:]PORT");
}

static void test_wrong_environment(void **state)
{
    (void)state;
    bad_env((char[]){"MAYFLY_SYSID=300"}, "MAYFLY_SYSID 300 1 254");
    bad_env((char[]){"MAYFLY_SYSIDE=3"}, "MAYFLY_SYSIDE MAYFLY_SYSID");
    bad_env((char[]){"MAYFLY_QUUXQUUX=3"}, "MAYFLY_QUUXQUUX");
}

static void test_wrong_files(void **state)
{
    (void)state;
    bad_yaml("tcp: 5760\n\nbattery:\n  voltage: 15\n  current: 1\n\n  remaining: 130\n",
             "7 battery.remaining 130 0 100 percent");
    bad_yaml("batery: {voltage: 15}\n", "1 batery battery");
    bad_yaml("battery: {volage: 15}\n", "1 battery.volage battery.voltage");
    bad_yaml("udpout: 1\n", "1 udpout udp_out");
    bad_yaml("config: x.yaml\n", "1 config --help-all");
    bad_yaml("battery: 15\n", "1 battery battery: {...}");
    bad_yaml("sysid: 1\nlog: text\nsysid: 2\n", "3 sysid 1");
    bad_yaml("sysid: [1]\n", "1 sysid list");
    bad_yaml("sysid: {a: 1}\n", "1 sysid single");
    bad_yaml("sysid:\n", "1 sysid '' 1 254");
    bad_yaml("home: [47, [8], 488]\n", "1 home [LAT, LON, ALT_AMSL, HEADING]");
    bad_yaml("- a\n- b\n", "1 keys");
    bad_yaml("a: b: c\n", "1 YAML mapping");
    bad_yaml("sysid: 1\n\t- x\n", "2 YAML tab");
    bad_yaml("[1]: 2\n", "1 key");
    bad_yaml("time_socket: {address: 5}\n", "1 time_socket [HOST:]PORT");
    bad_yaml("udp: {profile: px4}\n", "1 udp address [HOST:]PORT");
    bad_yaml("udp:\n  address: 5760\n  rate: 3\n",
             "3 udp rate address profile forward quality streams: {MESSAGE: HZ}");
    bad_yaml("udp:\n  address: 5760\n  forward: perhaps\n", "3 udp forward true false");
    bad_yaml("udp:\n  address: 5760\n  profile: fast\n", "3 udp fast sim px4 onboard min");
    bad_yaml("streams:\n  ATTITUDE: often\n", "2 streams ATTITUDE often 0 1000 Hz");
    write_yaml("");
    good("--config " PATH);
    write_yaml("# only a remark\n");
    good("--config " PATH);
}

static void test_capacities(void **state)
{
    (void)state;
    static char yaml[8192];
    size_t n = (size_t)snprintf(yaml, sizeof yaml, "tcp: [");
    for (int i = 0; i < 33; i++) {
        n += (size_t)snprintf(yaml + n, sizeof yaml - n, "%d, ", 6000 + i);
    }
    (void)snprintf(yaml + n, sizeof yaml - n, "]\n");
    bad_yaml(yaml, "1 tcp 32");
    n = (size_t)snprintf(yaml, sizeof yaml, "faults: [");
    for (int i = 0; i < 17; i++) {
        n += (size_t)snprintf(yaml + n, sizeof yaml - n, "gps_off@%d+1, ", 2 * i);
    }
    (void)snprintf(yaml + n, sizeof yaml - n, "]\n");
    bad_yaml(yaml, "1 faults 16");
    memset(yaml, 'x', 300);
    memcpy(yaml, "state: ", 7);
    yaml[300] = '\0';
    bad_yaml(yaml, "1 state xxxxxxxxxxxxxxxxxxxx 255");
}

static void test_actions(void **state)
{
    (void)state;
    good("--sysid 3 --print-config");
    assert_int_equal(s_config.action, MF_DO_PRINT_CONFIG);
    good("--help --nonsense"); /* help is given even where something is wrong */
    assert_int_equal(s_config.action, MF_DO_HELP);
    good("--help-all");
    assert_int_equal(s_config.action, MF_DO_HELP_ALL);
    good("-h");
    assert_int_equal(s_config.action, MF_DO_HELP);
    good("--config /nosuch --version");
    assert_int_equal(s_config.action, MF_DO_VERSION);
    good("");
    assert_int_equal(s_config.action, MF_DO_RUN);
}

static size_t print_to(char *text, size_t size)
{
    FILE *out = fmemopen(text, size, "w");
    assert_non_null(out);
    mf_config_print(&s_config, out);
    assert_int_equal(fclose(out), 0);
    return strlen(text);
}

static void test_what_is_printed_reads_back_the_same(void **state)
{
    (void)state;
    static char first[8192], second[8192];
    good("--home 0.1,-179.9999999,3.3,-1 --instance 4 --udp-out none --tcp [::1]:1 --param A=1 "
         "--param A=0.1 "
         "--geoid egm2008:/a,constant:47.36 --stream X=3 --faults gps_off@1.5+2,gps_off@9 --epoch "
         "1772366400.5");
    assert_true(print_to(first, sizeof first) > 100);
    write_yaml(first);
    good("--config " PATH);
    (void)print_to(second, sizeof second);
    assert_string_equal(first, second);
    write_yaml("udp: {address: 'a:1', profile: px4, streams: {Y: 1}}\n"
               "tcp_out: {address: 'b:1', forward: true}\nforward: false\nsigning_key: k\nstate: "
               "'a \"b\\c'\n");
    good("--config " PATH " --px4-strict");
    (void)print_to(first, sizeof first);
    write_yaml(first);
    good("--config " PATH);
    (void)print_to(second, sizeof second);
    assert_string_equal(first, second);
    assert_string_equal(s_config.state, "a \"b\\c");
    assert_string_equal(s_config.signing_key, "k");
    assert_false(s_config.forward);
    for (int i = 0; i < s_config.link_count; i++) {
        assert_int_equal(s_config.link[i].forward,
                         s_config.link[i].kind == MF_LINK_TCP_OUT ? 1 : -1);
    }
}

static void test_texts_of_faults_are_printed_as_yaml(void **state)
{
    (void)state;
    static char text[8192];
    write_yaml("faults: ['prearm=a: \"b\" #c] {d\\@1s', mag_off]\n");
    good("--config " PATH);
    (void)print_to(text, sizeof text);
    write_yaml(text);
    good("--config " PATH);
    assert_int_equal(s_config.fault_count, 2);
    assert_string_equal(s_config.fault[0].with.text, "a: \"b\" #c] {d\\");
}

static char s_dir[] = "/tmp/mf-config-XXXXXX";

static int enter_directory(void **state)
{
    (void)state;
    return mkdtemp(s_dir) == NULL || chdir(s_dir) != 0;
}

static int remove_directory(void **state)
{
    (void)state;
    (void)unlink(s_path);
    return rmdir(s_dir);
}

static void test_sim038_clocks(void **state)
{
    (void)state;
    good("");
    assert_int_equal(s_config.clock.kind, MF_CLOCK_SCALED);
    assert_true(s_config.clock.rate == 1.0 && s_config.speed_factor == 1.0);
    good("--clock x20");
    assert_true(s_config.clock.kind == MF_CLOCK_SCALED && s_config.clock.rate == 20.0);
    good("--clock x0.5");
    assert_true(s_config.clock.rate == 0.5);
    good("--clock fast");
    assert_int_equal(s_config.clock.kind, MF_CLOCK_FAST);
    bad("--event-gap 0", "event_gap event_streams clock event");
    bad("--clock fast --event-streams all", "event_gap event_streams clock event");
    good("--event-gap 20 --event-streams events"); /* as a printed configuration says */
    good("--motion event --event-gap 0");
    good("--clock event --event-gap 0 --event-streams all --start connect");
    assert_int_equal(s_config.clock.kind, MF_CLOCK_EVENT);
    assert_true(s_config.event_gap_ms == 0.0 && s_config.event_streams == 1 && s_config.start == 1);
    good("--clock lockstep --time-socket 5790");
    assert_int_equal(s_config.clock.kind, MF_CLOCK_LOCKSTEP);
    expect_links(MF_LINK_TIME_SOCKET, "5790");
    good("--clock lockstep --time-server 127.0.0.1:5790,h:1");
    expect_links(MF_LINK_TIME_SOCKET, "");
    expect_links(MF_LINK_TIME_SERVER, "127.0.0.1:5790 h:1");
    good("");
    expect_links(MF_LINK_API, "127.0.0.1:5759");
    good("--instance 7 --sysid 1");
    expect_links(MF_LINK_API, "127.0.0.1:5752");
    good("--instance 4736 --sysid 1"); /* privileged ports are no default */
    expect_links(MF_LINK_API, "");
    good("--api 0.0.0.0:80,[::1]:81");
    expect_links(MF_LINK_API, "0.0.0.0:80 [::1]:81");
    good("--api none");
    expect_links(MF_LINK_API, "");
    bad("--clock lockstep", "clock lockstep --time-socket PORT --time-server HOST:PORT --api PORT");
    bad("--clock x0", "--clock x0 real xN fast event lockstep 0.001 10000");
    bad("--clock x", "--clock x real xN fast event lockstep 0.001 10000");
    bad("--clock soon", "--clock soon real xN fast event lockstep 0.001 10000");
    s_env[0] = (char[]){"PX4_SIM_SPEED_FACTOR=3"};
    good("");
    assert_true(s_config.speed_factor == 3.0 && s_config.clock.rate == 3.0);
    good("--clock real"); /* ours wins */
    assert_true(s_config.clock.kind == MF_CLOCK_SCALED && s_config.clock.rate == 1.0);
    good("--clock event");
    assert_int_equal(s_config.clock.kind, MF_CLOCK_EVENT);
    good("--motion event");
    assert_true(s_config.clock.kind == MF_CLOCK_EVENT && s_config.clock.rate == 1.0);
}

static void test_sim036_sim037_sim038_motion(void **state)
{
    (void)state;
    good("");
    assert_true(s_config.motion == MF_MOTION_CONSTANT && s_config.accel_mps2 == 0.0);
    good("--motion constant --accel 2.5");
    near(s_config.accel_mps2, 2.5);
    good("--motion physics");
    assert_true(s_config.motion == MF_MOTION_PHYSICS && s_config.clock.kind == MF_CLOCK_SCALED);
    good("--motion physics --clock event");
    assert_int_equal(s_config.clock.kind, MF_CLOCK_EVENT);
    good("--motion event");
    assert_true(s_config.motion == MF_MOTION_EVENT && s_config.clock.kind == MF_CLOCK_EVENT);
    good("--motion event --clock event");
    assert_int_equal(s_config.clock.kind, MF_CLOCK_EVENT);
    s_env[0] = (char[]){"PX4_SIM_SPEED_FACTOR=3"}; /* chooses no clock */
    good("--motion event");
    assert_int_equal(s_config.clock.kind, MF_CLOCK_EVENT);
    s_env[0] = NULL;
    bad("--motion event --clock real", "motion event clock event");
    bad("--motion physics --accel 2", "accel motion constant physics MPC_ACC_HOR");
    good("");
    near(s_config.drag_per_s, 1.0); /* as in SIH */
    write_yaml("drag: 0.25\n");
    good("--config " PATH);
    near(s_config.drag_per_s, 0.25);
    good("--config " PATH " --drag 0");
    near(s_config.drag_per_s, 0.0);
    bad("--drag 10.5", "--drag 10.5 0 10 1/s");
    good("--motion physics");
    near(s_config.damping, 1.0); /* without overshoot */
    good("--motion physics --damping 0.5");
    near(s_config.damping, 0.5);
    bad("--motion physics --damping 0.05", "--damping 0.05 0.1 1 RATIO");
    bad("--damping 0.5", "damping motion physics constant");
    bad_yaml("drag: -1\n", "1 drag -1 0 10 1/s");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, setup)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_sim038_clocks, setup),
        TEST(test_free_ports),
        TEST(test_sim036_sim037_sim038_motion),
        TEST(test_sim014_defaults),
        TEST(test_instances_move_ports_as_px4_does),
        TEST(test_flags_override_environment_overrides_file_overrides_defaults),
        TEST(test_the_environment_names_the_file_and_a_flag_another),
        TEST(test_links_of_a_kind_replace_those_below),
        TEST(test_a_link_may_have_its_own_rates),
        TEST(test_home),
        TEST(test_px4_environment),
        TEST(test_what_kubernetes_puts_into_the_environment_is_left_alone),
        TEST(test_environment_variables_follow_from_keys),
        TEST(test_sim046_faults),
        TEST(test_sim040_geoids),
        TEST(test_sim040_wrong_geoids),
        TEST(test_sim041_a_service_needs_a_fingerprint),
        TEST(test_parameters),
        TEST(test_px4_rates_by_link),
        TEST(test_strict_brings_px4_rates_and_texts_unless_chosen),
        TEST(test_epoch_and_units),
        TEST(test_wrong_flags),
        TEST(test_wrong_environment),
        TEST(test_wrong_files),
        TEST(test_capacities),
        TEST(test_actions),
        TEST(test_what_is_printed_reads_back_the_same),
        TEST(test_texts_of_faults_are_printed_as_yaml),
    };
    return cmocka_run_group_tests(tests, enter_directory, remove_directory);
}
