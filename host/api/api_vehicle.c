/* SPDX-License-Identifier: Apache-2.0 */
/* Control API: state of the vehicle and of its links. */
#include "drone/quality.h"
#include "firmware/flight/mode.h"
#include "firmware/report/snapshot.h"
#include "host/api/api_route.h"
#include "mavlink/enums.h"

const struct mf_api_field mf_api_vehicle_fields[] = {
    {"system_id", "integer", "MAVLink system id"},
    {"vehicle_time_s", "number", "vehicle time since the boot [s], as time_boot_ms"},
    {"wall_time_s", "number", "time of the host since the boot [s]"},
    {"gnss_utc", "number?", "time of the receiver [s since 1970]; null: it has none"},
    {"host_utc", "number?", "time of the host [s since 1970]"},
    {"mode", "string", "flight mode, as in docs/modes.md"},
    {"custom_mode", "integer", "flight mode as HEARTBEAT.custom_mode"},
    {"armed", "boolean", "true: the motors may turn"},
    {"landed_state", "string", "on_ground, in_air, takeoff or landing"},
    {"failsafe", "boolean", "true: a failsafe chose the mode, not a user"},
    {"armable", "boolean", "true: the vehicle may be armed, or is"},
    {"denial", "string", "reason why it may not be armed, as STATUSTEXT says it; empty: it may"},
    {"position", "object?:position",
     "place and motion that the autopilot reports; null: it has no position"},
    {"truth", "object?:truth", "true place and motion; null: the vehicle has no simulated body"},
    {"gnss", "object:gnss", "satellite receiver"},
    {"battery", "object?:battery", "battery; null: there is none"},
    {"home", "object?:home", "home; null: not set"},
    {"mission", "object:mission", "mission; its items: /v1/mission"},
    {"fence", "object:fence", "geofence; its items: /v1/fence"},
    {"rally", "object:rally", "rally points; their items: /v1/rally"},
    {"health", "array:part", "health of each part that the vehicle has"},
    {"track", "integer", "number of points of /v1/track since the boot"},
    {NULL, NULL, NULL},
};

const struct mf_api_field mf_api_links_fields[] = {
    {"links", "array:link", "open connections, with counters"},
    {"ports", "array:port", "links that are configured"},
    {NULL, NULL, NULL},
};

#define DEG_PER_RAD 57.29577951308232

/* Components of SYS_STATUS: bit, name. */
static const struct {
    uint32_t bit;
    const char *name;
} k_part[] = {
    {MAV_SYS_STATUS_SENSOR_3D_GYRO, "gyro"},
    {MAV_SYS_STATUS_SENSOR_3D_ACCEL, "accel"},
    {MAV_SYS_STATUS_SENSOR_3D_MAG, "mag"},
    {MAV_SYS_STATUS_SENSOR_ABSOLUTE_PRESSURE, "baro"},
    {MAV_SYS_STATUS_SENSOR_GPS, "gps"},
    {MAV_SYS_STATUS_SENSOR_XY_POSITION_CONTROL, "xy_position"},
    {MAV_SYS_STATUS_SENSOR_MOTOR_OUTPUTS, "motors"},
    {MAV_SYS_STATUS_SENSOR_RC_RECEIVER, "rc"},
    {MAV_SYS_STATUS_GEOFENCE, "geofence"},
    {MAV_SYS_STATUS_SENSOR_BATTERY, "battery"},
    {MAV_SYS_STATUS_PREARM_CHECK, "prearm"},
};

void mf_api_write_motion(struct mf_json *j, const struct mf_pose *p)
{
    const double heading_deg = (double)p->yaw_rad * DEG_PER_RAD;
    mf_json_number(j, "lat_deg", p->lat_deg, 9);
    mf_json_number(j, "lon_deg", p->lon_deg, 9);
    mf_json_number(j, "alt_amsl_m", p->alt_amsl_m, 4);
    mf_json_array(j, "vel_ned_mps");
    for (int i = 0; i < 3; i++) {
        mf_json_number(j, NULL, (double)p->vel_ned_mps[i], 4);
    }
    mf_json_end(j);
    mf_json_number(j, "heading_deg", heading_deg < 0.0 ? heading_deg + 360.0 : heading_deg, 3);
    mf_json_number(j, "roll_deg", (double)p->roll_rad * DEG_PER_RAD, 3);
    mf_json_number(j, "pitch_deg", (double)p->pitch_rad * DEG_PER_RAD, 3);
}

static void write_position(struct mf_json *j, const struct mf_snapshot *s)
{
    if (!s->estimate.position) {
        mf_json_null(j, "position");
        return;
    }
    mf_json_object(j, "position");
    mf_api_write_motion(j, &s->estimate.pose);
    mf_json_number(j, "alt_relative_m", s->relative_m, 4);
    mf_json_number(j, "alt_ellipsoid_m", s->ellipsoid_m, 3);
    mf_json_end(j);
}

static void write_truth(struct mf_json *j, const struct mf_snapshot *s)
{
    if (!s->body) {
        mf_json_null(j, "truth");
        return;
    }
    mf_json_object(j, "truth");
    mf_api_write_motion(j, &s->truth);
    mf_json_number(j, "ground_amsl_m", s->truth.ground_amsl_m, 4);
    mf_json_end(j);
}

/* Write a number, or null if it is negative, which means unknown. */
static void write_known(struct mf_json *j, const char *key, float value, int decimals)
{
    if (value < 0.0f) {
        mf_json_null(j, key);
    } else {
        mf_json_number(j, key, (double)value, decimals);
    }
}

static void write_battery(struct mf_json *j, const struct mf_snapshot *s)
{
    if (!s->has_battery) {
        mf_json_null(j, "battery");
        return;
    }
    mf_json_object(j, "battery");
    mf_json_number(j, "voltage_v", (double)s->battery.voltage_v, 3);
    write_known(j, "current_a", s->battery.current_a, 3);
    write_known(j, "remaining", s->battery.remaining, 4);
    mf_json_integer(j, "charge_state", s->charge);
    mf_json_end(j);
}

static void write_home(struct mf_json *j, const struct mf_home *home)
{
    if (!home->valid) {
        mf_json_null(j, "home");
        return;
    }
    mf_json_object(j, "home");
    mf_json_number(j, "lat_deg", home->lat_deg, 9);
    mf_json_number(j, "lon_deg", home->lon_deg, 9);
    mf_json_number(j, "alt_amsl_m", home->alt_amsl_m, 4);
    mf_json_end(j);
}

static void write_mission(struct mf_json *j, const struct mf_snapshot *s)
{
    mf_json_object(j, "mission");
    mf_json_integer(j, "count", s->mission_count);
    mf_json_integer(j, "tag", s->mission_tag);
    mf_json_integer(j, "current", s->mission_current);
    if (s->mission_reached < 0) {
        mf_json_null(j, "reached");
    } else {
        mf_json_integer(j, "reached", s->mission_reached);
    }
    mf_json_integer(j, "state", s->mission_state);
    mf_json_end(j);
}

static void write_areas(struct mf_json *j, const struct mf_snapshot *s)
{
    static const char *const k_breach[] = {"distance", "altitude", "zone"};
    mf_json_object(j, "fence");
    mf_json_integer(j, "count", s->fence_count);
    mf_json_integer(j, "tag", s->fence_tag);
    mf_json_array(j, "breach");
    for (unsigned i = 0; i < sizeof k_breach / sizeof k_breach[0]; i++) {
        if ((s->breach >> i & 1u) != 0) {
            mf_json_text(j, NULL, k_breach[i]);
        }
    }
    mf_json_end(j);
    mf_json_end(j);
    mf_json_object(j, "rally");
    mf_json_integer(j, "count", s->rally_count);
    mf_json_integer(j, "tag", s->rally_tag);
    mf_json_end(j);
}

static void write_health(struct mf_json *j, const struct mf_health *health)
{
    mf_json_array(j, "health");
    for (size_t i = 0; i < sizeof k_part / sizeof k_part[0]; i++) {
        if ((health->enabled & k_part[i].bit) != 0) {
            mf_json_object(j, NULL);
            mf_json_text(j, "name", k_part[i].name);
            mf_json_bool(j, "healthy", (health->healthy & k_part[i].bit) != 0);
            mf_json_end(j);
        }
    }
    mf_json_end(j);
}

static void write_utc(struct mf_json *j, const char *name, int64_t utc_us)
{
    if (utc_us == 0) {
        mf_json_null(j, name);
    } else {
        mf_json_number(j, name, (double)utc_us / 1e6, 6);
    }
}

void mf_api_get_vehicle(struct mf_api_call *call)
{
    static const char *const k_landed[] = {"undefined", "on_ground", "in_air", "takeoff",
                                           "landing"};
    struct mf_api *api = call->api;
    struct mf_json *j = &call->json;
    struct mf_api_figures figures;
    struct mf_snapshot s;
    mf_snapshot_take(api->vehicle, &s);
    api->ops->figures(api->ops_ctx, &figures);
    mf_json_integer(j, "system_id", mf_vehicle_status(api->vehicle).sysid);
    mf_json_number(j, "vehicle_time_s", (double)s.vehicle_us / 1e6, 6);
    mf_json_number(j, "wall_time_s", (double)figures.wall_us / 1e6, 6);
    write_utc(j, "gnss_utc", s.estimate.fix.utc_us);
    write_utc(j, "host_utc", figures.utc_us);
    mf_json_text(j, "mode", mf_mode_info(s.mode)->text);
    mf_json_integer(j, "custom_mode", mf_mode_custom(s.mode));
    mf_json_bool(j, "armed", s.armed);
    mf_json_text(j, "landed_state", k_landed[s.landed]);
    mf_json_bool(j, "failsafe", s.failsafe);
    mf_json_bool(j, "armable", s.armed || s.denial[0] == '\0');
    mf_json_text(j, "denial", s.armed ? "" : s.denial);
    write_position(j, &s);
    write_truth(j, &s);
    mf_json_object(j, "gnss");
    mf_json_integer(j, "fix_type", s.estimate.fix.type);
    mf_json_integer(j, "satellites", s.estimate.fix.satellites);
    mf_json_end(j);
    write_battery(j, &s);
    write_home(j, &s.home);
    write_mission(j, &s);
    write_areas(j, &s);
    write_health(j, &s.health);
    mf_json_integer(j, "track", api->track.total);
}

/* ---- links */

/* Counters of a link; an answer has each of them per link and as a sum. */
/* clang-format off */
#define COUNTER_LIST(X) \
    X(tx_frames)         \
    X(tx_dropped)        \
    X(tx_unfit)          \
    X(tx_forwarded)      \
    X(tx_held_back)      \
    X(rx_frames)         \
    X(rx_lost)           \
    X(rx_unhandled)      \
    X(rx_foreign)        \
    X(rx_rejected)       \
    X(rx_unsigned)       \
    X(rx_bad_signature)  \
    X(rx_replayed)       \
    X(rx_ahead)
/* clang-format on */

#define X(field) +sizeof((struct mf_link_stats *)NULL)->field
_Static_assert(sizeof(struct mf_link_stats) == 0 COUNTER_LIST(X), "the list has all counters");
#undef X

/* Write the counts of a link with a quality, per direction. */
static void write_quality(struct mf_json *j, const struct mf_quality_link *wrap)
{
    if (wrap == NULL) {
        mf_json_null(j, "quality");
        return;
    }
    mf_json_object(j, "quality");
    for (int way = 0; way < MF_WAY_COUNT; way++) {
        const struct mf_quality_line *line = &wrap->line[way];
        mf_json_object(j, mf_way_name[way]);
#define X(name, text) mf_json_integer(j, #name, line->stats.name);
        MF_QUALITY_COUNT_LIST(X)
#undef X
        mf_json_integer(j, "under_way_bytes", line->used);
        mf_json_end(j);
    }
    mf_json_end(j);
}

static void write_link(struct mf_api *api, struct mf_json *j, uint16_t index,
                       const struct mf_snapshot_link *link)
{
    struct mf_api_link about = {.transport = ""};
    api->ops->link(api->ops_ctx, index, &about);
    mf_json_object(j, NULL);
    mf_json_integer(j, "link", index);
    if (about.port == MF_API_NO_PORT) {
        mf_json_null(j, "port");
    } else {
        mf_json_integer(j, "port", about.port);
    }
    mf_json_text(j, "name", link->name);
    mf_json_text(j, "transport", about.transport);
    mf_json_integer(j, "version", link->version);
    mf_json_integer(j, "queued_bytes", (int64_t)about.queued);
    if (link->stats.rx_frames == 0) {
        mf_json_null(j, "heard_s");
    } else {
        const mf_us_t now_us = mf_vehicle_status(api->vehicle).now.transport_us;
        mf_json_number(j, "heard_s", (double)(now_us - link->rx_us) / 1e6, 3);
    }
#define X(field) mf_json_integer(j, #field, link->stats.field);
    COUNTER_LIST(X)
#undef X
    mf_json_integer(j, "rx_unknown", link->bytes.unknown);
    mf_json_integer(j, "rx_bad_crc", link->bytes.bad_crc);
    mf_json_integer(j, "rx_bad_flags", link->bytes.bad_flags);
    mf_json_integer(j, "rx_skipped_bytes", link->bytes.skipped);
    write_quality(j, about.quality);
    mf_json_end(j);
}

void mf_api_get_links(struct mf_api_call *call)
{
    struct mf_snapshot_link link;
    int result = MF_E_OK;
    mf_json_array(&call->json, "links");
    for (uint16_t i = 0; result != MF_E_RANGE; i++) {
        result = mf_snapshot_link(call->api->vehicle, i, &link);
        if (result == MF_E_OK) {
            write_link(call->api, &call->json, i, &link);
        }
    }
    mf_json_end(&call->json);
    (void)mf_api_write_ports(call, NULL);
}

void mf_api_add_link(struct mf_link_stats *sum, struct mf_parser_stats *bytes,
                     const struct mf_snapshot_link *link)
{
    MF_ASSERT(sum != NULL && bytes != NULL && link != NULL);
#define X(field) sum->field += link->stats.field;
    COUNTER_LIST(X)
#undef X
    bytes->unknown += link->bytes.unknown;
    bytes->bad_crc += link->bytes.bad_crc;
    bytes->bad_flags += link->bytes.bad_flags;
    bytes->skipped += link->bytes.skipped;
}

void mf_api_link_closing(struct mf_api *api, int link)
{
    struct mf_snapshot_link last;
    const int result = mf_snapshot_link(api->vehicle, (uint16_t)link, &last);
    MF_ASSERT(result == MF_E_OK);
    mf_api_add_link(&api->gone, &api->gone_bytes, &last);
}
