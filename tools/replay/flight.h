/* SPDX-License-Identifier: Apache-2.0 */
/** The flight in a recording: where the vehicle said it was, and what happened. As seen on one
 * link, so as often as that link's streams told it. */
#ifndef MF_TOOLS_REPLAY_FLIGHT_H
#define MF_TOOLS_REPLAY_FLIGHT_H

#include "tools/replay/source.h"

/** A GLOBAL_POSITION_INT; its height above the ellipsoid is by the undulation of the GPS_RAW_INTs
 * around it. */
struct replay_sample {
    size_t boot;  /**< of the vehicle, from 0 */
    int64_t t_us; /**< vehicle time, to the millisecond */
    int32_t lat_e7;
    int32_t lon_e7;
    int32_t alt_amsl_mm;
    int32_t height_mm; /**< above the take-off */
    int64_t alt_ellipsoid_mm;
    int16_t vel_ned_cmps[3];
    uint16_t heading_cdeg;
    bool ellipsoid_known;
};

enum replay_event_type {
    REPLAY_MODE,            /**< value: HEARTBEAT.custom_mode */
    REPLAY_ARMED,           /**< value: 1 armed, 0 disarmed */
    REPLAY_LANDED_STATE,    /**< value: MAV_LANDED_STATE */
    REPLAY_MISSION_REACHED, /**< value: number of the item */
};

/** A change, and the time of the message that showed it. */
struct replay_event {
    enum replay_event_type type;
    size_t boot;
    int64_t t_us;
    uint32_t value;
    const struct replay_sample *at; /**< the last sample until then; NULL: none in this boot */
};

/** The geoid's height, by a GPS_RAW_INT. */
struct replay_fix {
    size_t boot;
    int64_t t_us;
    int64_t undulation_mm;
};

struct replay_flight {
    uint8_t sysid, compid; /**< of the vehicle */
    char link[MF_RECORD_NAME_BYTES];
    bool complete; /**< the recording has an end */
    int64_t *boot; /**< UTC at vehicle time 0 of each boot [us since 1970]; 0: unknown */
    struct replay_sample *sample;
    struct replay_event *event;
    struct replay_fix *fix;
    size_t boots, samples, events, fixes; /**< how many of each */
};

/** @brief Read a recording to its end. @return false: no memory; replay_complain() says the rest.
 *  To be freed in any case. */
bool replay_flight_read(struct replay_flight *flight, struct replay_source *source, uint16_t link);
void replay_flight_free(struct replay_flight *flight);

/** @brief A sample of a boot, and those after it. @return the index of the first; @p n  out:
 * how many */
size_t replay_flight_samples(const struct replay_flight *flight, size_t boot, size_t *n);

/** @brief An event in a few words: "mode MISSION", "armed", "in_air", "mission item 3".
 *  @param text  out [REPLAY_EVENT_TEXT_MAX] */
#define REPLAY_EVENT_TEXT_MAX 40u
void replay_event_text(const struct replay_event *event, char *text);

/** @brief Names as JSON has them: "HOLD", or a number; "on_ground". @return text or static */
const char *replay_mode_name(uint32_t custom_mode, char *text);
const char *replay_landed_name(uint32_t landed_state);

/** @brief Write what is described in docs/recording.md. Equal recordings give equal bytes.
 *  @return whether @p out took it */
bool replay_json(const struct replay_flight *flight, FILE *out);
bool replay_kml(const struct replay_flight *flight, FILE *out);

/** @brief A text of JSON, in quotes, which HTML may hold; bytes beyond ASCII as U+0080 .. U+00FF.
 */
void replay_put_text(FILE *out, const char *text);

/** @brief A decimal number. @param value  in units of 10^-@p decimals */
void replay_put_fixed(FILE *out, int64_t value, int decimals);

/** @brief A time as 2026-03-01T12:00:00.000000Z. @param utc_us  within the years 1970 .. 9999 */
void replay_put_utc(FILE *out, int64_t utc_us);

/** @brief UTC of a time of a boot. @return 0: unknown */
int64_t replay_utc(const struct replay_flight *flight, size_t boot, int64_t t_us);

#endif
