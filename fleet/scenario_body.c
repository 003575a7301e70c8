/* SPDX-License-Identifier: Apache-2.0 */
/* Keys, defaults and checks of bodies. Called by fleet/scenario and scenario_keys, and
 * boards/swarm. */
#include "fleet/scenario_body.h"

#include "fleet/key_forms.h"
#include "fleet/scenario.h"

#include <math.h>

#define GRAVITY_MPS2 9.80665
#define FOREVER_S    1e9

/* clang-format off */
#define X(name, word) word,
static const char *const k_kind[] = {MF_SCENARIO_BODY_LIST(X) NULL};
static const char *const k_compat[] = {MF_SCENARIO_BODY_COMPAT_LIST(X) NULL};
const char *const mf_scenario_compat_words[] = {MF_SCENARIO_COMPAT_LIST(X) NULL};
static const char *const k_shape[] = {"box", "sphere", "cylinder", "cone", NULL};
static const char *const k_force[] = {MF_BODY_FORCE_LIST(X) NULL};
#undef X
#define BODY(field)   offsetof(struct mf_scenario_body_settings, field)
#define THRUST(field) offsetof(struct mf_scenario_body_settings, thrust.field)
#define FORCE(field)  offsetof(struct mf_body_force, field)

static const struct mf_key k_force_key[] = {
    WORD("kind", FORCE(kind), k_force,
         "push: a force; torque; impulse: at once; drag: against the air; follow: what obeys "
         "orders, by a force that brings the body to a velocity and carries it, and a torque that "
         "keeps it upright"),
    TRIPLE("vector", FORCE(vector), -1e6, 1e6,
           "push [N], impulse [N s]: north, east, up; torque [N m]: about forward, right, up"),
    FLAG("with_body", FORCE(with_body),
         "push, impulse: the vector is forward, right, up of the body, and turns with it; false"),
    TRIPLE("at", FORCE(at_m), -1000, 1000,
           "push, impulse: where it acts, forward, right, up of the centre of mass [m]"),
    REAL("from", FORCE(from_s), 0, FOREVER_S, "when it begins [s]; 0"),
    REAL("until", FORCE(until_s), 0, FOREVER_S, "when it ends [s]; never"),
    REAL("area", FORCE(area_m2), 0, 1000, "drag: coefficient times cross-section [m2]; 0"),
    REAL("rate_drag", FORCE(rate_drag_nms), 0, 1000, "drag: torque per rad/s of turning [N m s]; 0"),
    REAL("most", FORCE(most_n), 0.001, 1e6, "follow: greatest force [N]; twice the weight"),
    REAL("gain", FORCE(gain_per_s), 0.01, 100,
         "follow: how fast a difference of velocities goes [1/s]; 2"),
};
/* clang-format on */
static const struct mf_keys k_forces = {k_force_key, COUNT_OF(k_force_key), "kind", SIZE_MAX};

static void force_defaults(void *force)
{
    *(struct mf_body_force *)force =
        (struct mf_body_force){.until_s = FOREVER_S, .gain_per_s = 2.0};
}

/* clang-format off */
static const struct mf_key k_body[] = {
    WORD("kind", BODY(kind), k_kind,
         "constant: at constant speed, in closed form; physics: velocity, acceleration and jerk like PX4's "
         "own simulator, in closed form, of vehicles; thrust: steps (world/mover_thrust.h), of searchers; cell: by whole cells; bee: obeys velocities in steps, as Simbeeotic's SimpleBee; "
         "rigid: six degrees of freedom, by forces; own: of a plug-in; bee, rigid and own are of "
         "vehicles and agents"),
    WHOLE("speed", BODY(cell_speed), 1, 100, "cell: cells per tick; 1"),
    WORD("compat", THRUST(compat), k_compat,
         "uavsim: thrust as published (docs/papers.md); simbeeotic: bee as published, an agent begins "
         "in the air; none"),
    REAL("radius", BODY(radius_m), 0.001, 100,
         "of the ball that touches others [m]; 0.25, of a bee half its length"),
    REAL("mass", THRUST(mass), 0.001, 1000, "thrust, bee, rigid [kg]; 2, of a bee 0.128"),
    REAL("area", THRUST(area), 0, 100, "thrust: that meets the air [m2]; 0.1"),
    REAL("up", THRUST(up), 0, 1e5, "thrust: greatest thrust [N]; 40"),
    REAL("down", THRUST(down), 0, 1e5, "[N]; 0"),
    REAL("forward", THRUST(forward), 0, 1e5, "[N]; 40"),
    REAL("backward", THRUST(backward), 0, 1e5, "[N]; 5"),
    REAL("left", THRUST(left), 0, 1e5, "[N]; 40"),
    REAL("right", THRUST(right), 0, 1e5, "[N]; 40"),
    REAL("rate", BODY(rate_hz), 1, 1000, "bee, rigid, own: steps per second; 60, of bee 10"),
    REAL("length", BODY(length_m), 0.001, 100, "bee: its diameter [m]; 0.1"),
    REAL("accel_max", BODY(accel_max_mps2), 0.001, 1000, "bee; own: with which it is led to places [m/s2]; 1"),
    TRIPLE("inertia", BODY(inertia_kgm2), 1e-9, 1e6, "rigid: principal moments about forward, right, up [kg m2]; of a ball"),
    REAL("restitution", BODY(restitution), 0, 1,
         "rigid: part of its speed that ground and obstacles give back; 0"),
    WORD("shape", BODY(shape), k_shape,
         "of a ghost: what others sense and touch, upright, turned by its heading; a ball of radius"),
    TRIPLE("size", BODY(size_m), 0.001, 1e4, "shape box: ahead, to the right, up [m]; 1 each"),
    REAL("height", BODY(height_m), 0.001, 1e4, "shape cylinder, cone [m]; 1"),
    LIST_OF("forces", struct mf_scenario_body_settings, force, forces, MF_BODY_FORCES_MAX, k_forces, force_defaults, "rigid: what acts on it beside its weight"),
    MF_SCENARIO_OWN_KEYS(BODY(own)),
};
/* clang-format on */
const struct mf_keys mf_scenario_body_keys = {k_body, COUNT_OF(k_body), "kind", SIZE_MAX};

void mf_scenario_body_defaults(struct mf_scenario_body_settings *b)
{
    *b = (struct mf_scenario_body_settings){
        .cell_speed = 1,
        .thrust = {MF_SCENARIO_COMPAT_NONE, 0.0, 0.1, 40.0, 0.0, 40.0, 5.0, 40.0, 40.0},
        .length_m = 0.1,
        .accel_max_mps2 = 1.0,
        .shape = -1,
        .size_m = {1.0, 1.0, 1.0},
        .height_m = 1.0};
}

bool mf_scenario_is_stepped(const struct mf_scenario_body_settings *b)
{
    return b->kind == MF_SCENARIO_BODY_BEE || b->kind == MF_SCENARIO_BODY_RIGID ||
           b->kind == MF_SCENARIO_BODY_OWN;
}

bool mf_scenario_begins_in_air(const struct mf_scenario_body_settings *b)
{
    bool obeys = b->kind != MF_SCENARIO_BODY_RIGID;
    for (uint32_t i = 0; i < b->forces; i++) {
        obeys = obeys || b->force[i].kind == MF_BODY_FORCE_FOLLOW;
    }
    return !obeys ||
           (b->kind == MF_SCENARIO_BODY_BEE && b->thrust.compat == MF_SCENARIO_COMPAT_SIMBEEOTIC);
}

static double or_else(double value, double otherwise)
{
    return value > 0.0 ? value : otherwise;
}

/* Can a body have these moments of inertia? None may exceed the sum of the other two. */
static bool is_possible(const double inertia[3])
{
    bool good = true;
    for (int i = 0; i < 3; i++) {
        good = good && inertia[i] > 0.0 &&
               inertia[i] <= (inertia[(i + 1) % 3] + inertia[(i + 2) % 3]) * (1.0 + 1e-9);
    }
    return good;
}

/* Fill in the values that the kind determines. @return NULL, or an error: values that do not fit
 * together */
static const char *complete(struct mf_scenario_body_settings *b)
{
    const bool bee = b->kind == MF_SCENARIO_BODY_BEE;
    const int32_t compat = b->thrust.compat;
    b->thrust.mass = or_else(b->thrust.mass, bee ? 0.128 : 2.0);
    b->rate_hz = or_else(b->rate_hz, bee ? 10.0 : 60.0);
    b->radius_m = or_else(b->radius_m, bee ? 0.5 * b->length_m : 0.25);
    if ((compat == MF_SCENARIO_COMPAT_SIMBEEOTIC) && !bee) {
        return "%s: body.compat simbeeotic is of a bee";
    }
    if (compat == MF_SCENARIO_COMPAT_UAVSIM && mf_scenario_is_stepped(b)) {
        return "%s: body.compat uavsim is of thrust";
    }
    if (b->forces > 0 && b->kind != MF_SCENARIO_BODY_RIGID) {
        return "%s: body.forces are of a rigid body";
    }
    if ((b->own.name[0] != '\0' || b->own.params > 0) && b->kind != MF_SCENARIO_BODY_OWN) {
        return "%s: body.name and body.params are of kind own";
    }
    if (b->inertia_kgm2[0] == 0.0) {
        const double ball = 0.4 * b->thrust.mass * b->radius_m * b->radius_m;
        b->inertia_kgm2[0] = b->inertia_kgm2[1] = b->inertia_kgm2[2] = ball;
    }
    for (uint32_t i = 0; i < b->forces; i++) {
        b->force[i].most_n = or_else(b->force[i].most_n, 2.0 * b->thrust.mass * GRAVITY_MPS2);
    }
    return is_possible(b->inertia_kgm2)
               ? NULL
               : "%s: body.inertia has three moments, none larger than the sum of the others";
}

void mf_scenario_stepped(const struct mf_scenario_body_settings *b, struct mf_stepped_settings *s)
{
    *s = (struct mf_stepped_settings){
        .kind = b->kind == MF_SCENARIO_BODY_BEE   ? MF_STEPPED_BEE
                : b->kind == MF_SCENARIO_BODY_OWN ? MF_STEPPED_OWN
                                                  : MF_STEPPED_RIGID,
        .rate_hz = b->rate_hz,
        .bee = {.mass_kg = b->thrust.mass,
                .length_m = b->length_m,
                .accel_max_mps2 = b->accel_max_mps2,
                .period_s = 1.0 / b->rate_hz,
                .hover_ma = 500.0, /* as published */
                .full_ma = 250.0,
                .radius_m = b->radius_m,
                .compat = b->thrust.compat == MF_SCENARIO_COMPAT_SIMBEEOTIC},
        .rigid = {.mass_kg = b->thrust.mass,
                  .inertia_kgm2 = {b->inertia_kgm2[0], b->inertia_kgm2[1], b->inertia_kgm2[2]},
                  .radius_m = b->radius_m,
                  .restitution = b->restitution,
                  .gravity_mps2 = GRAVITY_MPS2,
                  .forces = b->forces},
        .own = {.accel_max_mps2 = b->accel_max_mps2},
    };
    for (uint32_t i = 0; i < b->forces; i++) {
        s->rigid.force[i] = b->force[i];
    }
}

/* Check that the kind of entity may have its body. */
static bool check_kind(struct mf_reading *r, const struct mf_scenario *s,
                       const struct mf_scenario_entity *e)
{
    const bool stepped = mf_scenario_is_stepped(&e->body);
    struct mf_stepped_settings made;
    mf_scenario_stepped(&e->body, &made);
    if (e->as != MF_SCENARIO_KIND_VEHICLE && e->body.kind != MF_SCENARIO_BODY_CONSTANT &&
        !(stepped && e->as == MF_SCENARIO_KIND_AGENT)) {
        return mf_entity_refuse(r, e,
                                "%s: only vehicles have body physics; agents have constant, bee, "
                                "rigid or own, ghosts constant");
    }
    if (stepped && e->as == MF_SCENARIO_KIND_VEHICLE && !mf_stepped_obeys(&made)) {
        return mf_entity_refuse(
            r, e, "%s: a vehicle's rigid body needs forces: [follow], by which it obeys");
    }
    if (stepped && e->as == MF_SCENARIO_KIND_VEHICLE && s->outputs.record.file[0] != '\0') {
        return mf_entity_refuse(r, e, "%s: vehicles whose body is stepped cannot be recorded");
    }
    return !stepped || isfinite(s->time.end_s) ||
           mf_entity_refuse(r, e,
                            "%s: a body that is stepped may never rest: time.end must be seconds");
}

bool mf_scenario_body_check(struct mf_reading *r, struct mf_scenario *s,
                            struct mf_scenario_entity *e)
{
    const struct mf_scenario_body_settings *b = &e->body;
    const char *wrong = complete(&e->body);
    if (wrong != NULL) {
        return mf_entity_refuse(r, e, wrong);
    }
    if (mf_scenario_goes_by_steps(s)) {
        return true; /* a search or a world of cells checks its members later */
    }
    if (b->kind == MF_SCENARIO_BODY_THRUST) {
        return mf_entity_refuse(r, e, "%s: body thrust needs a plan");
    }
    if (b->shape >= 0 && (e->as != MF_SCENARIO_KIND_GHOST || e->time_socket.count > 0)) {
        return mf_entity_refuse(r, e,
                                "%s: body.shape is of ghosts by mocap, a link or the bus: a shape "
                                "that stands still is one of space.obstacles");
    }
    return e->as == MF_SCENARIO_KIND_THING || check_kind(r, s, e);
}
