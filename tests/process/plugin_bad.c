/* SPDX-License-Identifier: Apache-2.0 */
/* A plug-in that is wrong in the way that BAD says: for tests/process/test_swarm_plugins.py. */
#include "fleet/plugin.h"

#include <unistd.h>

#ifndef BAD
#define BAD 0 /* it is none of these */
#endif
#define OUTSIDE 1 /* a point beyond the boundary */
#define NEVER   2 /* it does not return */
#define VERSION 3 /* of another header */
#define MISSING 4 /* no symbol */
#define LACKS   5 /* a plan without begin() */
#define SAYS_NO 6
#define NUMBERS 7 /* a place that is no number */
#define NOBODY  8 /* a path for somebody who is not there */
#define SIZE    9 /* entries of another size */

static void hang(void)
{
    volatile bool busy = BAD == NEVER;
    while (busy) {
    }
}

static const char *begin(const struct mf_plugin_self *self, const struct mf_plugin_area *area,
                         const struct mf_plugin_paths *paths)
{
    struct mf_plugin_goal goal = {{500.0, 500.0, area->altitude_m}, area->speed_mps};
    (void)self;
    hang();
    goal.at.east = BAD == OUTSIDE ? 1000.5 : goal.at.east;
    goal.at.north = BAD == NUMBERS ? __builtin_nan("") : goal.at.north;
    paths->go(paths->host, BAD == NOBODY ? 3 : 1, MF_PLUGIN_LAST, &goal, 1);
    return BAD == SAYS_NO ? "sees no sense in it" : NULL;
}

static double two(const struct mf_plugin_self *self, const struct mf_plugin_look *look)
{
    (void)self, (void)look;
    return 2.0;
}

static double minus(const struct mf_plugin_self *self, const struct mf_plugin_motion *motion)
{
    (void)self, (void)motion;
    return -1.0;
}

static double three(const struct mf_plugin_self *self, const struct mf_plugin_outcome *outcome)
{
    (void)self, (void)outcome;
    return 3.0;
}

static uint32_t nobody(const struct mf_plugin_self *self, uint64_t tick,
                       const struct mf_plugin_task *task, const struct mf_plugin_worker *worker,
                       uint32_t workers)
{
    (void)self, (void)tick, (void)task, (void)worker;
    hang();
    return workers;
}

static double nan_db(const struct mf_plugin_self *self, const struct mf_plugin_way *way)
{
    (void)self, (void)way;
    return __builtin_nan("");
}

static double loud(const struct mf_plugin_self *self, double angle_rad)
{
    (void)self, (void)angle_rad;
    return 101.0;
}

static void band(const struct mf_plugin_self *self, struct mf_plugin_radio_sheet *sheet)
{
    (void)self;
    sheet->frequency_mhz = 868.0;
}

static void none(const struct mf_plugin_self *self, struct mf_plugin_radio_sheet *sheet)
{
    (void)self;
    sheet->bits_per_s = 0.0;
}

static double twice(const struct mf_plugin_self *self, double snr_db)
{
    (void)self, (void)snr_db;
    return 2.0;
}

static void storm(const struct mf_plugin_self *self, const struct mf_plugin_place *at,
                  double time_s, struct mf_plugin_place *velocity)
{
    (void)self, (void)at;
    velocity->north = time_s < 3.0 ? 1.0 : __builtin_inf();
}

static bool any(const struct mf_plugin_self *self, const struct mf_plugin_place *at, double time_s,
                const char *name, double *value)
{
    (void)self, (void)at, (void)time_s, (void)name;
    *value = __builtin_nan("");
    return true;
}

static void blind(const struct mf_plugin_self *self, const struct mf_plugin_sense *sense,
                  const struct mf_plugin_world *world, double *value)
{
    (void)self, (void)sense, (void)world;
    value[2] = __builtin_nan("");
}

static void leave(const struct mf_plugin_self *self, const struct mf_plugin_step *step,
                  struct mf_plugin_moves *moves)
{
    (void)self;
    moves->at.up = step->time_s < 2.0 ? moves->at.up + 0.1 : __builtin_inf();
}

static void sleep_on(const struct mf_plugin_self *self, const struct mf_plugin_told *told)
{
    (void)self, (void)told;
    (void)pause();
}

static const struct mf_plugin_component k_sleeps = {sleep_on, NULL};
static const struct mf_plugin_body k_leaves = {leave};
static const struct mf_plugin_sensor k_blind = {blind};
static const struct mf_plugin_weather k_storm = {storm, any};
static const struct mf_plugin_path k_nan = {nan_db};
static const struct mf_plugin_antenna k_loud = {loud};
static const struct mf_plugin_radio k_none = {none, twice};
static const struct mf_plugin_radio k_twice = {band, twice};
static const struct mf_plugin_trust k_three = {three};
static const struct mf_plugin_scheduler k_nobody = {nobody};
static const struct mf_plugin_plan k_plan = {BAD == LACKS ? NULL : begin, NULL};
static const struct mf_plugin_detection k_two = {two};
static const struct mf_plugin_cost k_minus = {minus};
static const struct mf_plugin_param k_param[] = {
    {"rows", MF_PLUGIN_WHOLE, 1, 9, {.whole = 1}, ""},
    {"open", MF_PLUGIN_BOOL, 0, 0, {.truth = true}, ""},
};
static const struct mf_plugin_entry k_entry[] = {
    {.kind = MF_PLUGIN_PLAN, .name = "bad", .param = k_param, .params = 2, .plan = &k_plan},
    {.kind = MF_PLUGIN_DETECTION, .name = "two", .detection = &k_two},
    {.kind = MF_PLUGIN_COST, .name = "minus", .cost = &k_minus},
    {.kind = MF_PLUGIN_TRUST, .name = "three", .trust = &k_three},
    {.kind = MF_PLUGIN_SCHEDULER, .name = "nobody", .scheduler = &k_nobody},
    {.kind = MF_PLUGIN_PATH, .name = "nan", .path = &k_nan},
    {.kind = MF_PLUGIN_ANTENNA, .name = "loud", .antenna = &k_loud},
    {.kind = MF_PLUGIN_WEATHER, .name = "storm", .weather = &k_storm},
    {.kind = MF_PLUGIN_COMPONENT, .name = "sleeps", .component = &k_sleeps},
    {.kind = MF_PLUGIN_BODY, .name = "leaves", .body = &k_leaves},
    {.kind = MF_PLUGIN_SENSOR, .name = "blind", .sensor = &k_blind},
    {.kind = MF_PLUGIN_RADIO, .name = "none", .radio = &k_none},
    {.kind = MF_PLUGIN_RADIO, .name = "twice", .radio = &k_twice},
};

#if BAD == MISSING
__attribute__((visibility("hidden")))
#endif
const struct mf_plugin mf_plugin = {BAD == VERSION ? 77 : MF_PLUGIN_VERSION,
                                    sizeof(struct mf_plugin_entry) - (BAD == SIZE ? 8 : 0), "bad",
                                    k_entry, sizeof k_entry / sizeof k_entry[0]};
