/* SPDX-License-Identifier: Apache-2.0 */
/* Control API: objects of bodies and their parts, for the document. */
#include "drone/quality.h"
#include "host/api/api_route.h"

#define FIELDS(name) static const struct mf_api_field name[]
#define END              \
    {                    \
        NULL, NULL, NULL \
    }

#define PLACE_FIELDS(what)                                      \
    {"lat_deg", "number", "latitude of " what " [deg], WGS84"}, \
        {"lon_deg", "number", "longitude of " what " [deg]"},   \
        {"alt_amsl_m", "number", "altitude of " what " above mean sea level [m]"},

#define MOTION_FIELDS                                                              \
    PLACE_FIELDS("the vehicle"){"vel_ned_mps", "array:number",                     \
                                "velocity to the north, to the east, down [m/s]"}, \
        {"heading_deg", "number", "clockwise from true north, 0 to 360 [deg]"},    \
        {"roll_deg", "number", "roll; to the right is positive [deg]"},            \
        {"pitch_deg", "number", "pitch; nose up is positive [deg]"},

FIELDS(k_position) = {
    MOTION_FIELDS{"alt_relative_m", "number", "altitude above the place of take-off [m]"},
    {"alt_ellipsoid_m", "number?",
     "altitude above the WGS84 ellipsoid [m]; null: no geoid is known"},
    END};
FIELDS(k_truth) = {MOTION_FIELDS{"ground_amsl_m", "number", "altitude of the ground below [m]"},
                   END};
FIELDS(k_gnss) = {{"fix_type", "integer", "GPS_FIX_TYPE: 3 is a 3D fix, below 2 none"},
                  {"satellites", "integer", "satellites in use"},
                  END};
FIELDS(k_battery) = {
    {"voltage_v", "number", "voltage [V]"},
    {"current_a", "number?", "current [A]; null: not measured"},
    {"remaining", "number?", "charge that is left, 0 to 1; null: not known"},
    {"charge_state", "integer", "MAV_BATTERY_CHARGE_STATE: 1 ok, 2 low, 3 critical, 4 emergency"},
    END};
FIELDS(k_home) = {PLACE_FIELDS("home") END};

#define LIST_FIELDS                                      \
    {"count", "integer", "number of items in the list"}, \
        {"tag", "integer", "opaque id of MAVLink: another list has another id"},

FIELDS(k_mission) = {
    LIST_FIELDS{"current", "integer", "number of the item that is flown, or will be next"},
    {"reached", "integer?", "number of the last item that was reached; null: none"},
    {"state", "integer", "MISSION_STATE: 1 none, 2 not started, 3 active, 4 paused, 5 complete"},
    END};
FIELDS(k_fence) = {
    LIST_FIELDS{"breach", "array:string", "limits that are crossed: distance, altitude, zone"},
    END};
FIELDS(k_rally) = {LIST_FIELDS END};
FIELDS(k_part) = {{"name", "string", "part of the vehicle: gyro, gps, battery, ..."},
                  {"healthy", "boolean", "true: SYS_STATUS shows the part as healthy"},
                  END};

FIELDS(k_item) = {{"seq", "integer", "number of the item, from 0"},
                  {"command", "integer", "MAV_CMD: 16 is a waypoint"},
                  {"frame", "integer", "MAV_FRAME of the altitude: 3 is above home"},
                  {"param", "array:number?", "parameters 1 to 4; null: NaN"},
                  {"lat_deg", "number?", "latitude [deg]; null: the item has no place"},
                  {"lon_deg", "number?", "longitude [deg]; null: the item has no place"},
                  {"alt_m", "number?", "altitude by the item's frame [m]"},
                  {"alt_amsl_m", "number?",
                   "altitude above mean sea level [m]; null: there is none, or it is not known"},
                  END};

FIELDS(k_reported) = {PLACE_FIELDS("the report") END};
FIELDS(k_point) = {
    {"vehicle_time_s", "number", "vehicle time of the point [s]"},
    PLACE_FIELDS("the vehicle"){"ground_amsl_m", "number", "altitude of the ground below [m]"},
    {"reported", "object?:reported",
     "place that the vehicle reported; null: the true one, or none"},
    {"reports", "boolean", "true: the vehicle had a position"},
    END};

FIELDS(k_fault) = {
    {"fault", "string:faults", "name of the fault"},
    {"active", "boolean", "true: the fault is active now"},
    {"values", "array:number", "values of the fault: those that count now, or its defaults"},
    {"text", "string", "text of the fault, if it takes one"},
    {"takes", "string", "values that the fault takes, with units; empty: none"},
    {"effect", "string", "what the fault changes, in which message"},
    END};
FIELDS(k_planned) = {
    {"spec", "string", "the scheduled fault in full, as --faults takes it"},
    {"fault", "string:faults", "name of the fault"},
    {"active", "boolean", "true: its time has come"},
    {"from_s", "number?", "vehicle time at which it begins [s]; null: not known yet"},
    {"to_s", "number?", "vehicle time at which it ends [s]; null: never, or not known yet"},
    END};
FIELDS(k_rule) = {{"id", "integer", "id of the rule, for DELETE"},
                  {"name", "string", "kind of misbehaviour"},
                  {"rule", "string", "the rule in full, as --misbehave takes it"},
                  {"active", "boolean", "true: the rule would fire now"},
                  {"fired", "integer", "number of times that the rule has fired"},
                  END};
FIELDS(k_known) = {{"name", "string", "kind of misbehaviour"},
                   {"takes", "string", "selector and value that a rule of this kind takes"},
                   {"times", "integer", "number of times that a rule fires by default; 0: always"},
                   {"effect", "string", "what a rule of this kind changes"},
                   END};

FIELDS(k_way) = {
#define X(name, text) {#name, "integer", "number of frames: " text},
    MF_QUALITY_COUNT_LIST(X)
#undef X
        {"under_way_bytes", "integer", "bytes that have not arrived yet"},
    END};
FIELDS(k_quality) = {{"in", "object:way", "frames to the vehicle"},
                     {"out", "object:way", "frames from the vehicle"},
                     END};
FIELDS(k_port) = {
    {"port", "integer", "number of the port"},
    {"kind", "string", "kind of the port: tcp, udp, udp_out, serial"},
    {"address", "string", "address or device of the port"},
    {"quality", "string", "quality in full; its times count from the moment at which it was set"},
    END};
FIELDS(k_link) = {
    {"link", "integer", "number of the link"},
    {"port", "integer?", "number of the port of this connection; null: the API's own link"},
    {"name", "string", "name of the link"},
    {"transport", "string", "tcp, udp, serial or inside"},
    {"version", "integer", "version of MAVLink that the link sends, 1 or 2"},
    {"queued_bytes", "integer", "bytes that wait to be sent"},
    {"heard_s", "number?", "time since the last byte came [s]; null: none came"},
    {"tx_frames", "integer", "frames that were sent"},
    {"tx_dropped", "integer", "frames that the device had no room for"},
    {"tx_unfit", "integer", "messages that MAVLink 1 cannot carry"},
    {"tx_forwarded", "integer", "frames of others that were passed on"},
    {"tx_held_back", "integer", "frames of others that were not passed on, for lack of room"},
    {"rx_frames", "integer", "good frames that came"},
    {"rx_lost", "integer", "frames that are missing in the peers' sequence numbers"},
    {"rx_unhandled", "integer", "good frames of messages that the vehicle does not handle"},
    {"rx_foreign", "integer", "good frames to other systems or components"},
    {"rx_rejected", "integer", "good frames with values that make no sense"},
    {"rx_unsigned", "integer", "frames without the signature that they need"},
    {"rx_bad_signature", "integer", "frames with a signature of another key"},
    {"rx_replayed", "integer", "frames whose signature is older than an accepted one"},
    {"rx_ahead", "integer", "frames whose signature is too far in the future"},
    {"rx_unknown", "integer", "frames of unknown messages"},
    {"rx_bad_crc", "integer", "frames with a wrong checksum"},
    {"rx_bad_flags", "integer", "frames with unknown flags"},
    {"rx_skipped_bytes", "integer", "bytes that belong to no frame"},
    {"quality", "object?:quality", "what the link's quality did to its frames; null: it has none"},
    END};

FIELDS(k_listed) = {
    {"id", "integer", "id of the vehicle in paths: /v1/vehicles/{id}"},
    {"system_id", "integer", "MAVLink system id"},
    {"path", "string", "path of the vehicle's state; its other routes are below it"},
    END};

const struct mf_api_part mf_api_parts[] = {{"position", k_position, false},
                                           {"truth", k_truth, false},
                                           {"gnss", k_gnss, false},
                                           {"battery", k_battery, false},
                                           {"home", k_home, false},
                                           {"mission", k_mission, false},
                                           {"fence", k_fence, false},
                                           {"rally", k_rally, false},
                                           {"part", k_part, false},
                                           {"item", k_item, false},
                                           {"reported", k_reported, false},
                                           {"point", k_point, false},
                                           {"fault", k_fault, false},
                                           {"planned", k_planned, false},
                                           {"rule", k_rule, false},
                                           {"known", k_known, false},
                                           {"way", k_way, false},
                                           {"quality", k_quality, false},
                                           {"port", k_port, false},
                                           {"link", k_link, false},
                                           {"listed", k_listed, false},
                                           /* complete bodies */
                                           {"vehicle", mf_api_vehicle_fields, false},
                                           {"mission_items", mf_api_mission_fields, false},
                                           {"fence_items", mf_api_fence_fields, false},
                                           {"rally_points", mf_api_rally_fields, false},
                                           {"faults", mf_api_faults_fields, false},
                                           {"fault_request", mf_api_fault_fields, true},
                                           {"rules", mf_api_rules_fields, false},
                                           {"rule_request", mf_api_rule_fields, true},
                                           {"command_request", mf_api_command_fields, true},
                                           {"command_result", mf_api_result_fields, false},
                                           {"plan", mf_api_plan_fields, true},
                                           {"track", mf_api_track_fields, false},
                                           {"stored", mf_api_stored_fields, false},
                                           {"parameter", mf_api_param_fields, false},
                                           {"parameters", mf_api_params_fields, false},
                                           {"parameter_request", mf_api_param_request_fields, true},
                                           {"clock", mf_api_clock_fields, false},
                                           {"clock_request", mf_api_order_fields, true},
                                           {"links", mf_api_links_fields, false},
                                           {"ports", mf_api_ports_fields, false},
                                           {"quality_request", mf_api_quality_fields, true},
                                           {NULL, NULL, false}};
