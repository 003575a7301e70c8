/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/faults.h"

#include "firmware/encode_state.h"
#include "firmware/units.h"
#include "firmware/vehicle.h"
#include "math/trig.h"
#include "mavlink/enums.h"

#define DENIAL "Preflight Fail: "
/* What it resists it corrects so much later, and while the estimate drifts again and again [us]: a
 * period of the slowest stream of positions, which shows a small one before it is corrected. */
#define CORRECT_US MF_SECOND_US

/* ---- what moves the vehicle, or what it believes ---- */

static const enum mf_fault k_displaces[] = {MF_FAULT_GPS_GLITCH, MF_FAULT_GPS_DRIFT,
                                            MF_FAULT_BREACH_TELEPORT, MF_FAULT_BREACH_DRIFT};
#define DISPLACES (sizeof k_displaces / sizeof k_displaces[0])
/* Bits of that list: what Hold resists. It does not resist a true drift, or nothing would breach. */
#define RESISTED 7u
#define TRULY    12u /* moves the vehicle itself */

static uint8_t displaced(const struct mf_vehicle *v, mf_us_t t_us)
{
    unsigned bits = 0;
    for (size_t i = 0; i < DISPLACES; i++) {
        bits |= mf_inject_active(&v->hal, t_us, k_displaces[i], NULL) ? 1u << i : 0u;
    }
    return (uint8_t)bits;
}

bool mf_faults_move(const struct mf_vehicle *v)
{
    return (v->faults.displaced & TRULY) != 0;
}

static void show_displacement(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_shown_faults *f = &v->faults;
    const unsigned now = displaced(v, t_us);
    const unsigned ended = f->displaced & ~now;
    const bool flies = mf_navigator_flies(v);
    const bool moves = ((now | f->displaced) & TRULY) != 0;
    f->displaced = (uint8_t)now;
    if (moves && flies) { /* it must not arrive where it did not lead */
        mf_navigator_correct(v, t_us);
    }
    if (((now & RESISTED) | ended) != 0) {
        f->correct_us = t_us + CORRECT_US;
    }
}

/* ---- what no device shows ---- */

static void show_motors(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_shown_faults *f = &v->faults;
    const bool off = mf_inject_active(&v->hal, t_us, MF_FAULT_MOTOR_OFF, NULL);
    const bool terminated = v->commander.mode == MF_MODE_TERMINATION;
    if (off == f->motors_off) {
        return;
    }
    f->motors_off = off;
    mf_log_event(&v->hal, t_us, MF_WARNING, "motors", off ? "failed" : "work again");
    if (!v->commander.armed) {
        return;
    }
    if (off) {
        mf_say(v, MF_CRITICAL, "Motor failure detected");
        mf_navigator_fall(v, t_us);
    } else if (!terminated) {
        mf_navigator_begin(v, t_us, (enum mf_mode)v->commander.mode, NULL);
    }
    mf_announce(v, t_us);
}

static void show_sticks(struct mf_vehicle *v, mf_us_t t_us)
{
    v->faults.rc_lost = mf_inject_active(&v->hal, t_us, MF_FAULT_RC_LOST, NULL);
    if (v->faults.rc_lost) {
        mf_signals_lose_manual(v, t_us);
    }
}

static void show_home(struct mf_vehicle *v, mf_us_t t_us)
{
    const bool lost = mf_inject_active(&v->hal, t_us, MF_FAULT_HOME_LOST, NULL);
    if (lost != v->faults.home_lost) {
        v->faults.home_lost = lost;
        mf_commander_hide_home(v, t_us, lost);
    }
}

static void show_denial(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_shown_faults *f = &v->faults;
    struct mf_fault_values with;
    f->denial[0] = '\0';
    if (!mf_inject_active(&v->hal, t_us, MF_FAULT_PREARM, &with)) {
        return;
    }
    struct mf_text text = mf_text(DENIAL);
    mf_text_add(&text, with.text[0] != '\0' ? with.text : MF_FAULT_USUAL_TEXT);
    size_t n = 0;
    while (n + 1 < sizeof f->denial && text.s[n] != '\0') {
        f->denial[n] = text.s[n];
        n++;
    }
    f->denial[n] = '\0';
}

static void show_heartbeat(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_shown_faults *f = &v->faults;
    struct mf_fault_values with;
    const bool off = mf_inject_active(&v->hal, t_us, MF_FAULT_HEARTBEAT_OFF, NULL);
    const bool late = mf_inject_active(&v->hal, t_us, MF_FAULT_HEARTBEAT_LATE, &with);
    const mf_us_t late_us = late ? (mf_us_t)((double)with.value[0] * 1e6) : 0;
    const mf_us_t more_us = late_us - f->late_us;
    const bool again = f->heartbeat_off && !off;
    f->heartbeat_off = off;
    f->late_us = late_us;
    mf_heartbeat_shift(v, t_us, more_us);
    if (again) {
        mf_wake_at(v, MF_TASK_HEARTBEAT, t_us);
    }
}

static void log_changes(struct mf_vehicle *v, mf_us_t t_us)
{
    static const char *const k_name[MF_FAULT_COUNT] = {
#define X(name, spelling, ...) [MF_FAULT_##name] = spelling,
        MF_FAULT_LIST(X)
#undef X
    };
    for (int i = 0; i < MF_FAULT_COUNT; i++) {
        const bool active = mf_inject_active(&v->hal, t_us, (enum mf_fault)i, NULL);
        if (active != ((v->faults.active >> i & 1u) != 0)) {
            struct mf_text text = mf_text(k_name[i]);
            v->faults.active ^= UINT64_C(1) << i;
            mf_text_add(&text, active ? " begins" : " ends");
            mf_log_event(&v->hal, t_us, MF_NOTICE, "fault", text.s);
        }
    }
}

/* ---- when ---- */

mf_us_t mf_faults_run(struct mf_vehicle *v, mf_us_t due_us)
{
    struct mf_shown_faults *f = &v->faults;
    const mf_us_t next_us = mf_inject_next(&v->hal, due_us);
    const bool changed = due_us >= f->next_us;
    MF_ASSERT(next_us > due_us);
    f->next_us = next_us;
    if (changed) {
        v->estimate.t_us = -1;
        log_changes(v, due_us);
        show_motors(v, due_us);
        show_sticks(v, due_us);
        show_home(v, due_us);
        show_denial(v, due_us);
        show_heartbeat(v, due_us);
        show_displacement(v, due_us);
    }
    if (due_us >= f->correct_us) {
        const bool drifts = mf_inject_active(&v->hal, due_us, MF_FAULT_GPS_DRIFT, NULL);
        f->correct_us = drifts ? due_us + CORRECT_US : MF_NEVER;
        mf_navigator_correct(v, due_us);
    }
    return mf_earlier(next_us, f->correct_us);
}

void mf_faults_look(struct mf_vehicle *v, mf_us_t now_us)
{
    v->faults.next_us = now_us;
    mf_estimate_forget(v);
    mf_wake_at(v, MF_TASK_HEALTH, now_us);
}

/* ---- the way in ---- */

/* Out of the fence from wherever it is inside, away from home. */
static struct mf_fault_values out_of_fence(struct mf_vehicle *v, mf_us_t now_us)
{
    const struct mf_fault_limit *limit = mf_fault_limit[MF_FAULT_BREACH_TELEPORT];
    const struct mf_pose *pose = &mf_estimate_at(v, now_us)->pose;
    const struct mf_geo here = {pose->lat_deg, pose->lon_deg};
    const float radius_m = mf_param_f(v, MF_PARAM_GF_MAX_HOR_DIST);
    struct mf_fault_values with = mf_fault_usual(MF_FAULT_BREACH_TELEPORT);
    double azimuth_rad = 0.0;
    if (v->home.valid) {
        const struct mf_geo home = {v->home.lat_deg, v->home.lon_deg};
        const struct mf_geo_line line = mf_geo_inverse(home, here);
        azimuth_rad = line.distance_m > 1.0 ? line.azimuth_to_rad : 0.0;
    }
    const double way_m = mf_fence_way_out_m(v, here, azimuth_rad);
    with.value[1] = (float)mf_deg(azimuth_rad);
    if (radius_m > 0.0f) {
        with.value[0] = 1.1f * radius_m + 10.0f;
    } else if (way_m > 0.0) {
        with.value[0] = (float)way_m;
    }
    with.value[0] = with.value[0] < limit[0].high ? with.value[0] : limit[0].high;
    return with;
}

#define BIT(name)      (UINT64_C(1) << MF_FAULT_##name)
#define NO_POSITION    (UINT64_C(1) << MF_FAULT_COUNT) /* for any other reason */
#define SILENT         (BIT(GPS_OFF) | BIT(GPS_JAM))
#define WITHOUT_FIX    (SILENT | BIT(GPS_NO_FIX) | NO_POSITION)
#define STANDS         (WITHOUT_FIX | BIT(GPS_STUCK))
#define BELOW_CRITICAL (BIT(BATTERY_OFF) | BIT(BATTERY_EMERGENCY))
#define BELOW_LOW      (BELOW_CRITICAL | BIT(BATTERY_CRITICAL))

/* Nothing can be seen of a fault while one of those is active. */
static const struct {
    enum mf_fault fault;
    uint64_t by;
} k_hidden[] = {
    {MF_FAULT_GPS_JAM, BIT(GPS_OFF)},
    {MF_FAULT_GPS_NO_FIX, SILENT | NO_POSITION},
    {MF_FAULT_GPS_STUCK, WITHOUT_FIX},
    {MF_FAULT_GPS_GLITCH, WITHOUT_FIX},
    {MF_FAULT_GPS_DRIFT, WITHOUT_FIX},
    {MF_FAULT_GPS_SATELLITES, STANDS},
    {MF_FAULT_GPS_ACCURACY, STANDS},
    {MF_FAULT_GPS_DATUM, STANDS},
    {MF_FAULT_UTC_STEP, STANDS},
    {MF_FAULT_BATTERY, BELOW_LOW | BIT(BATTERY_LOW)},
    {MF_FAULT_BATTERY_DRAIN, BIT(BATTERY_VOLTAGE)},
    {MF_FAULT_BATTERY_LOW, BELOW_LOW},
    {MF_FAULT_BATTERY_CRITICAL, BELOW_CRITICAL},
    {MF_FAULT_BATTERY_EMERGENCY, BIT(BATTERY_OFF)},
    {MF_FAULT_GYRO_OFF, BIT(GYRO_STUCK)},
    {MF_FAULT_GYRO_STUCK, BIT(GYRO_OFF)},
    {MF_FAULT_ACCEL_OFF, BIT(ACCEL_STUCK)},
    {MF_FAULT_ACCEL_STUCK, BIT(ACCEL_OFF)},
    {MF_FAULT_MAG_OFF, BIT(MAG_STUCK)},
    {MF_FAULT_MAG_STUCK, BIT(MAG_OFF)},
    {MF_FAULT_BARO_OFF, BIT(BARO_STUCK)},
    {MF_FAULT_BARO_STUCK, BIT(BARO_OFF)},
    {MF_FAULT_BREACH_TELEPORT, WITHOUT_FIX},
    {MF_FAULT_BREACH_DRIFT, WITHOUT_FIX},
    {MF_FAULT_HEARTBEAT_LATE, BIT(HEARTBEAT_OFF)},
};

_Static_assert(MF_FAULT_COUNT < 64, "faults and one bit more");

/* Which faults are active, and whether there is no position although none of GPS's is. */
static uint64_t hiding(struct mf_vehicle *v, mf_us_t now_us, enum mf_fault fault)
{
    uint64_t active = 0;
    for (int i = 0; i < MF_FAULT_COUNT; i++) {
        if (mf_inject_active(&v->hal, now_us, (enum mf_fault)i, NULL)) {
            active |= UINT64_C(1) << i;
        }
    }
    const uint64_t reasons =
        SILENT | BIT(GPS_NO_FIX) | (fault == MF_FAULT_GPS_SATELLITES ? BIT(GPS_SATELLITES) : 0u);
    if ((active & reasons) == 0 && mf_estimate_at(v, now_us)->fix.type < MF_FIX_3D) {
        active |= NO_POSITION;
    }
    return active;
}

/* @param among  bits 1 << enum mf_fault: only those count */
static bool is_hidden(struct mf_vehicle *v, mf_us_t now_us, enum mf_fault fault, uint64_t among)
{
    uint64_t by = 0;
    for (size_t i = 0; i < sizeof k_hidden / sizeof k_hidden[0]; i++) {
        by |= k_hidden[i].fault == fault ? k_hidden[i].by & among : 0u;
    }
    return by != 0 && (hiding(v, now_us, fault) & by) != 0;
}

/* A time that is not known takes no step, a geoid that is the ellipsoid is not missed, a voltage that
 * is nothing or more than can be shown does not sag, and there must be a home to be lost. */
static bool would_show(struct mf_vehicle *v, mf_us_t now_us, enum mf_fault fault)
{
    const struct mf_fix *fix = &mf_estimate_at(v, now_us)->fix;
    switch ((int)fault) {
    case MF_FAULT_UTC_STEP:
        return fix->utc_us != 0;
    case MF_FAULT_GPS_DATUM:
        return fix->alt_ellipsoid_mm != fix->alt_amsl_mm ||
               mf_inject_active(&v->hal, now_us, fault, NULL);
    case MF_FAULT_BATTERY_DRAIN: /* changes_battery() says no */
        return mf_inject_active(&v->hal, now_us, fault, NULL);
    case MF_FAULT_HOME_LOST:
        return v->home.valid || v->home.hidden;
    default:
        return true;
    }
}

static int32_t rounded(float value, double times)
{
    return mf_round_i32((double)value * times);
}

#define OF_BATTERY                                                                  \
    (BIT(BATTERY) | BIT(BATTERY_DRAIN) | BIT(BATTERY_LOW) | BIT(BATTERY_CRITICAL) | \
     BIT(BATTERY_EMERGENCY) | BIT(BATTERY_OFF) | BIT(BATTERY_VOLTAGE))

struct shown_battery {
    struct mf_msg_sys_status sys;
    struct mf_msg_battery_status status;
};

static struct shown_battery shown_battery(struct mf_vehicle *v, mf_us_t now_us)
{
    struct shown_battery shown = {0};
    (void)mf_encode_sys_status(v, now_us, &shown.sys);
    (void)mf_encode_battery_status(v, now_us, &shown.status);
    return shown;
}

/* Would a fault of the battery that is not active change what is shown of it? It is tried, since what
 * becomes of a charge and its voltage among several faults is the device's to know. */
static bool changes_battery(struct mf_vehicle *v, mf_us_t now_us, enum mf_fault fault,
                            const struct mf_fault_values *with)
{
    MF_ASSERT(!mf_inject_active(&v->hal, now_us, fault, NULL));
    const struct shown_battery before = shown_battery(v, now_us);
    if (mf_inject_set(&v->hal, now_us, fault, true, with) != MF_E_OK) {
        return true; /* values out of range: whoever sets it says so */
    }
    const struct shown_battery after = shown_battery(v, now_us);
    (void)mf_inject_set(&v->hal, now_us, fault, false, NULL);
    return before.sys.voltage_battery != after.sys.voltage_battery ||
           before.sys.battery_remaining != after.sys.battery_remaining ||
           before.status.battery_remaining != after.status.battery_remaining ||
           before.status.charge_state != after.status.charge_state;
}

/* Is what a fault would have it show what it shows anyway? */
static bool shows_already(struct mf_vehicle *v, mf_us_t now_us, enum mf_fault fault,
                          const struct mf_fault_values *with)
{
    const struct mf_fault_values values = with != NULL ? *with : mf_fault_usual(fault);
    const float a = values.value[0], b = values.value[1];
    const struct mf_fix *fix = &mf_estimate_at(v, now_us)->fix;
    switch ((int)fault) {
    case MF_FAULT_GPS_SATELLITES:
        return fix->satellites == rounded(a, 1.0);
    case MF_FAULT_GPS_ACCURACY:
        return fix->h_acc_mm == (uint32_t)rounded(a, 1e3) &&
               fix->v_acc_mm == (uint32_t)rounded(b, 1e3);
    case MF_FAULT_PREARM:
        return mf_health_denial(v, now_us)[0] != '\0';
    default:
        return false;
    }
}

/* Would a fault that begins now be seen? The one judge of requests and of schedules.
 * @return MF_E_OK, or as mf_vehicle_inject() */
static int judge(struct mf_vehicle *v, mf_us_t now_us, enum mf_fault fault,
                 const struct mf_fault_values *with)
{
    const bool active = mf_inject_active(&v->hal, now_us, fault, NULL);
    const bool tried = !active && (OF_BATTERY >> fault & 1u) != 0;
    const bool few = fault == MF_FAULT_GPS_SATELLITES && with != NULL &&
                     with->value[0] < MF_FAULT_LEAST_SATELLITES; /* that a fix stands hides none */
    if (tried && changes_battery(v, now_us, fault, with)) {
        return MF_E_OK;
    }
    if (is_hidden(v, now_us, fault, few ? ~BIT(GPS_STUCK) : UINT64_MAX)) {
        return MF_E_AGAIN;
    }
    if (!would_show(v, now_us, fault)) {
        return MF_E_NOSUPP;
    }
    return tried || (!active && shows_already(v, now_us, fault, with)) ? MF_E_DENIED : MF_E_OK;
}

int mf_vehicle_inject(struct mf_vehicle *v, mf_us_t now_us, enum mf_fault fault, bool on,
                      const struct mf_fault_values *with)
{
    struct mf_fault_values away;
    if (on && with == NULL && fault == MF_FAULT_BREACH_TELEPORT &&
        !mf_inject_active(&v->hal, now_us, fault, NULL)) {
        away = out_of_fence(v, now_us);
        with = &away;
    }
    int err = on ? judge(v, now_us, fault, with) : MF_E_OK;
    if (err == MF_E_OK) {
        err = mf_inject_set(&v->hal, now_us, fault, on, with);
    }
    if (err == MF_E_OK) {
        mf_faults_look(v, now_us);
    }
    return err;
}

int mf_vehicle_plan(struct mf_vehicle *v, mf_us_t now_us, const struct mf_fault_plan *plan)
{
    const bool begins = plan->on == MF_HAPPENING_BOOT && plan->after_us == now_us;
    int err = begins ? judge(v, now_us, plan->fault, &plan->with) : MF_E_OK;
    if (err == MF_E_OK) {
        err = mf_inject_plan(&v->hal, now_us, plan);
    }
    if (err == MF_E_OK) {
        mf_faults_look(v, now_us);
    }
    return err;
}

int mf_vehicle_unplan(struct mf_vehicle *v, mf_us_t now_us, enum mf_fault fault)
{
    const int err = mf_vehicle_inject(v, now_us, fault, false, NULL);
    mf_inject_unplan(&v->hal, now_us, fault);
    mf_faults_look(v, now_us);
    return err;
}

int mf_vehicle_inject_type(struct mf_vehicle *v, mf_us_t now_us, int32_t unit, int32_t type)
{
    static const struct {
        uint8_t unit, type;
    } k_fault[MF_FAULT_COUNT] = {
#define X(name, spelling, unit, type, words, limits, effect) [MF_FAULT_##name] = {unit, type},
        MF_FAULT_LIST(X)
#undef X
    };
    uint64_t of_unit = 0, ways = 0; /* those with a type */
    int err = MF_E_OK;
    int wanted = MF_FAULT_COUNT;
    for (int i = 0; i < MF_FAULT_COUNT; i++) {
        if (unit != MF_NO_UNIT && k_fault[i].unit == unit) {
            of_unit |= UINT64_C(1) << i;
            ways |= k_fault[i].type != MF_NO_TYPE ? UINT64_C(1) << i : 0u;
            wanted = type != MF_NO_TYPE && k_fault[i].type == type ? i : wanted;
        }
    }
    const bool on = type != FAILURE_TYPE_OK;
    if (of_unit == 0 || (on && wanted == MF_FAULT_COUNT)) {
        return MF_E_NOSUPP;
    }
    if (on && is_hidden(v, now_us, (enum mf_fault)wanted, ~ways)) {
        return MF_E_AGAIN;
    }
    const uint64_t others = (on ? ways : of_unit) & ~(on ? UINT64_C(1) << wanted : 0u);
    for (int i = 0; i < MF_FAULT_COUNT; i++) {
        if ((others >> i & 1u) != 0 &&
            (!on || mf_inject_active(&v->hal, now_us, (enum mf_fault)i, NULL))) {
            err = mf_vehicle_inject(v, now_us, (enum mf_fault)i, false, NULL);
        }
    }
    return on ? mf_vehicle_inject(v, now_us, (enum mf_fault)wanted, true, NULL) : err;
}
