/* SPDX-License-Identifier: Apache-2.0 */
/** Missions for tests of the navigator: items are noted one after the other, stored, and flown by
 * the fixture's vehicle. */
#ifndef MF_TESTS_MISSION_FIXTURE_H
#define MF_TESTS_MISSION_FIXTURE_H

#include "tests/unit/firmware/flight_fixture.h"

#define LAT_E7 473977420
#define LON_E7 85455940

static const struct mf_options k_default;

static struct mf_item g_items[64];
static uint16_t g_count;

static inline struct mf_item *add(uint16_t command, uint8_t frame, int32_t x, int32_t y, float z)
{
    struct mf_item *item = &g_items[g_count++];
    *item = (struct mf_item){
        .param = {0, 0, 0, mf_f32_bits(NAN)},
        .x = x,
        .y = y,
        .z = mf_f32_bits(z),
        .command = command,
        .frame = frame,
        .autocontinue = 1,
    };
    return item;
}

static inline struct mf_item *takeoff(float height_m)
{
    return add(MAV_CMD_NAV_TAKEOFF, 6, LAT_E7, LON_E7, height_m);
}

static inline struct mf_item *waypoint(int32_t north_e7, float height_m)
{
    return add(MAV_CMD_NAV_WAYPOINT, 6, LAT_E7 + north_e7, LON_E7, height_m);
}

static inline struct mf_item *land(int32_t north_e7)
{
    return add(MAV_CMD_NAV_LAND, 6, LAT_E7 + north_e7, LON_E7, 0.0f);
}

static inline struct mf_item *action(uint16_t command, float p1, float p2)
{
    struct mf_item *item = add(command, 2, 0, 0, 0.0f);
    item->param[0] = mf_f32_bits(p1);
    item->param[1] = mf_f32_bits(p2);
    return item;
}

static inline struct mf_item *change_speed(float mps)
{
    return action(MAV_CMD_DO_CHANGE_SPEED, 1.0f, mps);
}

static inline struct mf_item *jump(float to, float times)
{
    return action(MAV_CMD_DO_JUMP, to, times);
}

/* The items noted so far become the mission. */
static inline void store(uint16_t current)
{
    uint32_t tag = 0;
    for (uint16_t i = 0; i < g_count; i++) {
        assert_int_equal(mf_store_put(&fx.v.hal, MF_STORE_MISSION, i, &g_items[i]), MF_E_OK);
        tag = mf_item_tag(tag, &g_items[i]);
    }
    assert_int_equal(mf_store_commit(&fx.v.hal, MF_STORE_MISSION, g_count, tag), MF_E_OK);
    mf_mission_replaced(&fx.v, current, fx.mock.now.vehicle_us);
    g_count = 0;
}

static inline uint8_t mission_mode(void)
{
    return fx_command(MAV_CMD_DO_SET_MODE, MODE(4, 4));
}

/* On the ground with the mission running since time 0. */
static inline struct mf_vehicle *run(void)
{
    struct mf_vehicle *v = &fx.v;
    store(0);
    mf_mock_clear(&fx.mock, 0);
    assert_int_equal(fx_command(MAV_CMD_MISSION_START, (const float[7]){-1.0f}),
                     MAV_RESULT_ACCEPTED);
    return v;
}

static inline int boot(void **state)
{
    (void)state;
    g_count = 0;
    (void)fx_boot(k_default);
    return 0;
}

static inline void assert_reached(const uint16_t *seq, size_t n)
{
    struct mf_msg_mission_item_reached m;
    for (size_t i = 0; i < n; i++) {
        assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_MISSION_ITEM_REACHED, &m));
        assert_int_equal(m.seq, seq[i]);
    }
    assert_false(mf_mock_take(&fx.mock, 0, MF_MSG_MISSION_ITEM_REACHED, &m));
}

static inline void assert_north(int32_t north_e7, double alt_m)
{
    assert_true(fx_leg()->lat_deg == (double)(LAT_E7 + north_e7) / 1e7);
    assert_true(fx_leg()->alt_amsl_m == alt_m);
}

/* The leg that is flown is done, with a given number of legs in its plan. */
static inline void pass_by(mf_us_t t_us)
{
    const struct mf_leg leg = fx_last_plan()->leg[0];
    mf_mock_place(&fx.mock, leg.lat_deg, leg.lon_deg, leg.alt_amsl_m, false);
    fx_end_plan(t_us);
}

#endif
