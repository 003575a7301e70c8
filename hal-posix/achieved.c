/* SPDX-License-Identifier: Apache-2.0 */
/* Achieved rate of the clock, for the runner of boards/posix: measured over windows of wall
 * time. */
#include "hal-posix/achieved.h"

/* Length of a window, over which the rate is measured [us, wall]. */
#define WINDOW_US MF_SECOND_US
/* A clock is behind if it loses more than this part of a window. It is no longer behind after this
 * number of windows without such a loss. */
#define LOSS_MAX     0.02
#define CALM_WINDOWS 10

static void begin_window(struct mf_achieved *a, const struct mf_pace *pace, mf_us_t wall_us)
{
    a->begin_us = wall_us;
    a->begin = *pace;
}

void mf_achieved_start(struct mf_achieved *a, const struct mf_pace *pace, mf_us_t wall_us)
{
    *a = (struct mf_achieved){.rate = -1.0};
    begin_window(a, pace, wall_us);
}

/* Update `behind` at the end of a window. @return true: `behind` has changed */
static bool judge_window(struct mf_achieved *a, mf_us_t late_us, mf_us_t waited_us,
                         double window_us)
{
    const bool before = a->behind;
    const bool loses = (double)(late_us + waited_us) > LOSS_MAX * window_us;
    a->calm = loses ? 0 : a->calm + 1;
    if (loses) {
        a->behind = true;
        a->by_client = waited_us > late_us;
    } else if (a->calm >= CALM_WINDOWS) {
        a->behind = false;
    }
    return a->behind != before;
}

bool mf_achieved_note(struct mf_achieved *a, const struct mf_pace *pace, mf_us_t wall_us)
{
    const mf_us_t window_us = wall_us - a->begin_us;
    const struct mf_pace was = a->begin;
    MF_ASSERT(pace->late_us >= was.late_us && pace->waited_us >= was.waited_us);
    if (window_us < WINDOW_US) {
        return false;
    }
    a->rate = (double)(pace->vehicle_us - was.vehicle_us) / (double)window_us;
    begin_window(a, pace, wall_us);
    return judge_window(a, pace->late_us - was.late_us, pace->waited_us - was.waited_us,
                        (double)window_us);
}
