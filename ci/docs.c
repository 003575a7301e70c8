/* SPDX-License-Identifier: Apache-2.0 */
/* docs PAGE: writes one page of docs/ to standard output, from the tables that the code is made of.
 */
#include "firmware/core/param.h"
#include "firmware/flight/mode.h"
#include "firmware/report/stream.h"
#include "firmware/state/items.h"
#include "host/api/api.h"
#include "host/spec/faultspec.h"
#include "host/spec/misbehavespec.h"
#include "mavlink/enums.h"
#include "mavlink/names.h"

#include <stdio.h>
#include <string.h>

static void value(const struct mf_param_info *info, union mf_param_value v)
{
    if (info->is_float) {
        printf(" %g |", (double)v.f);
    } else {
        printf(" %d |", (int)v.i);
    }
}

static const char k_parameters[] =
    "# Parameters\n"
    "\n"
    "This page is for users who set parameters. Names and meanings are PX4's; those that "
    "begin with MF_ are Mayfly's own.\n"
    "`--param NAME=VALUE` overrides a value at the start, a client may set it, `--state` keeps "
    "it. \"No effect here\" marks a parameter\n"
    "that exists only because clients look for it.\n"
    "\n"
    "Mayfly refuses a value outside the range (PARAM_ERROR VALUE_OUT_OF_RANGE). With "
    "`--px4-strict` it keeps and reports any finite\n"
    "value, as PX4 does, and flies by the nearest value of the range.\n"
    "\n"
    "The drone answers PARAM_SET before it has saved the value. If it cannot save (a full "
    "disk), it sends the STATUSTEXT \"Parameters\n"
    "could not be saved\" every 10 s, and \"Parameters are saved again\" when a save works.\n";

static void parameters(void)
{
    static const struct {
        const char *unit, *doc;
    } k_text[MF_PARAM_COUNT] = {
#define P(name, type, value, min, max, unit, doc) {unit, doc},
#include "firmware/state/params.def"
    };
    static const struct {
        const char *name;
        double value;
    } k_px4_motion[] =
        {
#define PX4_MOTION(name, value) {#name, (double)(value)},
#include "firmware/state/params.def"
        },
      k_px4_strict[] = {
#define PX4_STRICT(name, value) {#name, (double)(value)},
#include "firmware/state/params.def"
      };
    static const char *const k_read_only[] = {
#define READ_ONLY(name) #name,
#include "firmware/state/params.def"
    };
    static const bool k_inert[MF_PARAM_COUNT] = {
#define INERT(name) [MF_PARAM_##name] = true,
#include "firmware/state/params.def"
    };
    puts(k_parameters);
    fputs("Defaults with `--motion physics`:", stdout);
    for (size_t i = 0; i < sizeof k_px4_motion / sizeof k_px4_motion[0]; i++) {
        printf("%s `%s` %g", i > 0 ? "," : "", k_px4_motion[i].name, k_px4_motion[i].value);
    }
    fputs(".\nDefaults with `--px4-strict`:", stdout);
    for (size_t i = 0; i < sizeof k_px4_strict / sizeof k_px4_strict[0]; i++) {
        printf("%s `%s` %g", i > 0 ? "," : "", k_px4_strict[i].name, k_px4_strict[i].value);
    }
    fputs(".\nA client may not set", stdout);
    for (size_t i = 0; i < sizeof k_read_only / sizeof k_read_only[0]; i++) {
        printf("%s `%s`", i > 0 ? "," : "", k_read_only[i]);
    }
    puts(": they describe the launch.\n\n"
         "The answer to PARAM_SET is a PARAM_VALUE on every link. If the value changed, every link "
         "gets a second PARAM_VALUE 5 ms later, as from\n"
         "PX4. MAVSDK takes the first one for the answer, and learns from the second one that the "
         "value has changed.\n");
    puts("| name | type | default | least | greatest | unit | |\n|---|---|---|---|---|---|---|");
    for (int i = 0; i < MF_PARAM_COUNT; i++) {
        const struct mf_param_info *info = mf_param_info((enum mf_param)i);
        printf("| `%s` | %s |", info->name, info->is_float ? "float" : "int32");
        value(info, info->value);
        value(info, info->min);
        value(info, info->max);
        printf(" %s | %s%s |\n", k_text[i].unit, k_text[i].doc,
               k_inert[i] ? " (**no effect here**)" : "");
    }
}

static void interval(int32_t us)
{
    if (us == MF_STREAM_OFF) {
        printf(" on request |");
    } else {
        printf(" %.3g Hz |", 1e6 / (double)us);
    }
}

static void streams(void)
{
    int32_t us[MF_PROFILE_COUNT][MF_STREAM_COUNT];
    puts("# Telemetry\n"
         "\n"
         "This page is for clients that read telemetry. It lists the messages that a link gets "
         "without asking, and their default rates.\n"
         "\n"
         "* SET_MESSAGE_INTERVAL changes a rate for one link, `--stream` for a launch.\n"
         "* REQUEST_MESSAGE requests any of them once.\n"
         "* The vehicle sends HEARTBEAT, EXTENDED_SYS_STATE and CURRENT_MODE every second, and at "
         "every change of mode, arming or landed\n"
         "  state.\n"
         "\n"
         "A link never gets the same content of these three messages twice at one instant of "
         "vehicle time. After the report of a change, a\n"
         "stream leaves out a message that is due within half its interval. The reason: clients "
         "stop listening at the value for which they\n"
         "wait, and some fail at a second one. The vehicle always answers a request.\n"
         "\n"
         "On the link of an SDK, ATTITUDE and ATTITUDE_QUATERNION have the rates of `onboard`, "
         "unless a setting or a client chose other\n"
         "rates ([links.md](links.md#sdks)).\n");
    printf("| id | message |");
#define X(name, text) printf(" profile `" text "` |");
    MF_PROFILE_LIST(X)
#undef X
    printf("\n|---|---|");
    for (int p = 0; p < MF_PROFILE_COUNT; p++) {
        mf_stream_profile((enum mf_rate_profile)p, us[p]);
        printf("---|");
    }
    for (int i = 0; i < MF_STREAM_COUNT; i++) {
        const uint32_t id = mf_stream_msgid((enum mf_stream)i);
        printf("\n| %u | %s |", (unsigned)id, mf_msg_name(id));
        for (int p = 0; p < MF_PROFILE_COUNT; p++) {
            interval(us[p][i]);
        }
    }
    puts("");
}

static void messages(void)
{
    size_t count;
    const struct mf_msg_info *table = mf_msg_table(&count);
    printf("# Messages\n\n"
           "This page is for programs that encode or decode MAVLink. The codec knows %zu messages "
           "(`mavlink/messages.def`).\n[Telemetry](streams.md) lists those that the drone sends "
           "without a request.\n\n",
           count);
    puts("| id | message | CRC_EXTRA | payload v1 | payload v2 | fields "
         "|\n|---|---|---|---|---|---|");
    for (size_t i = 0; i < count; i++) {
        const struct mf_msg_info *m = &table[i];
        printf("| %u | %s | %u | %u | %u |", (unsigned)m->id, mf_msg_name(m->id), m->crc_extra,
               m->len_min, m->len_max);
        for (size_t f = 0; f < m->field_count; f++) {
            printf("%s%s", f == 0 ? " " : ", ", mf_field_name(m, f));
        }
        puts(" |");
    }
}

/* Where an event leads from every mode but Termination. @return enum mf_mode, or below zero */
static int from_everywhere(enum mf_event event)
{
    const int to = mf_mode_next(MF_MODE_HOLD, event);
    for (int from = 0; from < MF_MODE_COUNT; from++) {
        if (from != MF_MODE_TERMINATION && mf_mode_next((enum mf_mode)from, event) != to) {
            return MF_E_DENIED;
        }
    }
    return to;
}

static void modes(void)
{
    static const char *const k_event[] = {
#define X(name, text) text,
        MF_EVENT_LIST(X)
#undef X
    };
    puts("# Flight modes\n"
         "\n"
         "This page is for clients that set or show flight modes. It lists each mode with its "
         "numbers and needs, and the transitions between\n"
         "modes.\n"
         "\n"
         "| mode | main | sub | custom_mode | base_mode | needs while armed | a user may choose it "
         "|\n"
         "|---|---|---|---|---|---|---|");
    for (int i = 0; i < MF_MODE_COUNT; i++) {
        const struct mf_mode_info *m = mf_mode_info((enum mf_mode)i);
        printf("| %s | %u | %u | %u | 0x%02X |", m->text, m->main, m->sub,
               (unsigned)mf_mode_custom((enum mf_mode)i), m->base_mode);
        const char *comma = "";
        for (unsigned need = 1; need <= m->needs; need <<= 1) {
            if ((m->needs & need) != 0) {
                printf("%s %s", comma, mf_need_text(need) + strlen("no "));
                comma = ",";
            }
        }
        printf(" | %s |\n", m->selectable ? "yes" : "no");
    }
    puts("\n"
         "## Transitions\n"
         "\n"
         "A user may request a mode from every mode but Termination. The vehicle enters it if its "
         "needs are met. DO_SET_MODE, SET_MODE and\n"
         "DO_SET_STANDARD_MODE force Land, as in PX4. An armed vehicle without a position then "
         "descends, and lands by position once the\n"
         "position is back. Without a position the vehicle refuses NAV_LAND. All other "
         "transitions:\n"
         "\n"
         "```mermaid\n"
         "stateDiagram-v2");
    for (int event = 0; event < MF_EV_REQUEST; event++) {
        const int everywhere = from_everywhere((enum mf_event)event);
        if (everywhere >= 0) {
            printf("    Any --> %s: %s\n", mf_mode_info((enum mf_mode)everywhere)->text,
                   k_event[event]);
        }
        for (int from = 0; everywhere < 0 && from < MF_MODE_COUNT; from++) {
            const int to = mf_mode_next((enum mf_mode)from, (enum mf_event)event);
            if (to >= 0 && to != from) {
                printf("    %s --> %s: %s\n", mf_mode_info((enum mf_mode)from)->text,
                       mf_mode_info((enum mf_mode)to)->text, k_event[event]);
            }
        }
    }
    puts("```");
}

static const char k_faults[] = "# Faults\n"
                               "\n"
                               "This page is for testers who want to see how a client or an "
                               "operator reacts when something on the drone fails. It lists every\n"
                               "fault, how to start one, and which message shows it.\n"
                               "\n"
                               "    build/mayfly --faults gps_off@30s+10s,battery=18%@2m\n"
                               "    curl -H 'Content-Type: application/json' -d '{\"fault\": "
                               "\"gps_off\"}' http://127.0.0.1:5759/v1/faults\n"
                               "\n"
                               "## By configuration\n"
                               "\n"
                               "`--faults NAME[=VALUES][@WHEN][+DURATION]` takes several faults, "
                               "separated by commas. Without WHEN a fault begins at the start;\n"
                               "without DURATION it lasts for ever. A time is a number of seconds, "
                               "or has a unit: us, ms, s, m, min, h. An omitted value has its\n"
                               "default. Values are separated by ':' or '/'.\n"
                               "\n"
                               "* `gps_off@30s+10s`: from 30 s of vehicle time on, for 10 s\n"
                               "* `battery=18%@2m`: a charge of 18 % from 2 minutes on\n"
                               "* `gps_glitch=30:-10:0@waypoint3`: 30 m north, 10 m west, when the "
                               "vehicle reaches mission item 3 (from 0)\n"
                               "* `mag_off@takeoff:5s+10s`: from 5 s after take-off on, for 10 s\n"
                               "\n"
                               "WHEN may name an event: the fault begins at its first occurrence, "
                               "on every clock at exactly the instant of the event, plus the\n"
                               "delay if one is given. Events:";

static const char k_faults_by_mavlink[] =
    ".\n"
    "\n"
    "## By the control API\n"
    "\n"
    "`POST /v1/faults` with `{\"fault\": NAME}`, or `{\"spec\": \"gps_off@30s+10s\"}` "
    "([api.md](api.md)).\n"
    "\n"
    "## Over MAVLink\n"
    "\n"
    "Send MAV_CMD_INJECT_FAILURE with the unit and type of the table and instance 0 (all) or 1. "
    "The fault has its default values.\n"
    "Another type replaces the previous type of the unit. Type 0 (OK) clears all faults of the "
    "unit: those without a type too, and\n"
    "those that began by configuration or by the control API.\n"
    "\n"
    "Without SYS_FAILURE_EN Mayfly denies the command. SYS_FAILURE_EN is 1 by default, so that "
    "MAVSDK's failure plugin works\n"
    "without a setting. With `--px4-strict` it is 0, as in PX4.\n"
    "\n"
    "## What Mayfly accepts\n"
    "\n"
    "Mayfly accepts a fault that begins now when the field in the table's last column changes "
    "within one period of its message. The\n"
    "same rule holds for INJECT_FAILURE, for `fault`, and for `spec` without WHEN. Mayfly "
    "refuses:\n"
    "\n"
    "* a fault that another one hides: a glitch while GPS is off or stuck, `battery_low` while the "
    "battery is empty;\n"
    "* a fault that sets the present value: `battery=100` when the battery is full, `prearm` while "
    "PREARM_CHECK is cleared.\n"
    "  `battery=99.7` is accepted, since the voltage falls by 5 mV;\n"
    "* values that are too small to be seen: `wind=0`. A schedule may not have them either.\n"
    "\n"
    "For a fault that begins later, by a time or an event, the present values do not matter. A "
    "request for a fault that is already\n"
    "active does not end it; the values in the request replace its values. The log has a line, "
    "topic `fault`, when a fault begins and\n"
    "when it ends.\n"
    "\n"
    "A board that reserves no memory for faults refuses all of them "
    "([porting.md](porting.md)).\n"
    "\n"
    "## Receiver errors\n"
    "\n"
    "The autopilot flies by its estimate, which follows the receiver. `gps_glitch` and `gps_drift` "
    "shift every reported position at\n"
    "once. In flight the vehicle corrects its reported position a second later, and so moves the "
    "body by the error. HIL_STATE_QUATERNION\n"
    "shows the true position. When the error ends, the body flies back in the same way. On the "
    "ground nothing moves.\n"
    "\n"
    "`gps_stuck` shows in GPS_RAW_INT only. The correction of the estimate does not change, and "
    "the estimate follows the airframe.\n"
    "\n"
    "## Faults that move the vehicle\n"
    "\n"
    "`breach_teleport` and `breach_drift` truly move the body, on the ground as in the air. When "
    "such a fault ends, the vehicle is\n"
    "where the fault left it. It flies on to its target, or, in Hold, back to the position that "
    "it held.\n"
    "\n"
    "The vehicle flies against a drift as against wind. The stronger the drift is, the later it "
    "reaches a waypoint, home or the target of\n"
    "a reposition. It never reaches one if the drift is as fast as its flight. A vertical climb "
    "still ends at its altitude. A vehicle that\n"
    "holds, waits, descends to the ground or is steered by a velocity does not resist: it drifts "
    "away.\n"
    "\n"
    "Both faults breach the fence (FENCE_STATUS, SYS_STATUS, text, action) unless GF_ACTION is 0. "
    "While one of them is active and\n"
    "neither\n"
    "GF_MAX_HOR_DIST nor an inclusion zone is set, GF_MAX_HOR_DIST counts as 100 m. A teleport on "
    "request without values leads away\n"
    "from home and out of the fence: to 1.1 times GF_MAX_HOR_DIST and 10 m more, or 10 m beyond "
    "the inclusion zones.\n"
    "\n"
    "## Sensors and motors\n"
    "\n"
    "Gyro, accelerometer, magnetometer and barometer that are off or stuck show in SYS_STATUS and "
    "deny arming. Messages still have\n"
    "their measured values.\n"
    "`motor_off` lets a vehicle in the air fall. If the fault ends before the ground, the vehicle "
    "continues in its mode.\n"
    "\n"
    "## The table\n"
    "\n"
    "| name | values (default) | unit | type | what shows it |\n"
    "|---|---|---|---|---|";

static void fault(enum mf_fault fault, const char *words, int unit, int type, const char *effect)
{
    struct mf_fault_plan plan;
    char reason[MF_FAULT_REASON_MAX];
    const char *name = mf_fault_name(fault);
    const int result = mf_fault_spec_parse(name, strlen(name), &plan, reason);
    MF_ASSERT(result == MF_E_OK);
    printf("| `%s` | %s", name, words);
    for (unsigned i = 0; i < mf_fault_value_count(fault); i++) {
        printf("%s%g", i == 0 ? " (" : ":", (double)plan.with.value[i]);
    }
    fputs(mf_fault_value_count(fault) > 0 ? ") | " : " | ", stdout);
    if (unit == MF_NO_UNIT) {
        fputs("| | ", stdout);
    } else {
        printf("%d |", unit);
        if (type != MF_NO_TYPE) {
            printf(" %d", type);
        }
        fputs(" | ", stdout);
    }
    printf("%s |\n", effect);
}

static void faults(void)
{
    fputs(k_faults, stdout);
#define X(name, spelling) fputs(" `" spelling "`", stdout);
    MF_HAPPENING_LIST(X)
#undef X
    puts(k_faults_by_mavlink);
#define X(name, spelling, unit, type, words, limits, effect) \
    fault(MF_FAULT_##name, words, unit, type, effect);
    MF_FAULT_LIST(X)
#undef X
}

static const char k_misbehaviour[] =
    "# Protocol misbehaviour\n"
    "\n"
    "This page is for authors of clients who want to see how a client copes with a healthy drone "
    "that breaks the protocol. Commands are\n"
    "denied or never acknowledged, transfers lose an item, parameters do not arrive.\n"
    "\n"
    "`--misbehave NAME[(SELECTOR)][=VALUE][*TIMES][@TIME][+DURATION]` adds rules, separated by "
    "commas (`MAYFLY_MISBEHAVE`, `misbehave:`\n"
    "in the file). `POST /v1/misbehaviour` with `{\"rule\": \"...\"}` adds a rule in flight "
    "([api.md](api.md)).\n"
    "\n"
    "* `command_denied(takeoff)`, `command_denied(22)`: this command; without parentheses every "
    "one\n"
    "* `command_rejected(arm)*2`: the first two tries, then as always\n"
    "* `mission_upload_refused(fence)=3`: item 3 (from 0) of a fence; without parentheses of any "
    "plan\n"
    "* `param_lost(MPC_XY_CRUISE)*2@30s+1min`: two times between 30 and 90 s of vehicle time\n"
    "* `command_late=5s,message_silence(HOME_POSITION),ftp_error(open)=10`\n"
    "\n"
    "| name | takes (default) | times | what it does |\n"
    "|---|---|---|---|\n";

static const char k_misbehaviour_rules[] =
    "\n"
    "TIMES limits how often a rule fires, on all links together. A rule without TIMES, and without "
    "a number in the table, fires always.\n"
    "Each firing is counted (`GET /v1/misbehaviour`). Of two rules for the same frame the first "
    "one "
    "fires.\n"
    "\n"
    "A time is a number of seconds, or has a unit: us, ms, s, m, min, h. TIME and DURATION are "
    "vehicle time. DELAY is wall time on\n"
    "every clock, like the time-outs of clients. A restart of the vehicle resets neither the "
    "rules nor their TIMES.\n"
    "\n"
    "COMMAND is a MAV_CMD: its number, its name with or without MAV_CMD_, or one of the names "
    "below. MESSAGE and PARAMETER are names of\n"
    "[messages.md](messages.md) and [parameters.md](parameters.md), or the message's number.\n"
    "\n"
    "| takes | is one of |\n"
    "|---|---|\n"
    "| COMMAND |";

static const char k_misbehaviour_ends[] =
    "\n"
    "## What is touched\n"
    "\n"
    "Rules act on frames between the drone and its clients, on every link. Frames from one client "
    "to another pass unchanged. Without\n"
    "rules every byte passes unchanged.\n"
    "\n"
    "With rules the drone's frames get new sequence numbers. A frame that a rule removes or adds "
    "is therefore no loss in a client's\n"
    "statistics: the protocol misbehaves, not the link (`--link-quality`). A frame that a rule "
    "keeps from the drone counts as lost in\n"
    "the drone's own statistics of the link.\n"
    "\n"
    "SET_MODE counts as the command set_mode. At most 64 answers are delayed at once; further "
    "answers are not.\n"
    "\n"
    "An answer that a rule makes has the version of the frame that it answers. If the drone signs, "
    "it signs a frame that a rule made or\n"
    "changed with its key when the frame leaves. Rules do not see frames that the drone does not "
    "admit (MAV_SIGN_CFG).\n"
    "\n"
    "Some rules send frames to the drone in the client's name:\n"
    "\n"
    "* When a rule refuses an upload or lets it time out, it sends MISSION_ACK "
    "OPERATION_CANCELLED. The drone then does not refuse the\n"
    "  next upload as busy.\n"
    "* When a rule reorders a download, it asks for the item behind ITEM.\n"
    "\n"
    "If the drone signs, such frames are signed as well, with link id 255 for a stream of their "
    "own. They repeat the number of the\n"
    "client's last frame, and count neither as lost nor as a gap.\n"
    "\n"
    "Rules stand between the link's quality and the recorder: a recording (`--record`) holds the "
    "frames that the drone saw and sent,\n"
    "and replays without any rule.";

static void rule(enum mf_rule_kind kind)
{
    char takes[32];
    const struct mf_rule_info *info = mf_rule_info(kind);
    mf_rule_takes(kind, takes, sizeof takes);
    printf("| `%s` | %s", info->name, takes);
    if (info->value != MF_VALUE_NONE) {
        printf(" (%u%s)", info->by_default, info->value == MF_VALUE_DELAY ? " s" : "");
    }
    fputs(" | ", stdout);
    if (info->times > 0) {
        printf("%u ", info->times);
    }
    printf("| %s |\n", info->effect);
}

static void misbehaviour(void)
{
    fputs(k_misbehaviour, stdout);
    for (int i = 0; i < MF_RULE_COUNT; i++) {
        rule((enum mf_rule_kind)i);
    }
    fputs(k_misbehaviour_rules, stdout);
#define X(name, brief) fputs(" `" brief "` (" #name ")", stdout);
    MF_RULE_COMMAND_LIST(X)
#undef X
    fputs(" |\n| PLAN |", stdout);
#define X(id, name) fputs(" `" name "`", stdout);
    MF_RULE_PLAN_LIST(X)
    fputs(" |\n| OPERATION |", stdout);
    MF_RULE_OPERATION_LIST(X)
#undef X
    puts(" |");
    puts(k_misbehaviour_ends);
}

static const char k_items[] =
    "# Mission items\n"
    "\n"
    "This page is for developers who write plans. It lists the commands that an upload takes, with "
    "their frames. Any other command is\n"
    "answered with MISSION_ACK UNSUPPORTED (3), and so is a frame of the table with another "
    "command. An unknown frame is answered with\n"
    "UNSUPPORTED_FRAME (2). [Missions](missions.md) says how items are flown.\n"
    "\n"
    "With `--px4-strict` the column PX4 holds, and frames 10 and 11 (above the ground) are "
    "refused.\n"
    "\n"
    "| | command | plan | frames | what it does | PX4 |\n"
    "|---|---|---|---|---|---|";

static void items(void)
{
    static const char *const k_kind[] = {
        [MF_ITEM_INSTANT] = "done at once",
        [MF_ITEM_TAKEOFF] = "climbs",
        [MF_ITEM_WAYPOINT] = "flown to",
        [MF_ITEM_LOITER_TIME] = "flown to, and waits",
        [MF_ITEM_LOITER_UNLIM] = "flown to, and stays",
        [MF_ITEM_TURNS] = "circles",
        [MF_ITEM_TO_ALT] = "flown to, and changes the altitude",
        [MF_ITEM_LAND] = "lands",
        [MF_ITEM_RTL] = "mode Return",
        [MF_ITEM_DELAY] = "waits",
        [MF_ITEM_YAW] = "turns",
        [MF_ITEM_SPEED] = "changes the speed",
        [MF_ITEM_SET_HOME] = "sets home",
        [MF_ITEM_JUMP] = "goes on elsewhere",
        [MF_ITEM_ROI] = "turns the front",
    };
    static const char *const k_frames[] = {
        [MF_AT_NONE] = "2",
        [MF_AT_PLACE] = "0, 3, 5, 6, 10, 11",
        [MF_AT_HERE] = "0, 3, 5, 6, 10, 11",
        [MF_AT_EITHER] = "0, 2, 3, 5, 6, 10, 11",
    };
    static const char *const k_px4[] = {
        [MF_PX4_TAKES] = "",
        [MF_PX4_NO_PLACE] = "frame 2 only",
        [MF_PX4_DENIES] = "taken; the start is denied",
        [MF_PX4_VTOL] = "taken; the start is denied, by Mayfly, too",
        [MF_PX4_REFUSES] = "refused",
    };
    puts(k_items);
#define X(name, kind, at, type, px4)                                                         \
    printf("| %d | %s | %s | %s | %s | %s |\n", MAV_CMD_##name, #name, #type,                \
           k_frames[MF_AT_##at], MAV_MISSION_TYPE_##type == 0 ? k_kind[MF_ITEM_##kind] : "", \
           k_px4[MF_PX4_##px4]);
    MF_ITEM_LIST(X)
#undef X
}

static const char k_differences[] =
    "# Differences from PX4\n"
    "\n"
    "This page is for testers who move a test between Mayfly and PX4. It lists every known "
    "difference, and how to get PX4's behaviour.\n"
    "Mayfly follows PX4 1.17. It was compared with PX4's commit 02e73e3b6 (main of 2 March 2026, "
    "between 1.17 and 1.18): 185 missions, and\n"
    "3,490 items, commands, modes and requests (`make px4-parity`). Where a release differs from "
    "that commit, the newest release decides.\n"
    "\n"
    "Tests fail if code asks for PX4's rules and this page does not list the difference "
    "(`ci/differences.py`), and if a recording of PX4\n"
    "shows a difference that no row covers.\n"
    "\n"
    "## Switched by `--px4-strict`\n\n"
    "| | PX4, and `--px4-strict` | Mayfly by default | also by |\n|---|---|---|---|";

static void rows(const char *head, const char *const *row, size_t n)
{
    puts(head);
    for (size_t i = 0; i < n; i++) {
        puts(row[i]);
    }
}

#define ROWS(head, list) rows(head, list, sizeof(list) / sizeof(list)[0])

static void differences(void)
{
    static const char *const k_strict[] = {
#define STRICT(uses, what, px4, mayfly, otherwise) \
    "| " what " | " px4 " | " mayfly " | " otherwise " |",
#include "firmware/state/differences.def"
    };
    static const char *const k_option[] = {
#define OPTION(what, px4, mayfly, how) "| " what " | " px4 " | " mayfly " | " how " |",
#include "firmware/state/differences.def"
    };
    static const char *const k_always[] = {
#define ALWAYS(what, px4, mayfly) "| " what " | " px4 " | " mayfly " |",
#include "firmware/state/differences.def"
    };
    ROWS(k_differences, k_strict);
    ROWS("\n## Not switched by `--px4-strict`: by option or parameter\n\n"
         "| | PX4 | Mayfly by default | PX4's way by |\n|---|---|---|---|",
         k_option);
    ROWS("\n## Without a switch\n\n| | PX4 | Mayfly |\n|---|---|---|", k_always);
}

static void openapi(void)
{
    static char s_text[MF_HTTP_ANSWER_MAX];
    (void)fwrite(s_text, 1, mf_api_document(s_text, sizeof s_text), stdout);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*write)(void);
    } k_page[] = {
        {"parameters", parameters}, {"streams", streams},         {"messages", messages},
        {"modes", modes},           {"faults", faults},           {"misbehaviour", misbehaviour},
        {"mission-items", items},   {"differences", differences}, {"openapi", openapi}};
    for (size_t i = 0; argc == 2 && i < sizeof k_page / sizeof k_page[0]; i++) {
        if (strcmp(argv[1], k_page[i].name) == 0) {
            k_page[i].write();
            return 0;
        }
    }
    fputs("usage: docs parameters|streams|messages|modes|faults|misbehaviour|differences|openapi\n",
          stderr);
    return 2;
}
