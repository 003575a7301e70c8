/* SPDX-License-Identifier: Apache-2.0 */
/* Calibration of sensors, for command_ask.c: its steps, and the texts that ground stations read. */
#include "firmware/flight/calibration.h"

#include "firmware/core/tasks.h"
#include "firmware/core/text.h"
#include "firmware/link/say.h"
#include "firmware/state/vehicle.h"

#define PARAMS  7
#define STEP_US (150 * MF_MS_US) /* until the next question, where the sensors do not say when */

#define ALL_SIDES ((1u << MF_SIDE_COUNT) - 1u)

/* Requests of the command: parameter, its value, whether every side is measured, and the
 * calibration. */
static const struct {
    uint8_t param;
    uint8_t value;
    bool sides;
    enum mf_calibrates what;
    const char *name;
} k_calibration[] = {
    {0, 1, false, MF_CALIBRATES_GYRO, "gyro"},   {1, 1, true, MF_CALIBRATES_MAG_SIDES, "mag"},
    {2, 1, false, MF_CALIBRATES_BARO, "baro"},   {4, 1, true, MF_CALIBRATES_ACCEL_SIDES, "accel"},
    {4, 2, false, MF_CALIBRATES_LEVEL, "level"}, {4, 4, false, MF_CALIBRATES_ACCEL, "accel"},
};

static const char *const k_side[MF_SIDE_COUNT] = {
#define X(name, text) (text),
    MF_SIDE_LIST(X)
#undef X
};

static bool is_given(float value)
{
    /* MAVSDK fills parameters that it does not mean with NAN, pymavlink with 0. */
    return value == value && value != 0.0f;
}

/* Find the request of the first given parameter. @return index into the table, or MF_E_NOSUPP */
static int find(size_t given, float value)
{
    MF_ASSERT(given < PARAMS);
    for (size_t i = 0; i < sizeof k_calibration / sizeof k_calibration[0]; i++) {
        if (k_calibration[i].param == given && value == (float)k_calibration[i].value) {
            return (int)i;
        }
    }
    return MF_E_NOSUPP;
}

/* Cancel a calibration. @return true: one ran, and was not cancelled before */
static bool cancel(struct mf_calibration *c, const struct mf_hal *hal, mf_us_t now_us)
{
    if (!mf_calibration_runs(c) || c->cancelled) {
        return false;
    }
    c->cancelled = true;
    (void)mf_sensors_calibrate(hal, now_us, MF_CALIBRATES_NOTHING);
    return true;
}

int mf_calibration_begin(struct mf_calibration *c, const struct mf_hal *hal, const float param[7],
                         mf_us_t now_us, mf_us_t *run_us)
{
    size_t given = 0;
    *run_us = MF_NEVER;
    while (given < PARAMS && !is_given(param[given])) {
        given++;
    }
    if (given == PARAMS) {
        /* PX4: a command of zeros cancels, and is accepted also where nothing runs. */
        *run_us = cancel(c, hal, now_us) ? now_us : MF_NEVER;
        return MF_E_OK;
    }
    /* PX4's commander runs one at a time. */
    if (mf_calibration_runs(c)) {
        return MF_E_AGAIN;
    }
    const int found = find(given, param[given]);
    const int err =
        found < 0 ? found : mf_sensors_calibrate(hal, now_us, k_calibration[found].what);
    if (err == MF_E_OK) {
        *c = (struct mf_calibration){.what = (uint8_t)(found + 1)};
        *run_us = now_us;
    }
    return err;
}

bool mf_calibration_runs(const struct mf_calibration *c)
{
    MF_ASSERT(c->what <= sizeof k_calibration / sizeof k_calibration[0]);
    return c->what != 0;
}

static void send_text(struct mf_vehicle *v, const char *before, const char *name, const char *after)
{
    struct mf_text text = mf_text(before);
    mf_text_add(&text, name);
    mf_text_add(&text, after);
    mf_say(v, MF_INFO, text.s);
}

static void say_progress(struct mf_vehicle *v, int percent)
{
    /* MAVSDK reads the number between the brackets. */
    struct mf_text text = mf_text("[cal] progress <");
    mf_text_add_int(&text, percent);
    mf_text_add(&text, ">");
    mf_say(v, MF_INFO, text.s);
}

/* Send the list of the remaining sides, in PX4's form. */
static void say_pending(struct mf_vehicle *v, unsigned told)
{
    struct mf_text text = mf_text("[cal] pending:");
    MF_ASSERT(told != ALL_SIDES);
    /* QGroundControl shows the pictures of the sides that this text names. */
    for (size_t i = MF_SIDE_COUNT; i-- > 0;) {
        if ((told >> i & 1u) == 0) {
            mf_text_add(&text, " ");
            mf_text_add(&text, k_side[i]);
        }
    }
    mf_say(v, MF_INFO, text.s);
}

static int percent_of(unsigned told)
{
    int count = 0;
    for (; told != 0; told &= told - 1u) {
        count++;
    }
    return count * 100 / (int)MF_SIDE_COUNT;
}

/* Report a completed side, or a completed sixth. */
static void report_side(struct mf_vehicle *v, size_t side, bool sides)
{
    const unsigned told = v->calibration.told |= (uint8_t)(1u << side);
    MF_ASSERT(side < MF_SIDE_COUNT);
    /* QGroundControl goes from picture to picture by these two texts. */
    if (sides) {
        send_text(v, "[cal] ", k_side[side], " orientation detected");
        send_text(v, "[cal] ", k_side[side], " side done, rotate to a different side");
    }
    say_progress(v, percent_of(told));
    if (sides && told != ALL_SIDES) {
        say_pending(v, told);
    }
}

static void tell_begin(struct mf_vehicle *v, const char *name, bool sides)
{
    v->calibration.begun = true;
    /* 2 is PX4's version of these texts; QGroundControl follows no other. */
    send_text(v, "[cal] calibration started: 2 ", name, "");
    say_progress(v, 0);
    if (sides) {
        say_pending(v, 0);
        mf_say(v, MF_INFO, "[cal] hold vehicle still on a pending side");
    }
}

/* End a cancelled calibration one step after the acknowledgement: MAVSDK waits for that with the
 * lock that it needs for texts. */
static mf_us_t end_cancelled(struct mf_vehicle *v, mf_us_t due_us)
{
    struct mf_calibration *c = &v->calibration;
    MF_ASSERT(mf_calibration_runs(c) && c->cancelled);
    if (!c->ending) {
        c->ending = true;
        return due_us + STEP_US;
    }
    *c = (struct mf_calibration){0};
    mf_say(v, MF_CRITICAL, "[cal] calibration cancelled");
    return MF_NEVER;
}

mf_us_t mf_calibration_run(struct mf_vehicle *v, mf_us_t due_us)
{
    struct mf_calibration *c = &v->calibration;
    struct mf_calibration_state state;
    if (c->what == 0) {
        return MF_NEVER;
    }
    MF_ASSERT(!v->commander.armed && (c->told & ~ALL_SIDES) == 0);
    const char *name = k_calibration[c->what - 1].name;
    const bool sides = k_calibration[c->what - 1].sides;
    /* Progress that sensors report for a cancelled calibration is dropped. */
    if (c->cancelled) {
        return end_cancelled(v, due_us);
    }
    if (!c->begun) {
        tell_begin(v, name, sides);
    }
    /* The texts follow what the sensors report; nothing here knows how long one takes. */
    const int err = mf_sensors_calibration(&v->hal, due_us, &state);
    if (err != MF_E_OK || state.failed) {
        *c = (struct mf_calibration){0};
        mf_say(v, MF_CRITICAL, "[cal] calibration failed: sensor");
        return MF_NEVER;
    }
    for (size_t i = 0; i < MF_SIDE_COUNT; i++) {
        if ((state.done & ~(unsigned)c->told & 1u << i) != 0) {
            report_side(v, i, sides);
        }
    }
    if (c->told == ALL_SIDES) {
        *c = (struct mf_calibration){0};
        send_text(v, "[cal] calibration done: ", name, "");
        return MF_NEVER;
    }
    /* Real sensors wait for a user who turns the vehicle over, so they are polled. */
    return state.next_us == MF_NEVER ? due_us + STEP_US : state.next_us;
}
