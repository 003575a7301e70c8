/* SPDX-License-Identifier: Apache-2.0 */
/* Two drones in one process: one breaks, the other one goes on as if it were alone. */
#include "host/base/guard.h"
#include "tests/sim/rig.h"

#include "mavlink/enums.h"
#include "tests/unit/support/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define BREAKS_US (5 * MF_SECOND_US)
#define END_US    (20 * MF_SECOND_US)
#define PERIOD_US (50 * MF_MS_US)

struct plane {
    struct mf_mock mock;
    struct mf_drone drone;
    struct mf_link links[1];
    struct mf_guard guard;
    unsigned steps;
};

static struct plane s_plane[2];

static void boot(struct plane *p, uint8_t sysid)
{
    const struct mf_world_settings world = mf_world_settings_default();
    static int32_t interval_us[MF_STREAM_COUNT];
    memset(p, 0, sizeof *p);
    mf_mock_init(&p->mock);
    const struct mf_drone_setup setup = {.world = &world,
                                         .vehicle = {.hal = mf_mock_hal(&p->mock),
                                                     .links = p->links,
                                                     .link_count = 1,
                                                     .sysid = sysid,
                                                     .compid = 1,
                                                     .uid = sysid}};
    const struct mf_drone_link link = {
        .serial = mf_mock_serial(&p->mock, 0), .name = "mock", .interval_us = interval_us};
    p->guard = (struct mf_guard){.instance = sysid, .now_us = &p->drone.vehicle.now.vehicle_us};
    assert_int_equal(mf_drone_init(&p->drone, &setup), MF_E_OK);
    mf_stream_profile(MF_PROFILE_sim, interval_us);
    assert_int_equal(mf_drone_open(&p->drone, &link), 0);
}

static void step(void *ctx)
{
    struct plane *p = ctx;
    p->steps++;
    (void)mf_drone_step(&p->drone);
}

/* Both fly: a take-off on request, so that much is said and changes. */
static void command(struct plane *p, uint16_t what, float param1)
{
    struct mf_msg_command_long msg = {.command = what,
                                      .target_system = p->drone.vehicle.sysid,
                                      .target_component = 1,
                                      .param1 = param1,
                                      .param7 = 500.0f};
    mf_mock_feed_msg(&p->mock, 0, MF_MSG_COMMAND_LONG, &msg);
}

/* @param count  how many fly  @param breaks  the second one does, or not */
static void fly(int count, bool breaks)
{
    for (int i = 0; i < count; i++) {
        boot(&s_plane[i], (uint8_t)(i + 1));
    }
    for (mf_us_t t_us = 0; t_us <= END_US; t_us += PERIOD_US) {
        for (int i = 0; i < count; i++) {
            struct plane *p = &s_plane[i];
            p->mock.now = (struct mf_now){t_us, t_us};
            if (t_us == MF_SECOND_US) {
                command(p, MAV_CMD_COMPONENT_ARM_DISARM, 1.0f);
                command(p, MAV_CMD_NAV_TAKEOFF, 0.0f);
            }
            if (i == 1 && breaks && t_us == BREAKS_US) {
                p->drone.vehicle.commander.mode = UINT8_MAX; /* no mode: the tables assert that */
            }
            const bool holds = mf_guard_run(&p->guard, step, p);
            assert_int_equal(holds, i == 0 || !breaks || t_us < BREAKS_US);
        }
    }
}

static void test_the_other_one_goes_on_bit_for_bit(void **state)
{
    static uint8_t s_alone[MF_MOCK_BYTES];
    const struct mf_mock_port *port = &s_plane[0].mock.port[0];
    char text[MF_GUARD_TEXT_MAX];
    (void)state;
    fly(1, false);
    const size_t len = port->sent_len;
    memcpy(s_alone, port->sent, len);
    assert_true(s_plane[0].drone.vehicle.commander.armed);
    assert_true(len > 20000);
    fly(2, true);
    assert_int_equal(port->sent_len, len);
    assert_memory_equal(port->sent, s_alone, len);
    assert_int_equal(s_plane[0].steps, END_US / PERIOD_US + 1);
    assert_int_equal(s_plane[1].steps,
                     BREAKS_US / PERIOD_US + 1); /* none after the one that broke */
    (void)mf_guard_text(&s_plane[1].guard, text, sizeof text);
    assert_names(text, "instance 2");
    assert_non_null(strstr(text, "firmware/"));
    assert_names(text, "5.000000 s");
}

static void test_both_go_on_while_none_is_broken(void **state)
{
    (void)state;
    fly(2, false);
    assert_int_equal(s_plane[1].steps, END_US / PERIOD_US + 1);
    assert_false(s_plane[1].guard.broken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_other_one_goes_on_bit_for_bit),
        cmocka_unit_test(test_both_go_on_while_none_is_broken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
