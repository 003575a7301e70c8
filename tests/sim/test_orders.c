/* SPDX-License-Identifier: Apache-2.0 */
/* fleet/order.h: one sequence of orders by the port's three forms, to a vehicle of the process, to
 * a drone over MAVLink and to an agent. Up to 30 m at 3 m/s, and NAV_LAND. */
#include "boards/swarm/members/port_vehicle.h"
#include "fleet/agent.h"
#include "fleet/port_mavlink.h"
#include "mavlink/enums.h"
#include "tests/sim/rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define S MF_SECOND_US

/* Somebody who obeys, and how its time passes. */
struct form {
    struct mf_order_port port;
    void (*run_until)(mf_us_t at_us);
};

static struct rig *s_rig;
static struct mf_inside s_inside;
static struct swarm_port_vehicle s_vehicle;
static struct mf_port_mavlink s_mavlink;
static struct mf_parser s_parser;
static uint32_t s_heard; /* bytes of the drone */
static const struct mf_agent_plane k_plane = {{RIG_LAT_DEG, RIG_LON_DEG}, RIG_ALT_M};
static struct mf_agent s_agent;
static struct mf_agent_port s_agent_port;

/* ---- the three forms */

static void run_vehicle(mf_us_t at_us)
{
    rig_run_until(s_rig, at_us);
}

/* What has come since. */
static void hear(void)
{
    const struct mf_mock_port *port = &s_rig->mock.port[0];
    struct mf_frame frame;
    while (s_heard < port->sent_len) {
        s_heard +=
            (uint32_t)mf_parser_feed(&s_parser, port->sent + s_heard, port->sent_len - s_heard);
        while (mf_parser_next(&s_parser, &frame)) {
            if (frame.info != NULL) {
                (void)mf_port_mavlink_hear(&s_mavlink, &frame);
            }
        }
    }
}

static void run_mavlink(mf_us_t at_us)
{
    rig_run_until(s_rig, at_us);
    hear();
}

static int send(void *ctx, const uint8_t *bytes, size_t n)
{
    (void)ctx;
    mf_mock_feed(&s_rig->mock, 0, bytes, n);
    (void)mf_drone_step(&s_rig->drone);
    hear();
    return MF_E_OK;
}

static void run_agent(mf_us_t at_us)
{
    s_agent_port.now_us = at_us;
    mf_agent_settle(&s_agent, at_us);
}

static struct form vehicle(void)
{
    s_rig = rig_new(NULL);
    mf_inside_init(&s_inside, 0);
    s_vehicle = (struct swarm_port_vehicle){&s_rig->drone, &s_inside};
    return (struct form){{&swarm_port_vehicle_ops, &s_vehicle}, run_vehicle};
}

static struct form mavlink(void)
{
    s_rig = rig_new(NULL);
    s_heard = 0;
    memset(&s_parser, 0, sizeof s_parser);
    mf_port_mavlink_init(&s_mavlink, send, NULL);
    run_mavlink(S / 2);
    assert_int_equal(s_mavlink.sysid, 1);
    return (struct form){{&mf_port_mavlink_ops, &s_mavlink}, run_mavlink};
}

static struct form agent(void)
{
    mf_agent_init(&s_agent, &k_plane, (struct mf_geo){RIG_LAT_DEG, RIG_LON_DEG}, RIG_ALT_M);
    s_agent_port = (struct mf_agent_port){&s_agent, &k_plane, 0};
    return (struct form){{&mf_agent_port_ops, &s_agent_port}, run_agent};
}

/* ---- what is seen */

static struct mf_order_view look(const struct form *f)
{
    struct mf_order_view view;
    f->port.ops->look(f->port.ctx, &view);
    assert_true(view.known);
    return view;
}

/* Up of home [m]; a message of the drone elsewhere is a tenth of a second old at most. */
static void must_be_up(const struct form *f, double up_m)
{
    const struct mf_order_view view = look(f);
    const double m = (double)view.position.relative_alt / 1e3;
    if (fabs(m - up_m) > 0.31) {
        fail_msg("%.3f m, expected %.3f m", m, up_m);
    }
}

static void must_land(struct form f)
{
    const struct mf_msg_command_int land = {.command = MAV_CMD_NAV_LAND,
                                            .frame = MAV_FRAME_GLOBAL_INT,
                                            .param4 = NAN,
                                            .x = INT32_MAX,
                                            .y = INT32_MAX,
                                            .z = NAN};
    f.run_until(2 * S);
    assert_true(mf_order_arm(&f.port));
    assert_true(mf_order_take_off(&f.port, 30.0f));
    f.run_until(7 * S);
    must_be_up(&f, 15.0);
    f.run_until(15 * S);
    must_be_up(&f, 30.0);
    assert_true(mf_order_command(&f.port, &land));
    f.run_until(20 * S);
    must_be_up(&f, 15.0);
    struct mf_order_view view = look(&f);
    assert_true(view.armed && view.custom_mode == MF_ORDER_LAND);
    assert_int_equal(view.landed, MAV_LANDED_STATE_LANDING);
    f.run_until(30 * S);
    view = look(&f);
    assert_true(!view.armed && view.landed == MAV_LANDED_STATE_ON_GROUND);
    assert_true(abs(view.position.relative_alt) <= 1);
    assert_true(abs(view.position.lat - (int32_t)(RIG_LAT_DEG * 1e7 + 0.5)) <= 1);
}

static void test_a_vehicle_of_the_process_lands(void **state)
{
    (void)state;
    must_land(vehicle());
}

static void test_a_drone_over_mavlink_lands(void **state)
{
    (void)state;
    must_land(mavlink());
    assert_int_equal(s_mavlink.refused, 0);
}

static void test_an_agent_lands(void **state)
{
    (void)state;
    must_land(agent());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_vehicle_of_the_process_lands),
        cmocka_unit_test(test_a_drone_over_mavlink_lands),
        cmocka_unit_test(test_an_agent_lands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
