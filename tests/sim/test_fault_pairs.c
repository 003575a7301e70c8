/* SPDX-License-Identifier: Apache-2.0 */
/* Every fault while another one is active, by request and by a schedule that begins now (SIM-046):
 * what is accepted changes its message, what is refused would change nothing, and both ways agree.
 * The oracle is the same flight without the second fault: whatever differs comes from it. */
#include "host/spec/faultspec.h"
#include "mavlink/enums.h"
#include "tests/sim/rig.h"
#include "tests/unit/support/cases.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define S 1000000
/* Between two messages of any stream. */
#define FROM_US  (6 * S + 337000)
#define AIR_US   (12 * S + 337000)
#define HEIGHT_M 20.0f
/* 2026-01-01 00:00 */
#define EPOCH_US INT64_C(1767225600000000)

#define MESSAGES_MAX 16u

/* The message that shows it, and its period [us]; the others show in SYS_STATUS. */
static const struct shown {
    uint32_t msgid;
    mf_us_t period_us;
} k_shown[MF_FAULT_COUNT] = {
    [MF_FAULT_GPS_OFF] = {MF_MSG_GPS_RAW_INT, S},
    [MF_FAULT_GPS_NO_FIX] = {MF_MSG_GPS_RAW_INT, S},
    [MF_FAULT_GPS_STUCK] = {MF_MSG_GPS_RAW_INT, S},
    [MF_FAULT_GPS_JAM] = {MF_MSG_GPS_RAW_INT, S},
    [MF_FAULT_GPS_GLITCH] = {MF_MSG_GLOBAL_POSITION_INT, S / 10},
    [MF_FAULT_GPS_DRIFT] = {MF_MSG_GLOBAL_POSITION_INT, S / 10},
    [MF_FAULT_GPS_SATELLITES] = {MF_MSG_GPS_RAW_INT, S},
    [MF_FAULT_GPS_ACCURACY] = {MF_MSG_GPS_RAW_INT, S},
    [MF_FAULT_GPS_DATUM] = {MF_MSG_GPS_RAW_INT, S},
    [MF_FAULT_BREACH_TELEPORT] = {MF_MSG_GLOBAL_POSITION_INT, S / 10},
    [MF_FAULT_BREACH_DRIFT] = {MF_MSG_GLOBAL_POSITION_INT, S / 10},
    [MF_FAULT_WIND] = {MF_MSG_WIND_COV, S / 10},
    [MF_FAULT_HOME_LOST] = {MF_MSG_HOME_POSITION, 2 * S},
    [MF_FAULT_HEARTBEAT_OFF] = {MF_MSG_HEARTBEAT, 5 * S}, /* late by 4 s */
    [MF_FAULT_HEARTBEAT_LATE] = {MF_MSG_HEARTBEAT, S},
    [MF_FAULT_UTC_STEP] = {MF_MSG_SYSTEM_TIME, S},
};

static struct shown shown(enum mf_fault fault)
{
    return k_shown[fault].period_us != 0 ? k_shown[fault] : (struct shown){MF_MSG_SYS_STATUS, S};
}

/* With every fault of the table as it is by default. */
static const char *const k_specs[] = {
    "battery=100",      "battery=99.7",      "battery=99.99",     "battery=12",
    "battery=11.5",     "battery=5",         "battery=0",         "battery_voltage=16.2",
    "gps_satellites=3", "gps_satellites=10", "battery_voltage=0",
};
#define SPECS (MF_FAULT_COUNT + sizeof k_specs / sizeof k_specs[0])

static const char *spec_of(size_t i)
{
    return i < MF_FAULT_COUNT ? mf_fault_name((enum mf_fault)i) : k_specs[i - MF_FAULT_COUNT];
}

static struct mf_fault_plan plan_of(size_t i)
{
    struct mf_fault_plan plan;
    char reason[MF_FAULT_REASON_MAX];
    if (mf_fault_spec_parse(spec_of(i), strlen(spec_of(i)), &plan, reason) != MF_E_OK) {
        fail_msg("%s: %s", spec_of(i), reason);
    }
    return plan;
}

/* ---- one flight ---- */

enum way { NOT_AT_ALL, BY_REQUEST, BY_SCHEDULE, WHATEVER_IS_SAID };

struct seen {
    size_t n;
    uint8_t frame[MESSAGES_MAX][MF_FRAME_MAX];
    size_t len[MESSAGES_MAX];
};

static struct rig *rig_at_home(bool flying)
{
    static struct mf_geoid s_geoid;
    static struct rig s_kept[2];
    static bool s_is_kept[2];
    struct mf_world_settings s = mf_world_settings_default();
    if (s_is_kept[flying]) {
        return rig_again(&s_kept[flying]);
    }
    memset(&s_geoid, 0, sizeof s_geoid);
    assert_int_equal(mf_geoid_add_constant(&s_geoid, 47.0), MF_E_OK);
    s.home_lat_deg = RIG_LAT_DEG;
    s.home_lon_deg = RIG_LON_DEG;
    s.home_alt_amsl_m = RIG_ALT_M;
    s.geoid = &s_geoid;
    s.epoch_utc_us = EPOCH_US;
    struct rig *r = rig_new_in(NULL, &s);
    const float wind[7] = {(float)MF_MSG_WIND_COV, 1e5f};
    assert_int_equal(rig_command(r, MAV_CMD_SET_MESSAGE_INTERVAL, wind), MAV_RESULT_ACCEPTED);
    if (flying) {
        rig_run_until(r, S);
        rig_take_off(r, HEIGHT_M);
    }
    rig_run_until(r, flying ? AIR_US : FROM_US);
    rig_keep(r, &s_kept[flying]);
    s_is_kept[flying] = true;
    return r;
}

static int force(struct rig *r, const struct mf_fault_plan *plan)
{
    const mf_us_t now_us = r->mock.now.vehicle_us;
    const int err = r->drone.faults.inject->set(r->drone.faults.inject_ctx, now_us, plan->fault,
                                                true, &plan->with);
    mf_health_look(&r->drone.vehicle, now_us);
    return err;
}

static int ask(struct rig *r, size_t i, enum way way)
{
    const mf_us_t now_us = r->mock.now.vehicle_us;
    struct mf_fault_plan plan = plan_of(i);
    const bool given = i >= MF_FAULT_COUNT;
    plan.after_us = now_us;
    return way == BY_REQUEST    ? mf_vehicle_inject(&r->drone.vehicle, now_us, plan.fault, true,
                                                 given ? &plan.with : NULL)
           : way == BY_SCHEDULE ? mf_vehicle_plan(&r->drone.vehicle, now_us, &plan)
           : way == NOT_AT_ALL  ? MF_E_OK
                                : force(r, &plan);
}

/* A second after the first one began: the same for every second one, which come in a row. */
static struct rig *rig_after(bool flying, size_t first)
{
    static struct rig s_kept;
    static size_t s_first = SPECS + 1;
    static bool s_flying;
    if (s_first == first && s_flying == flying) {
        return rig_again(&s_kept);
    }
    struct rig *r = rig_at_home(flying);
    if (first < SPECS) {
        const struct mf_fault_plan plan = plan_of(first);
        assert_int_equal(force(r, &plan), MF_E_OK);
    }
    rig_run_until(r, r->mock.now.vehicle_us + S);
    rig_keep(r, &s_kept);
    s_first = first;
    s_flying = flying;
    return r;
}

/* @param first  number of a spec; SPECS: none  @return what was said to the second */
static int fly(bool flying, size_t first, size_t second, enum way way, struct seen *seen)
{
    struct rig *r = rig_after(flying, first);
    const struct shown by = shown(plan_of(second).fault);
    const int result = ask(r, second, way);
    rig_run_until(r, r->mock.now.vehicle_us + by.period_us);
    const uint8_t *frame;
    size_t len;
    for (seen->n = 0; (frame = mf_mock_take_frame(&r->mock, 0, by.msgid, &len)) != NULL;
         seen->n++) {
        assert_true(seen->n < MESSAGES_MAX && len > 12 && len <= MF_FRAME_MAX);
        seen->len[seen->n] = len - 12; /* header and checksum count what else was sent */
        memcpy(seen->frame[seen->n], frame + 10, len - 12);
    }
    return result;
}

static bool same(const struct seen *a, const struct seen *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; same && i < a->n; i++) {
        same = a->len[i] == b->len[i] && memcmp(a->frame[i], b->frame[i], a->len[i]) == 0;
    }
    return same;
}

/* The same for all in a row that one message shows. */
static const struct seen *fly_without(bool flying, size_t first, size_t second)
{
    static struct seen s_seen;
    static struct shown s_by;
    static size_t s_first;
    static bool s_flying;
    const struct shown by = shown(plan_of(second).fault);
    if (by.msgid != s_by.msgid || by.period_us != s_by.period_us || first != s_first ||
        flying != s_flying) {
        (void)fly(flying, first, second, NOT_AT_ALL, &s_seen);
        s_by = by;
        s_first = first;
        s_flying = flying;
    }
    return &s_seen;
}

/* ---- all pairs ---- */

/* @return findings */
static int judge(bool flying, size_t first, size_t second)
{
    static struct seen s_with;
    const struct seen *without = fly_without(flying, first, second);
    const char *a = first < SPECS ? spec_of(first) : "nothing", *b = spec_of(second);
    int found = 0;
    const int asked = fly(flying, first, second, BY_REQUEST, &s_with);
    if (asked == MF_E_OK && same(&s_with, without)) {
        print_error("%s while %s, flying %d: accepted, and changes nothing\n", b, a, flying);
        found++;
    }
    const int planned = fly(flying, first, second, BY_SCHEDULE, &s_with);
    if (planned == MF_E_OK && same(&s_with, without)) {
        print_error("%s@now while %s, flying %d: accepted, and changes nothing\n", b, a, flying);
        found++;
    }
    if (planned != asked) {
        print_error("%s while %s, flying %d: %d by request, %d by schedule\n", b, a, flying, asked,
                    planned);
        found++;
    }
    if (asked != MF_E_OK) {
        (void)fly(flying, first, second, WHATEVER_IS_SAID, &s_with);
        if (!same(&s_with, without)) {
            print_error("%s while %s, flying %d: refused (%d), and would change its message\n", b,
                        a, flying, asked);
            found++;
        }
    }
    return found;
}

/* One that is active and gets other values: the last ones count, however they came.
 * @return findings */
static int judge_again(bool flying, size_t first, size_t second)
{
    static struct seen s_asked, s_planned;
    const int asked = fly(flying, first, second, BY_REQUEST, &s_asked);
    const int planned = fly(flying, first, second, BY_SCHEDULE, &s_planned);
    if (asked != MF_E_OK || planned != MF_E_OK || !same(&s_asked, &s_planned)) {
        print_error("%s while %s, flying %d: %d by request, %d by schedule, or not alike\n",
                    spec_of(second), spec_of(first), flying, asked, planned);
        return 1;
    }
    return 0;
}

static void judge_all(bool flying)
{
    const int pairs = (int)((SPECS + 1) * SPECS), apart = pairs / mf_cases(pairs / 2, pairs);
    int found = 0;
    for (int i = flying ? apart / 2 : 0; i < pairs; i += apart) { /* by day each pair once */
        const size_t first = (size_t)i / SPECS, second = (size_t)i % SPECS;
        if (first == SPECS || plan_of(first).fault != plan_of(second).fault) {
            found += judge(flying, first, second);
        } else if (second >= MF_FAULT_COUNT) { /* without values it goes on */
            found += judge_again(flying, first, second);
        }
    }
    assert_int_equal(found, 0);
}

static void test_sim046_faults_in_pairs_on_the_ground(void **state)
{
    (void)state;
    judge_all(false);
}

static void test_sim046_faults_in_pairs_in_the_air(void **state)
{
    (void)state;
    judge_all(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim046_faults_in_pairs_on_the_ground),
        cmocka_unit_test(test_sim046_faults_in_pairs_in_the_air),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
