/* SPDX-License-Identifier: Apache-2.0 */
/** Airframe that a decorator wraps, and functions that only forward calls to it. */
#ifndef MF_WORLD_WRAPPED_H
#define MF_WORLD_WRAPPED_H

#include "hal/airframe.h"

/** First member of a decorator that uses the functions below. */
struct mf_wrapped {
    const struct mf_airframe_ops *airframe;
    void *ctx;
};

/** Parts of mf_airframe_ops that forward to the wrapped airframe; their context is the
 * decorator. */
int mf_wrapped_plan(void *ctx, mf_us_t t_us, const struct mf_leg *legs, size_t n);
int mf_wrapped_sample(void *ctx, mf_us_t t_us, struct mf_pose *pose);
int mf_wrapped_next(void *ctx, mf_us_t t_us, enum mf_when when, double value, mf_us_t *at_us);
int mf_wrapped_turn(void *ctx, mf_us_t t_us, const struct mf_leg *leg);
int mf_wrapped_motors(void *ctx, mf_us_t t_us, mf_us_t *next_us);
int mf_wrapped_limit(void *ctx, const struct mf_physics_limits *limits);

#endif
