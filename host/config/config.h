/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Configuration: defaults, overridden by a YAML file, overridden by the environment, overridden by
 * flags.
 *
 * Any fault is refused with one line that has its place and the allowed values:
 *
 *     drone.yaml:7: battery.remaining: 130 is out of range, allowed: 0 .. 100 percent
 *
 * Addresses, parameter names and message names are kept as text with their origin; the modules that
 * know them check them and report with mf_config_complain(). Reading allocates (libyaml); the
 * result does not.
 */
#ifndef MF_HOST_CONFIG_CONFIG_H
#define MF_HOST_CONFIG_CONFIG_H

#include "host/config/config_table.h"
#include "host/spec/faultspec.h"
#include "host/spec/geoidspec.h"
#include "host/spec/misbehavespec.h"
#include "host/spec/qualityspec.h"

#include <stdio.h>

#define MF_CONFIG_TEXT_MAX   256u /* characters of a text, with its NUL */
#define MF_CONFIG_NAME_MAX   48u  /* longest name of a parameter or message, with its NUL */
#define MF_CONFIG_LINKS_MAX  32u
#define MF_CONFIG_PARAMS_MAX 256u
#define MF_CONFIG_RATES_MAX  256u
#define MF_CONFIG_FAULTS_MAX 16u
#define MF_CONFIG_RULES_MAX  16u
#define MF_CONFIG_GEOIDS_MAX 8u
#define MF_CONFIG_ERROR_MAX  600u

/** Kinds of links, in the order of the table. */
enum mf_link_kind {
    MF_LINK_TCP,
    MF_LINK_TCP_OUT,
    MF_LINK_UDP,
    MF_LINK_UDP_OUT,
    MF_LINK_SERIAL,
    MF_LINK_TIME_SOCKET, /**< a controller of time connects to it (time_control.h) */
    MF_LINK_TIME_SERVER, /**< controller of time to which the drone connects */
    MF_LINK_API,         /**< the control API (api.h) */
    MF_LINK_WORLD, /**< other drones connect to it, whose time this one serves (virtual_time.h) */
    MF_LINK_KIND_COUNT
};

/** Later layers override earlier ones. */
enum mf_config_layer { MF_LAYER_DEFAULT, MF_LAYER_FILE, MF_LAYER_ENVIRONMENT, MF_LAYER_FLAG };

/** Action that the user requests. */
enum mf_config_action { MF_DO_RUN, MF_DO_PRINT_CONFIG, MF_DO_VERSION, MF_DO_HELP, MF_DO_HELP_ALL };

/** Numbers of all settings. */
enum mf_config_item_id {
#define X(group, type, field, key, env, flag, value, low, high, unit, help) MF_CONFIG_##field,
    MF_CONFIG_LIST(X)
#undef X
        MF_CONFIG_ITEM_COUNT
};

/** Origin of a value. */
struct mf_config_origin {
    enum mf_config_layer layer;
    enum mf_config_item_id item;
    int line; /**< line in the file */
};

struct mf_config_link {
    enum mf_link_kind kind;
    uint16_t id;    /**< number of the link, which never changes, unlike its place in the list */
    int profile;    /**< stream profile of this link; -1: that of all */
    int forward;    /**< forwarding of this link, 0 or 1; -1: as all */
    bool is_shared; /**< default that other instances have, too: PX4's rule for the onboard link */
    bool has_quality;
    struct mf_link_quality quality; /**< quality of this link; without has_quality that of all */
    char address[MF_CONFIG_TEXT_MAX];
    struct mf_config_origin origin;
};

struct mf_config_param {
    char name[MF_CONFIG_NAME_MAX];
    double value;
    struct mf_config_origin origin;
};

struct mf_config_rate {
    char name[MF_CONFIG_NAME_MAX]; /**< name of a message */
    double hz;
    int link_id; /**< -1: all links */
    struct mf_config_origin origin;
};

struct mf_config_geoid {
    struct mf_geoid_spec spec;
    struct mf_config_origin origin;
};

/** Passage of vehicle time, by the words of the setting "clock". */
#define MF_CLOCK_LIST(X) X(SCALED, "real") X(FAST, "fast") X(EVENT, "event") X(LOCKSTEP, "lockstep")

enum mf_clock_kind {
#define X(name, word) MF_CLOCK_##name,
    MF_CLOCK_LIST(X)
#undef X
        MF_CLOCK_COUNT
};

extern const char *const mf_clock_name[MF_CLOCK_COUNT];

/** @brief Clock of a word. @return enum mf_clock_kind, or MF_E_NOENT */
int mf_clock_find(const char *word);

/** Indices of the words of "transport". */
enum { MF_TRANSPORT_WALL, MF_TRANSPORT_VEHICLE };

/** Indices of the words of "motion". */
enum { MF_MOTION_CONSTANT, MF_MOTION_PHYSICS, MF_MOTION_EVENT };

struct mf_config_clock {
    enum mf_clock_kind kind;
    double rate; /**< SCALED: vehicle seconds per wall second */
};

/* Field of each type in the struct. */
#define MF_CONFIG_FIELD_INT(field)     int32_t field;
#define MF_CONFIG_FIELD_REAL(field)    double field;
#define MF_CONFIG_FIELD_BOOL(field)    bool field;
#define MF_CONFIG_FIELD_TEXT(field)    char field[MF_CONFIG_TEXT_MAX];
#define MF_CONFIG_FIELD_WORD(field)    int field;
#define MF_CONFIG_FIELD_UTC(field)     int64_t field;
#define MF_CONFIG_FIELD_CLOCK(field)   struct mf_config_clock field;
#define MF_CONFIG_FIELD_QUALITY(field) struct mf_link_quality field;
#define MF_CONFIG_FIELD_HOME(field)
#define MF_CONFIG_FIELD_LINK(field)
#define MF_CONFIG_FIELD_FAULT(field)
#define MF_CONFIG_FIELD_RULE(field)
#define MF_CONFIG_FIELD_GEOID(field)
#define MF_CONFIG_FIELD_PARAM(field)
#define MF_CONFIG_FIELD_RATE(field)
#define MF_CONFIG_FIELD_DO(field)

struct mf_config {
#define X(group, type, field, key, env, flag, value, low, high, unit, help) \
    MF_CONFIG_FIELD_##type(field)
    MF_CONFIG_LIST(X)
#undef X
    enum mf_config_action action;
    uint16_t link_count, param_count, rate_count, fault_count, rule_count, geoid_count, link_ids;
    enum mf_config_layer layer[MF_CONFIG_ITEM_COUNT]; /**< layer that set each setting last */
    int line[MF_CONFIG_ITEM_COUNT];                   /**< line in the file, if the file set it */
    enum mf_config_layer link_layer[MF_LINK_KIND_COUNT]; /**< layer that set the links of a kind */
    enum mf_config_layer fault_layer, rule_layer, geoid_layer;
    struct mf_config_link link[MF_CONFIG_LINKS_MAX];
    /* in order: later ones override earlier ones */
    struct mf_config_param param[MF_CONFIG_PARAMS_MAX];
    struct mf_config_rate rate[MF_CONFIG_RATES_MAX];
    struct mf_fault_plan fault[MF_CONFIG_FAULTS_MAX];
    struct mf_rule rule[MF_CONFIG_RULES_MAX];
    struct mf_config_geoid geoid[MF_CONFIG_GEOIDS_MAX]; /**< in the order in which they serve */
    char error[MF_CONFIG_ERROR_MAX]; /**< one line without newline, after a failure */
};

/**
 * @brief Read all layers.
 * @param argv  [argc] of main()  @param env  NULL-terminated "NAME=value", as environ
 * @return MF_E_OK; MF_E_RANGE with config->error set. --help and --version skip everything else.
 */
int mf_config_read(struct mf_config *config, int argc, char *const *argv, char *const *env);

/** @brief Quality of a link: its own, or that of all. */
const struct mf_link_quality *mf_config_quality(const struct mf_config *config,
                                                const struct mf_config_link *link);

/** @brief Last origin of a setting that is not a list. */
struct mf_config_origin mf_config_origin_of(const struct mf_config *config,
                                            enum mf_config_item_id item);

/** @brief Set config->error about a value: its origin, its key, then the text.
 * @return MF_E_RANGE */
__attribute__((format(printf, 3, 4))) int mf_config_complain(struct mf_config *config,
                                                             const struct mf_config_origin *origin,
                                                             const char *format, ...);

/** @brief Print the resulting configuration as a file that gives the same result. */
void mf_config_print(const struct mf_config *config, FILE *out);

/** @brief Print the settings that the user changed, without links, place and secrets, in one line:
 * "clock: event, wind.speed: 5".
 * @return true: there are any */
bool mf_config_print_given(const struct mf_config *config, FILE *out);

/** @brief Print the text of --help: the settings of MF_CONFIG_COMMON_LIST. */
void mf_config_help(FILE *out);

/** @brief Print the text of --help-all: every setting. */
void mf_config_help_all(FILE *out);

#endif
