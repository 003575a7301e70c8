/* SPDX-License-Identifier: Apache-2.0 */
/* Layers of the configuration: defaults, file, environment, command line, and values derived from
 * the instance number. */
#include "host/base/value.h"
#include "host/config/config_item.h"
#include "host/time/virtual_message.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* PX4's ports of instance 0; in PX4, all instances after the tenth share one port of the onboard
 * link. */
#define PORT_SERVER 5760
/* Port of the API of instance 0; it decreases with the instance, so that it never equals
 * PORT_SERVER of another instance. */
#define PORT_API           5759
#define PORT_FREE_FIRST    1024
#define PORT_GCS_LOCAL     18570
#define PORT_GCS           14550
#define PORT_ONBOARD_LOCAL 14580
#define PORT_ONBOARD       14540
#define PORT_ONBOARD_LAST  14549

#define ENV_PREFIX "MAYFLY_"

/* Date at which runs in virtual time start by default: 2026-01-01. */
#define VIRTUAL_EPOCH_US INT64_C(1767225600000000)

static bool is_list(enum mf_config_type type)
{
    return type == MF_TYPE_LINK || type == MF_TYPE_FAULT || type == MF_TYPE_GEOID ||
           type == MF_TYPE_PARAM || type == MF_TYPE_RATE;
}

/* True if the default of an item, as spelled in the table, can be set like a user's value. */
static bool has_plain_default(const struct mf_config_item *item)
{
    return !is_list(item->type) && item->type != MF_TYPE_HOME && item->type != MF_TYPE_DO &&
           item != &mf_config_items[MF_CONFIG_sysid];
}

static void set_defaults(struct mf_config *config)
{
    memset(
        config, 0,
        offsetof(struct mf_config, link)); /* the lists are empty, so their memory is not touched */
    config->error[0] = '\0';
    for (int i = 0; i < MF_CONFIG_ITEM_COUNT; i++) {
        if (has_plain_default(&mf_config_items[i])) {
            const struct mf_config_origin origin = {.item = (enum mf_config_item_id)i};
            const int result = mf_config_set(config, &origin, mf_config_items[i].value);
            MF_ASSERT(result == MF_E_OK);
        }
    }
}

/* ---- flags */

/* Argument of the command line: "--name=value", "--name value" or "--name". */
struct flag {
    int item; /* or MF_E_NOENT: unknown */
    const char *value;
    int used; /* number of arguments that belong to it: 1 or 2 */
};

static int find_flag(const char *name, size_t n)
{
    for (int i = 0; i < MF_CONFIG_ITEM_COUNT; i++) {
        const char *flag = mf_config_items[i].flag;
        if (flag != NULL && strlen(flag) == n && strncmp(flag, name, n) == 0) {
            return i;
        }
    }
    return n == 2 && strncmp(name, "-h", n) == 0 ? (int)MF_CONFIG_help : MF_E_NOENT;
}

static struct flag take_flag(int argc, char *const *argv, int at)
{
    const char *arg = argv[at];
    const size_t n = strcspn(arg, "=");
    struct flag flag = {.item = find_flag(arg, n), .used = 1};
    if (flag.item < 0) {
        return flag;
    }
    const enum mf_config_type type = mf_config_items[flag.item].type;
    if (arg[n] == '=') {
        flag.value = arg + n + 1;
    } else if (type == MF_TYPE_BOOL) {
        flag.value = "true";
    } else if (type != MF_TYPE_DO && at + 1 < argc) {
        flag.value = argv[at + 1];
        flag.used = 2;
    }
    return flag;
}

static int unknown_flag(struct mf_config *config, const char *arg)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(arg, "="), arg);
    if (arg[0] != '-') {
        (void)snprintf(config->error, sizeof config->error,
                       "'%.60s' is not a flag; --help-all lists them", arg);
        return MF_E_RANGE;
    }
    struct mf_nearest nearest = {.word = name + strspn(name, "-")};
    for (int i = 0; i < MF_CONFIG_ITEM_COUNT; i++) {
        if (mf_config_items[i].flag != NULL) {
            mf_nearest_try(&nearest, mf_config_items[i].flag + 2);
        }
    }
    (void)snprintf(config->error, sizeof config->error, "%s: unknown flag, %s%s%s", name,
                   nearest.best != NULL ? "did you mean --" : "--help-all lists them",
                   nearest.best != NULL ? nearest.best : "", nearest.best != NULL ? "?" : "");
    return MF_E_RANGE;
}

static int read_flags(struct mf_config *config, int argc, char *const *argv)
{
    for (int at = 1; at < argc;) {
        const struct flag flag = take_flag(argc, argv, at);
        if (flag.item < 0) {
            return unknown_flag(config, argv[at]);
        }
        const struct mf_config_origin origin = {.layer = MF_LAYER_FLAG,
                                                .item = (enum mf_config_item_id)flag.item};
        const struct mf_config_item *item = &mf_config_items[flag.item];
        if (item->type == MF_TYPE_DO) {
            config->action = (enum mf_config_action)item->low;
        } else if (flag.value == NULL) {
            return mf_config_complain(config, &origin, "needs a value: %s",
                                      item->unit[0] != '\0' ? item->unit : "a number");
        } else if (mf_config_set(config, &origin, flag.value) != MF_E_OK) {
            return MF_E_RANGE;
        }
        at += flag.used;
    }
    return MF_E_OK;
}

/* Find --help and --version, which work even if other arguments are wrong. */
static enum mf_config_action early_action(int argc, char *const *argv)
{
    enum mf_config_action action = MF_DO_RUN;
    for (int at = 1; at < argc;) {
        const struct flag flag = take_flag(argc, argv, at);
        if (flag.item == (int)MF_CONFIG_help || flag.item == (int)MF_CONFIG_help_all ||
            flag.item == (int)MF_CONFIG_version) {
            action = (enum mf_config_action)mf_config_items[flag.item].low;
        }
        at += flag.used;
    }
    return action;
}

/* ---- environment */

static const char *env_value(char *const *env, const char *name)
{
    const size_t n = strlen(name);
    for (; *env != NULL; env++) {
        if (strncmp(*env, name, n) == 0 && (*env)[n] == '=') {
            return *env + n + 1;
        }
    }
    return NULL;
}

/* True for variables that Kubernetes sets in each container for each service: MAYFLY_SERVICE_HOST,
 * MAYFLY_1_PORT_5760_TCP_ADDR, ... */
static bool is_of_kubernetes(const char *name)
{
    const size_t n = strlen(name);
    const char *port = strstr(name, "_PORT_");
    return strstr(name, "_SERVICE_HOST") != NULL || strstr(name, "_SERVICE_PORT") != NULL ||
           (n > 5 && strcmp(name + n - 5, "_PORT") == 0) ||
           (port != NULL && isdigit((unsigned char)port[6]));
}

/* True for environment variables that 'mayfly exec' sets for its command: a drone that the command
 * starts ignores them. */
static bool is_of_exec(const char *name)
{
    static const char *const k_told[] = {
#define X(told) ENV_PREFIX #told,
        MF_CONFIG_TOLD_LIST(X)
#undef X
    };
    for (size_t i = 0; i < sizeof k_told / sizeof k_told[0]; i++) {
        if (strcmp(name, k_told[i]) == 0) {
            return true;
        }
    }
    return false;
}

static int check_env_name(struct mf_config *config, const char *name)
{
    struct mf_nearest nearest = {.word = name + strlen(ENV_PREFIX)};
    for (int i = 0; i < MF_CONFIG_ITEM_COUNT; i++) {
        const char *known = mf_config_items[i].env;
        if (known != NULL && strcmp(known, name) == 0) {
            return MF_E_OK;
        }
        if (known != NULL && strncmp(known, ENV_PREFIX, strlen(ENV_PREFIX)) == 0) {
            mf_nearest_try(&nearest, known + strlen(ENV_PREFIX));
        }
    }
    if (is_of_kubernetes(name) || is_of_exec(name)) {
        return MF_E_OK;
    }
    (void)snprintf(config->error, sizeof config->error, "%.80s: unknown environment variable%s%s%s",
                   name, nearest.best != NULL ? ", did you mean " ENV_PREFIX : "",
                   nearest.best != NULL ? nearest.best : "", nearest.best != NULL ? "?" : "");
    return MF_E_RANGE;
}

static int read_env(struct mf_config *config, char *const *env)
{
    for (char *const *e = env; *e != NULL; e++) {
        char name[128];
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(*e, "="), *e);
        if (strncmp(name, ENV_PREFIX, strlen(ENV_PREFIX)) == 0 &&
            check_env_name(config, name) != MF_E_OK) {
            return MF_E_RANGE;
        }
    }
    for (int i = 0; i < MF_CONFIG_ITEM_COUNT; i++) {
        const char *value =
            mf_config_items[i].env != NULL ? env_value(env, mf_config_items[i].env) : NULL;
        const struct mf_config_origin origin = {.layer = MF_LAYER_ENVIRONMENT,
                                                .item = (enum mf_config_item_id)i};
        if (value != NULL && value[0] != '\0' && mf_config_set(config, &origin, value) != MF_E_OK) {
            return MF_E_RANGE;
        }
    }
    return MF_E_OK;
}

/* ---- all */

/* Find the configuration file, which must be known before the layers above it are read. @return
 * MF_E_OK, MF_E_RANGE */
static int find_file(struct mf_config *config, int argc, char *const *argv, char *const *env)
{
    struct mf_config_origin origin = {.layer = MF_LAYER_ENVIRONMENT, .item = MF_CONFIG_config};
    const char *path = env_value(env, mf_config_items[MF_CONFIG_config].env);
    for (int at = 1; at < argc;) {
        const struct flag flag = take_flag(argc, argv, at);
        if (flag.item == (int)MF_CONFIG_config && flag.value != NULL) {
            path = flag.value;
            origin.layer = MF_LAYER_FLAG;
        }
        at += flag.used;
    }
    return path == NULL || path[0] == '\0' ? MF_E_OK : mf_config_set(config, &origin, path);
}

/* Find the index of a profile, whose name is valid. */
static int profile_named(struct mf_config *config, const char *name)
{
    const struct mf_config_origin origin = {.item = MF_CONFIG_profile};
    return mf_config_word(config, &origin, MF_CONFIG_profile, name);
}

/* Add a default link. @return the link, or NULL: the user has set links of this kind */
__attribute__((format(printf, 3, 4))) static struct mf_config_link *
add_default_link(struct mf_config *config, enum mf_config_item_id item, const char *format, ...)
{
    char address[MF_CONFIG_TEXT_MAX];
    const struct mf_config_origin origin = {.item = item};
    va_list args;
    va_start(args, format);
    (void)vsnprintf(address, sizeof address, format, args);
    va_end(args);
    if (config->link_layer[(int)mf_config_items[item].low] != MF_LAYER_DEFAULT) {
        return NULL;
    }
    const int link = mf_config_add_link(config, &origin, address);
    return link < 0 ? NULL : &config->link[link];
}

/* Add the links that PX4 opens. Its link to an onboard computer has rates of its own. */
static void add_default_links(struct mf_config *config)
{
    const int n = config->instance;
    if (config->free_ports) {
        (void)add_default_link(config, MF_CONFIG_tcp, "127.0.0.1:0");
        (void)add_default_link(config, MF_CONFIG_udp, "127.0.0.1:0");
        (void)add_default_link(config, MF_CONFIG_api, "127.0.0.1:0");
        return;
    }
    const int port = PORT_ONBOARD + n < PORT_ONBOARD_LAST ? PORT_ONBOARD + n : PORT_ONBOARD_LAST;
    (void)add_default_link(config, MF_CONFIG_tcp, "127.0.0.1:%d", PORT_SERVER + n);
    (void)add_default_link(config, MF_CONFIG_udp, "127.0.0.1:%d", PORT_SERVER + n);
    struct mf_config_link *gcs = add_default_link(config, MF_CONFIG_udp_out, "127.0.0.1:%d@%d",
                                                  PORT_GCS, PORT_GCS_LOCAL + n);
    const bool px4 = config->profile == profile_named(config, "px4") ||
                     config->profile == profile_named(config, "px4-sitl");
    if (gcs != NULL && px4) {
        gcs->profile = config->profile;
    }
    struct mf_config_link *onboard = add_default_link(config, MF_CONFIG_udp_out, "127.0.0.1:%d@%d",
                                                      port, PORT_ONBOARD_LOCAL + n);
    if (onboard != NULL && px4) {
        onboard->profile = profile_named(config, "onboard");
    }
    if (onboard != NULL) {
        onboard->is_shared = PORT_ONBOARD + n > PORT_ONBOARD_LAST;
    }
    if (PORT_API - n >= PORT_FREE_FIRST) { /* the API of a high instance is left out */
        (void)add_default_link(config, MF_CONFIG_api, "127.0.0.1:%d", PORT_API - n);
    }
}

/* Set all that "strict" stands for, except for settings of the user. */
static void derive_strict(struct mf_config *config)
{
    if (config->layer[MF_CONFIG_profile] == MF_LAYER_DEFAULT) {
        config->profile = profile_named(config, "px4");
    }
    if (config->layer[MF_CONFIG_statustext_gcs_only] == MF_LAYER_DEFAULT) {
        config->statustext_gcs_only = true;
    }
}

/* Derive the motion: "event" is constant speed on the event clock. */
static int derive_motion(struct mf_config *config)
{
    if (config->motion == MF_MOTION_PHYSICS && config->accel_mps2 > 0.0) {
        (void)snprintf(config->error, sizeof config->error,
                       "accel is for motion constant: motion physics takes MPC_ACC_HOR");
        return MF_E_RANGE;
    }
    if (config->motion != MF_MOTION_PHYSICS && config->damping < 1.0) {
        (void)snprintf(config->error, sizeof config->error,
                       "damping is for motion physics: motion constant does not overshoot");
        return MF_E_RANGE;
    }
    if (config->motion != MF_MOTION_EVENT) {
        return MF_E_OK;
    }
    if (config->layer[MF_CONFIG_clock] != MF_LAYER_DEFAULT &&
        config->clock.kind != MF_CLOCK_EVENT) {
        (void)snprintf(config->error, sizeof config->error,
                       "motion event is motion constant on clock event, but another clock is "
                       "given: leave one of them out");
        return MF_E_RANGE;
    }
    config->clock = (struct mf_config_clock){MF_CLOCK_EVENT, 1.0};
    return MF_E_OK;
}

/* Check virtual time: this process's time server grants time, and equal runs need an equal date. */
static int derive_virtual(struct mf_config *config)
{
    const bool other = config->layer[MF_CONFIG_clock] != MF_LAYER_DEFAULT &&
                       config->clock.kind != MF_CLOCK_LOCKSTEP;
    const bool wall = config->layer[MF_CONFIG_transport] != MF_LAYER_DEFAULT &&
                      config->transport != MF_TRANSPORT_VEHICLE;
    if (other || wall || config->motion == MF_MOTION_EVENT || config->start != 0) {
        (void)snprintf(
            config->error, sizeof config->error,
            "virtual: time is granted from the boot on, on clock lockstep with transport "
            "vehicle: leave out other choices of clock, motion event, transport and "
            "start");
        return MF_E_RANGE;
    }
    config->clock = (struct mf_config_clock){MF_CLOCK_LOCKSTEP, 1.0};
    config->transport = MF_TRANSPORT_VEHICLE;
    if (config->epoch_utc_us == 0) {
        config->epoch_utc_us = VIRTUAL_EPOCH_US;
    }
    return MF_E_OK;
}

/* Check the socket of virtual time: its path must fit into an address, and a relative path would be
 * another file in another folder. */
static int derive_virtual_socket(struct mf_config *config)
{
    const char *file = config->virtual_socket;
    if (file[0] != '\0' && (file[0] != '/' || strlen(file) >= MF_VIRTUAL_NAME_MAX)) {
        (void)snprintf(config->error, sizeof config->error,
                       "virtual_socket: %.120s is not an absolute path of at most %u bytes", file,
                       MF_VIRTUAL_NAME_MAX - 1u);
        return MF_E_RANGE;
    }
    config->virtual_time = config->virtual_time || file[0] != '\0';
    return MF_E_OK;
}

/* Derive the clock. A setting of Mayfly has priority over PX4's variable. Clock lockstep is refused
 * without a controller, which grants time. */
static int derive_clock(struct mf_config *config)
{
    if (derive_virtual_socket(config) != MF_E_OK) {
        return MF_E_RANGE;
    }
    if (config->virtual_time && derive_virtual(config) != MF_E_OK) {
        return MF_E_RANGE;
    }
    bool world = false;
    for (uint16_t i = 0; i < config->link_count; i++) {
        world = world || config->link[i].kind == MF_LINK_WORLD;
    }
    if ((world || config->world_drones > 0) && !(world && config->virtual_time)) {
        (void)snprintf(
            config->error, sizeof config->error,
            "world and world_drones are for several drones with one time: give --world PORT "
            "and --virtual, too, or leave them out");
        return MF_E_RANGE;
    }
    if (config->transport == MF_TRANSPORT_VEHICLE && config->clock.kind != MF_CLOCK_LOCKSTEP) {
        (void)snprintf(config->error, sizeof config->error,
                       "transport vehicle needs --clock lockstep, on which a controller grants "
                       "time: give that, too, or leave transport out");
        return MF_E_RANGE;
    }
    if (config->layer[MF_CONFIG_clock] == MF_LAYER_DEFAULT && config->motion != MF_MOTION_EVENT) {
        config->clock.rate = config->speed_factor;
    }
    const double default_gap_ms = strtod(mf_config_items[MF_CONFIG_event_gap_ms].value, NULL);
    if (config->clock.kind != MF_CLOCK_EVENT &&
        (config->event_gap_ms != default_gap_ms || config->event_streams != 0)) {
        (void)snprintf(config->error, sizeof config->error,
                       "event_gap and event_streams are for clock event: no other clock jumps");
        return MF_E_RANGE;
    }
    for (uint16_t i = 0; i < config->link_count; i++) {
        /* a link of the API that the user set, too */
        if (config->link[i].kind >= MF_LINK_TIME_SOCKET) {
            return MF_E_OK;
        }
    }
    const bool api = config->free_ports && config->link_layer[MF_LINK_API] == MF_LAYER_DEFAULT;
    if (config->clock.kind == MF_CLOCK_LOCKSTEP && !api && !config->virtual_time) {
        (void)snprintf(config->error, sizeof config->error,
                       "clock lockstep needs a controller that grants time: give --time-socket "
                       "PORT, --time-server HOST:PORT or --api PORT, too");
        return MF_E_RANGE;
    }
    return MF_E_OK;
}

/* Check the geoid. A fingerprint proves that the vehicle has the same model as a planner with an
 * elevation service. */
static int derive_geoid(struct mf_config *config)
{
    const struct mf_config_origin service =
        mf_config_origin_of(config, MF_CONFIG_elevation_service);
    const struct mf_config_origin print = mf_config_origin_of(config, MF_CONFIG_geoid_fingerprint);
    const struct mf_config_origin geoid = {.item = MF_CONFIG_geoid};
    uint8_t hash[MF_GEOID_HASH_BYTES];
    if (config->geoid_count == 0) {
        (void)mf_config_set(config, &geoid, mf_config_items[MF_CONFIG_geoid].value);
    }
    if (config->geoid_fingerprint[0] != '\0' &&
        !mf_geoid_hash_parse(config->geoid_fingerprint, hash)) {
        return mf_config_complain(config, &print,
                                  "'%.80s' is not a fingerprint, allowed: 64 hexadecimal digits",
                                  config->geoid_fingerprint);
    }
    if (config->elevation_service[0] != '\0' && config->geoid_fingerprint[0] == '\0') {
        return mf_config_complain(config, &service,
                                  "geoid_fingerprint is needed too, to prove that the model is the "
                                  "service's: ask it for its models, or 'geoid info FILE'");
    }
    return MF_E_OK;
}

static int derive_settings(struct mf_config *config)
{
    const int n = config->instance;
    if (config->sysid == 0 && n + 1 > 254) {
        (void)snprintf(config->error, sizeof config->error,
                       "instance %d would have system id %d, beyond 254: give --sysid too", n,
                       n + 1);
        return MF_E_RANGE;
    }
    if (derive_motion(config) != MF_E_OK || derive_clock(config) != MF_E_OK ||
        derive_geoid(config) != MF_E_OK) {
        return MF_E_RANGE;
    }
    if (config->px4_strict) {
        derive_strict(config);
    }
    config->sysid = config->sysid == 0 ? n + 1 : config->sysid;
    mf_config_spread_home(config);
    add_default_links(config);
    return MF_E_OK;
}

int mf_config_read(struct mf_config *config, int argc, char *const *argv, char *const *env)
{
    set_defaults(config);
    config->action = early_action(argc, argv);
    if (config->action != MF_DO_RUN) {
        return MF_E_OK;
    }
    int result = find_file(config, argc, argv, env);
    if (result == MF_E_OK && config->config[0] != '\0') {
        result = mf_config_read_file(config, config->config);
    }
    if (result == MF_E_OK) {
        result = read_env(config, env);
    }
    if (result == MF_E_OK) {
        result = read_flags(config, argc, argv);
    }
    return result == MF_E_OK ? derive_settings(config) : result;
}
