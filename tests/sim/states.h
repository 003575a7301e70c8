/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A state-machine fuzzer: a rig with up to three clients that do whatever clients can do, in any
 * order, and a list of what must hold after every pass, whatever they did.
 *
 * Everything follows from one seed: the world, the options and each input. states_input.c has one
 * row per kind of input, states_check.c what must hold; test_states.c runs them. A failure prints
 * the line that reproduces it.
 */
#ifndef MF_TESTS_SIM_STATES_H
#define MF_TESTS_SIM_STATES_H

#include "tests/sim/rig.h"

#define STATES_PORTS    3u /* clients; one of the rig's links stays free */
#define STATES_ASKED    64u
#define STATES_CHANGES  128u
#define STATES_PROGRESS 64u

/** A command that was sent, and what came of it. */
struct states_asked {
    uint16_t command;
    uint8_t port, sysid, compid; /* whom the answer goes to */
    bool answered;
    uint8_t result;     /* MAV_RESULT */
    uint32_t modes;     /* bits of the modes that it asks for */
    bool arms, disarms; /* it asks for that */
};

/** A change of mode, as the vehicle was at that instant. */
struct states_change {
    uint8_t from, to;
    bool armed, failsafe_before, pilot;
    uint8_t causes, intended, landed, rest;
};

/** One client, and what it has seen. */
struct states_port {
    int link;       /* -1: not connected */
    bool narrow;    /* its device has lost bytes since the last pass, or may have */
    uint8_t seq;    /* of the vehicle's next frame */
    bool seen_mode; /* HEARTBEAT and EXTENDED_SYS_STATE below are the last ones */
    bool seen_landed;
    struct mf_msg_heartbeat heartbeat;
    uint8_t landed;
    struct mf_now beat; /* times of the last HEARTBEAT */
    int32_t interval_us[MF_STREAM_COUNT];
    mf_us_t sent_us[MF_STREAM_COUNT];
    uint16_t progress[STATES_PROGRESS]; /* commands answered with IN_PROGRESS, or an answer got
                                           lost; the last ones, 0 none */
    uint32_t progress_count;
    int32_t wanted; /* MISSION_REQUEST(_INT): item; -1 none since the upload began */
    bool ended;     /* MISSION_ACK came */
};

struct states {
    struct rig *r;
    uint64_t seed, rng;
    uint32_t step; /* of this seed, from 0 */
    const char *row;
    bool trace;
    bool careful; /* this input has no values but sensible ones */
    const char *program;
    struct states_port port[STATES_PORTS];
    struct states_asked asked[STATES_ASKED];
    size_t asked_count;
    struct states_change change[STATES_CHANGES];
    size_t change_count;
    uint8_t mode; /* enum mf_mode, by what the log said */
    uint8_t rest; /* the last one in which the vehicle may be armed, and that no failsafe chose */
    bool armed, failsafe; /* after the last pass, or change of mode */
    uint32_t silent;      /* bits of streams that had nothing to say in the last pass */
    struct mf_now then;   /* time of the last pass */
    struct mf_pose pose;  /* ... and where the body was */
    double displaced;     /* ... by which faults */
    struct mf_wake wake;
    uint64_t hash; /* of every frame */
    /* of all worlds together */
    uint32_t entered[MF_MODE_COUNT]; /* how often, while armed */
    uint32_t landings, items;        /* touchdowns; mission items reached */
};

/** @brief A new world and vehicle, by the seed. */
void states_begin(struct states *s, uint64_t seed);

/** @brief One random input, and at least one pass. */
void states_input(struct states *s);

/** @brief The line that reproduces the present step, static. */
const char *states_line(const struct states *s);

/* ---- between states_input.c and states_check.c ---- */

/** @brief One pass, and everything that must hold after it. A vehicle that wants to boots again. */
void states_pass(struct states *s);

/** @brief A message goes to the vehicle; a pass takes it in. */
void states_feed(struct states *s, unsigned port, uint32_t msgid, const void *msg);

/** @brief What a message asks for; to be answered in the next pass. */
void states_expect(struct states *s, unsigned port, uint32_t msgid, const union mf_msg *m);

/** @brief A COMMAND_LONG, or COMMAND_INT to any place, from any client; a pass takes it in. */
void states_command(struct states *s, uint16_t id, const float p[7]);
void states_command_int(struct states *s, uint16_t id, const float p[4], uint8_t frame);

/** @brief A client that is connected. */
unsigned states_any_port(struct states *s);

/** @brief Both clocks go through every due instant. */
void states_go_on(struct states *s, mf_us_t by_us);

/* Inputs of states_steer.c */
void states_orbit(struct states *s);

/** Regions of interest, and their end. */
void states_roi(struct states *s);
void states_steer(struct states *s);

void states_open(struct states *s, unsigned port, enum mf_rate_profile profile);
void states_close(struct states *s, unsigned port);

/** @brief The vehicle, or the check, starts anew: what was seen counts no more. */
void states_forget(struct states *s);

/* ---- states_values.c ---- */

#define STATES_HOME_X 473977420
#define STATES_HOME_Y 85455940

/** @brief A number below @p n, which is > 0. */
uint32_t states_below(struct states *s, uint32_t n);

/** @brief A number from @p low to @p high. */
double states_between(struct states *s, double low, double high);

/** @brief True in @p percent of all cases. */
bool states_chance(struct states *s, uint32_t percent);

/** One of an array. */
#define STATES_PICK(s, list) ((list)[states_below((s), sizeof(list) / sizeof((list)[0]))])

/* Anything, but where the input is a careful one, only what makes sense. */
float states_any_float(struct states *s);
int32_t states_any_x(struct states *s, int32_t home);
float states_any_altitude(struct states *s, bool relative);
uint8_t states_any_frame(struct states *s);

/** @brief A target_system or _component: the vehicle, sometimes everybody, seldom somebody else. */
uint8_t states_any_target(struct states *s);

/** @brief An item of a plan of @p count. @param type  MAV_MISSION_TYPE, or more */
struct mf_msg_mission_item_int states_plan_item(struct states *s, uint8_t type, uint16_t seq,
                                                uint16_t count);

/* ---- what does not hold ---- */

_Noreturn void states_fail(const struct states *s, int line, const char *what);
#define states_check(s, holds) ((holds) ? (void)0 : states_fail((s), __LINE__, #holds))

#endif
