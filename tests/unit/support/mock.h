/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A mock of everything outside the firmware: all devices of hal/hal.h and some links, in one
 * struct.
 *
 * What a device answers are plain fields that a test sets; what a device was asked is kept in
 * fields that a test reads. Nothing moves by itself: time, poses and what the airframe will reach
 * are the test's to set.
 *
 *     static struct mf_mock mock;           // large: not on the stack
 *     mf_mock_init(&mock);                  // healthy, on the ground, clock at 0, store empty
 *     struct mf_setup setup = {.hal = mf_mock_hal(&mock), ...};
 *     mf_mock_feed_msg(&mock, 0, MF_MSG_COMMAND_LONG, &arm);   // from 245/190
 *     mf_vehicle_step(&v);
 *     assert_true(mf_mock_take(&mock, 0, MF_MSG_COMMAND_ACK, &ack));
 *
 * A restart is a second mf_vehicle_init() with the same mock: the store keeps what was committed.
 */
#ifndef MF_TESTS_MOCK_H
#define MF_TESTS_MOCK_H

#include "hal/hal.h"
#include "mavlink/frame.h"

#define MF_MOCK_PORTS     4      /* serial devices */
#define MF_MOCK_BYTES     262144 /* that one port keeps per direction; more: mf_mock_clear() */
#define MF_MOCK_FRAMES    8192   /* that one port keeps; more: mf_mock_clear() in between */
#define MF_MOCK_RECORDS   256    /* largest capacity of a store area */
#define MF_MOCK_PLANS     256    /* plans kept; later ones are only counted */
#define MF_MOCK_EVENTS    64     /* last events of the log, last injected faults */
#define MF_MOCK_SIDE_US   150000 /* of a calibration */
#define MF_MOCK_LOGS      8      /* flight logs */
#define MF_MOCK_LOG_BYTES 131072

/** One frame that the firmware wrote. */
struct mf_mock_frame {
    uint32_t msgid;
    uint32_t at;  /**< index into mf_mock_port.sent */
    uint16_t len; /**< of the whole frame [bytes] */
    bool taken;   /**< by mf_mock_take() */
};

/** One serial device, and the peer behind it. */
struct mf_mock_port {
    size_t room;           /**< bytes that writes may still use up; SIZE_MAX (initial): no limit */
    bool gone;             /**< read and write answer MF_E_IO */
    bool datagram;         /**< what mf_mock_serial() says */
    struct mf_sender peer; /**< mf_mock_feed_msg(): initially version 2, 245/190; seq counts */

    uint32_t refused; /**< writes that found no room */
    size_t sent_len;
    size_t frame_count;
    size_t feed_len;
    size_t feed_read; /**< of feed_len: what the firmware has read */
    struct mf_mock_frame frame[MF_MOCK_FRAMES];
    uint8_t sent[MF_MOCK_BYTES];
    uint8_t feed[MF_MOCK_BYTES];
};

struct mf_mock_plan {
    mf_us_t t_us;
    size_t n; /**< 0: stop and hold */
    struct mf_leg leg[MF_PLAN_LEGS_MAX];
};

struct mf_mock_airframe {
    struct mf_pose pose;              /**< what sample() answers, at any time */
    mf_us_t next_us[MF_WHEN_YAW + 1]; /**< vehicle time at which each condition holds, under any
                                           plan; initially MF_NEVER. What is past holds now. */
    int motors_result;                /**< initially MF_E_OK */
    int arm_result, plan_result, sample_result, next_result; /**< initially MF_E_OK */

    bool armed;        /**< as told last */
    size_t arm_count;  /**< how often told, on or off */
    size_t plan_count; /**< plans taken; the last is plan[plan_count - 1] */
    struct mf_mock_plan plan[MF_MOCK_PLANS];
    size_t turn_count;      /**< turns taken */
    struct mf_leg turn;     /**< the last of them */
    enum mf_when next_when; /**< asked last */
    double next_value;      /**< asked last */
    size_t next_count;
};

struct mf_mock_gnss {
    struct mf_fix fix;
    int result;      /**< initially MF_E_OK */
    mf_us_t next_us; /**< initially MF_NEVER */
    int next_result; /**< initially MF_E_OK */
};

struct mf_mock_power {
    struct mf_battery battery;
    bool off;        /**< by an injected fault, the one that this device shows */
    int result;      /**< initially MF_E_OK */
    mf_us_t next_us; /**< initially MF_NEVER */
    int next_result; /**< initially MF_E_OK */
};

/** Two banks per area: the active records and the staged ones. */
struct mf_mock_store {
    int result;                             /**< if not MF_E_OK, every put and commit answers it */
    int get_result;                         /**< if not MF_E_OK, every get answers it */
    int info_result;                        /**< if not MF_E_OK, every info answers it */
    uint16_t capacity[MF_STORE_AREA_COUNT]; /**< initially, and at most, MF_MOCK_RECORDS */

    size_t commits;
    uint8_t active[MF_STORE_AREA_COUNT]; /**< which bank */
    uint16_t count[MF_STORE_AREA_COUNT];
    uint32_t tag[MF_STORE_AREA_COUNT];
    _Alignas(8) uint8_t record[MF_STORE_AREA_COUNT][2][MF_MOCK_RECORDS][32];
};

/** Logs in memory; a test may fill them in, ascending by time. */
struct mf_mock_archive {
    int begin_result; /**< initially MF_E_NOSUPP: nothing is kept */
    int read_result;  /**< if not MF_E_OK, every read answers it */
    int erase_result; /**< initially MF_E_OK */

    struct mf_archive_room room; /**< total 0: not known */
    uint16_t count;
    bool writing; /**< the last one */
    size_t begun; /**< how often a log was asked for */
    struct mf_archive_info info[MF_MOCK_LOGS];
    uint8_t bytes[MF_MOCK_LOGS][MF_MOCK_LOG_BYTES];
};

/** An Earth that knows the geoid, the same everywhere, or not. */
struct mf_mock_earth {
    int result;       /**< initially MF_E_NOSUPP: the fix alone tells */
    double north_deg; /**< with MF_E_OK: north of it there is no model; initially 90 */
    double undulation_m;
    struct mf_earth_about about;
    size_t asked;
};

struct mf_mock_event {
    mf_us_t t_us;
    enum mf_severity severity;
    char topic[32];
    char text[160];
};

struct mf_mock_injection {
    mf_us_t t_us;
    enum mf_fault fault;
    bool on;
    int32_t unit, type; /**< of MAVLink */
};

struct mf_mock {
    struct mf_now now; /**< what the clock says; initially 0, 0 */
    struct mf_mock_airframe airframe;
    struct mf_mock_gnss gnss;
    struct mf_mock_power power;
    uint64_t faults; /**< active, bits 1 << enum mf_fault; all with the same values */
    struct mf_fault_values fault_values;
    unsigned happened[MF_HAPPENING_COUNT];
    uint32_t sensors_lost;           /**< bits, 1 << enum mf_sensor */
    struct mf_sensor_values sensors; /**< what sample() answers, at any time */
    enum mf_calibrates calibrates;   /**< what was asked for last; a side takes MF_MOCK_SIDE_US */
    mf_us_t calibration_us;
    int calibration_err;
    bool calibration_fails;
    uint8_t calibration_bits; /**< of its sides, set at any time */
    struct mf_mock_store store;
    struct mf_mock_archive archive;
    struct mf_mock_earth earth;
    struct mf_mock_event event[MF_MOCK_EVENTS]; /**< event k is at k % MF_MOCK_EVENTS */
    size_t event_count;
    struct mf_mock_injection injection[MF_MOCK_EVENTS];
    size_t injection_count;
    int inject_result; /**< initially MF_E_OK */
    struct mf_mock_port port[MF_MOCK_PORTS];
};

/** @brief A healthy vehicle's surroundings: on the ground at 47.3977420, 8.5455940, 488 m AMSL
 * (535.26 m ellipsoid), heading north; 3D fix with 10 satellites there; battery 16.2 V, 100 %,
 * 4 cells; every list and record empty. */
void mf_mock_init(struct mf_mock *mock);

/** @brief A copy, to return to: of one whose ports were cleared and read, and that has no logs. */
void mf_mock_copy(struct mf_mock *to, const struct mf_mock *from);

/** @brief All devices of the mock. */
struct mf_hal mf_mock_hal(struct mf_mock *mock);

/** @brief Serial device @p index, 0 .. MF_MOCK_PORTS - 1. */
struct mf_serial mf_mock_serial(struct mf_mock *mock, int index);

/** @brief Both clocks go forward. */
void mf_mock_advance(struct mf_mock *mock, mf_us_t by_us);

/** @brief The body and the receiver's fix move to one place; the ground stays where it is. */
void mf_mock_place(struct mf_mock *mock, double lat_deg, double lon_deg, double alt_amsl_m,
                   bool on_ground);

/** @brief A new report of the receiver, by so much off the body's place. */
void mf_mock_mislead(struct mf_mock *mock, double north_m, double east_m, double down_m);

/** @brief Bytes arrive on a port. */
void mf_mock_feed(struct mf_mock *mock, int index, const uint8_t *bytes, size_t n);

/** @brief A message arrives on a port, framed as its peer speaks.
 * @param msg  `struct mf_msg_<name>` of @p msgid */
void mf_mock_feed_msg(struct mf_mock *mock, int index, uint32_t msgid, const void *msg);

/** @brief The oldest written message of @p msgid that was not taken yet; others stay.
 * @param msg  out: `struct mf_msg_<name>`; may be NULL  @return false if there is none */
bool mf_mock_take(struct mf_mock *mock, int index, uint32_t msgid, void *msg);

/** @brief The same as a whole frame.
 * @return its bytes, valid until mf_mock_clear(); NULL if there is none */
const uint8_t *mf_mock_take_frame(struct mf_mock *mock, int index, uint32_t msgid, size_t *len);

/** @brief How many written messages of @p msgid were not taken yet. */
size_t mf_mock_count(const struct mf_mock *mock, int index, uint32_t msgid);

/** @brief Take STATUSTEXT of a port, up to the first text in which mf_names() finds @p data.
 * @return false if there is none */
bool mf_mock_named(struct mf_mock *mock, int index, const char *data);

/** @brief Forget what was written on a port. */
void mf_mock_clear(struct mf_mock *mock, int index);

/** @brief True if one of the last events has @p topic (NULL: any), and mf_names() finds @p data in
 * its text. */
bool mf_mock_logged(const struct mf_mock *mock, const char *topic, const char *data);

#endif
