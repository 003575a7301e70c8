/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of --help and --print-config. */
#include "host/config/config_item.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const k_title[MF_GROUP_COUNT] = {
#define X(name, title) [MF_GROUP_##name] = title,
    MF_CONFIG_GROUP_LIST(X)
#undef X
};

/* ---- --help */

#define USAGE_WIDTH                                                               \
    40 /* maximum width of the first column; a longer usage has a line of its own \
        */

static void usage_of(const struct mf_config_item *item, char *text, size_t size)
{
    const char *form = item->unit;
    if (item->type == MF_TYPE_INT) {
        form = "N";
    }
    if (item->flag == NULL) {
        (void)snprintf(text, size, "(%s)", item->env);
    } else if (form[0] == '\0') {
        (void)snprintf(text, size, "%s", item->flag);
    } else {
        (void)snprintf(text, size, "%s %s", item->flag, form);
    }
}

static void help_item(FILE *out, const struct mf_config_item *item)
{
    char usage[96];
    usage_of(item, usage, sizeof usage);
    const bool ranged = item->type == MF_TYPE_INT || item->type == MF_TYPE_REAL;
    if (strlen(usage) > USAGE_WIDTH) {
        fprintf(out, "  %s\n  %-*s", usage, USAGE_WIDTH, "");
    } else {
        fprintf(out, "  %-*s", USAGE_WIDTH, usage);
    }
    fprintf(out, " %-17s %s", item->type == MF_TYPE_DO ? "" : item->value, item->help);
    if (ranged) {
        fprintf(out, "%s%.10g .. %.10g", item->help[0] != '\0' ? "; " : "", item->low, item->high);
    }
    fputc('\n', out);
}

static const char k_usage[] = "Mayfly: a PX4-compatible drone in one small process.\n"
                              "usage: mayfly [--flag VALUE | --flag=VALUE]...\n"
                              "       mayfly exec [--flag VALUE]... -- COMMAND [ARGUMENT]...\n"
                              "\n";

void mf_config_help(FILE *out)
{
    static const enum mf_config_item_id k_common[] = {
#define X(field) MF_CONFIG_##field,
        MF_CONFIG_COMMON_LIST(X)
#undef X
    };
    fprintf(out, "%s  %-*s %s\n", k_usage, USAGE_WIDTH, "", "default");
    for (size_t i = 0; i < sizeof k_common / sizeof k_common[0]; i++) {
        help_item(out, &mf_config_items[k_common[i]]);
    }
    fputs("\nmayfly --help-all lists all settings; docs/options.md and mayfly(1) do, too.\n", out);
}

void mf_config_help_all(FILE *out)
{
    fprintf(out,
            "%sFlags override the environment, which overrides the file, which overrides the "
            "defaults.\n--battery-voltage is MAYFLY_BATTERY_VOLTAGE in the environment and "
            "battery.voltage in the file.\n",
            k_usage);
    for (int group = 0; group < MF_GROUP_COUNT; group++) {
        fprintf(out, "\n%s\n  %-*s %s\n", k_title[group], USAGE_WIDTH, "", "default");
        for (int i = 0; i < MF_CONFIG_ITEM_COUNT; i++) {
            if ((int)mf_config_items[i].group == group) {
                help_item(out, &mf_config_items[i]);
            }
        }
    }
}

/* ---- --print-config */

/* Print the shortest form of a number that reads back as the same number. */
static void print_number(FILE *out, double value)
{
    char text[40];
    (void)snprintf(text, sizeof text, "%.15g", value);
    if (strtod(text, NULL) < value || strtod(text, NULL) > value) {
        (void)snprintf(text, sizeof text, "%.17g", value);
    }
    fputs(text, out);
}

static void print_quoted(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *s = text; *s != '\0'; s++) {
        if (*s == '"' || *s == '\\') {
            fputc('\\', out);
        }
        if ((unsigned char)*s < 0x20u || *s == 0x7F) {
            fprintf(out, "\\x%02x", (unsigned char)*s);
        } else {
            fputc(*s, out);
        }
    }
    fputc('"', out);
}

/* True if a later rate replaces this one: of the same message on the same links. */
static bool rate_is_overridden(const struct mf_config *config, int index)
{
    const struct mf_config_rate *rate = &config->rate[index];
    for (int later = index + 1; later < config->rate_count; later++) {
        if (config->rate[later].link_id == rate->link_id &&
            strcmp(config->rate[later].name, rate->name) == 0) {
            return true;
        }
    }
    return false;
}

/* Print the rates of a link in braces. @return false: the link does not have rates, and nothing is
 * printed */
static bool print_rates(const struct mf_config *config, FILE *out, int link_id, const char *before)
{
    bool any = false;
    for (int i = 0; i < config->rate_count; i++) {
        if (config->rate[i].link_id == link_id && !rate_is_overridden(config, i)) {
            fprintf(out, "%s%s", any ? ", " : before, any ? "" : "{");
            print_quoted(out, config->rate[i].name);
            fputs(": ", out);
            print_number(out, config->rate[i].hz);
            any = true;
        }
    }
    fputs(any ? "}" : "", out);
    return any;
}

static bool has_rates(const struct mf_config *config, int link_id)
{
    for (int i = 0; i < config->rate_count; i++) {
        if (config->rate[i].link_id == link_id) {
            return true;
        }
    }
    return false;
}

static void print_quality(FILE *out, const struct mf_link_quality *quality)
{
    char text[MF_LINK_SPEC_MAX];
    mf_link_spec_print(quality, text);
    print_quoted(out, text);
}

static void print_link(const struct mf_config *config, FILE *out, const struct mf_config_link *link)
{
    char word[MF_CONFIG_NAME_MAX];
    if (link->profile < 0 && link->forward < 0 && !link->has_quality &&
        !has_rates(config, link->id) && mf_config_is_element(link->address)) {
        print_quoted(out, link->address);
        return;
    }
    fputs("{address: ", out);
    print_quoted(out, link->address);
    if (link->profile >= 0 &&
        mf_config_nth_word(&mf_config_items[MF_CONFIG_profile], link->profile, word)) {
        fprintf(out, ", profile: %s", word);
    }
    if (link->forward >= 0) {
        fprintf(out, ", forward: %s", link->forward != 0 ? "true" : "false");
    }
    if (link->has_quality) {
        fputs(", quality: ", out);
        print_quality(out, &link->quality);
    }
    (void)print_rates(config, out, link->id, ", streams: ");
    fputs("}", out);
}

static void print_links(const struct mf_config *config, FILE *out, enum mf_link_kind kind)
{
    const char *between = "[";
    for (int i = 0; i < config->link_count; i++) {
        if (config->link[i].kind == kind) {
            fputs(between, out);
            print_link(config, out, &config->link[i]);
            between = ", ";
        }
    }
    fputs(between[0] == '[' ? "[]" : "]", out);
}

static bool param_is_overridden(const struct mf_config *config, int index)
{
    for (int later = index + 1; later < config->param_count; later++) {
        if (strcmp(config->param[index].name, config->param[later].name) == 0) {
            return true;
        }
    }
    return false;
}

static void print_params(const struct mf_config *config, FILE *out)
{
    const char *between = "{";
    for (int i = 0; i < config->param_count; i++) {
        if (!param_is_overridden(config, i)) {
            fputs(between, out);
            print_quoted(out, config->param[i].name);
            fputs(": ", out);
            print_number(out, config->param[i].value);
            between = ", ";
        }
    }
    fputs(between[0] == '{' ? "{}" : "}", out);
}

static void print_faults(const struct mf_config *config, FILE *out)
{
    fputs("[", out);
    for (int i = 0; i < config->fault_count; i++) {
        char text[MF_FAULT_SPEC_MAX];
        mf_fault_spec_print(&config->fault[i], text);
        fputs(i > 0 ? ", " : "", out);
        if (config->fault[i].with.text[0] != '\0') {
            print_quoted(out, text);
        } else {
            fputs(text, out);
        }
    }
    fputs("]", out);
}

static void print_rules(const struct mf_config *config, FILE *out)
{
    fputs("[", out);
    for (int i = 0; i < config->rule_count; i++) {
        char text[MF_RULE_SPEC_MAX];
        mf_rule_spec_print(&config->rule[i], text);
        fputs(i > 0 ? ", " : "", out);
        print_quoted(out, text);
    }
    fputs("]", out);
}

static void print_geoids(const struct mf_config *config, FILE *out)
{
    for (int i = 0; i < config->geoid_count; i++) {
        char text[MF_GEOID_NAME_MAX + MF_GEOID_FILE_MAX];
        const struct mf_geoid_spec *spec = &config->geoid[i].spec;
        fputs(i == 0 ? "[" : ", ", out);
        if (spec->source == MF_GEOID_FROM_NUMBER) {
            fputs("constant:", out);
            print_number(out, spec->constant_m);
            continue;
        }
        (void)snprintf(text, sizeof text, "%s%s%s", spec->name, spec->file[0] != '\0' ? ":" : "",
                       spec->file);
        print_quoted(out, text);
    }
    fputs("]", out);
}

static void print_utc(FILE *out, int64_t us)
{
    if (us == 0) {
        fputs("now", out);
    } else {
        fprintf(out, "%" PRId64 ".%06d", us / 1000000, (int)(us % 1000000));
    }
}

static void print_text(FILE *out, const char *text)
{
    print_quoted(out, text[0] != '\0' ? text : "none");
}

static void print_clock(FILE *out, const struct mf_config_clock *clock)
{
    if (clock->kind == MF_CLOCK_SCALED && clock->rate != 1.0) {
        fputs("x", out);
        print_number(out, clock->rate);
    } else {
        fputs(mf_clock_name[clock->kind], out);
    }
}

static void print_value(const struct mf_config *config, FILE *out,
                        const struct mf_config_item *item)
{
    const void *field = (const char *)config + item->offset;
    char word[MF_CONFIG_NAME_MAX] = "";
    switch (item->type) {
    case MF_TYPE_INT:
        fprintf(out, "%" PRId32, *(const int32_t *)field);
        break;
    case MF_TYPE_REAL:
        print_number(out, *(const double *)field);
        break;
    case MF_TYPE_BOOL:
        fputs(*(const bool *)field ? "true" : "false", out);
        break;
    case MF_TYPE_TEXT:
        print_text(out, field);
        break;
    case MF_TYPE_WORD:
        (void)mf_config_nth_word(item, *(const int *)field, word);
        fputs(word, out);
        break;
    case MF_TYPE_UTC:
        print_utc(out, *(const int64_t *)field);
        break;
    case MF_TYPE_CLOCK:
        print_clock(out, field);
        break;
    case MF_TYPE_QUALITY:
        print_quality(out, field);
        break;
    case MF_TYPE_LINK:
        print_links(config, out, (enum mf_link_kind)item->low);
        break;
    case MF_TYPE_FAULT:
        print_faults(config, out);
        break;
    case MF_TYPE_RULE:
        print_rules(config, out);
        break;
    case MF_TYPE_GEOID:
        print_geoids(config, out);
        break;
    case MF_TYPE_PARAM:
        print_params(config, out);
        break;
    case MF_TYPE_RATE:
        if (!print_rates(config, out, -1, "")) {
            fputs("{}", out);
        }
        break;
    case MF_TYPE_HOME:
    case MF_TYPE_DO:
    default:
        break;
    }
}

void mf_config_print(const struct mf_config *config, FILE *out)
{
    char group[32] = "";
    for (int i = 0; i < MF_CONFIG_ITEM_COUNT; i++) {
        const struct mf_config_item *item = &mf_config_items[i];
        if (item->key == NULL || item->type == MF_TYPE_HOME || item->type == MF_TYPE_DO) {
            continue;
        }
        const char *dot = strchr(item->key, '.');
        const char *name = dot == NULL ? item->key : dot + 1;
        const int n = dot == NULL ? 0 : (int)(dot - item->key);
        if (n > 0 && (strncmp(group, item->key, (size_t)n) != 0 || group[n] != '\0')) {
            (void)snprintf(group, sizeof group, "%.*s", n, item->key);
            fprintf(out, "%s:\n", group);
        }
        fprintf(out, "%s%s: ", n > 0 ? "  " : "", name);
        print_value(config, out, item);
        const bool has_unit = item->type == MF_TYPE_REAL && item->unit[0] != '\0';
        fprintf(out, "%s%s\n", has_unit ? " # " : "", has_unit ? item->unit : "");
    }
}

/* ---- settings that the user changed */

static bool was_given(const struct mf_config *config, int item)
{
    switch (item) {
    case MF_CONFIG_faults:
        return config->fault_count > 0;
    case MF_CONFIG_misbehave:
        return config->rule_count > 0;
    case MF_CONFIG_params:
        return config->param_count > 0;
    case MF_CONFIG_streams:
        return config->rate_count > 0;
    /* settings that say where the drone is, which the greeting prints, and secrets */
    case MF_CONFIG_instance:
    case MF_CONFIG_sysid:
    case MF_CONFIG_home_lat_deg:
    case MF_CONFIG_home_lon_deg:
    case MF_CONFIG_home_alt_amsl_m:
    case MF_CONFIG_geoid:
    case MF_CONFIG_config:
    case MF_CONFIG_api_token:
    case MF_CONFIG_signing_key:
    case MF_CONFIG_log:
        return false;
    default:
        return mf_config_items[item].key != NULL && mf_config_items[item].type != MF_TYPE_HOME &&
               mf_config_items[item].type != MF_TYPE_LINK &&
               config->layer[item] != MF_LAYER_DEFAULT;
    }
}

bool mf_config_print_given(const struct mf_config *config, FILE *out)
{
    bool any = false;
    for (int i = 0; i < MF_CONFIG_ITEM_COUNT; i++) {
        if (was_given(config, i)) {
            fprintf(out, "%s%s: ", any ? ", " : "", mf_config_items[i].key);
            print_value(config, out, &mf_config_items[i]);
            any = true;
        }
    }
    return any;
}
