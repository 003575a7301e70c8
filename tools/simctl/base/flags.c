/* SPDX-License-Identifier: Apache-2.0 */
/* The drone's flags as host/config has them, and which of them are a caller's. Used by
 * template.c. */
#include "tools/simctl/base/flags.h"

#include "host/base/value.h"
#include "host/config/config_table.h"
#include "tools/simctl/base/shape.h"

#include <string.h>

#define RECORD "--record"

static const struct flag {
    const char *type, *name, *unit; /* name NULL: the setting does not have a flag */
} k_flag[] = {
#define X(group, type, field, key, variable, flag, otherwise, low, high, unit, help) \
    {#type, flag, unit},
    MF_CONFIG_LIST(X)
#undef X
};
#define FLAGS (sizeof k_flag / sizeof k_flag[0])

/* Flags that a controller sets on one of its backends, and --config, which could set them. */
static const char *const k_controllers[] = {
    "--tcp",      "--udp",      "--udp-out",       "--free-ports", "--api",     "--api-token",
    "--log",      "--lifetime", "--lifetime-file", "--record-max", "--virtual", "--virtual-socket",
    "--parallel", "--world",    "--world-drones",  "--config",     NULL};

/* Words of a unit that say that the setting is a place outside of the drone. */
static const char *const k_places[] = {"FILE", "DIR", "DEVICE", "URL", "PORT"};

static bool is_harmless(const struct flag *f)
{
    bool place = strcmp(f->type, "DO") == 0 || simctl_is_one_of(f->name, k_controllers) ||
                 strcmp(f->name, "--geoid-fingerprint") == 0; /* the template's `geoid` */
    for (size_t i = 0; i < sizeof k_places / sizeof k_places[0]; i++) {
        place = place || strstr(f->unit, k_places[i]) != NULL;
    }
    return !place || strcmp(f->name, RECORD) == 0;
}

json_t *simctl_flags_default(void)
{
    json_t *list = json_array();
    for (size_t i = 0; i < FLAGS; i++) {
        if (k_flag[i].name != NULL && is_harmless(&k_flag[i])) {
            (void)json_array_append_new(list, json_string(k_flag[i].name));
        }
    }
    return list;
}

static const struct flag *find_setting(const char *name, struct mf_nearest *nearest)
{
    for (size_t i = 0; i < FLAGS; i++) {
        if (k_flag[i].name != NULL && strcmp(k_flag[i].name, name) == 0) {
            return &k_flag[i];
        }
        if (k_flag[i].name != NULL) {
            mf_nearest_try(nearest, k_flag[i].name);
        }
    }
    return NULL;
}

bool simctl_flags_check(const char *path, const json_t *flags, bool drone, struct web_error *error)
{
    size_t i;
    const json_t *flag;
    json_array_foreach(flags, i, flag)
    {
        const char *name = json_string_value(flag);
        struct mf_nearest nearest = {.word = name};
        if (name == NULL || name[0] != '-' || strchr(name, '=') != NULL) {
            return web_refuse(error, 422, "value",
                              "%.80s.flags: each must be a flag such as --speed", path);
        }
        const struct flag *setting = find_setting(name, &nearest);
        if (drone && setting == NULL) {
            return web_refuse(error, 422, "value", "%.80s.flags: mayfly has no %.40s%s%s%s", path,
                              name, nearest.best != NULL ? ", did you mean " : "",
                              nearest.best != NULL ? nearest.best : "",
                              nearest.best != NULL ? "?" : "");
        }
        if (drone && (simctl_is_one_of(name, k_controllers) || strcmp(setting->type, "DO") == 0)) {
            return web_refuse(error, 422, "value", "%.80s.flags: %.40s belongs to the controller",
                              path, name);
        }
    }
    return true;
}

/* @param nearest  gets those of the list, if the flag is not there */
static bool is_listed(const json_t *flags, const char *flag, struct mf_nearest *nearest)
{
    size_t i;
    const json_t *one;
    json_array_foreach(flags, i, one)
    {
        if (strcmp(json_string_value(one), flag) == 0) {
            return true;
        }
        mf_nearest_try(nearest, json_string_value(one));
    }
    return false;
}

/* Does a flag of the drone have its value in the next text? */
static bool needs_next(const char *flag, const char *text)
{
    struct mf_nearest nearest = {.word = ""};
    const struct flag *setting = find_setting(flag, &nearest);
    return strchr(text, '=') == NULL && setting != NULL && strcmp(setting->type, "BOOL") != 0;
}

static bool names_file_within(const char *text)
{
    const char *file = text[sizeof RECORD - 1] == '=' ? text + sizeof RECORD : "";
    return strchr(file, '/') == NULL && file[0] != '.' && file[0] != '\0';
}

/* @param flag  of the text  @param owner  of the drone: the flag whose value the text is, or "" */
static bool allow_text(const char *name, const json_t *flags, const char *owner, const char *flag,
                       const char *text, struct web_error *error)
{
    struct mf_nearest nearest = {.word = flag};
    if (owner != NULL && owner[0] == '\0' && text[0] != '-') {
        return web_refuse(error, 422, "value",
                          "values.%.40s: '%.80s' is not a flag: write --NAME=VALUE", name, text);
    }
    if (text[0] == '-' && !is_listed(flags, flag, &nearest)) {
        return web_refuse(error, 422, "value",
                          "values.%.40s: the template lets callers set no flag '%s'%s%s; `simctl "
                          "templates` lists those that they may set",
                          name, flag, nearest.best != NULL ? ", did you mean " : "",
                          nearest.best != NULL ? nearest.best : "");
    }
    return owner == NULL || strcmp(flag, RECORD) != 0 || names_file_within(text) ||
           web_refuse(error, 422, "value",
                      "values.%.40s: '%.80s': write " RECORD "=NAME, a file without a folder: it "
                      "is made in the instance's folder",
                      name, text);
}

bool simctl_flags_allow(const char *name, const json_t *flags, bool drone, const json_t *texts,
                        struct web_error *error)
{
    char flag[64], owner[64] = "";
    size_t i;
    const json_t *item;
    json_array_foreach(texts, i, item)
    {
        const char *text = json_string_value(item);
        (void)snprintf(flag, sizeof flag, "%.*s", (int)strcspn(text, "="), text);
        if (owner[0] != '\0' && text[0] == '-') {
            break;
        }
        if (!allow_text(name, flags, drone ? owner : NULL, flag, text, error)) {
            return false;
        }
        const bool next = drone && owner[0] == '\0' && needs_next(flag, text);
        memcpy(owner, next ? flag : "", next ? sizeof flag : 1);
    }
    return owner[0] == '\0' ||
           web_refuse(error, 422, "value", "values.%.40s: %s needs a value: %s=VALUE", name, owner,
                      owner);
}
