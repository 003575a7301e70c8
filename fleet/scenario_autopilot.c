/* SPDX-License-Identifier: Apache-2.0 */
/* Keys, defaults and checks of autopilots outside. Used by fleet/scenario_entity
 * and fleet/scenario. */
#include "fleet/scenario_autopilot.h"

#include "fleet/key_forms.h"
#include "fleet/scenario.h"

#include <math.h>
#include <string.h>

#define RATE_HZ   1000.0
#define AT(field) offsetof(struct mf_scenario_autopilot, field)

#define X(name, word) word,
static const char *const k_silent_words[] = {MF_SCENARIO_SILENT_LIST(X) NULL};
#undef X

static const struct mf_key k_autopilot[] = {
    WHOLE("json", AT(json_port), 1, UINT16_MAX,
          "UDP port of 127.0.0.1 where ArduPilot's JSON comes in; each next member has one 10 "
          "higher"),
    NAME(
        "ac", AT(ac), MF_SCENARIO_SOCKET_MAX,
        "local socket (file) where autopilots of gzuav connect, and say a member's name or number"),
    NAME("plugin", AT(plugin), MF_SCENARIO_SOCKET_MAX,
         "local socket (file) where Gazebo's plugins connect: they are bodies and clock; with ac"),
    WHOLE("expect", AT(expect), 0, MF_SCENARIO_COUNT_MAX,
          "number of autopilots of the entity for which time 0 waits; others come late; all"),
    REAL("rate", AT(rate_hz), 11, 10000, "ac without plugin: ticks a second; 1000"),
    REAL("yaw", AT(yaw_deg), -360, 360, "heading at the start [deg from north]; 0"),
    REAL("mass", AT(mass_kg), 0.1, 100, "mass, with which inertia and thrust grow [kg]; 3"),
    REAL("gusts", AT(gusts_mps), 0, 20,
         "standard deviation of gusts, in addition to the weather's wind, north and east [m/s]; 0"),
    REAL("gust_time", AT(gust_time_s), 0.1, 1000, "correlation time of gusts [s]; 5"),
    REAL("noise_gyro", AT(gyro_rps), 0, 10, "standard deviation of a gyroscope [rad/s]; 0"),
    REAL("noise_accel", AT(accel_mps2), 0, 100,
         "standard deviation of an accelerometer [m/s^2]; 0"),
    REAL("patience", AT(patience_s), 0, 1e6,
         "longest wait for a silent autopilot, by the wall [s]; 0: no limit; 10"),
    WORD("silent", AT(silent), k_silent_words,
         "after that wait: the run ends with exit code 3, the autopilot is dropped and its motors "
         "stop, or time waits on; stop"),
};
const struct mf_keys mf_scenario_autopilot_keys = {k_autopilot, COUNT_OF(k_autopilot), NULL,
                                                   AT(line)};

void mf_scenario_autopilot_defaults(struct mf_scenario_autopilot *a)
{
    *a = (struct mf_scenario_autopilot){.expect = MF_SCENARIO_EXPECT_ALL,
                                        .rate_hz = RATE_HZ,
                                        .mass_kg = 3.0,
                                        .gust_time_s = 5.0,
                                        .patience_s = 10.0};
}

/* Check for keys that a body must not have, since only its autopilot moves it. */
static bool check_others(struct mf_reading *r, const struct mf_scenario *s,
                         const struct mf_scenario_entity *e)
{
    if (e->behaviour.kind != MF_BEHAVIOUR_NONE) {
        return mf_entity_refuse(r, e, "%s: a body obeys its autopilot alone: take out behaviour");
    }
    if (e->body.kind != MF_SCENARIO_BODY_CONSTANT) {
        return mf_entity_refuse(
            r, e, "%s: as body is a quadrotor with motors, or Gazebo's: take out the key body");
    }
    return (e->cell.mah <= 0.0 && e->seeker.seeks[0] == '\0' && s->planner.kind < 0) ||
           mf_entity_refuse(
               r, e, "%s: a body has no battery, seeks nothing, and no planner sends it out");
}

/* Do the keys change the body that Mayfly simulates? */
static bool shapes_body(const struct mf_scenario_autopilot *a)
{
    struct mf_scenario_autopilot none;
    mf_scenario_autopilot_defaults(&none);
    return a->yaw_deg != none.yaw_deg || a->mass_kg != none.mass_kg ||
           a->gusts_mps != none.gusts_mps || a->gust_time_s != none.gust_time_s ||
           a->gyro_rps != none.gyro_rps || a->accel_mps2 != none.accel_mps2;
}

/* Check the keys for Gazebo's plugins, which are both body and clock. */
static bool check_plugin(struct mf_reading *r, const struct mf_scenario *s,
                         const struct mf_scenario_entity *e)
{
    const struct mf_scenario_autopilot *a = &e->autopilot;
    const int32_t clock = s->time.clock;
    if (a->ac[0] == '\0' || strcmp(a->ac, a->plugin) == 0) {
        return mf_entity_refuse(r, e, "%s: autopilot.plugin needs ac, and these are two sockets");
    }
    if (clock == MF_SCENARIO_CLOCK_REAL || clock == MF_SCENARIO_CLOCK_LOCKSTEP) {
        return mf_entity_refuse(
            r, e, "%s: autopilot.plugin: Gazebo is the clock, so time.clock must be fast");
    }
    if (s->gzuav.tick_s > 0.0) {
        return mf_entity_refuse(
            r, e, "%s: autopilot.plugin: each step of Gazebo is a tick: take out gzuav.tick");
    }
    return !shapes_body(a) ||
           mf_entity_refuse(r, e,
                            "%s: autopilot.plugin: Gazebo is the body: take out yaw, mass, gusts, "
                            "gust_time, noise_gyro and noise_accel");
}

bool mf_scenario_autopilot_check(struct mf_reading *r, struct mf_scenario *s,
                                 struct mf_scenario_entity *e)
{
    const struct mf_scenario_autopilot *a = &e->autopilot;
    if (e->as != MF_SCENARIO_KIND_BODY) {
        return a->line == 0 || mf_entity_refuse(r, e, "%s: autopilot is of as: body alone");
    }
    if (mf_scenario_goes_by_steps(s)) {
        return mf_entity_refuse(r, e, "%s: a search and a world of cells have no as: body");
    }
    if ((a->json_port > 0) == (a->ac[0] != '\0')) {
        return mf_entity_refuse(
            r, e, "%s: as body needs autopilot: {json: PORT} or {ac: SOCKET}, one of them");
    }
    if (a->json_port + MF_SCENARIO_JSON_EACH * (e->count - 1u) > UINT16_MAX) {
        return mf_entity_refuse(r, e,
                                "%s: autopilot.json: the port of the last member is above 65535");
    }
    if (a->expect != MF_SCENARIO_EXPECT_ALL && a->expect > e->count) {
        return mf_entity_refuse(r, e, "%s: autopilot.expect is more than the entity has members");
    }
    if (a->rate_hz != RATE_HZ && (a->ac[0] == '\0' || a->plugin[0] != '\0')) {
        return mf_entity_refuse(r, e,
                                "%s: autopilot.rate is of ac without plugin: with others the "
                                "autopilot, or Gazebo, says how long a tick is");
    }
    if (a->plugin[0] == '\0' && !isfinite(s->time.end_s)) {
        return mf_entity_refuse(r, e, "%s: a body may never rest: time.end must be seconds");
    }
    return (a->plugin[0] == '\0' || check_plugin(r, s, e)) && check_others(r, s, e);
}
