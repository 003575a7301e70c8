/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A vehicle around the mock for tests of the flight core: one link without streams, so that every
 * frame on it means something, and an airframe that reaches what it was told to when the test says
 * so.
 */
#ifndef MF_TESTS_FLIGHT_FIXTURE_H
#define MF_TESTS_FLIGHT_FIXTURE_H

#include "mavlink/enums.h"
#include "tests/unit/support/firmware.h"
#include "tests/unit/support/mock.h"
#include "tests/unit/support/names.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define S        1000000
#define HERE_LAT 47.397742
#define HERE_LON 8.545594
#define GROUND_M 488.0
#define NO_PARAMS    \
    (const float[7]) \
    {                \
        0            \
    }
#define ARM          \
    (const float[7]) \
    {                \
        1.0f         \
    }
#define NANS                              \
    (const float[7])                      \
    {                                     \
        NAN, NAN, NAN, NAN, NAN, NAN, NAN \
    }
#define TO_ALT(m)                         \
    (const float[7])                      \
    {                                     \
        NAN, NAN, NAN, NAN, NAN, NAN, (m) \
    }
#define MODE(m, s)     \
    (const float[7])   \
    {                  \
        1.0f, (m), (s) \
    }

struct fixture {
    struct mf_mock mock;
    struct mf_journal journal;
    struct mf_link links[2];
    struct mf_shell shells[2];
    struct mf_signing signing;
    struct mf_ftp ftp;
    struct mf_vehicle v;
    size_t reached_plan; /* the plan, counted from 1, whose end comes at reached_us */
    mf_us_t reached_us;
    mf_us_t rest_us;                 /* the body comes to rest then; what is past: it is */
    mf_us_t lift_us;                 /* it leaves the ground then; 0: it does not wait there */
    struct mf_physics_limits limits; /* given last */
};

static struct fixture fx;

/* The mock's airframe, but one plan is reached at a time. */
static inline int fx_next(void *ctx, mf_us_t t_us, enum mf_when when, double value, mf_us_t *at_us)
{
    (void)value;
    const struct mf_mock_airframe *a = ctx;
    fx.mock.airframe.next_when = when;
    *at_us = fx.reached_plan == a->plan_count ? fx.reached_us : MF_NEVER;
    if (when == MF_WHEN_REST) {
        *at_us = fx.rest_us > t_us ? fx.rest_us : t_us;
    } else if (when == MF_WHEN_LIFTOFF) {
        *at_us = fx.lift_us > t_us ? fx.lift_us : t_us;
    }
    return a->next_result;
}

static inline int fx_arm(void *ctx, mf_us_t t_us, bool on)
{
    const struct mf_hal hal = mf_mock_hal(&fx.mock);
    (void)ctx;
    return hal.airframe->arm(hal.airframe_ctx, t_us, on);
}

static inline int fx_plan(void *ctx, mf_us_t t_us, const struct mf_leg *legs, size_t n)
{
    const struct mf_hal hal = mf_mock_hal(&fx.mock);
    (void)ctx;
    return hal.airframe->plan(hal.airframe_ctx, t_us, legs, n);
}

static inline int fx_sample(void *ctx, mf_us_t t_us, struct mf_pose *pose)
{
    const struct mf_hal hal = mf_mock_hal(&fx.mock);
    (void)ctx;
    return hal.airframe->sample(hal.airframe_ctx, t_us, pose);
}

static inline int fx_turn(void *ctx, mf_us_t t_us, const struct mf_leg *leg)
{
    const struct mf_hal hal = mf_mock_hal(&fx.mock);
    (void)ctx;
    return hal.airframe->turn(hal.airframe_ctx, t_us, leg);
}

static inline int fx_limit(void *ctx, const struct mf_physics_limits *limits)
{
    (void)ctx;
    fx.limits = *limits;
    return MF_E_OK;
}

static inline int fx_try_init(uint8_t sysid, uint8_t compid, struct mf_options options)
{
    static const struct mf_airframe_ops k_airframe = {
        .arm = fx_arm,
        .plan = fx_plan,
        .sample = fx_sample,
        .next = fx_next,
        .turn = fx_turn,
        .limit = fx_limit,
    };
    struct mf_setup setup = {
        .hal = mf_mock_hal(&fx.mock),
        .links = fx.links,
        .shells = fx.shells,
        .signing = &fx.signing,
        .ftp = &fx.ftp,
        .link_count = 2,
        .journal = &fx.journal,
        .sysid = sysid,
        .compid = compid,
        .options = options,
    };
    setup.hal.airframe = &k_airframe;
    return mf_vehicle_init(&fx.v, &setup);
}

static inline struct mf_vehicle *fx_init(struct mf_options options)
{
    memset(&fx, 0, sizeof fx);
    mf_mock_init(&fx.mock);
    assert_int_equal(fx_try_init(1, 1, options), MF_E_OK);
    return &fx.v;
}

static inline void fx_connect(int port)
{
    static int32_t off[MF_STREAM_COUNT];
    const struct mf_serial serial = mf_mock_serial(&fx.mock, port);
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        off[i] = MF_STREAM_OFF;
    }
    assert_int_equal(mf_link_open(&fx.v, &serial, "mock", off), port);
    mf_mock_clear(&fx.mock, port);
}

/* On the ground, disarmed, time 0, one link on which nothing was sent. */
static inline struct mf_vehicle *fx_boot(struct mf_options options)
{
    struct mf_vehicle *v = fx_init(options);
    fx_connect(0);
    return v;
}

static inline struct mf_wake fx_step_at(mf_us_t t_us)
{
    fx.mock.now = (struct mf_now){t_us, t_us};
    return mf_vehicle_step(&fx.v);
}

static inline size_t fx_count(uint32_t msgid)
{
    return mf_mock_count(&fx.mock, 0, msgid);
}

/* The one answer to a command that was just sent; the second one of two, as PX4 sends them. */
static inline uint8_t fx_answer(uint16_t command)
{
    struct mf_msg_command_ack ack;
    const bool two = command == 176 || command == 211 || command == 43004;
    (void)mf_vehicle_step(&fx.v);
    const size_t count = fx_count(MF_MSG_COMMAND_ACK);
    assert_true(count == 1 || (count == 2 && two && fx.v.options.px4_strict));
    assert_true(count == 1 || mf_mock_take(&fx.mock, 0, MF_MSG_COMMAND_ACK, &ack));
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_COMMAND_ACK, &ack));
    assert_int_equal(ack.command, command);
    assert_int_equal(ack.target_system, 245);
    assert_int_equal(ack.target_component, 190);
    return ack.result;
}

static inline uint8_t fx_command(uint16_t command, const float p[7])
{
    const struct mf_msg_command_long m = {
        .command = command,
        .target_system = 1,
        .target_component = 1,
        .param1 = p[0],
        .param2 = p[1],
        .param3 = p[2],
        .param4 = p[3],
        .param5 = p[4],
        .param6 = p[5],
        .param7 = p[6],
    };
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_COMMAND_LONG, &m);
    return fx_answer(command);
}

static inline uint8_t fx_command_int(uint16_t command, uint8_t frame, const float p[4], int32_t x,
                                     int32_t y, float z)
{
    const struct mf_msg_command_int m = {
        .command = command,
        .target_system = 1,
        .target_component = 1,
        .frame = frame,
        .param1 = p[0],
        .param2 = p[1],
        .param3 = p[2],
        .param4 = p[3],
        .x = x,
        .y = y,
        .z = z,
    };
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_COMMAND_INT, &m);
    return fx_answer(command);
}

/* Reposition: place in degrees, NAN for "as it is". */
static inline uint8_t fx_reposition(float speed, float yaw, double lat, double lon, float alt)
{
    const float p[4] = {speed, 1.0f, 0.0f, yaw};
    const bool given = isfinite(lat);
    return fx_command_int(MAV_CMD_DO_REPOSITION, MAV_FRAME_GLOBAL_INT, p,
                          given ? (int32_t)lrint(lat * 1e7) : INT32_MAX,
                          given ? (int32_t)lrint(lon * 1e7) : INT32_MAX, alt);
}

/* Was a text sent that begins so? Takes all texts up to it. */
static inline bool fx_said(const char *beginning)
{
    struct mf_msg_statustext m;
    while (mf_mock_take(&fx.mock, 0, MF_MSG_STATUSTEXT, &m)) {
        if (strncmp(m.text, beginning, strlen(beginning)) == 0) {
            return true;
        }
    }
    return false;
}

static inline bool fx_named(const char *data)
{
    return mf_mock_named(&fx.mock, 0, data);
}

/* The last plan. */
static inline const struct mf_mock_plan *fx_last_plan(void)
{
    assert_true(fx.mock.airframe.plan_count > 0);
    return &fx.mock.airframe.plan[fx.mock.airframe.plan_count - 1];
}

static inline const struct mf_leg *fx_leg(void)
{
    assert_true(fx_last_plan()->n > 0);
    return &fx_last_plan()->leg[0];
}

/* What the last plan leads to comes at @p t_us; time goes there. */
static inline void fx_end_plan(mf_us_t t_us)
{
    fx.reached_plan = fx.mock.airframe.plan_count;
    fx.reached_us = t_us;
    mf_wake_at(&fx.v, MF_TASK_NAVIGATOR, t_us);
    (void)fx_step_at(t_us);
    fx.reached_plan = 0;
}

/* The same, and the body is there: at the target, or on the ground. */
static inline void fx_reach(mf_us_t t_us)
{
    const struct mf_leg leg = *fx_leg();
    mf_mock_place(&fx.mock, leg.lat_deg, leg.lon_deg, leg.land ? GROUND_M : leg.alt_amsl_m,
                  leg.land || leg.alt_amsl_m <= GROUND_M);
    if (isfinite(leg.yaw_rad)) {
        fx.mock.airframe.pose.yaw_rad = leg.yaw_rad;
    }
    fx_end_plan(t_us);
}

/* In Hold, @p height_m above the ground, since one second. */
static inline struct mf_vehicle *fx_airborne(struct mf_options options, double height_m)
{
    struct mf_vehicle *v = fx_boot(options);
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM), MAV_RESULT_ACCEPTED);
    assert_int_equal(fx_command(MAV_CMD_NAV_TAKEOFF, TO_ALT((float)(GROUND_M + height_m))),
                     MAV_RESULT_ACCEPTED);
    fx.mock.airframe.pose.on_ground = false;
    fx_reach(1 * S);
    assert_int_equal(v->commander.mode, MF_MODE_HOLD);
    assert_int_equal(v->commander.landed, MF_LANDED_IN_AIR);
    mf_mock_clear(&fx.mock, 0);
    return v;
}

static inline void fx_set_f(const char *name, float value)
{
    assert_int_equal(mf_param_set(&fx.v, (enum mf_param)mf_param_find(name), mf_f32_bits(value)),
                     MF_E_OK);
    mf_mock_clear(&fx.mock, 0);
}

static inline void fx_set_i(const char *name, int32_t value)
{
    assert_int_equal(mf_param_set(&fx.v, (enum mf_param)mf_param_find(name), (uint32_t)value),
                     MF_E_OK);
    mf_mock_clear(&fx.mock, 0);
}

static inline void fx_gps(bool good)
{
    fx.mock.gnss.fix.type = good ? MF_FIX_3D : MF_FIX_NONE;
    mf_estimate_forget(&fx.v);
    mf_wake_at(&fx.v, MF_TASK_HEALTH, fx.mock.now.vehicle_us);
    (void)mf_vehicle_step(&fx.v);
}

static inline void assert_close(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) {
        fail_msg("%.9f is not %.9f", a, b);
    }
}

#endif
