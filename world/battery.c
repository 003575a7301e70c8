/* SPDX-License-Identifier: Apache-2.0 */
/* Batteries: constant, and drained by flight. Called by world/world, and through the HAL. */
#include "world/battery.h"

void mf_battery_static_init(struct mf_battery_static *battery)
{
    MF_ASSERT(battery != NULL);
    battery->state = (struct mf_battery){
        .voltage_v = 16.2f,
        .current_a = -1.0f,
        .remaining = 1.0f,
        .consumed_mah = -1.0f,
        .cells = 4,
    };
}

static int static_read(void *ctx, mf_us_t t_us, struct mf_battery *battery)
{
    const struct mf_battery_static *b = ctx;
    MF_ASSERT(b != NULL && battery != NULL);
    (void)t_us;
    *battery = b->state;
    return MF_E_OK;
}

/* A reading is due at once while the charge is below @p remaining, never otherwise: the charge is
 * constant. */
static int static_next(void *ctx, mf_us_t t_us, float remaining, mf_us_t *at_us)
{
    const struct mf_battery_static *b = ctx;
    MF_ASSERT(b != NULL && at_us != NULL);
    *at_us = b->state.remaining < remaining ? t_us : MF_NEVER;
    return MF_E_OK;
}

const struct mf_power_ops mf_battery_static_ops = {.read = static_read, .next = static_next};

#define EMPTY_SHARE  (1.0 / 9.0) /* share of the voltage that is lost between full and empty */
#define A_US_PER_MAH 3.6e6
#define HORIZON_US   (INT64_C(1) << 45) /* a year: no flight lasts longer */

void mf_battery_drain_init(struct mf_battery_drain *battery, const struct mf_airframe_ops *airframe,
                           void *airframe_ctx)
{
    MF_ASSERT(battery != NULL && airframe != NULL);
    *battery = (struct mf_battery_drain){
        .wrapped = {airframe, airframe_ctx},
        .capacity_mah = 5000.0,
        .hover_a = 15.0,
        .idle_a = 1.0,
        .full_v = 16.2,
        .resistance_ohm = 4.0 * MF_BATTERY_CELL_OHM,
        .remaining = 1.0,
        .cells = 4,
        .lift_us = MF_NEVER,
        .down_us = MF_NEVER,
    };
}

/* Time in the air between the present plan and t_us. */
static mf_us_t aloft_us(const struct mf_battery_drain *b, mf_us_t t_us)
{
    const mf_us_t from_us = b->lift_us;
    const mf_us_t to_us = mf_earlier(t_us, b->down_us);
    return to_us > from_us ? to_us - from_us : 0;
}

/* Add up the time under the present plan, before another one replaces it. */
static void settle(struct mf_battery_drain *b, mf_us_t t_us)
{
    MF_ASSERT(t_us >= b->since_us);
    const mf_us_t air_us = b->armed ? aloft_us(b, t_us) : 0;
    b->air_us += air_us;
    b->ground_us += b->armed ? t_us - b->since_us - air_us : 0;
    b->since_us = t_us;
}

/* Compute the interval in the air under the new plan. */
static void foresee(struct mf_battery_drain *b, mf_us_t t_us)
{
    b->lift_us = b->down_us = MF_NEVER;
    int err = mf_wrapped_next(b, t_us, MF_WHEN_LIFTOFF, 0.0, &b->lift_us);
    if (err == MF_E_OK && b->lift_us != MF_NEVER) {
        err = mf_wrapped_next(b, b->lift_us, MF_WHEN_TOUCHDOWN, 0.0, &b->down_us);
    }
    MF_ASSERT(err == MF_E_OK);
}

static int drain_arm(void *ctx, mf_us_t t_us, bool on)
{
    struct mf_battery_drain *b = ctx;
    MF_ASSERT(b != NULL);
    settle(b, t_us);
    const int err = b->wrapped.airframe->arm(b->wrapped.ctx, t_us, on);
    b->armed = err == MF_E_OK ? on : b->armed;
    foresee(b, t_us);
    return err;
}

static int drain_plan(void *ctx, mf_us_t t_us, const struct mf_leg *legs, size_t n)
{
    struct mf_battery_drain *b = ctx;
    MF_ASSERT(b != NULL);
    settle(b, t_us);
    const int err = mf_wrapped_plan(b, t_us, legs, n);
    foresee(b, t_us);
    return err;
}

static int drain_read(void *ctx, mf_us_t t_us, struct mf_battery *battery)
{
    struct mf_battery_drain now = *(const struct mf_battery_drain *)ctx;
    MF_ASSERT(battery != NULL && now.capacity_mah > 0.0);
    const bool flies = t_us >= now.lift_us && t_us < now.down_us;
    const double current_a = !now.armed ? 0.0 : flies ? now.hover_a : now.idle_a;
    settle(&now, t_us);
    const double used_mah =
        ((double)now.air_us * now.hover_a + (double)now.ground_us * now.idle_a) / A_US_PER_MAH;
    const double left = now.remaining - used_mah / now.capacity_mah;
    const double remaining = left > 0.0 ? left : 0.0;
    const double voltage_v =
        now.full_v * (1.0 - (1.0 - remaining) * EMPTY_SHARE) - current_a * now.resistance_ohm;
    *battery = (struct mf_battery){
        .voltage_v = voltage_v > 0.0 ? (float)voltage_v : 0.0f,
        .current_a = (float)current_a,
        .remaining = (float)remaining,
        .consumed_mah = (float)used_mah,
        .cells = now.cells,
    };
    return MF_E_OK;
}

static bool is_below(struct mf_battery_drain *b, mf_us_t t_us, float remaining)
{
    struct mf_battery battery;
    (void)drain_read(b, t_us, &battery);
    return battery.remaining < remaining;
}

/* Find the instant by bisection over whole microseconds, so that the answer agrees with read() to
 * the last bit. */
static int drain_charge_next(void *ctx, mf_us_t t_us, float remaining, mf_us_t *at_us)
{
    struct mf_battery_drain *b = ctx;
    MF_ASSERT(b != NULL && at_us != NULL);
    mf_us_t above_us = t_us;
    mf_us_t below_us = t_us + HORIZON_US;
    *at_us = is_below(b, t_us, remaining) ? t_us : MF_NEVER;
    if (*at_us == t_us || !is_below(b, below_us, remaining)) {
        return MF_E_OK;
    }
    while (below_us - above_us > 1) {
        const mf_us_t middle_us = above_us + (below_us - above_us) / 2;
        if (is_below(b, middle_us, remaining)) {
            below_us = middle_us;
        } else {
            above_us = middle_us;
        }
    }
    *at_us = below_us;
    return MF_E_OK;
}

const struct mf_power_ops mf_battery_drain_ops = {.read = drain_read, .next = drain_charge_next};
const struct mf_airframe_ops mf_battery_drain_airframe_ops = {
    .arm = drain_arm,
    .plan = drain_plan,
    .sample = mf_wrapped_sample,
    .next = mf_wrapped_next,
    .turn = mf_wrapped_turn,
    .limit = mf_wrapped_limit,
    .motors = mf_wrapped_motors,
};
