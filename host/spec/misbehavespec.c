/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of rules of protocol misbehaviour. */
#include "host/spec/misbehavespec.h"

#include "firmware/core/param.h"
#include "host/base/value.h"
#include "mavlink/enums.h"
#include "mavlink/names.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MESSAGE_ID_MAX 0xFFFFFFu
#define MAV_CMD_WORD   "MAV_CMD_"

static const struct {
    const char *word;
} k_selector[] = {
#define X(name, word) [MF_SELECTOR_##name] = {word},
    MF_RULE_SELECTOR_LIST(X)
#undef X
};

static const struct {
    const char *word;
    uint32_t low, high;
} k_value[] = {
#define X(name, word, low, high) [MF_VALUE_##name] = {word, low, high},
    MF_RULE_VALUE_LIST(X)
#undef X
};

struct named {
    uint32_t id;
    const char *name;
    const char *brief; /* NULL: none */
};

static const struct named k_command[] = {
#define X(name, brief) {MAV_CMD_##name, #name, brief},
    MF_RULE_COMMAND_LIST(X)
#undef X
};

static const struct named k_plan[] = {
#define X(id, name) {id, name, NULL},
    MF_RULE_PLAN_LIST(X)
#undef X
};

static const struct named k_operation[] = {
#define X(id, name) {id, name, NULL},
    MF_RULE_OPERATION_LIST(X)
#undef X
};

/* Names that a selector may have, and its highest number. Names of messages and parameters are in
 * other tables. */
static const struct names {
    const struct named *list;
    size_t count;
    uint32_t highest;
    const char *what;
    const char *listed; /* by which document */
} k_names[] = {
    [MF_SELECTOR_NONE] = {NULL, 0, 0, "", ""},
    [MF_SELECTOR_COMMAND] = {k_command, sizeof k_command / sizeof k_command[0], UINT16_MAX,
                             "MAV_CMD", "docs/misbehaviour.md"},
    [MF_SELECTOR_MESSAGE] = {NULL, 0, MESSAGE_ID_MAX, "message", "docs/messages.md"},
    [MF_SELECTOR_THE_MESSAGE] = {NULL, 0, MESSAGE_ID_MAX, "message", "docs/messages.md"},
    [MF_SELECTOR_PLAN] = {k_plan, sizeof k_plan / sizeof k_plan[0], MAV_MISSION_TYPE_RALLY, "plan",
                          "docs/misbehaviour.md"},
    [MF_SELECTOR_PARAM] = {NULL, 0, MF_PARAM_COUNT - 1, "parameter", "docs/parameters.md"},
    [MF_SELECTOR_OPERATION] = {k_operation, sizeof k_operation / sizeof k_operation[0], UINT8_MAX,
                               "operation of FTP", "docs/misbehaviour.md"},
};

int mf_rule_find(const char *name)
{
    for (int i = 0; i < MF_RULE_COUNT; i++) {
        if (strcmp(mf_rule_info((enum mf_rule_kind)i)->name, name) == 0) {
            return i;
        }
    }
    return MF_E_NOENT;
}

__attribute__((format(printf, 2, 3))) static int refuse(char *reason, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(reason, MF_RULE_REASON_MAX, format, args);
    va_end(args);
    return MF_E_RANGE;
}

static int unknown(const char *name, char *reason)
{
    struct mf_nearest nearest = {.word = name};
    for (size_t i = 0; i < MF_RULE_COUNT; i++) {
        mf_nearest_try(&nearest, mf_rule_info((enum mf_rule_kind)i)->name);
    }
    return nearest.best != NULL
               ? refuse(reason, "rule '%.40s' is not known, did you mean %s?", name, nearest.best)
               : refuse(reason, "rule '%.40s' is not known, docs/misbehaviour.md lists all", name);
}

/* Read a number of digits only. @return false: the text is not such a number, or it is above the
 * highest one */
static bool parse_count(const char *text, uint32_t highest, uint32_t *count)
{
    const size_t n = strlen(text);
    if (n == 0 || n > 9 || strspn(text, "0123456789") != n) {
        return false;
    }
    *count = (uint32_t)strtoul(text, NULL, 10);
    return *count <= highest;
}

static int parse_time(const char *text, double lowest_us, double highest_s, mf_us_t *t_us,
                      char *reason)
{
    double value;
    const char *rest = mf_value_number(text, &value);
    const double unit_us = rest != NULL ? mf_value_unit_us(rest) : 0.0;
    if (unit_us <= 0.0) {
        return refuse(
            reason,
            "'%.40s' is not a time, allowed: a number with us, ms, s, m, min or h, such as 30s",
            text);
    }
    const double us = value * unit_us;
    if (us < lowest_us || us > highest_s * 1e6) {
        return refuse(reason, "time %.40s is out of range, allowed: %s .. %g s", text,
                      lowest_us > 0.0 ? "above 0" : "0", highest_s);
    }
    *t_us = (mf_us_t)(us + 0.5);
    return MF_E_OK;
}

/* ---- selectors */

static bool find_in_list(const struct names *names, const char *text, uint32_t *id,
                         struct mf_nearest *nearest)
{
    for (size_t i = 0; i < names->count; i++) {
        const struct named *n = &names->list[i];
        if (strcasecmp(text, n->name) == 0 ||
            (n->brief != NULL && strcasecmp(text, n->brief) == 0)) {
            *id = n->id;
            return true;
        }
        mf_nearest_try(nearest, n->name);
        if (n->brief != NULL) {
            mf_nearest_try(nearest, n->brief);
        }
    }
    return false;
}

static bool find_message(const char *text, uint32_t *id, struct mf_nearest *nearest)
{
    size_t count;
    const struct mf_msg_info *table = mf_msg_table(&count);
    for (size_t i = 0; i < count; i++) {
        const char *name = mf_msg_name(table[i].id);
        if (strcasecmp(text, name) == 0) {
            *id = table[i].id;
            return true;
        }
        mf_nearest_try(nearest, name);
    }
    return false;
}

static bool find_param(const char *text, uint32_t *id, struct mf_nearest *nearest)
{
    const int param = strlen(text) < MF_RULE_NAME_MAX ? mf_param_find(text) : MF_E_NOENT;
    for (int i = 0; param < 0 && i < MF_PARAM_COUNT; i++) {
        mf_nearest_try(nearest, mf_param_info((enum mf_param)i)->name);
    }
    *id = param >= 0 ? (uint32_t)param : 0;
    return param >= 0;
}

static bool find_name(enum mf_rule_selector selector, const char *text, uint32_t *id,
                      struct mf_nearest *nearest)
{
    switch (selector) {
    case MF_SELECTOR_MESSAGE:
    case MF_SELECTOR_THE_MESSAGE:
        return find_message(text, id, nearest);
    case MF_SELECTOR_PARAM:
        return find_param(text, id, nearest);
    case MF_SELECTOR_COMMAND:
    case MF_SELECTOR_PLAN:
    case MF_SELECTOR_OPERATION:
        return find_in_list(&k_names[selector], text, id, nearest);
    case MF_SELECTOR_NONE:
    default:
        return false;
    }
}

static int parse_selector(const char *text, struct mf_rule *rule, char *reason)
{
    const enum mf_rule_selector selector = mf_rule_info(rule->kind)->selector;
    const struct names *names = &k_names[selector];
    if (selector == MF_SELECTOR_NONE) {
        return refuse(reason, "%s takes nothing in parentheses", mf_rule_info(rule->kind)->name);
    }
    if (selector == MF_SELECTOR_COMMAND &&
        strncasecmp(text, MAV_CMD_WORD, sizeof MAV_CMD_WORD - 1) == 0) {
        text += sizeof MAV_CMD_WORD - 1;
    }
    struct mf_nearest nearest = {.word = text};
    const bool number = selector != MF_SELECTOR_PARAM && text[0] >= '0' && text[0] <= '9';
    rule->selected = number ? parse_count(text, names->highest, &rule->id)
                            : find_name(selector, text, &rule->id, &nearest);
    if (!rule->selected && number) {
        return refuse(reason, "%s: %.40s is out of range, allowed: 0 .. %" PRIu32,
                      mf_rule_info(rule->kind)->name, text, names->highest);
    }
    if (!rule->selected) {
        const bool near = nearest.best != NULL;
        return refuse(reason, "%s: '%.40s' is not a known %s, %s%s%s",
                      mf_rule_info(rule->kind)->name, text, names->what,
                      near ? "did you mean " : "", near ? nearest.best : names->listed,
                      near ? "?" : " lists them");
    }
    if (selector == MF_SELECTOR_PARAM) {
        (void)snprintf(rule->name, sizeof rule->name, "%s", text);
    }
    return MF_E_OK;
}

/* ---- the other parts */

static int parse_value(const char *text, struct mf_rule *rule, char *reason)
{
    const struct mf_rule_info *info = mf_rule_info(rule->kind);
    if (info->value == MF_VALUE_NONE) {
        return refuse(reason, "%s takes no value", info->name);
    }
    if (info->value == MF_VALUE_DELAY) {
        return parse_time(text, 0.0, MF_RULE_DELAY_MAX_S, &rule->delay_us, reason);
    }
    if (!parse_count(text, k_value[info->value].high, &rule->value) ||
        rule->value < k_value[info->value].low) {
        return refuse(reason, "%s: '%.40s' is not a valid %s, allowed: %" PRIu32 " .. %" PRIu32,
                      info->name, text, k_value[info->value].word, k_value[info->value].low,
                      k_value[info->value].high);
    }
    return MF_E_OK;
}

static int parse_times(const char *text, struct mf_rule *rule, char *reason)
{
    if (!parse_count(text, MF_RULE_TIMES_MAX, &rule->times) || rule->times == 0) {
        return refuse(reason, "%s: '%.40s' is not a number of times, allowed: 1 .. %u",
                      mf_rule_info(rule->kind)->name, text, MF_RULE_TIMES_MAX);
    }
    return MF_E_OK;
}

/* Cut a text at a mark. @return the part after the mark; NULL: the mark is missing */
static char *cut_at(char *text, char mark)
{
    char *at = text != NULL ? strchr(text, mark) : NULL;
    if (at != NULL) {
        *at++ = '\0';
    }
    return at;
}

/* Parts of a rule, in the order of the text. They are cut off from the last one to the first, since
 * a mark ends the part before it. */
struct parts {
    char *name, *selector, *value, *times, *from, *duration;
};

static int cut_parts(char *text, struct parts *p, char *reason)
{
    p->from = cut_at(text, '@');
    p->duration = cut_at(p->from != NULL ? p->from : text, '+');
    if (p->from != NULL && strchr(text, '+') != NULL) {
        return refuse(reason, "the time (@) comes before the duration (+), such as %s@30s+10s",
                      mf_rule_info((enum mf_rule_kind)0)->name);
    }
    p->times = cut_at(text, '*');
    p->value = cut_at(text, '=');
    p->selector = cut_at(text, '(');
    if (p->selector != NULL) {
        char *end = strchr(p->selector, ')');
        if (end == NULL || end[1] != '\0') {
            return refuse(reason, "'%.40s(%.40s': the parenthesis must end before =, * and @", text,
                          p->selector);
        }
        *end = '\0';
    }
    return MF_E_OK;
}

static int parse_parts(const struct parts *p, struct mf_rule *rule, char *reason)
{
    const struct mf_rule_info *info = mf_rule_info(rule->kind);
    if (p->selector == NULL && info->selector == MF_SELECTOR_THE_MESSAGE) {
        return refuse(reason, "%s needs a name in parentheses, such as %s(GLOBAL_POSITION_INT)",
                      info->name, info->name);
    }
    if ((p->selector != NULL && parse_selector(p->selector, rule, reason) != MF_E_OK) ||
        (p->value != NULL && parse_value(p->value, rule, reason) != MF_E_OK) ||
        (p->times != NULL && parse_times(p->times, rule, reason) != MF_E_OK) ||
        (p->from != NULL &&
         parse_time(p->from, 0.0, MF_RULE_TIME_MAX_S, &rule->from_us, reason) != MF_E_OK)) {
        return MF_E_RANGE;
    }
    return p->duration != NULL
               ? parse_time(p->duration, 1.0, MF_RULE_TIME_MAX_S, &rule->for_us, reason)
               : MF_E_OK;
}

int mf_rule_spec_parse(const char *text, size_t n, struct mf_rule *rule, char *reason)
{
    char copy[MF_RULE_SPEC_MAX];
    struct parts parts = {.name = copy};
    if (n >= sizeof copy) {
        return refuse(reason, "the rule is longer than %u characters", MF_RULE_SPEC_MAX - 1);
    }
    memcpy(copy, text, n);
    copy[n] = '\0';
    if (cut_parts(copy, &parts, reason) != MF_E_OK) {
        return MF_E_RANGE;
    }
    const int kind = mf_rule_find(parts.name);
    if (kind < 0) {
        return unknown(parts.name, reason);
    }
    const struct mf_rule_info *info = mf_rule_info((enum mf_rule_kind)kind);
    memset(rule, 0, sizeof *rule);
    rule->kind = (enum mf_rule_kind)kind;
    rule->times = info->times;
    rule->for_us = MF_NEVER;
    if (info->value == MF_VALUE_DELAY) {
        rule->delay_us = (mf_us_t)info->by_default * MF_SECOND_US;
    } else {
        rule->value = info->by_default;
    }
    return parse_parts(&parts, rule, reason);
}

/* ---- rules as texts */

__attribute__((format(printf, 2, 3))) static void add(char *text, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text + used, MF_RULE_SPEC_MAX - used, format, args);
    va_end(args);
}

static void add_time(char *text, char mark, mf_us_t t_us)
{
    char time[MF_VALUE_TIME_MAX];
    mf_value_time_text(t_us, time);
    add(text, "%c%s", mark, time);
}

static const char *name_of(const struct mf_rule *rule)
{
    const enum mf_rule_selector selector = mf_rule_info(rule->kind)->selector;
    const struct names *names = &k_names[selector];
    if (selector == MF_SELECTOR_PARAM) {
        return rule->name;
    }
    if (selector == MF_SELECTOR_MESSAGE || selector == MF_SELECTOR_THE_MESSAGE) {
        return mf_msg_name(rule->id);
    }
    for (size_t i = 0; i < names->count; i++) {
        if (names->list[i].id == rule->id) {
            return names->list[i].name;
        }
    }
    return NULL;
}

void mf_rule_spec_print(const struct mf_rule *rule, char *text)
{
    const struct mf_rule_info *info = mf_rule_info(rule->kind);
    text[0] = '\0';
    add(text, "%s", info->name);
    if (rule->selected) {
        const char *name = name_of(rule);
        if (name != NULL) {
            add(text, "(%s)", name);
        } else {
            add(text, "(%" PRIu32 ")", rule->id);
        }
    }
    if (info->value == MF_VALUE_DELAY) {
        add_time(text, '=', rule->delay_us);
    } else if (info->value != MF_VALUE_NONE) {
        add(text, "=%" PRIu32, rule->value);
    }
    if (rule->times > 0) {
        add(text, "*%" PRIu32, rule->times);
    }
    if (rule->from_us > 0 || rule->for_us != MF_NEVER) {
        add_time(text, '@', rule->from_us);
    }
    if (rule->for_us != MF_NEVER) {
        add_time(text, '+', rule->for_us);
    }
}

void mf_rule_takes(enum mf_rule_kind kind, char *text, size_t size)
{
    const struct mf_rule_info *info = mf_rule_info(kind);
    const char *selector = k_selector[info->selector].word;
    const char *value = k_value[info->value].word;
    (void)snprintf(text, size, "%s%s%s%s%s", selector[0] != '\0' ? "(" : "", selector,
                   selector[0] != '\0' ? ")" : "", value[0] != '\0' ? "=" : "", value);
}
