/* SPDX-License-Identifier: Apache-2.0 */
/* Forwarding to a wrapped airframe. Called by the decorators of world/. */
#include "world/wrapped.h"

static const struct mf_wrapped *wrapped_of(const void *ctx)
{
    const struct mf_wrapped *b = ctx;
    MF_ASSERT(b != NULL && b->airframe != NULL);
    return b;
}

int mf_wrapped_plan(void *ctx, mf_us_t t_us, const struct mf_leg *legs, size_t n)
{
    const struct mf_wrapped *b = wrapped_of(ctx);
    return b->airframe->plan(b->ctx, t_us, legs, n);
}

int mf_wrapped_sample(void *ctx, mf_us_t t_us, struct mf_pose *pose)
{
    const struct mf_wrapped *b = wrapped_of(ctx);
    return b->airframe->sample(b->ctx, t_us, pose);
}

int mf_wrapped_next(void *ctx, mf_us_t t_us, enum mf_when when, double value, mf_us_t *at_us)
{
    const struct mf_wrapped *b = wrapped_of(ctx);
    return b->airframe->next(b->ctx, t_us, when, value, at_us);
}

int mf_wrapped_turn(void *ctx, mf_us_t t_us, const struct mf_leg *leg)
{
    const struct mf_wrapped *b = wrapped_of(ctx);
    return mf_airframe_turn_of(b->airframe, b->ctx, t_us, leg);
}

int mf_wrapped_motors(void *ctx, mf_us_t t_us, mf_us_t *next_us)
{
    const struct mf_wrapped *b = wrapped_of(ctx);
    return mf_airframe_motors_of(b->airframe, b->ctx, t_us, next_us);
}

int mf_wrapped_limit(void *ctx, const struct mf_physics_limits *limits)
{
    const struct mf_wrapped *b = wrapped_of(ctx);
    return mf_airframe_limit_of(b->airframe, b->ctx, limits);
}
