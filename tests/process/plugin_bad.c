/* SPDX-License-Identifier: Apache-2.0 */
/* A plug-in that is wrong in the way that its file's name says, bad1.so to bad9.so: for
 * tests/process/test_swarm_plugins.py. */
#include "fleet/plugin.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#define OUTSIDE 1 /* a point beyond the boundary */
#define NEVER   2 /* it does not return */
#define VERSION 3 /* of another header */
#define LACKS   5 /* a plan without begin() */
#define SAYS_NO 6
#define NUMBERS 7 /* a place that is no number */
#define NOBODY  8 /* a path for somebody who is not there */
#define SIZE    9 /* entries of another size */

static int s_bad;

static void hang(void)
{
    volatile bool busy = s_bad == NEVER;
    while (busy) {
    }
}

static const char *begin(const struct mf_plugin_self *self, const struct mf_plugin_area *area,
                         const struct mf_plugin_paths *paths)
{
    struct mf_plugin_goal goal = {{500.0, 500.0, area->altitude_m}, area->speed_mps};
    (void)self;
    hang();
    goal.at.east = s_bad == OUTSIDE ? 1000.5 : goal.at.east;
    goal.at.north = s_bad == NUMBERS ? __builtin_nan("") : goal.at.north;
    paths->go(paths->host, s_bad == NOBODY ? 3 : 1, MF_PLUGIN_LAST, &goal, 1);
    return s_bad == SAYS_NO ? "sees no sense in it" : NULL;
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
static struct mf_plugin_plan s_plan = {begin, NULL};
static const struct mf_plugin_detection k_two = {two};
static const struct mf_plugin_cost k_minus = {minus};
static const struct mf_plugin_param k_param[] = {
    {"rows", MF_PLUGIN_WHOLE, 1, 9, {.whole = 1}, ""},
    {"open", MF_PLUGIN_BOOL, 0, 0, {.truth = true}, ""},
};
static const struct mf_plugin_entry k_entry[] = {
    {.kind = MF_PLUGIN_PLAN, .name = "bad", .param = k_param, .params = 2, .plan = &s_plan},
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

static struct mf_plugin s_mine = {MF_PLUGIN_VERSION, sizeof(struct mf_plugin_entry), "bad", k_entry,
                                  sizeof k_entry / sizeof k_entry[0]};
/* As fleet/plugin.h has it, but not constant. */
extern struct mf_plugin told __asm__("mf_plugin") __attribute__((alias("s_mine")));

__attribute__((constructor)) static void choose(void)
{
    Dl_info file;
    dladdr(&s_bad, &file);
    s_bad = file.dli_fname[strlen(file.dli_fname) - strlen("1.so")] - '0';
    s_mine.version = s_bad == VERSION ? 77 : s_mine.version;
    s_mine.entry_bytes -= s_bad == SIZE ? 8 : 0;
    s_plan.begin = s_bad == LACKS ? NULL : begin;
}
