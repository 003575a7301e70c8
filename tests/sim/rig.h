/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A whole vehicle in its world on a virtual clock: real firmware, real light physics, one ground
 * station on port 0 of the mock. Time goes from one due instant to the next, so that every event
 * happens at its exact time and nothing waits.
 */
#ifndef MF_TESTS_SIM_RIG_H
#define MF_TESTS_SIM_RIG_H

#include "drone/drone.h"
#include "tests/unit/support/firmware.h"
#include "tests/unit/support/mock.h"

#define RIG_LAT_DEG 47.397742
#define RIG_LON_DEG 8.545594
#define RIG_ALT_M   488.0

struct rig {
    struct mf_mock mock;            /* clock, serial devices, store, log */
    struct mf_world_settings world; /* of the drone's world */
    struct mf_memory memory;        /* of its parts */
    uint8_t parts[MF_WORLD_PARTS_BYTES];
    struct mf_journal journal;
    struct mf_drone drone;
    struct mf_link links[MF_MOCK_PORTS];
    struct mf_shell shells[MF_MOCK_PORTS];
    struct mf_barrier barriers[MF_MOCK_PORTS]; /* for a test that gives them to the vehicle */
    struct mf_signing signing;
    struct mf_ftp ftp;
    int link;
};

/** The one rig of a test program (it is large), made new: at home, on the ground, time 0, one link,
 * no parameter changed. */
struct rig *rig_new(const struct mf_options *options);

/** The same in another world. */
struct rig *rig_new_in(const struct mf_options *options, const struct mf_world_settings *settings);

/** The same with another body. @param accel_mps2  ramps of constant speed */
struct rig *rig_new_moving(enum mf_world_motion motion, double accel_mps2);

/** Motion physics with another drag. */
struct rig *rig_new_dragged(double drag_per_s);

/** Keep a rig as it is now, in memory of the caller's; what it sent is forgotten. */
void rig_keep(struct rig *r, struct rig *kept);

/** The one rig as it was kept, at that time: as if all had been flown again. */
struct rig *rig_again(const struct rig *kept);

/** The vehicle boots again in the same world and at the same time, with what its store holds. */
void rig_reboot(struct rig *r);

/** Let vehicle time and wall time pass until @p until_us. */
void rig_run_until(struct rig *r, mf_us_t until_us);

/** The same as an event clock does it: manoeuvres are jumped over, from one event to the next. */
void rig_jump_until(struct rig *r, mf_us_t until_us);

/** Let time pass until the condition holds; fails the test after @p limit_s. @return vehicle time
 * then */
mf_us_t rig_run_while(struct rig *r, bool (*condition)(const struct rig *r), double limit_s);

/** Send a message from the ground station and let the vehicle take it in. */
void rig_send(struct rig *r, uint32_t msgid, const void *msg);

/** COMMAND_LONG from the ground station. @return MAV_RESULT; fails the test unless there is exactly
 * one answer */
uint8_t rig_command(struct rig *r, uint16_t command, const float param[7]);

/** COMMAND_INT in frame GLOBAL_INT. */
uint8_t rig_command_int(struct rig *r, uint16_t command, const float param[4], int32_t x, int32_t y,
                        float z);

/** Set a parameter as a client does; fails the test if it is not confirmed. */
void rig_set_f(struct rig *r, const char *name, float value);
void rig_set_i(struct rig *r, const char *name, int32_t value);

/** Upload a mission as a client does; fails the test if it is not accepted. */
void rig_upload(struct rig *r, const struct mf_item *items, uint16_t count);

/** The same without an item marked as current, as pymavlink and MAVROS do. */
void rig_upload_unmarked(struct rig *r, const struct mf_item *items, uint16_t count);

/** The same for any plan. @param type  MAV_MISSION_TYPE @return MAV_MISSION_RESULT of the end */
uint8_t rig_upload_plan(struct rig *r, uint8_t type, const struct mf_item *items, uint16_t count);

/** The true pose now. */
struct mf_pose rig_pose(struct rig *r);

/** Was a STATUSTEXT containing @p part sent since the port was last cleared? (Takes all texts up to
 * it.) */
bool rig_said(struct rig *r, const char *part);

/** Seven parameters that are not given. */
const float *rig_nan7(void);

/** Conditions for rig_run_while(). */
bool rig_armed(const struct rig *r);
bool rig_in_takeoff(const struct rig *r);
bool rig_moving(const struct rig *r);

/** custom_mode of the last HEARTBEAT, landed state of the last EXTENDED_SYS_STATE; all are taken.
 * 0: none came. */
uint32_t rig_mode_seen(struct rig *r);
uint8_t rig_landed_seen(struct rig *r);

/** A new rig that has taken off and holds at a height above home. */
struct rig *rig_airborne(float height_m);

/** The same with a rig at hand. */
void rig_take_off(struct rig *r, float height_m);

/** A mission item with the given param1 and no yaw. */
struct mf_item rig_item(uint16_t command, uint8_t frame, int32_t x, int32_t y, float z, float p1);

#endif
