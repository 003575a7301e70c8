/* SPDX-License-Identifier: Apache-2.0 */
/* Control API: objects of bodies and their parts, for the document. */
#include "drone/quality.h"
#include "host/api/api_route.h"

#define FIELDS(name) static const struct mf_api_field name[]
#define END              \
    {                    \
        NULL, NULL, NULL \
    }

#define MOTION_FIELDS                                                                        \
    {"lat_deg", "number", "WGS84"}, {"lon_deg", "number", ""}, {"alt_amsl_m", "number", ""}, \
        {"vel_ned_mps", "array:number", ""}, {"heading_deg", "number", "0 .. 360"},          \
        {"roll_deg", "number", ""}, {"pitch_deg", "number", ""},

FIELDS(k_position) = {MOTION_FIELDS{"alt_relative_m", "number", "above take-off"},
                      {"alt_ellipsoid_m", "number?", "null: no geoid is known"},
                      END};
FIELDS(k_truth) = {MOTION_FIELDS{"ground_amsl_m", "number", "below it"}, END};
FIELDS(k_gnss) = {{"fix_type", "integer", "GPS_FIX_TYPE"}, {"satellites", "integer", ""}, END};
FIELDS(k_battery) = {{"voltage_v", "number", ""},
                     {"current_a", "number?", "null: not known"},
                     {"remaining", "number?", "0 .. 1; null: not known"},
                     {"charge_state", "integer", "MAV_BATTERY_CHARGE_STATE"},
                     END};
FIELDS(k_home) = {
    {"lat_deg", "number", ""}, {"lon_deg", "number", ""}, {"alt_amsl_m", "number", ""}, END};

#define LIST_FIELDS {"count", "integer", "items"}, {"tag", "integer", "MAVLink's opaque id"},

FIELDS(k_mission) = {LIST_FIELDS{"current", "integer", ""},
                     {"reached", "integer?", "null: none"},
                     {"state", "integer", "MISSION_STATE"},
                     END};
FIELDS(k_fence) = {
    LIST_FIELDS{"breach", "array:string", "what is crossed: distance, altitude, zone"}, END};
FIELDS(k_rally) = {LIST_FIELDS END};
FIELDS(k_part) = {{"name", "string", ""}, {"healthy", "boolean", ""}, END};

FIELDS(k_item) = {{"seq", "integer", ""},
                  {"command", "integer", "MAV_CMD"},
                  {"frame", "integer", "MAV_FRAME"},
                  {"param", "array:number?", "the first four; null: NaN"},
                  {"lat_deg", "number?", "null: it has none"},
                  {"lon_deg", "number?", "null: it has none"},
                  {"alt_m", "number?", "by its frame"},
                  {"alt_amsl_m", "number?", "null: it has none, or is not known"},
                  END};

FIELDS(k_reported) = {
    {"lat_deg", "number", "WGS84"}, {"lon_deg", "number", ""}, {"alt_amsl_m", "number", ""}, END};
FIELDS(k_point) = {
    {"vehicle_time_s", "number", ""},
    {"lat_deg", "number", "WGS84: where it was"},
    {"lon_deg", "number", ""},
    {"alt_amsl_m", "number", ""},
    {"ground_amsl_m", "number", "below it"},
    {"reported", "object?:reported", "where it said it was; null: there, or nowhere"},
    {"reports", "boolean", "it had a position"},
    END};

FIELDS(k_fault) = {{"fault", "string:faults", "its name"},
                   {"active", "boolean", ""},
                   {"values", "array:number", "as they count now, or by default"},
                   {"text", "string", "likewise"},
                   {"takes", "string", "what values it takes"},
                   {"effect", "string", "what changes in which message"},
                   END};
FIELDS(k_planned) = {{"spec", "string", "in full"},
                     {"fault", "string:faults", ""},
                     {"active", "boolean", "its time has come"},
                     {"from_s", "number?", "vehicle time; null: not known"},
                     {"to_s", "number?", "vehicle time; null: not known, or for ever"},
                     END};
FIELDS(k_rule) = {{"id", "integer", ""},
                  {"name", "string", ""},
                  {"rule", "string", "in full"},
                  {"active", "boolean", "it would fire now"},
                  {"fired", "integer", "how often it has"},
                  END};
FIELDS(k_known) = {{"name", "string", ""},
                   {"takes", "string", ""},
                   {"times", "integer", "how often unless that is said; 0: always"},
                   {"effect", "string", ""},
                   END};

FIELDS(k_way) = {
#define X(name, text) {#name, "integer", text},
    MF_QUALITY_COUNT_LIST(X)
#undef X
        {"under_way_bytes", "integer", ""},
    END};
FIELDS(k_quality) = {{"in", "object:way", ""}, {"out", "object:way", ""}, END};
FIELDS(k_port) = {{"port", "integer", "its number"},
                  {"kind", "string", ""},
                  {"address", "string", ""},
                  {"quality", "string", "in full; its times count from when it was set"},
                  END};
FIELDS(k_link) = {{"link", "integer", ""},
                  {"port", "integer?", "which it is a connection of; null: this API's"},
                  {"name", "string", ""},
                  {"transport", "string", ""},
                  {"version", "integer", "of MAVLink"},
                  {"queued_bytes", "integer", ""},
                  {"heard_s", "number?", "ago; null: never"},
                  {"tx_frames", "integer", ""},
                  {"tx_dropped", "integer", ""},
                  {"tx_unfit", "integer", ""},
                  {"tx_forwarded", "integer", ""},
                  {"tx_held_back", "integer", ""},
                  {"rx_frames", "integer", ""},
                  {"rx_lost", "integer", ""},
                  {"rx_unhandled", "integer", ""},
                  {"rx_foreign", "integer", ""},
                  {"rx_rejected", "integer", ""},
                  {"rx_unsigned", "integer", ""},
                  {"rx_bad_signature", "integer", ""},
                  {"rx_replayed", "integer", ""},
                  {"rx_ahead", "integer", ""},
                  {"rx_unknown", "integer", ""},
                  {"rx_bad_crc", "integer", ""},
                  {"rx_bad_flags", "integer", ""},
                  {"rx_skipped_bytes", "integer", ""},
                  {"quality", "object?:quality", "what became of its frames; null: it has none"},
                  END};

FIELDS(k_listed) = {{"id", "integer", "in paths: /v1/vehicles/{id}"},
                    {"system_id", "integer", "MAVLink system id"},
                    {"path", "string", "of its state; what else there is of it stands beneath"},
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
