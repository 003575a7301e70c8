/* SPDX-License-Identifier: Apache-2.0 */
/* Values by chance: those that make sense, and those that break things. */
#include "mavlink/enums.h"
#include "tests/sim/states.h"

#include <math.h>

static uint64_t next(struct states *s)
{
    s->rng += UINT64_C(0x9E3779B97F4A7C15); /* splitmix64 */
    uint64_t x = s->rng;
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

uint32_t states_below(struct states *s, uint32_t n)
{
    return (uint32_t)((next(s) >> 32) * n >> 32);
}

bool states_chance(struct states *s, uint32_t percent)
{
    return states_below(s, 100) < percent;
}

double states_between(struct states *s, double low, double high)
{
    return low + (high - low) * (double)states_below(s, 1000001) / 1e6;
}

/* Values that break things, and some that make it fly. */
float states_any_float(struct states *s)
{
    static const float k_value[] = {
        0.0f,   1.0f,   2.0f,    3.0f,        4.0f,   5.0f,     6.0f,      7.0f,
        8.0f,   -1.0f,  0.5f,    10.0f,       20.0f,  47.3977f, 8.5456f,   488.0f,
        495.0f, 500.0f, 100.0f,  101.0f,      255.0f, 256.0f,   65535.0f,  21196.0f,
        1e-30f, 1e9f,   3.4e38f, -3.4e38f,    90.0f,  180.0f,   -180.0f,   2147483648.0f,
        -2.0f,  1e-45f, 0.1f,    16777216.0f, NAN,    INFINITY, -INFINITY,
    };
    if (s->careful) {
        return (float)states_below(s, 10);
    }
    return states_chance(s, 90) ? STATES_PICK(s, k_value) : mf_f32_from_bits((uint32_t)next(s));
}

/* Mostly near home; sometimes anywhere, and nowhere. */
int32_t states_any_x(struct states *s, int32_t home)
{
    static const int32_t k_place[] = {INT32_MAX, INT32_MIN,  0,          900000000,
                                      900000001, 0x7FF80000, 1800000000, -1800000001};
    return s->careful || states_chance(s, 92) ? home + (int32_t)states_below(s, 40001) - 20000
                                              : STATES_PICK(s, k_place);
}

float states_any_altitude(struct states *s, bool relative)
{
    const float low = relative ? 0.0f : 488.0f;
    return s->careful || states_chance(s, 85)
               ? low + (float)states_between(s, s->careful ? 1.0 : -5.0, 40.0)
               : states_any_float(s);
}

uint8_t states_any_frame(struct states *s)
{
    static const uint8_t k_common[] = {MAV_FRAME_GLOBAL_INT, MAV_FRAME_GLOBAL_RELATIVE_ALT_INT};
    return s->careful || states_chance(s, 85) ? STATES_PICK(s, k_common)
                                              : (uint8_t)states_below(s, 22);
}

/* To the vehicle, sometimes to everybody, seldom to somebody else. */
uint8_t states_any_target(struct states *s)
{
    const uint32_t pick = states_below(s, 40);
    return pick == 0 ? 2 : pick < 3 ? 0 : 1;
}

/* ---- items ---- */

static struct mf_msg_mission_item_int mission_item(struct states *s)
{
    static const uint16_t k_command[] = {16, 16,  16,  16,  22,  22,  21,  20,   19, 17,
                                         93, 112, 177, 178, 201, 206, 530, 2000, 31, 18};
    struct mf_msg_mission_item_int m = {
        .command = s->careful || states_chance(s, 97) ? STATES_PICK(s, k_command)
                                                      : (uint16_t)states_below(s, 65536),
        .frame = states_any_frame(s),
        .autocontinue = states_chance(s, 90),
        .param1 = states_chance(s, 70) ? mf_f32_bits((float)states_below(s, 12))
                                       : mf_f32_bits(states_any_float(s)),
        .param2 =
            mf_f32_bits(states_chance(s, 70) ? (float)states_below(s, 4) : states_any_float(s)),
        .param3 = mf_f32_bits(states_any_float(s)),
        .param4 = mf_f32_bits(states_any_float(s)),
        .x = states_any_x(s, STATES_HOME_X),
        .y = states_any_x(s, STATES_HOME_Y),
    };
    if (m.command == 20 || m.command == 93 || m.command == 112 || m.command == 177 ||
        m.command == 178 || m.command == 206 || m.command == 530 || m.command == 2000) {
        m.frame = MAV_FRAME_MISSION;
        m.x = m.y = 0;
    }
    m.z = mf_f32_bits(states_any_altitude(s, m.frame == MAV_FRAME_GLOBAL_RELATIVE_ALT_INT));
    return m;
}

static struct mf_msg_mission_item_int fence_item(struct states *s, uint16_t count)
{
    static const uint16_t k_command[] = {5001, 5001, 5002, 5003, 5004, 5000};
    return (struct mf_msg_mission_item_int){
        .command = STATES_PICK(s, k_command),
        .frame = states_any_frame(s),
        .param1 =
            mf_f32_bits(states_chance(s, 80) ? (float)count : (float)states_between(s, 0.0, 200.0)),
        .x = states_any_x(s, STATES_HOME_X),
        .y = states_any_x(s, STATES_HOME_Y),
    };
}

static struct mf_msg_mission_item_int rally_item(struct states *s)
{
    const uint8_t frame = states_any_frame(s);
    return (struct mf_msg_mission_item_int){
        .command = MAV_CMD_NAV_RALLY_POINT,
        .frame = frame,
        .x = states_any_x(s, STATES_HOME_X),
        .y = states_any_x(s, STATES_HOME_Y),
        .z = mf_f32_bits(states_any_altitude(s, frame == MAV_FRAME_GLOBAL_RELATIVE_ALT_INT)),
    };
}

struct mf_msg_mission_item_int states_plan_item(struct states *s, uint8_t type, uint16_t seq,
                                                uint16_t count)
{
    struct mf_msg_mission_item_int m = type == MAV_MISSION_TYPE_MISSION ? mission_item(s)
                                       : type == MAV_MISSION_TYPE_FENCE ? fence_item(s, count)
                                                                        : rally_item(s);
    if (type == MAV_MISSION_TYPE_MISSION && seq == 0 && states_chance(s, 60)) {
        m.command = MAV_CMD_NAV_TAKEOFF;
        m.frame = MAV_FRAME_GLOBAL_RELATIVE_ALT_INT;
        m.z = mf_f32_bits((float)states_between(s, 2.0, 30.0));
    }
    m.target_system = 1;
    m.target_component = states_any_target(s);
    m.mission_type = type;
    m.seq = seq;
    m.current = seq == 0 || states_chance(s, 2);
    return m;
}
