/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/flight/calibration.h"

#include "firmware/core/tasks.h"
#include "firmware/core/text.h"
#include "firmware/link/say.h"
#include "firmware/state/vehicle.h"

#define PARAMS  7
#define STEP_US (150 * MF_MS_US)
#define STEPS   6 /* as there are sides to put a vehicle on */

/* Which parameter of the command, with which value, asks for what; whether every side is measured.
 */
static const struct {
    uint8_t param;
    uint8_t value;
    bool sides;
    const char *name;
} k_calibration[] = {
    {0, 1, false, "gyro"}, {1, 1, true, "mag"},    {2, 1, false, "baro"},
    {4, 1, true, "accel"}, {4, 2, false, "level"}, {4, 4, false, "accel"},
};

static const char *const k_side[STEPS] = {"down", "up", "left", "right", "front", "back"};

static bool is_given(float value)
{
    return value == value && value != 0.0f;
}

int mf_calibration_begin(struct mf_vehicle *v, const float *param, mf_us_t now_us)
{
    struct mf_calibration *c = &v->calibration;
    size_t given = 0;
    while (given < PARAMS && !is_given(param[given])) {
        given++;
    }
    if (given == PARAMS) {
        if (c->what != 0 && !c->cancelled) {
            c->cancelled = true;
            mf_wake_at(v, MF_TASK_CALIBRATION, now_us);
        }
        return MF_E_OK;
    }
    if (c->what != 0) {
        return MF_E_AGAIN;
    }
    for (size_t i = 0; i < sizeof k_calibration / sizeof k_calibration[0]; i++) {
        if (k_calibration[i].param == given && param[given] == (float)k_calibration[i].value) {
            *c = (struct mf_calibration){.what = (uint8_t)(i + 1u)};
            mf_wake_at(v, MF_TASK_CALIBRATION, now_us);
            return MF_E_OK;
        }
    }
    return MF_E_NOSUPP;
}

bool mf_calibration_runs(const struct mf_vehicle *v)
{
    return v->calibration.what != 0;
}

static void say(struct mf_vehicle *v, const char *before, const char *name, const char *after)
{
    struct mf_text text = mf_text(before);
    mf_text_add(&text, name);
    mf_text_add(&text, after);
    mf_say(v, MF_INFO, text.s);
}

static void say_progress(struct mf_vehicle *v, int percent)
{
    struct mf_text text = mf_text("[cal] progress <");
    mf_text_add_int(&text, percent);
    mf_text_add(&text, ">");
    mf_say(v, MF_INFO, text.s);
}

/* The sides that are left, as PX4 lists them. */
static void say_pending(struct mf_vehicle *v, int step)
{
    struct mf_text text = mf_text("[cal] pending:");
    MF_ASSERT(step >= 0 && step < STEPS);
    for (int i = STEPS - 1; i >= step; i--) {
        mf_text_add(&text, " ");
        mf_text_add(&text, k_side[i]);
    }
    mf_say(v, MF_INFO, text.s);
}

static void tell(struct mf_vehicle *v, int step, bool sides)
{
    MF_ASSERT(step >= 1 && step <= STEPS);
    if (sides) {
        say(v, "[cal] ", k_side[step - 1], " orientation detected");
        say(v, "[cal] ", k_side[step - 1], " side done, rotate to a different side");
    }
    say_progress(v, step * 100 / STEPS);
    if (sides && step < STEPS) {
        say_pending(v, step);
    }
}

mf_us_t mf_calibration_run(struct mf_vehicle *v, mf_us_t due_us)
{
    MF_ASSERT(due_us >= 0);
    struct mf_calibration *c = &v->calibration;
    if (c->what == 0) {
        return MF_NEVER;
    }
    const char *name = k_calibration[c->what - 1].name;
    const bool sides = k_calibration[c->what - 1].sides;
    if (c->cancelled) {
        /* A step after the acknowledgement: MAVSDK waits for that with the lock that it needs for
         * texts. */
        if (!c->ending) {
            c->ending = true;
            return due_us + STEP_US;
        }
        *c = (struct mf_calibration){0};
        mf_say(v, MF_CRITICAL, "[cal] calibration cancelled");
        return MF_NEVER;
    }
    if (c->step == 0) {
        say(v, "[cal] calibration started: 2 ", name, "");
        say_progress(v, 0);
        if (sides) {
            say_pending(v, 0);
            mf_say(v, MF_INFO, "[cal] hold vehicle still on a pending side");
        }
    } else {
        tell(v, c->step, sides);
    }
    if (c->step == STEPS) {
        *c = (struct mf_calibration){0};
        say(v, "[cal] calibration done: ", name, "");
        return MF_NEVER;
    }
    c->step++;
    return due_us + STEP_US;
}
