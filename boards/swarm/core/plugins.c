/* SPDX-License-Identifier: Apache-2.0 */
/* Loads plug-ins, finds their entries and limits the time of their calls, for the files of each
 * kind of entry (mind_plugin.c, radio_plugin.c and others). */
#include "boards/swarm/core/plugins.h"

#include "boards/swarm/core/loader.h"
#include "host/base/value.h"
#include "math/chance.h"

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WATCH_MS 20

/* clang-format off */
static const struct {
    const char *word, *key;
} k_kind[] = {
#define X(NAME, member, text) {#member, text},
    MF_PLUGIN_KIND_LIST(X)
#undef X
};
/* clang-format on */

/* Plug-ins of a run. */
struct plugins {
    const struct mf_plugin *plugin[MF_SCENARIO_PLUGINS_MAX];
    bool loaded;
};

const size_t swarm_plugins_bytes = sizeof(struct plugins);

static struct plugins *plugins_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_PLUGINS];
}

/* ---- the time limit */

/* State of a thread's calls. The number is odd during a call. It outlives the thread, since the
 * watch reads it at any time. */
struct call {
    struct call *next; /* call of the thread that came before */
    _Atomic unsigned number;
    const struct swarm_plugin *_Atomic of;
    unsigned seen;  /* number at the last look; of the watch alone, as the next field */
    double since_s; /* wall time since when it is that number [s] */
};

/* Calls belong to threads of the process: one that does not return ends all of its runs. */
static struct call *_Atomic s_call; /* of the last thread that has called */
static _Thread_local struct call *t_call;
static pthread_once_t s_watch_once = PTHREAD_ONCE_INIT;
static int s_watch_error;

void swarm_plugin_name(const struct swarm_plugin *o, char *text, size_t size)
{
    (void)snprintf(text, size, "%s '%s' of %s", k_kind[o->entry->kind].word, o->entry->name,
                   o->of->file);
}

_Noreturn void swarm_plugin_fatal(const struct swarm_plugin *o, const char *format, ...)
{
    char name[MF_SCENARIO_FILE_MAX + 64u], what[MF_KEYS_ERROR_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    swarm_plugin_name(o, name, sizeof name);
    (void)fprintf(stderr, "mayfly-swarm: %s:%d: plugins: %s %s\n", o->file, o->of->line, name,
                  what);
    _exit(SWARM_INPUT);
}

static void *watch_calls(void *unused)
{
    const struct timespec t = {0, WATCH_MS * 1000000L};
    (void)unused;
    for (;;) {
        (void)nanosleep(&t, NULL);
        for (struct call *c = atomic_load(&s_call); c != NULL; c = c->next) {
            const unsigned number = atomic_load(&c->number);
            const struct swarm_plugin *of = atomic_load(&c->of);
            if (number % 2u == 0u || number != c->seen) {
                c->since_s = swarm_wall_s();
                c->seen = number;
            } else if (swarm_wall_s() - c->since_s > of->of->limit_s) {
                swarm_plugin_fatal(of,
                                   "did not return within %g s: end its loop, or raise its 'limit'",
                                   of->of->limit_s);
            }
        }
    }
    return NULL;
}

static void start_watch(void)
{
    pthread_t thread;
    s_watch_error = pthread_create(&thread, NULL, watch_calls, NULL);
}

void swarm_plugin_enter(const struct swarm_plugin *o)
{
    if (t_call == NULL) {
        t_call = calloc(1, sizeof *t_call);
        if (t_call == NULL) {
            swarm_plugin_fatal(o, "has no memory for a call");
        }
        t_call->next = atomic_load(&s_call);
        while (!atomic_compare_exchange_weak(&s_call, &t_call->next, t_call)) {
        }
    }
    atomic_store_explicit(&t_call->of, o, memory_order_relaxed);
    const unsigned number = atomic_load_explicit(&t_call->number, memory_order_relaxed);
    atomic_store_explicit(&t_call->number, number + 1u, memory_order_release);
}

void swarm_plugin_leave(void)
{
    const unsigned number = atomic_load_explicit(&t_call->number, memory_order_relaxed);
    atomic_store_explicit(&t_call->number, number + 1u, memory_order_release);
}

/* ---- shared objects */

static int check_entries(struct swarm *w, const struct mf_scenario_plugin *p,
                         const struct mf_plugin *plugin)
{
    if (plugin->version == MF_PLUGIN_VERSION &&
        plugin->entry_bytes != sizeof(struct mf_plugin_entry)) {
        return swarm_refuse(w, p->line,
                            "plugins: %s was compiled with another fleet/plugin.h of version %u: "
                            "compile it again with this program's header",
                            p->file, MF_PLUGIN_VERSION);
    }
    if (plugin->version != MF_PLUGIN_VERSION) {
        return swarm_refuse(w, p->line,
                            "plugins: %s is for version %u of fleet/plugin.h, this program for "
                            "%u: compile it again with this program's header",
                            p->file, plugin->version, MF_PLUGIN_VERSION);
    }
    for (uint32_t i = 0; i < plugin->entries; i++) {
        const struct mf_plugin_entry *e = &plugin->entry[i];
        const bool there[] = {
            [MF_PLUGIN_PLAN] = e->plan != NULL && e->plan->begin != NULL,
            [MF_PLUGIN_COST] = e->cost != NULL && e->cost->cost != NULL,
            [MF_PLUGIN_DETECTION] = e->detection != NULL && e->detection->probability != NULL,
            [MF_PLUGIN_BEHAVIOUR] = e->behaviour != NULL && e->behaviour->turn != NULL,
            [MF_PLUGIN_SCHEDULER] = e->scheduler != NULL && e->scheduler->choose != NULL,
            [MF_PLUGIN_TRUST] = e->trust != NULL && e->trust->trust != NULL,
            [MF_PLUGIN_RADIO] =
                e->radio != NULL && e->radio->describe != NULL && e->radio->reception != NULL,
            [MF_PLUGIN_ANTENNA] = e->antenna != NULL && e->antenna->gain_db != NULL,
            [MF_PLUGIN_PATH] = e->path != NULL && e->path->loss_db != NULL,
            [MF_PLUGIN_WEATHER] =
                e->weather != NULL && (e->weather->wind != NULL || e->weather->value != NULL),
            [MF_PLUGIN_BODY] = e->body != NULL && e->body->step != NULL,
            [MF_PLUGIN_COMPONENT] = e->component != NULL && e->component->told != NULL,
            [MF_PLUGIN_SENSOR] = e->sensor != NULL && e->sensor->measure != NULL,
        };
        if ((unsigned)e->kind >= MF_PLUGIN_KINDS || !there[e->kind] || e->name == NULL ||
            e->params > MF_PLUGIN_PARAMS_MAX || e->state_bytes > MF_PLUGIN_STATE_MAX) {
            return swarm_refuse(w, p->line,
                                "plugins: %s: entry %u ('%.31s') lacks its name or the functions "
                                "of its kind, or is larger than fleet/plugin.h allows",
                                p->file, (unsigned)i, e->name != NULL ? e->name : "");
        }
    }
    return SWARM_OK;
}

static int load_plugin(struct swarm *w, uint32_t i)
{
    const struct mf_scenario_plugin *p = &w->scenario->plugin[i];
    char path[3 * MF_SCENARIO_FILE_MAX], here[sizeof path + 2u], why[300];
    swarm_plan_path(w, p->file, path, sizeof path);
    (void)snprintf(here, sizeof here, "%s%s", strchr(path, '/') == NULL ? "./" : "", path);
    if (swarm_loader_find == NULL) {
        return swarm_refuse(w, p->line,
                            "plugins: this mayfly-swarm is linked statically and loads no shared "
                            "objects: use build/mayfly-swarm of 'make all', or the tools' image");
    }
    plugins_of(w)->plugin[i] = swarm_loader_find(here, MF_PLUGIN_SYMBOL, why, sizeof why);
    if (plugins_of(w)->plugin[i] == NULL && why[0] != '\0') {
        return swarm_refuse(
            w, p->line, "plugins: %s%s", why,
            access(here, F_OK) != 0 ? " (docs/plugins.md says how to compile a plug-in)" : "");
    }
    if (plugins_of(w)->plugin[i] == NULL) {
        return swarm_refuse(w, p->line,
                            "plugins: %s has no symbol '%s': define 'const struct mf_plugin %s' of "
                            "fleet/plugin.h in it",
                            p->file, MF_PLUGIN_SYMBOL, MF_PLUGIN_SYMBOL);
    }
    return check_entries(w, p, plugins_of(w)->plugin[i]);
}

/* Load the plug-ins of the scenario, once. */
static int load_all(struct swarm *w)
{
    int result = SWARM_OK;
    if (plugins_of(w)->loaded || w->scenario->plugins == 0) {
        return SWARM_OK;
    }
    plugins_of(w)->loaded = true;
    for (uint32_t i = 0; result == SWARM_OK && i < w->scenario->plugins; i++) {
        result = load_plugin(w, i);
    }
    (void)pthread_once(&s_watch_once, start_watch);
    if (result == SWARM_OK && s_watch_error != 0) {
        result = swarm_refuse(w, 1, "plugins: cannot start a thread");
    }
    return result;
}

/* ---- an entry, and its parameters */

static int refuse_value(struct swarm *w, int line, const char *key, const struct mf_plugin_param *p,
                        const char *value)
{
    static const char *const k_type[] = {"a number", "a whole number", "true or false", "a text"};
    if (p->type == MF_PLUGIN_REAL || p->type == MF_PLUGIN_WHOLE) {
        return swarm_refuse(w, line, "%s.params.%s: '%s' must be %s from %g to %g", key, p->name,
                            value, k_type[p->type], p->low, p->high);
    }
    return swarm_refuse(w, line, "%s.params.%s: '%s' must be %s", key, p->name, value,
                        k_type[p->type]);
}

static bool set_value(const struct mf_plugin_param *p, const char *text, union mf_plugin_value *v)
{
    double x = 0.0;
    bool truth = false;
    const char *end = mf_value_number(text, &x);
    const bool number = end != NULL && *end == '\0' && x >= p->low && x <= p->high;
    switch (p->type) {
    case MF_PLUGIN_REAL:
        v->real = x;
        return number;
    case MF_PLUGIN_WHOLE:
        v->whole = number ? (int64_t)x : 0;
        return number && floor(x) == x && fabs(x) < 9e15;
    case MF_PLUGIN_BOOL:
        if (!mf_value_bool(text, &truth)) {
            return false;
        }
        v->truth = truth;
        return true;
    case MF_PLUGIN_TEXT:
    default:
        v->text = text;
        return true;
    }
}

static int set_values(struct swarm *w, const struct mf_scenario_own *chosen, const char *key,
                      struct swarm_plugin *o)
{
    const struct mf_plugin_entry *e = o->entry;
    for (uint32_t i = 0; i < e->params; i++) {
        o->value[i] = e->param[i].otherwise;
    }
    for (uint32_t k = 0; k < chosen->params; k++) {
        struct mf_nearest nearest = {.word = chosen->param[k].name};
        uint32_t i = 0;
        while (i < e->params && strcmp(e->param[i].name, chosen->param[k].name) != 0) {
            mf_nearest_try(&nearest, e->param[i].name);
            i++;
        }
        if (i == e->params) {
            return swarm_refuse(
                w, chosen->param[k].line, "%s.params: '%s' has no '%s'%s%s%s", key, e->name,
                chosen->param[k].name, nearest.best != NULL ? ", did you mean '" : "",
                nearest.best != NULL ? nearest.best : "", nearest.best != NULL ? "'?" : "");
        }
        if (!set_value(&e->param[i], chosen->param[k].value, &o->value[i])) {
            return refuse_value(w, chosen->param[k].line, key, &e->param[i],
                                chosen->param[k].value);
        }
    }
    return SWARM_OK;
}

int swarm_plugins_make(struct swarm *w, enum swarm_slot slot, size_t bytes)
{
    if (w->state[slot] == NULL) {
        w->state[slot] = swarm_memory(w, 1, bytes);
    }
    return w->state[slot] != NULL ? SWARM_OK : SWARM_INPUT;
}

int swarm_plugin_find(struct swarm *w, const struct mf_scenario_own *chosen,
                      enum mf_plugin_kind kind, const char *key, int line, struct swarm_plugin *o)
{
    static const struct mf_plugin_host k_host = {mf_chance_unit};
    struct mf_nearest nearest = {.word = chosen->name};
    int result = load_all(w);
    *o = (struct swarm_plugin){.file = w->file, .self = {.host = &k_host, .value = o->value}};
    for (uint32_t i = 0; result == SWARM_OK && i < w->scenario->plugins; i++) {
        for (uint32_t k = 0; k < plugins_of(w)->plugin[i]->entries; k++) {
            const struct mf_plugin_entry *e = &plugins_of(w)->plugin[i]->entry[k];
            if (e->kind == kind && strcmp(e->name, chosen->name) == 0) {
                o->entry = e;
                o->of = &w->scenario->plugin[i];
                return set_values(w, chosen, key, o);
            }
            if (e->kind == kind) {
                mf_nearest_try(&nearest, e->name);
            }
        }
    }
    return result != SWARM_OK
               ? result
               : swarm_refuse(w, line,
                              "%s: no plug-in has the %s '%s'%s%s%s; name its file in "
                              "plugins, and write %s",
                              key, k_kind[kind].word, chosen->name,
                              nearest.best != NULL ? ", did you mean '" : "",
                              nearest.best != NULL ? nearest.best : "",
                              nearest.best != NULL ? "'?" : "", k_kind[kind].key);
}
