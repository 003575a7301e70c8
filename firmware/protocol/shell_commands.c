/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of the shell, for shell.c: words, output and usage are PX4's where PX4 has the command,
 * because scripts and users look for them. A command that changes something calls the function of
 * the MAVLink command (mf_command_run()), so that both have the same checks, texts and counters.
 *
 * A command prints piece @p c->piece of its output, and returns whether more pieces follow. Tables
 * are printed one line per piece. */
#include "firmware/core/log_record.h"
#include "firmware/core/param.h"
#include "firmware/core/text.h"
#include "firmware/core/units.h"
#include "firmware/flight/health.h"
#include "firmware/flight/mode.h"
#include "firmware/protocol/command.h"
#include "firmware/protocol/param_change.h"
#include "firmware/protocol/shell.h"
#include "firmware/report/log_topics.h"
#include "firmware/state/limits.h"
#include "firmware/state/log_topics.h"
#include "firmware/state/vehicle.h"
#include "firmware/state/version.h"
#include "mavlink/enums.h"

#include <string.h>

#define FORCE 21196.0f /* param2 of COMPONENT_ARM_DISARM */

/* Line as its command sees it. Its only state is the number of the piece. */
struct call {
    struct mf_vehicle *v;
    struct mf_peer from;
    uint16_t piece;
    const char *word[MF_SHELL_WORDS_MAX]; /* "" where there are fewer */
    struct mf_text *out;
};

/* True if a word equals a name: as in PX4, abbreviations are not allowed. */
static bool is(const char *word, const char *name)
{
    return strcmp(word, name) == 0;
}

/* Pieces are short: a text cuts what is longer than MF_TEXT_MAX. */
static void add(const struct call *c, const char *text)
{
    mf_text_add(c->out, text);
}

/* Print the only piece of a command's output. @return false: nothing follows */
static bool only(const struct call *c, const char *text)
{
    if (c->piece == 0) {
        add(c, text);
    }
    return false;
}

/* ---- ver: what this is, and which PX4 it acts as ---- */

/* Scripts read PX4's release from here to choose what they test. */
static bool ver(const struct call *c)
{
    if (!is(c->word[1], "all")) {
        return only(c, "usage: ver all\n");
    }
    add(c, "HW arch: MAYFLY\nMayfly version: " MF_VERSION
           "\nPX4 version: Release " MF_PX4_RELEASE_TEXT " (");
    mf_text_add_int(c->out, MF_PX4_RELEASE);
    add(c, ")\n");
    return false;
}

/* ---- param: PX4's columns; x is a value in use, + one that is saved, * one that is not ---- */

/* A name, or the beginning of names with a star behind it; "" is all. PX4 knows no
 * other pattern. */
static bool matches(const char *pattern, const char *name)
{
    for (; *pattern != '\0' && *pattern != '*'; pattern++, name++) {
        if (*pattern != *name) {
            return false;
        }
    }
    return *pattern == '*' || *name == '\0';
}

/* Four decimals: as PX4 prints parameters. */
static void add_value(const struct call *c, enum mf_param param, uint32_t bits)
{
    const union mf_param_value value = {.bits = bits};
    if (mf_param_info(param)->is_float) {
        mf_text_add_float(c->out, (double)value.f, 4);
    } else {
        mf_text_add_int(c->out, value.i);
    }
}

/* Print a parameter per piece. With a pattern most pieces are empty, but the table is short. */
static bool param_show(const struct call *c)
{
    const enum mf_param param = (enum mf_param)(c->piece - 1);
    const char *pattern = c->word[2][0] == '\0' ? "*" : c->word[2];
    if (c->piece == 0) {
        add(c, "Symbols: x = used, + = saved, * = unsaved\n");
        return true;
    }
    if (c->piece > MF_PARAM_COUNT) {
        add(c, "\n ");
        mf_text_add_int(c->out, MF_PARAM_COUNT);
        add(c, " parameters used.\n");
        return false;
    }
    const struct mf_param_info *info = mf_param_info(param);
    MF_ASSERT(c->piece > 0 && c->piece <= MF_PARAM_COUNT);
    if (matches(pattern, info->name)) {
        const uint32_t bits = c->v->params.value[param];
        add(c, bits == info->value.bits ? "x   " : c->v->params.unsaved ? "x * " : "x + ");
        add(c, info->name);
        add(c, " [");
        mf_text_add_int(c->out, c->piece - 1);
        add(c, ",");
        mf_text_add_int(c->out, c->piece - 1);
        add(c, "] : ");
        add_value(c, param, bits);
        add(c, "\n");
    }
    return true;
}

/* Digits with a sign and a point, no more than a double holds exactly. @return false if it is not
 * one */
/* Read a number without stdio or a locale, so that the same digits are the same number on every
 * board. */
static bool number(const char *s, double *value)
{
    MF_ASSERT(s != NULL && value != NULL);
    double sum = 0.0, scale = 1.0;
    const bool negative = *s == '-';
    unsigned digits = 0;
    bool point = false;
    for (s += negative || *s == '+' ? 1 : 0; *s != '\0'; s++) {
        if (*s == '.' && !point) {
            point = true;
        } else if (*s >= '0' && *s <= '9' && digits < 15) {
            sum = sum * 10.0 + (double)(*s - '0');
            scale = point ? scale * 10.0 : scale;
            digits++;
        } else {
            return false;
        }
    }
    *value = (negative ? -sum : sum) / scale;
    return digits > 0;
}

/* Numbers are doubles until the type is known. */
static int set_number(struct mf_vehicle *v, enum mf_param param, double value)
{
    MF_ASSERT((unsigned)param < MF_PARAM_COUNT);
    union mf_param_value own;
    if (mf_param_info(param)->is_float) {
        own.f = (float)value;
    } else {
        if (!(value >= -2147483648.0 && value <= 2147483647.0) || (double)(int32_t)value != value) {
            return MF_E_RANGE;
        }
        own.i = (int32_t)value;
    }
    return mf_param_set(v, param, own.bits);
}

/* Set a parameter, as a PARAM_SET of the right type does: checked, sent on every link, and saved. A
 * value for an integer must be whole. */
static bool param_set(const struct call *c)
{
    double value;
    const int param = strlen(c->word[2]) <= MF_PARAM_NAME_MAX ? mf_param_find(c->word[2]) : -1;
    if (param < 0) {
        add(c, "ERROR [param] Parameter ");
        add(c, c->word[2]);
        add(c, " not found.\n");
        return false;
    }
    if (!number(c->word[3], &value)) {
        return only(c, "usage: param set NAME VALUE\n");
    }
    const uint32_t before = c->v->params.value[param];
    MF_ASSERT(param < MF_PARAM_COUNT);
    const int err = set_number(c->v, (enum mf_param)param, value);
    if (err != MF_E_OK) {
        add(c, "ERROR [param] ");
        add(c, mf_err_text(err));
        add(c, "\n");
        return false;
    }
    add(c, "  ");
    add(c, mf_param_info((enum mf_param)param)->name);
    add(c, ": curr: ");
    add_value(c, (enum mf_param)param, before);
    add(c, " -> new: ");
    add_value(c, (enum mf_param)param, c->v->params.value[param]);
    add(c, "\n");
    return false;
}

/* Run those two of PX4's verbs that scripts use. */
static bool param(const struct call *c)
{
    if (is(c->word[1], "show")) {
        return param_show(c);
    }
    return is(c->word[1], "set") ? param_set(c)
                                 : only(c, "usage: param show [NAME|BEGINNING*]\n"
                                           "       param set NAME VALUE\n");
}

/* ---- commander: each verb is a MAVLink command, so it has the checks and the texts of
 * that ---- */

static const struct {
    const char *name;
    enum mf_mode mode;
} k_mode[] = {
    {"manual", MF_MODE_MANUAL},
    {"altctl", MF_MODE_ALTCTL},
    {"posctl", MF_MODE_POSCTL},
    {"auto:mission", MF_MODE_MISSION},
    {"auto:loiter", MF_MODE_HOLD},
    {"auto:rtl", MF_MODE_RTL},
    {"auto:takeoff", MF_MODE_TAKEOFF},
    {"auto:land", MF_MODE_LAND},
    {"auto:follow_target", MF_MODE_FOLLOW},
    {"acro", MF_MODE_ACRO},
    {"offboard", MF_MODE_OFFBOARD},
    {"stabilized", MF_MODE_STABILIZED},
};

/* A command as COMMAND_LONG would bring it, what is not given as not-a-number; and its result. It
 * comes from the client that typed it, whose link is where texts about it go. */
static void command(const struct call *c, const char *name, uint16_t id, const float param[3])
{
    static const char *const k_result[MF_RESULTS] = {
        "accepted", "temporarily rejected", "denied",   "unsupported",
        "failed",   "in progress",          "cancelled"};
    const float none = __builtin_nanf("");
    const struct mf_command m = {
        .from = c->from,
        .id = id,
        .param = {param[0], param[1], param[2], none, none, none, none},
        .lat_deg = (double)none,
        .lon_deg = (double)none,
        .alt_amsl_m = (double)none,
    };
    const uint8_t result = mf_command_run(c->v, &m, c->v->now.vehicle_us);
    MF_ASSERT(result < MF_RESULTS);
    add(c, result == MAV_RESULT_ACCEPTED ? "INFO  [" : "ERROR [");
    add(c, c->word[0]);
    add(c, "] ");
    add(c, name);
    add(c, ": ");
    add(c, k_result[result]);
    add(c, "\n");
}

/* Print the first lines of PX4's `commander status`, in PX4's words. */
static bool status(const struct call *c)
{
    const struct mf_commander *commander = &c->v->commander;
    add(c, commander->armed ? "INFO  [commander] Armed\n" : "INFO  [commander] Disarmed\n");
    add(c, "INFO  [commander] navigation mode: ");
    add(c, mf_mode_info((enum mf_mode)commander->mode)->text);
    add(c, commander->failsafe ? "\nINFO  [commander] in failsafe: yes\n"
                               : "\nINFO  [commander] in failsafe: no\n");
    return false;
}

/* PX4's exit is "OK" or "FAILED"; why follows as texts of the command. */
static bool check(const struct call *c)
{
    const char *denial = mf_health_denial(c->v, c->v->now.vehicle_us);
    add(c, denial[0] == '\0' ? "INFO  [commander] Preflight check: OK\n"
                             : "INFO  [commander] Preflight check: FAILED\n");
    command(c, "check", MAV_CMD_RUN_PREARM_CHECKS, (const float[3]){0});
    return false;
}

/* -f is for disarming: a client's arming is checked in any case. */
static bool arm_or_disarm(const struct call *c, float arm)
{
    const float force = is(c->word[2], "-f") ? FORCE : 0.0f;
    command(c, arm > 0.0f ? "arm" : "disarm", MAV_CMD_COMPONENT_ARM_DISARM,
            (const float[3]){arm, force, 0.0f});
    return false;
}

static bool arm(const struct call *c)
{
    return arm_or_disarm(c, 1.0f);
}

static bool disarm(const struct call *c)
{
    return arm_or_disarm(c, 0.0f);
}

/* Mode first, then arming, as PX4's: armed in another mode it would stay on the ground. */
static bool take_off(const struct call *c)
{
    const float none = __builtin_nanf("");
    command(c, "takeoff", MAV_CMD_NAV_TAKEOFF, (const float[3]){none, none, none});
    return arm(c);
}

/* Land. NAV_LAND of MAVLink lacks parameters that matter to a multicopter. */
static bool land(const struct call *c)
{
    command(c, "land", MAV_CMD_NAV_LAND, (const float[3]){0});
    return false;
}

/* PX4's names of its modes; the numbers that go into the command are those of HEARTBEAT. */
static bool mode(const struct call *c)
{
    for (size_t i = 0; i < sizeof k_mode / sizeof k_mode[0]; i++) {
        if (is(c->word[2], k_mode[i].name)) {
            const struct mf_mode_info *info = mf_mode_info(k_mode[i].mode);
            command(c, "mode", MAV_CMD_DO_SET_MODE, (const float[3]){1.0f, info->main, info->sub});
            return false;
        }
    }
    add(c, "usage: commander mode");
    for (size_t i = 0; i < sizeof k_mode / sizeof k_mode[0]; i++) {
        add(c, i == 0 ? " " : "|");
        add(c, k_mode[i].name);
    }
    add(c, "\n");
    return false;
}

/* Verbs are a table, and usage is what PX4 prints where it does not know one. */
static bool commander(const struct call *c)
{
    static const struct {
        const char *name;
        bool (*run)(const struct call *c);
    } k_verb[] = {{"status", status}, {"check", check},      {"arm", arm},  {"disarm", disarm},
                  {"land", land},     {"takeoff", take_off}, {"mode", mode}};
    for (size_t i = 0; i < sizeof k_verb / sizeof k_verb[0]; i++) {
        if (is(c->word[1], k_verb[i].name)) {
            return k_verb[i].run(c);
        }
    }
    return only(c, "usage: commander status|check|arm [-f]|disarm [-f]|takeoff|land|mode NAME\n");
}

/* ---- reboot: PREFLIGHT_REBOOT_SHUTDOWN, so it is refused while armed ---- */

/* The answer leaves before the vehicle does. */
static bool reboot(const struct call *c)
{
    command(c, "reboot", MAV_CMD_PREFLIGHT_REBOOT_SHUTDOWN, (const float[3]){1.0f, 0.0f, 0.0f});
    return false;
}

/* ---- listener: PX4 prints the last sample of a uORB topic; here a sample is made for the present
 * instant ---- */

/* ---- the log's formats as a description of its bytes: a topic is put as for the log, and read
 * back field by field. A topic that gets a field so needs nothing here.
 *
 * A field of a topic: "float[4] q;" */
struct field {
    const char *type, *name; /* not terminated */
    size_t type_len, name_len, count;
};

/* Find the next field of a format. Formats are the tables of log_topics.h, so they are well-formed;
 * counts have one digit. @return the rest of the text; NULL: the fields have ended */
static const char *next_field(const char *fields, struct field *f)
{
    const char *end = strchr(fields, ';');
    const char *space = strchr(fields, ' ');
    if (end == NULL || space == NULL) {
        return NULL;
    }
    *f = (struct field){.type = fields, .name = space + 1, .count = 1};
    f->type_len = (size_t)(space - fields);
    f->name_len = (size_t)(end - f->name);
    /* tables of our own: type, space, name, semicolon */
    MF_ASSERT(f->type_len > 0 && f->name_len > 0);
    const char *bracket = strchr(fields, '[');
    if (bracket != NULL && bracket < space) {
        f->type_len = (size_t)(bracket - fields);
        f->count = (size_t)(bracket[1] - '0');
    }
    return end + 1;
}

static uint64_t get_le(const uint8_t *bytes, size_t n)
{
    uint64_t value = 0;
    MF_ASSERT(n <= sizeof value);
    for (size_t i = 0; i < n; i++) {
        value |= (uint64_t)bytes[i] << 8 * i;
    }
    return value;
}

/* Integers are shown unsigned, floats with five decimals and doubles with six: enough for degrees
 * to a tenth of a metre.
 * @return bytes that the value takes */
static size_t add_field_value(struct mf_text *out, const struct field *f, const uint8_t *bytes)
{
    MF_ASSERT(f->type_len > 0 && f->count > 0);
    static const struct {
        const char *name;
        size_t size;
    } k_integer[] = {
        {"uint64_t", 8}, {"uint32_t", 4}, {"uint16_t", 2}, {"uint8_t", 1}, {"bool", 1}};
    if (strncmp(f->type, "float", f->type_len) == 0) {
        mf_text_add_float(out, (double)mf_f32_from_bits((uint32_t)get_le(bytes, 4)), 5);
        return 4;
    }
    for (size_t i = 0; i < sizeof k_integer / sizeof k_integer[0]; i++) {
        if (strncmp(f->type, k_integer[i].name, f->type_len) == 0) {
            mf_text_add_int(out, (int64_t)get_le(bytes, k_integer[i].size));
            return k_integer[i].size;
        }
    }
    const uint64_t bits = get_le(bytes, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    mf_text_add_float(out, value, 6);
    return 8;
}

/* Print field number @p wanted; the timestamp is number 0. Each field has a new sample: at one
 * instant all are equal, and a listing that waits for room shows a moving vehicle. */
static bool show_field(const struct call *c, const struct mf_log_topic_info *topic, size_t wanted)
{
    struct mf_log_record r = {.n = 0};
    struct field f;
    const mf_us_t now_us = c->v->now.vehicle_us;
    const char *rest = topic->fields;
    size_t at = 0;
    mf_log_u64(&r, (uint64_t)now_us);
    topic->put(c->v, now_us, &r);
    for (size_t i = 0; (rest = next_field(rest, &f)) != NULL; i++) {
        struct mf_text values = mf_text(f.count > 1 ? "[" : "");
        for (size_t n = 0; n < f.count; n++) {
            mf_text_add(&values, n > 0 ? ", " : "");
            MF_ASSERT(at < r.n);
            at += add_field_value(&values, &f, &r.bytes[at]);
            MF_ASSERT(at <= r.n);
        }
        if (i == wanted) {
            add(c, "    ");
            for (size_t n = 0; n < f.name_len; n++) {
                add(c, (const char[]){f.name[n], '\0'});
            }
            add(c, ": ");
            add(c, values.s);
            add(c, f.count > 1 ? "]\n" : "\n");
            return rest[0] != '\0';
        }
    }
    return false;
}

/* Print a topic; without an existing topic, list all. */
static bool listener(const struct call *c)
{
    MF_ASSERT(c->piece <= MF_LOG_TOPIC_COUNT || !is(c->word[1], ""));
    for (unsigned i = 0; i < MF_LOG_TOPIC_COUNT; i++) {
        const struct mf_log_topic_info *topic = mf_log_topic((enum mf_log_topic)i);
        if (is(c->word[1], topic->name)) {
            if (c->piece > 0) {
                return show_field(c, topic, c->piece - 1u);
            }
            add(c, "TOPIC: ");
            add(c, topic->name);
            add(c, "\n");
            return true;
        }
    }
    if (c->piece == 0) {
        add(c, "usage: listener TOPIC, of\n");
    } else {
        add(c, "  ");
        add(c, mf_log_topic((enum mf_log_topic)(c->piece - 1))->name);
        add(c, "\n");
    }
    return c->piece < MF_LOG_TOPIC_COUNT;
}

/* ---- top, dmesg: what a person asks first when something is late, or has been said and is gone
 * ---- */

/* PX4's top shows the load of its tasks; here a task takes no vehicle time, so when it runs next is
 * what can be shown. */
static bool top(const struct call *c)
{
    static const struct {
        const char *name, *clock;
    } k_task[MF_TASK_COUNT] = {
#define X(name, entry, clock, kind) {#name, #clock},
        MF_TASK_LIST(X)
#undef X
    };
    const struct mf_vehicle *v = c->v;
    if (c->piece == 0) {
        add(c, "passes ");
        mf_text_add_int(c->out, v->counters.passes);
        add(c, ", tasks run ");
        mf_text_add_int(c->out, v->counters.tasks);
        add(c, ", overruns ");
        mf_text_add_int(c->out, v->counters.overruns);
        add(c, ", uptime ");
        mf_text_add_float(c->out, (double)v->now.vehicle_us * 1e-6, 3);
        add(c, " s\nTASK, CLOCK, DUE IN [s]\n");
        return true;
    }
    const size_t task = c->piece - 1u;
    MF_ASSERT(task < MF_TASK_COUNT);
    const bool transport = is(k_task[task].clock, "TRANSPORT");
    const mf_us_t now_us = transport ? v->now.transport_us : v->now.vehicle_us;
    add(c, k_task[task].name);
    add(c, transport ? ", transport, " : ", vehicle, ");
    if (v->due_us[task] == MF_NEVER) {
        add(c, "never\n");
    } else {
        mf_text_add_float(c->out, (double)(v->due_us[task] - now_us) * 1e-6, 3);
        add(c, "\n");
    }
    return c->piece < MF_TASK_COUNT;
}

/* The journal keeps a ring of texts: without one there is nothing to show. */
static bool dmesg(const struct call *c)
{
    if (c->v->journal == NULL) {
        return false;
    }
    const struct mf_texts_said *said = &c->v->journal->texts;
    const uint32_t kept = said->count < MF_TEXTS_KEPT ? said->count : MF_TEXTS_KEPT;
    if (c->piece >= kept) {
        return false;
    }
    const size_t i = (said->count - kept + c->piece) % MF_TEXTS_KEPT; /* the oldest first */
    MF_ASSERT(said->last[i].t_us <= c->v->now.vehicle_us);
    add(c, "[");
    mf_text_add_float(c->out, (double)said->last[i].t_us * 1e-6, 3);
    add(c, "] ");
    add(c, said->last[i].s);
    add(c, "\n");
    return c->piece + 1u < kept;
}

/* ---- the table: in the order of names, as help prints it ---- */

static bool help(const struct call *c);

static const struct {
    const char *name;
    bool (*run)(const struct call *c);
    const char *brief;
} k_command[] = {
    {"commander", commander, "status|check|arm|disarm|takeoff|land|mode NAME"},
    {"dmesg", dmesg, "the last texts"},
    {"help", help, "this"},
    {"listener", listener, "TOPIC: one sample of a topic of the flight log"},
    {"param", param, "show [NAME|BEGINNING*]|set NAME VALUE"},
    {"reboot", reboot, "begin anew"},
    {"top", top, "the tasks of the vehicle"},
    {"ver", ver, "all: versions"},
};

#define COMMANDS (sizeof k_command / sizeof k_command[0])

/* A line for each command, this one too. */
static bool help(const struct call *c)
{
    if (c->piece == 0) {
        add(c, "Commands:\n");
        return true;
    }
    add(c, "  ");
    MF_ASSERT(c->piece > 0 && c->piece <= COMMANDS);
    add(c, k_command[c->piece - 1].name);
    add(c, " ");
    add(c, k_command[c->piece - 1].brief);
    add(c, "\n");
    return c->piece < COMMANDS;
}

/* Words are what spaces part; there may be more than any command looks at. In place: the line is a
 * copy of its own. */
static void split(char *line, const char *word[MF_SHELL_WORDS_MAX])
{
    size_t n = 0;
    for (size_t i = 0; i < MF_SHELL_WORDS_MAX; i++) {
        word[i] = "";
    }
    bool inside = false;
    for (; *line != '\0' && (inside || n < MF_SHELL_WORDS_MAX); line++) {
        if (*line == ' ') {
            *line = '\0';
            inside = false;
        } else if (!inside) {
            MF_ASSERT(n < MF_SHELL_WORDS_MAX);
            word[n++] = line;
            inside = true;
        }
    }
}

/* Run a line's piece. An empty line prints only the prompt. */
bool mf_shell_piece(struct mf_vehicle *v, struct mf_peer from, char *line, uint16_t piece,
                    struct mf_text *out)
{
    struct call c = {.v = v, .from = from, .piece = piece, .out = out};
    MF_ASSERT(strlen(line) < MF_SHELL_INPUT_MAX);
    split(line, c.word);
    for (size_t i = 0; i < COMMANDS; i++) {
        if (is(c.word[0], k_command[i].name)) {
            return k_command[i].run(&c);
        }
    }
    if (c.word[0][0] != '\0') {
        mf_text_add(out, "nsh: ");
        mf_text_add(out, c.word[0]);
        mf_text_add(out, ": command not found\n");
    }
    return false;
}
