/* SPDX-License-Identifier: Apache-2.0 */
/* Control API: an example of each body, for the document. api_document.c calls it. */
#include "host/api/api_route.h"

#include <string.h>

/* Bodies without their braces, as answers have them; lists have one element. */
static const struct {
    const struct mf_api_field *fields;
    const char *members;
} k_example[] = {
    {mf_api_vehicle_fields,
     "\"system_id\":1,\"vehicle_time_s\":24.5,\"wall_time_s\":24.5,\"gnss_utc\":17723664"
     "24.5,\"host_utc\":1772366424.5,\"mode\":\"Mission\",\"custom_mode\":67371008,\"arme"
     "d\":true,\"landed_state\":\"in_air\",\"failsafe\":false,\"armable\":true,\"denial\":\""
     "\",\"position\":{\"lat_deg\":47.398,\"lon_deg\":8.545594,\"alt_amsl_m\":503.0,\"vel_"
     "ned_mps\":[5.0,0.0,0.0],\"heading_deg\":0.0,\"roll_deg\":0.0,\"pitch_deg\":-4.5,\""
     "alt_relative_m\":15.0,\"alt_ellipsoid_m\":550.237},\"truth\":{\"lat_deg\":47.398,"
     "\"lon_deg\":8.545594,\"alt_amsl_m\":503.0,\"vel_ned_mps\":[5.0,0.0,0.0],\"heading"
     "_deg\":0.0,\"roll_deg\":0.0,\"pitch_deg\":-4.5,\"ground_amsl_m\":488.0},\"gnss\":{\""
     "fix_type\":3,\"satellites\":10},\"battery\":{\"voltage_v\":15.9,\"current_a\":12.5,"
     "\"remaining\":0.93,\"charge_state\":1},\"home\":{\"lat_deg\":47.397742,\"lon_deg\":8"
     ".545594,\"alt_amsl_m\":488.0},\"mission\":{\"count\":6,\"tag\":4072098762,\"current"
     "\":1,\"reached\":0,\"state\":3},\"fence\":{\"count\":0,\"tag\":0,\"breach\":[]},\"rally\""
     ":{\"count\":0,\"tag\":0},\"health\":[{\"name\":\"gps\",\"healthy\":true}],\"track\":4"},
    {mf_api_faults_fields,
     "\"vehicle_time_s\":24.5,\"faults\":[{\"fault\":\"gps_glitch\",\"active\":true,\"value"
     "s\":[30,40,0],\"text\":\"\",\"takes\":\"NORTH:EAST:DOWN m\",\"effect\":\"every "
     "reported position is off by the vector at once; HIL_STATE_QUATERNION is no"
     "t\"}],\"schedule\":[{\"spec\":\"battery_low@60s\",\"fault\":\"battery_low\",\"active\":"
     "false,\"from_s\":60,\"to_s\":null}]"},
    {mf_api_fault_fields, "\"fault\":\"gps_glitch\",\"values\":[30,40,0]"},
    {mf_api_rules_fields,
     "\"vehicle_time_s\":24.5,\"rules\":[{\"id\":1,\"name\":\"command_denied\",\"rule\":\"com"
     "mand_denied(NAV_TAKEOFF)\",\"active\":true,\"fired\":0}],\"known\":[{\"name\":\"comm"
     "and_denied\",\"takes\":\"(COMMAND)\",\"times\":0,\"effect\":\"not executed; "
     "COMMAND_ACK DENIED\"}]"},
    {mf_api_rule_fields, "\"rule\":\"command_denied(takeoff)*2\""},
    {mf_api_order_fields, "\"action\":\"run\",\"for_s\":10"},
    {mf_api_clock_fields,
     "\"vehicle_time_s\":24.5,\"wall_time_s\":24.5,\"mode\":\"real\",\"rate\":1,\"achieved_"
     "rate\":1,\"behind\":false,\"next_s\":24.6,\"next_event_s\":30.25,\"events\":7,\"acti"
     "on\":\"resume\",\"until_s\":null,\"pending\":false,\"standing\":false,\"controllers\""
     ":0"},
    {mf_api_map_fields, "\"tiles\":null,\"credit\":\"\""},
    {mf_api_command_fields, "\"action\":\"takeoff\",\"alt_m\":20"},
    {mf_api_result_fields,
     "\"command\":22,\"result\":0,\"name\":\"accepted\",\"progress\":0,\"reason\":null"},
    {mf_api_param_fields,
     "\"name\":\"MPC_XY_CRUISE\",\"type\":\"float\",\"value\":10,\"default\":10,\"min\":0.1,\"m"
     "ax\":100"},
    {mf_api_params_fields,
     "\"parameters\":[{\"name\":\"MPC_XY_CRUISE\",\"type\":\"float\",\"value\":10,\"default\":"
     "10,\"min\":0.1,\"max\":100}]"},
    {mf_api_param_request_fields, "\"value\":5"},
    {mf_api_param_set_fields,
     "\"set\":12,\"unknown\":[\"CAM_CAP_FBACK\"],\"refused\":[],\"other_components\":0"},
    {mf_api_plan_fields,
     "\"items\":[{\"seq\":0,\"command\":22,\"frame\":3,\"param\":[0,0,0,null],\"lat_deg\":47"
     ".397742,\"lon_deg\":8.545594,\"alt_m\":15,\"alt_amsl_m\":503},{\"seq\":1,\"command\""
     ":16,\"frame\":3,\"param\":[0,0,0,null],\"lat_deg\":47.3982816,\"lon_deg\":8.545594"
     ",\"alt_m\":15,\"alt_amsl_m\":503}]"},
    {mf_api_track_fields,
     "\"total\":4,\"more\":false,\"points\":[{\"vehicle_time_s\":0,\"lat_deg\":47.397742,\""
     "lon_deg\":8.545594,\"alt_amsl_m\":488,\"ground_amsl_m\":488,\"reported\":null,\"re"
     "ports\":true}],\"events\":[{\"id\":1,\"event\":\"boot\",\"vehicle_time_s\":0}]"},
    {mf_api_stored_fields, "\"mission\":0,\"fence\":0,\"rally\":0"},
    {mf_api_upload_fields,
     "\"mission\":6,\"fence\":0,\"rally\":0,\"stored\":true,\"feasible\":true,\"reason\":nul"
     "l"},
    {mf_api_mission_fields,
     "\"count\":6,\"tag\":4072098762,\"from\":1,\"current\":1,\"reached\":0,\"items\":[{\"seq"
     "\":1,\"command\":16,\"frame\":3,\"param\":[0,0,0,null],\"lat_deg\":47.3982816,\"lon_"
     "deg\":8.545594,\"alt_m\":15,\"alt_amsl_m\":503}]"},
    {mf_api_fence_fields,
     "\"count\":1,\"tag\":2871,\"from\":0,\"distance_max_m\":null,\"height_max_m\":120,\"it"
     "ems\":[{\"seq\":0,\"command\":5003,\"frame\":0,\"param\":[200,0,0,0],\"lat_deg\":47.3"
     "97742,\"lon_deg\":8.545594,\"alt_m\":null,\"alt_amsl_m\":null}]"},
    {mf_api_rally_fields,
     "\"count\":1,\"tag\":97,\"from\":0,\"items\":[{\"seq\":0,\"command\":5100,\"frame\":3,\"pa"
     "ram\":[0,0,0,0],\"lat_deg\":47.398,\"lon_deg\":8.546,\"alt_m\":30,\"alt_amsl_m\":51"
     "8}]"},
    {mf_api_links_fields,
     "\"links\":[{\"link\":0,\"port\":1,\"name\":\"tcp0\",\"transport\":\"tcp\",\"version\":2,\"q"
     "ueued_bytes\":0,\"heard_s\":0.4,\"tx_frames\":812,\"tx_dropped\":0,\"tx_unfit\":0,\""
     "tx_forwarded\":0,\"tx_held_back\":0,\"rx_frames\":31,\"rx_lost\":0,\"rx_unhandled\""
     ":0,\"rx_foreign\":0,\"rx_rejected\":0,\"rx_unsigned\":0,\"rx_bad_signature\":0,\"rx"
     "_replayed\":0,\"rx_ahead\":0,\"rx_unknown\":0,\"rx_bad_crc\":0,\"rx_bad_flags\":0,\""
     "rx_skipped_bytes\":0,\"quality\":null}],\"ports\":[{\"port\":1,\"kind\":\"tcp\",\"addr"
     "ess\":\"127.0.0.1:5760\",\"quality\":\"none\"}]"},
    {mf_api_ports_fields,
     "\"ports\":[{\"port\":1,\"kind\":\"tcp\",\"address\":\"127.0.0.1:5760\",\"quality\":\"loss"
     "=5%\"}]"},
    {mf_api_quality_fields, "\"quality\":\"loss=5%,out:delay=200ms\""},
};

const char *mf_api_example(const struct mf_api_field *fields)
{
    for (size_t i = 0; i < sizeof k_example / sizeof k_example[0]; i++) {
        if (k_example[i].fields == fields) {
            return k_example[i].members;
        }
    }
    return NULL;
}

/* Groups of routes: beginning of the path, name. The first that fits counts. */
static const struct {
    const char *path, *group;
} k_group[] = {
    {"/v1/vehicle", "State"}, {"/v1/track", "State"},
    {"/v1/events", "State"},  {"/v1/commands", "Commands"},
    {"/v1/mission", "Plans"}, {"/v1/fence", "Plans"},
    {"/v1/rally", "Plans"},   {"/v1/parameters", "Parameters"},
    {"/v1/faults", "Faults"}, {"/v1/misbehaviour", "Faults"},
    {"/v1/clock", "Clock"},   {"/v1/links", "Links"},
    {"/v1/window", "Links"},  {"/v1/world", "Run"},
    {"/v1/console", "Run"},   {"/v1/tasks", "Run"},
    {"/", "Process"},
};

const char *mf_api_group(const char *path)
{
    size_t i = 0;
    while (strncmp(path, k_group[i].path, strlen(k_group[i].path)) != 0) {
        i++;
    }
    return k_group[i].group;
}
