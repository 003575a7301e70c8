/* SPDX-License-Identifier: Apache-2.0 */
/* Sets parameters at each boot, for drone.c. The file of another vehicle has many parameters that
 * Mayfly does not have, so unknown names in it are listed; an unknown --param is a typing error. */
#include "boards/posix/params.h"

#include "firmware/core/param.h"
#include "firmware/protocol/param_change.h"
#include "firmware/state/param.h"
#include "firmware/state/stream.h"
#include "host/base/value.h"
#include "host/spec/paramfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AUTOPILOT    1   /* component */
#define LINE_COLUMNS 100 /* of the list of unknown names */

/* Parameters of profile px4-sitl: those that PX4's start script of its own simulator sets (rcS,
 * 10040_sihsim_quadx) to other values than the firmware's defaults. */
static const struct {
    enum mf_param param;
    double value;
} k_sitl[] = {
    {MF_PARAM_EKF2_OF_CTRL, 1},    {MF_PARAM_FD_ACT_EN, 0},         {MF_PARAM_MC_PITCH_P, 4.0},
    {MF_PARAM_MC_ROLL_P, 4.0},     {MF_PARAM_MPC_XY_CRUISE, 5.0},   {MF_PARAM_MPC_Z_V_AUTO_DN, 1.5},
    {MF_PARAM_SDLOG_PROFILE, 131}, {MF_PARAM_SYS_AUTOSTART, 10040}, {MF_PARAM_SYS_FAILURE_EN, 1},
    {MF_PARAM_TRIG_INTERFACE, 3},
};

/* Values of the profile and of the file; the file's text stays until it is reported. */
static struct {
    char *text;
    double value[MF_PARAM_COUNT];
    bool given[MF_PARAM_COUNT];
} s_file;

static double number_of(const struct mf_param_info *info, union mf_param_value value)
{
    return info->is_float ? (double)value.f : (double)value.i;
}

/* ---- a file */

/* True for parameters that the configuration sets by other keys, such as the system id. */
static bool is_launched(int param)
{
    static const int k_param[] = {
#define READ_ONLY(name) MF_PARAM_##name,
#include "firmware/state/params.def"
    };
    for (size_t i = 0; i < sizeof k_param / sizeof k_param[0]; i++) {
        if (k_param[i] == param) {
            return true;
        }
    }
    return false;
}

/* Verdict on a line of the file. */
enum outcome { SET, UNKNOWN, OTHER_COMPONENT, LAUNCHED, OUT_OF_RANGE };

/* @param param  out, of a known one */
static enum outcome check_entry(const struct mf_paramfile_entry *entry, int *param)
{
    static struct mf_params s_trial;
    if (entry->component >= 0 && entry->component != AUTOPILOT) {
        return OTHER_COMPONENT;
    }
    *param =
        strlen(entry->name) <= MF_PARAM_NAME_MAX ? mf_param_find(entry->name) : (int)MF_E_NOENT;
    if (*param < 0) {
        return UNKNOWN;
    }
    if (is_launched(*param)) {
        return LAUNCHED;
    }
    return mf_param_launch(&s_trial, entry->name, entry->value) >= 0 ? SET : OUT_OF_RANGE;
}

/* @return the bytes of a file, from malloc, or NULL with errno */
static char *read_text(const char *path, size_t *n)
{
    FILE *file = fopen(path, "re");
    char *text = file != NULL ? malloc(MF_PARAMFILE_BYTES_MAX + 1u) : NULL;
    *n = text != NULL ? fread(text, 1, MF_PARAMFILE_BYTES_MAX + 1u, file) : 0;
    const bool failed = text == NULL || ferror(file) != 0;
    const int why = !failed && *n > MF_PARAMFILE_BYTES_MAX ? EFBIG : errno;
    if (file != NULL) {
        (void)fclose(file);
    }
    if (failed || *n > MF_PARAMFILE_BYTES_MAX) {
        free(text);
        errno = why;
        return NULL;
    }
    text[*n] = '\0';
    return text;
}

static void set_value(enum mf_param param, double value)
{
    s_file.value[param] = value;
    s_file.given[param] = true;
}

int board_params_read(struct mf_config *config)
{
    const struct mf_config_origin origin = mf_config_origin_of(config, MF_CONFIG_params_file);
    struct mf_paramfile_entry entry;
    char error[200];
    size_t n;
    int param, more;
    const bool sitl = config->profile == MF_PROFILE_px4_sitl;
    for (size_t i = 0; sitl && i < sizeof k_sitl / sizeof k_sitl[0]; i++) {
        set_value(k_sitl[i].param, k_sitl[i].value);
    }
    if (config->params_file[0] == '\0') {
        return MF_E_OK;
    }
    s_file.text = read_text(config->params_file, &n);
    if (s_file.text == NULL) {
        return mf_config_complain(config, &origin, "%.200s: %s", config->params_file,
                                  strerror(errno));
    }
    struct mf_paramfile file = mf_paramfile_begin(s_file.text, n);
    while ((more = mf_paramfile_next(&file, &entry, error, sizeof error)) == 1) {
        if (check_entry(&entry, &param) == SET) {
            set_value((enum mf_param)param, entry.value);
        }
    }
    return more == 0 ? MF_E_OK
                     : mf_config_complain(config, &origin, "%.200s:%s", config->params_file, error);
}

/* The list of unknown names, in lines of some length. */
struct list {
    const struct mf_config *config;
    void (*say)(void *ctx, enum mf_severity severity, const char *text);
    void *ctx;
    char line[256];
    size_t used, begin;
};

static void flush_line(struct list *list)
{
    if (list->used > list->begin) {
        list->say(list->ctx, MF_NOTICE, list->line);
    }
    list->begin = (size_t)snprintf(list->line, sizeof list->line,
                                   "  params %.100s, not known here:", list->config->params_file);
    list->used = list->begin;
}

static void add_name(struct list *list, const char *name)
{
    if (list->used - list->begin + strlen(name) > LINE_COLUMNS) {
        flush_line(list);
    }
    list->used += (size_t)snprintf(list->line + list->used, sizeof list->line - list->used, "%s %s",
                                   list->used > list->begin ? "," : "", name);
}

static void report_range(struct list *list, const struct mf_paramfile_entry *entry, int param)
{
    char text[256];
    const struct mf_param_info *info = mf_param_info((enum mf_param)param);
    (void)snprintf(text, sizeof text,
                   "  params %.100s:%u: %s: %.10g is out of range, allowed: %.7g .. %.7g",
                   list->config->params_file, entry->line, info->name, entry->value,
                   number_of(info, info->min), number_of(info, info->max));
    list->say(list->ctx, MF_WARNING, text);
}

void board_params_report(const struct mf_config *config,
                         void (*say)(void *ctx, enum mf_severity severity, const char *text),
                         void *ctx)
{
    struct list list = {.config = config, .say = say, .ctx = ctx};
    struct mf_paramfile_entry entry;
    unsigned count[OUT_OF_RANGE + 1] = {0};
    char text[256];
    int param;
    if (s_file.text == NULL) {
        return;
    }
    flush_line(&list);
    struct mf_paramfile file = mf_paramfile_begin(s_file.text, strlen(s_file.text));
    while (mf_paramfile_next(&file, &entry, text, sizeof text) == 1) {
        const enum outcome outcome = check_entry(&entry, &param);
        count[outcome]++;
        if (outcome == UNKNOWN) {
            add_name(&list, entry.name);
        } else if (outcome == OUT_OF_RANGE) {
            report_range(&list, &entry, param);
        }
    }
    flush_line(&list);
    (void)snprintf(text, sizeof text,
                   "  params %.100s: %u set, %u not known here, %u out of range, %u of other "
                   "components, %u that other settings say",
                   config->params_file, count[SET], count[UNKNOWN], count[OUT_OF_RANGE],
                   count[OTHER_COMPONENT], count[LAUNCHED]);
    say(ctx, MF_NOTICE, text);
    free(s_file.text);
    s_file.text = NULL;
}

/* ---- single values */

static int refuse_param(struct mf_config *c, const struct mf_config_param *param, int error)
{
    const int index = mf_param_find(param->name);
    if (error == MF_E_RANGE && index >= 0) {
        const struct mf_param_info *info = mf_param_info((enum mf_param)index);
        return mf_config_complain(
            c, &param->origin, "%s: %.10g is out of range, allowed: %.7g .. %.7g", param->name,
            param->value, number_of(info, info->min), number_of(info, info->max));
    }
    struct mf_nearest nearest = {.word = param->name};
    for (int i = 0; i < MF_PARAM_COUNT; i++) {
        mf_nearest_try(&nearest, mf_param_info((enum mf_param)i)->name);
    }
    return mf_config_complain(c, &param->origin, "%s: %s%s%s%s", param->name,
                              index < 0 ? "unknown parameter" : mf_err_text(error),
                              index < 0 && nearest.best != NULL ? ", did you mean " : "",
                              index < 0 && nearest.best != NULL ? nearest.best : "",
                              index < 0 && nearest.best != NULL ? "?" : "");
}

bool board_params_get(int param, double *value)
{
    MF_ASSERT(param >= 0 && param < MF_PARAM_COUNT);
    *value = s_file.value[param];
    return s_file.given[param];
}

int board_params_set(struct mf_config *c, struct mf_vehicle *v)
{
    for (int i = 0; i < MF_PARAM_COUNT; i++) {
        if (s_file.given[i]) {
            const int result =
                mf_param_override(v, mf_param_info((enum mf_param)i)->name, s_file.value[i]);
            MF_ASSERT(result == MF_E_OK); /* check_entry() */
        }
    }
    for (int i = 0; i < c->param_count; i++) {
        const struct mf_config_param *param = &c->param[i];
        const int result = strlen(param->name) > MF_PARAM_NAME_MAX
                               ? MF_E_NOENT
                               : mf_param_override(v, param->name, param->value);
        if (result != MF_E_OK) {
            return refuse_param(c, param, result);
        }
    }
    return MF_E_OK;
}
