/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of a drone: their table, and how a text is read as a value, for config_read.c and
 * config_yaml.c. */
#include "host/config/config.h"

#include "host/base/value.h"
#include "host/config/config_item.h"

#include <ctype.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define OFFSET_INT(field)     offsetof(struct mf_config, field)
#define OFFSET_REAL(field)    offsetof(struct mf_config, field)
#define OFFSET_BOOL(field)    offsetof(struct mf_config, field)
#define OFFSET_TEXT(field)    offsetof(struct mf_config, field)
#define OFFSET_WORD(field)    offsetof(struct mf_config, field)
#define OFFSET_UTC(field)     offsetof(struct mf_config, field)
#define OFFSET_CLOCK(field)   offsetof(struct mf_config, field)
#define OFFSET_QUALITY(field) offsetof(struct mf_config, field)
#define OFFSET_HOME(field)    0
#define OFFSET_LINK(field)    0
#define OFFSET_FAULT(field)   0
#define OFFSET_RULE(field)    0
#define OFFSET_GEOID(field)   0
#define OFFSET_PARAM(field)   0
#define OFFSET_RATE(field)    0
#define OFFSET_DO(field)      0

const struct mf_config_item mf_config_items[MF_CONFIG_ITEM_COUNT] = {
#define X(group, type, field, key, env, flag, value, low, high, unit, help) \
    {MF_GROUP_##group,                                                      \
     MF_TYPE_##type,                                                        \
     OFFSET_##type(field),                                                  \
     key,                                                                   \
     env,                                                                   \
     flag,                                                                  \
     value,                                                                 \
     low,                                                                   \
     high,                                                                  \
     unit,                                                                  \
     help},
    MF_CONFIG_LIST(X)
#undef X
};

/* Format of a user's text in a complaint: at most 60 characters. The characters are unchanged. */
#define SHOWN "%.60s"

/* Name and value of a command-line option or environment variable. */
struct given {
    const char *name;
    size_t name_len;
    const char *value; /* NULL: without a value */
};

int mf_config_complain(struct mf_config *config, const struct mf_config_origin *origin,
                       const char *format, ...)
{
    const struct mf_config_item *item = &mf_config_items[origin->item];
    char what[MF_CONFIG_ERROR_MAX / 2];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    switch (origin->layer) {
    case MF_LAYER_FILE:
        (void)snprintf(config->error, sizeof config->error, "%.200s:%d: %s: %s", config->config,
                       origin->line, item->key, what);
        break;
    case MF_LAYER_ENVIRONMENT:
        (void)snprintf(config->error, sizeof config->error, "%s: %s", item->env, what);
        break;
    case MF_LAYER_FLAG:
        (void)snprintf(config->error, sizeof config->error, "%s: %s", item->flag, what);
        break;
    case MF_LAYER_DEFAULT:
    default:
        (void)snprintf(config->error, sizeof config->error, "%s: %s", item->key, what);
        break;
    }
    return MF_E_RANGE;
}

struct mf_config_origin mf_config_origin_of(const struct mf_config *config,
                                            enum mf_config_item_id item)
{
    return (struct mf_config_origin){
        .layer = config->layer[item], .item = item, .line = config->line[item]};
}

bool mf_config_same_key(const char *a, const char *b)
{
    for (; *a != '\0' && *b != '\0'; a++, b++) {
        if ((*a == '-' ? '_' : *a) != (*b == '-' ? '_' : *b)) {
            return false;
        }
    }
    return *a == *b;
}

/* ---- single values */

static void *field_of(struct mf_config *config, const struct mf_config_item *item)
{
    return (char *)config + item->offset;
}

/* Read a number within the item's range, with or without its unit. */
static int parse_number(struct mf_config *config, const struct mf_config_origin *origin,
                        const struct mf_config_item *item, const char *text, double *value)
{
    const char *space = item->unit[0] != '\0' ? " " : "";
    const char *rest = mf_value_number(text, value);
    if (rest == NULL) {
        return mf_config_complain(config, origin,
                                  "'" SHOWN "' is not a number, allowed: %.10g .. %.10g%s%s", text,
                                  item->low, item->high, space, item->unit);
    }
    const bool percent = strcmp(item->unit, "percent") == 0 && strcmp(rest, "%") == 0;
    if (*rest != '\0' && !percent && (item->unit[0] == '\0' || strcmp(rest, item->unit) != 0)) {
        return mf_config_complain(
            config, origin, "'" SHOWN "': '%.20s' is not its unit, allowed: %.10g .. %.10g%s%s",
            text, rest, item->low, item->high, space, item->unit);
    }
    if (*value < item->low || *value > item->high) {
        return mf_config_complain(config, origin,
                                  SHOWN " is out of range, allowed: %.10g .. %.10g%s%s", text,
                                  item->low, item->high, space, item->unit);
    }
    return MF_E_OK;
}

/* Find the digits of a name such as "mayfly-3", which a StatefulSet gives to a pod. @return NULL:
 * the text is not such a name */
static const char *ordinal_of(const char *text)
{
    const size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789.-");
    const char *dash = strrchr(text, '-');
    if (!islower((unsigned char)text[0]) || text[n] != '\0' || dash == NULL ||
        !isalnum((unsigned char)dash[-1]) || dash[1] == '\0' ||
        dash[1 + strspn(dash + 1, "0123456789")] != '\0') {
        return NULL;
    }
    return dash + 1;
}

static int set_int(struct mf_config *config, const struct mf_config_origin *origin,
                   const char *text)
{
    const struct mf_config_item *item = &mf_config_items[origin->item];
    double value;
    if (parse_number(config, origin, item, text, &value) != MF_E_OK) {
        return MF_E_RANGE;
    }
    const int32_t whole = (int32_t)value;
    if ((double)whole != value) {
        return mf_config_complain(config, origin,
                                  SHOWN " is not a whole number, allowed: %.10g .. %.10g", text,
                                  item->low, item->high);
    }
    *(int32_t *)field_of(config, item) = whole;
    return MF_E_OK;
}

/* Set the instance: a number, or a name that ends with one. */
static int set_instance(struct mf_config *config, const struct mf_config_origin *origin,
                        const char *text)
{
    const struct mf_config_item *item = &mf_config_items[origin->item];
    if (!isalpha((unsigned char)text[0])) {
        return set_int(config, origin, text);
    }
    const char *digits = ordinal_of(text);
    if (digits == NULL) {
        return mf_config_complain(config, origin,
                                  "'" SHOWN "' is neither a number nor a pod of a StatefulSet, "
                                  "allowed: %.10g .. %.10g, or a name such as mayfly-3",
                                  text, item->low, item->high);
    }
    return set_int(config, origin, digits);
}

static int set_real(struct mf_config *config, const struct mf_config_origin *origin,
                    const char *text)
{
    const struct mf_config_item *item = &mf_config_items[origin->item];
    return parse_number(config, origin, item, text, field_of(config, item));
}

static int set_bool(struct mf_config *config, const struct mf_config_origin *origin,
                    const char *text)
{
    if (!mf_value_bool(text, field_of(config, &mf_config_items[origin->item]))) {
        return mf_config_complain(config, origin,
                                  "'" SHOWN "' is neither yes nor no, allowed: true, false", text);
    }
    return MF_E_OK;
}

static int copy_text(struct mf_config *config, const struct mf_config_origin *origin,
                     const char *text, char *to, size_t size)
{
    const size_t n = strlen(text);
    if (n == 0) {
        return mf_config_complain(config, origin, "is empty, allowed: %s",
                                  mf_config_items[origin->item].unit);
    }
    if (n >= size) {
        return mf_config_complain(config, origin, "'%.20s...' is too long, allowed: %u characters",
                                  text, (unsigned)size - 1u);
    }
    memcpy(to, text, n + 1);
    return MF_E_OK;
}

static int set_text(struct mf_config *config, const struct mf_config_origin *origin,
                    const char *text)
{
    char *field = field_of(config, &mf_config_items[origin->item]);
    if (strcmp(text, "none") == 0) {
        field[0] = '\0';
        return MF_E_OK;
    }
    return copy_text(config, origin, text, field, MF_CONFIG_TEXT_MAX);
}

bool mf_config_nth_word(const struct mf_config_item *item, int n, char *word)
{
    const char *at = item->unit;
    for (; n > 0; n--) {
        at = strchr(at, '|');
        if (at == NULL) {
            return false;
        }
        at++;
    }
    const size_t length = strcspn(at, "|");
    MF_ASSERT(length < MF_CONFIG_NAME_MAX);
    memcpy(word, at, length);
    word[length] = '\0';
    return true;
}

int mf_config_word(struct mf_config *config, const struct mf_config_origin *origin,
                   enum mf_config_item_id item_id, const char *text)
{
    const struct mf_config_item *item = &mf_config_items[item_id];
    char word[MF_CONFIG_NAME_MAX];
    for (int i = 0; mf_config_nth_word(item, i, word); i++) {
        if (strcmp(text, word) == 0) {
            return i;
        }
    }
    return mf_config_complain(config, origin, "'" SHOWN "' is not known, allowed: %s", text,
                              item->unit);
}

static int set_word(struct mf_config *config, const struct mf_config_origin *origin,
                    const char *text)
{
    const int word = mf_config_word(config, origin, origin->item, text);
    if (word < 0) {
        return word;
    }
    *(int *)field_of(config, &mf_config_items[origin->item]) = word;
    return MF_E_OK;
}

const char *const mf_clock_name[MF_CLOCK_COUNT] = {
#define X(name, word) [MF_CLOCK_##name] = word,
    MF_CLOCK_LIST(X)
#undef X
};

int mf_clock_find(const char *word)
{
    for (int i = 0; i < MF_CLOCK_COUNT; i++) {
        if (strcmp(word, mf_clock_name[i]) == 0) {
            return i;
        }
    }
    return MF_E_NOENT;
}

static int set_clock(struct mf_config *config, const struct mf_config_origin *origin,
                     const char *text)
{
    const struct mf_config_item *item = &mf_config_items[origin->item];
    struct mf_config_clock *clock = field_of(config, item);
    const int kind = mf_clock_find(text);
    if (kind >= 0) {
        *clock = (struct mf_config_clock){(enum mf_clock_kind)kind, 1.0};
        return MF_E_OK;
    }
    char *end = NULL;
    const double rate = text[0] == 'x' ? strtod(text + 1, &end) : 0.0;
    if (end == NULL || end == text + 1 || *end != '\0' ||
        !(rate >= item->low && rate <= item->high)) {
        return mf_config_complain(config, origin,
                                  "'" SHOWN "' is not known, allowed: %s with N %g .. %g", text,
                                  item->unit, item->low, item->high);
    }
    *clock = (struct mf_config_clock){MF_CLOCK_SCALED, rate};
    return MF_E_OK;
}

int mf_config_set_quality(struct mf_config *config, const struct mf_config_origin *origin,
                          const char *text, struct mf_link_quality *quality)
{
    char reason[MF_LINK_REASON_MAX];
    if (mf_link_spec_parse(text, quality, reason) != MF_E_OK) {
        return mf_config_complain(config, origin, "%s", reason);
    }
    return MF_E_OK;
}

const struct mf_link_quality *mf_config_quality(const struct mf_config *config,
                                                const struct mf_config_link *link)
{
    return link->has_quality ? &link->quality : &config->link_quality;
}

static int set_utc(struct mf_config *config, const struct mf_config_origin *origin,
                   const char *text)
{
    int64_t *us = field_of(config, &mf_config_items[origin->item]);
    if (strcmp(text, "now") == 0) {
        *us = 0;
        return MF_E_OK;
    }
    if (!mf_value_utc(text, us)) {
        return mf_config_complain(config, origin,
                                  "'" SHOWN
                                  "' is not a time, allowed: now, seconds since 1970-01-01, or "
                                  "2026-03-01T12:00:00Z",
                                  text);
    }
    return MF_E_OK;
}

/* ---- lists: one element, or several with commas */

static const char k_blanks[] = " \t\n"; /* removed at both ends of an element */

bool mf_config_is_element(const char *text)
{
    const size_t n = strlen(text);
    return n > 0 && strchr(text, ',') == NULL && strchr(k_blanks, text[0]) == NULL &&
           strchr(k_blanks, text[n - 1]) == NULL;
}

/* Take the next element of a list, trimmed. @param list  in and out: the rest @return NULL: the
 * list has ended */
static char *next_element(char **list)
{
    char *element = *list;
    if (element == NULL) {
        return NULL;
    }
    char *comma = strchr(element, ',');
    *list = comma == NULL ? NULL : comma + 1;
    if (comma != NULL) {
        *comma = '\0';
    }
    element += strspn(element, k_blanks);
    for (size_t n = strlen(element); n > 0 && strchr(k_blanks, element[n - 1]) != NULL; n--) {
        element[n - 1] = '\0';
    }
    return element;
}

static int set_home(struct mf_config *config, const struct mf_config_origin *origin, char *list)
{
    static const enum mf_config_item_id k_part[] = {MF_CONFIG_home_lat_deg, MF_CONFIG_home_lon_deg,
                                                    MF_CONFIG_home_alt_amsl_m,
                                                    MF_CONFIG_home_yaw_deg};
    size_t count = 0;
    for (char *element = next_element(&list); element != NULL;
         element = next_element(&list), count++) {
        if (count == sizeof k_part / sizeof k_part[0]) {
            count = 0; /* more elements than a home has */
            break;
        }
        const struct mf_config_item *part = &mf_config_items[k_part[count]];
        if (parse_number(config, origin, part, element, field_of(config, part)) != MF_E_OK) {
            return MF_E_RANGE;
        }
    }
    if (count < 3) {
        return mf_config_complain(
            config, origin,
            "is not a place, allowed: LAT,LON,ALT_AMSL or LAT,LON,ALT_AMSL,HEADING");
    }
    return MF_E_OK;
}

static void remove_links(struct mf_config *config, enum mf_link_kind kind)
{
    uint16_t kept = 0;
    for (uint16_t i = 0; i < config->link_count; i++) {
        if (config->link[i].kind != kind) {
            config->link[kept++] = config->link[i];
        }
    }
    config->link_count = kept;
}

int mf_config_add_link(struct mf_config *config, const struct mf_config_origin *origin,
                       const char *address)
{
    const enum mf_link_kind kind = (enum mf_link_kind)mf_config_items[origin->item].low;
    const bool none = strcmp(address, "none") == 0;
    if (none || config->link_layer[kind] != origin->layer) {
        remove_links(config, kind);
        config->link_layer[kind] = origin->layer;
    }
    if (none) {
        return -1;
    }
    if (config->link_count == MF_CONFIG_LINKS_MAX) {
        return mf_config_complain(config, origin, "more than %u links", MF_CONFIG_LINKS_MAX);
    }
    struct mf_config_link *link = &config->link[config->link_count];
    *link = (struct mf_config_link){
        .kind = kind, .id = config->link_ids++, .profile = -1, .forward = -1, .origin = *origin};
    if (copy_text(config, origin, address, link->address, sizeof link->address) != MF_E_OK) {
        return MF_E_RANGE;
    }
    return config->link_count++;
}

static int set_links(struct mf_config *config, const struct mf_config_origin *origin, char *list)
{
    for (char *element = next_element(&list); element != NULL; element = next_element(&list)) {
        if (mf_config_add_link(config, origin, element) == MF_E_RANGE) {
            return MF_E_RANGE;
        }
    }
    return MF_E_OK;
}

static int set_faults(struct mf_config *config, const struct mf_config_origin *origin, char *list)
{
    if (config->fault_layer != origin->layer || strcmp(list, "none") == 0) {
        config->fault_layer = origin->layer;
        config->fault_count = 0;
    }
    if (strcmp(list, "none") == 0 || list[0] == '\0') {
        return MF_E_OK;
    }
    for (char *element = next_element(&list); element != NULL; element = next_element(&list)) {
        char reason[MF_FAULT_REASON_MAX];
        if (config->fault_count == MF_CONFIG_FAULTS_MAX) {
            return mf_config_complain(config, origin, "more than %u faults", MF_CONFIG_FAULTS_MAX);
        }
        if (mf_fault_spec_parse(element, strlen(element), &config->fault[config->fault_count],
                                reason) != MF_E_OK) {
            return mf_config_complain(config, origin, "%s", reason);
        }
        config->fault_count++;
    }
    return MF_E_OK;
}

static int set_rules(struct mf_config *config, const struct mf_config_origin *origin, char *list)
{
    if (config->rule_layer != origin->layer || strcmp(list, "none") == 0) {
        config->rule_layer = origin->layer;
        config->rule_count = 0;
    }
    if (strcmp(list, "none") == 0 || list[0] == '\0') {
        return MF_E_OK;
    }
    for (char *element = next_element(&list); element != NULL; element = next_element(&list)) {
        char reason[MF_RULE_REASON_MAX];
        if (config->rule_count == MF_CONFIG_RULES_MAX) {
            return mf_config_complain(config, origin, "more than %u rules", MF_CONFIG_RULES_MAX);
        }
        if (mf_rule_spec_parse(element, strlen(element), &config->rule[config->rule_count],
                               reason) != MF_E_OK) {
            return mf_config_complain(config, origin, "%s", reason);
        }
        config->rule_count++;
    }
    return MF_E_OK;
}

static int set_geoids(struct mf_config *config, const struct mf_config_origin *origin, char *list)
{
    if (config->geoid_layer != origin->layer) {
        config->geoid_layer = origin->layer;
        config->geoid_count = 0;
    }
    for (char *element = next_element(&list); element != NULL; element = next_element(&list)) {
        char reason[MF_GEOID_REASON_MAX];
        if (config->geoid_count == MF_CONFIG_GEOIDS_MAX) {
            return mf_config_complain(config, origin, "more than %u models", MF_CONFIG_GEOIDS_MAX);
        }
        struct mf_config_geoid *geoid = &config->geoid[config->geoid_count];
        geoid->origin = *origin;
        if (mf_geoid_spec_parse(element, &geoid->spec, reason) != MF_E_OK) {
            return mf_config_complain(config, origin, "%s", reason);
        }
        config->geoid_count++;
    }
    return MF_E_OK;
}

static int add_param(struct mf_config *config, const struct mf_config_origin *origin,
                     const char *name, const char *text)
{
    if (config->param_count == MF_CONFIG_PARAMS_MAX) {
        return mf_config_complain(config, origin, "more than %u parameters", MF_CONFIG_PARAMS_MAX);
    }
    struct mf_config_param *param = &config->param[config->param_count];
    param->origin = *origin;
    const char *rest = mf_value_number(text, &param->value);
    if (rest == NULL || *rest != '\0') {
        return mf_config_complain(config, origin, "%.20s: '" SHOWN "' is not a number", name, text);
    }
    config->param_count++;
    return copy_text(config, origin, name, param->name, sizeof param->name);
}

static int add_rate(struct mf_config *config, const struct mf_config_origin *origin, int link_id,
                    const char *name, const char *text)
{
    const struct mf_config_item *item = &mf_config_items[MF_CONFIG_streams];
    if (config->rate_count == MF_CONFIG_RATES_MAX) {
        return mf_config_complain(config, origin, "more than %u rates", MF_CONFIG_RATES_MAX);
    }
    struct mf_config_rate *rate = &config->rate[config->rate_count];
    rate->origin = *origin;
    rate->link_id = link_id;
    const char *rest = mf_value_number(text, &rate->hz);
    if (rest == NULL || (*rest != '\0' && strcmp(rest, "Hz") != 0) || rate->hz < item->low ||
        rate->hz > item->high) {
        return mf_config_complain(config, origin,
                                  "%.40s: '" SHOWN "' is not a rate, allowed: %.10g .. %.10g Hz",
                                  name, text, item->low, item->high);
    }
    config->rate_count++;
    return copy_text(config, origin, name, rate->name, sizeof rate->name);
}

int mf_config_set_pair(struct mf_config *config, const struct mf_config_origin *origin, int link_id,
                       const char *name, const char *text)
{
    if (mf_config_items[origin->item].type == MF_TYPE_PARAM) {
        return add_param(config, origin, name, text);
    }
    return add_rate(config, origin, link_id, name, text);
}

static int set_pairs(struct mf_config *config, const struct mf_config_origin *origin, char *list)
{
    for (char *element = next_element(&list); element != NULL; element = next_element(&list)) {
        char *equals = strchr(element, '=');
        if (equals == NULL) {
            return mf_config_complain(config, origin, "'" SHOWN "' is not a pair, allowed: %s",
                                      element, mf_config_items[origin->item].unit);
        }
        *equals = '\0';
        if (mf_config_set_pair(config, origin, -1, element, equals + 1) != MF_E_OK) {
            return MF_E_RANGE;
        }
    }
    return MF_E_OK;
}

static int set_list(struct mf_config *config, const struct mf_config_origin *origin,
                    const char *text)
{
    char copy[4096];
    if (strlen(text) >= sizeof copy) {
        return mf_config_complain(config, origin, "is too long, allowed: %zu characters",
                                  sizeof copy - 1);
    }
    memcpy(copy, text, strlen(text) + 1);
    const enum mf_config_type type = mf_config_items[origin->item].type;
    if (type == MF_TYPE_HOME) {
        return set_home(config, origin, copy);
    }
    if (type == MF_TYPE_LINK) {
        return set_links(config, origin, copy);
    }
    if (type == MF_TYPE_RULE) {
        return set_rules(config, origin, copy);
    }
    if (type == MF_TYPE_GEOID) {
        return set_geoids(config, origin, copy);
    }
    return type == MF_TYPE_FAULT ? set_faults(config, origin, copy)
                                 : set_pairs(config, origin, copy);
}

int mf_config_set(struct mf_config *config, const struct mf_config_origin *origin, const char *text)
{
    config->layer[origin->item] = origin->layer;
    config->line[origin->item] = origin->line;
    switch (mf_config_items[origin->item].type) {
    case MF_TYPE_INT:
        return origin->item == MF_CONFIG_instance ? set_instance(config, origin, text)
                                                  : set_int(config, origin, text);
    case MF_TYPE_REAL:
        return set_real(config, origin, text);
    case MF_TYPE_BOOL:
        return set_bool(config, origin, text);
    case MF_TYPE_TEXT:
        return set_text(config, origin, text);
    case MF_TYPE_WORD:
        return set_word(config, origin, text);
    case MF_TYPE_UTC:
        return set_utc(config, origin, text);
    case MF_TYPE_CLOCK:
        return set_clock(config, origin, text);
    case MF_TYPE_QUALITY:
        return mf_config_set_quality(config, origin, text,
                                     field_of(config, &mf_config_items[origin->item]));
    case MF_TYPE_HOME:
    case MF_TYPE_LINK:
    case MF_TYPE_FAULT:
    case MF_TYPE_RULE:
    case MF_TYPE_GEOID:
    case MF_TYPE_PARAM:
    case MF_TYPE_RATE:
        return set_list(config, origin, text);
    case MF_TYPE_DO:
    default:
        return MF_E_OK;
    }
}
