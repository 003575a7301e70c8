/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of an operator that every run in steps has. console.c and operator_routes.c call it. */
#include "boards/swarm/time/operator.h"

#include "boards/swarm/time/hold.h"
#include "host/base/value.h"

#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define STEPS_MAX 1000000u /* largest number of steps in one command */

const char *swarm_operator_wrong(struct swarm_operator *o, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(o->why, sizeof o->why, format, args);
    va_end(args);
    return o->why;
}

uint32_t swarm_operator_number(const char *text, uint32_t most)
{
    char *end;
    const unsigned long n = text != NULL ? strtoul(text, &end, 10) : 0;
    return n > 0 && n <= most && *end == '\0' ? (uint32_t)n : 0;
}

int swarm_operator_place(const char *text, double place[3])
{
    place[0] = place[1] = place[2] = 0.0;
    for (int i = 0; i < 3 && text != NULL; i++) {
        const char *end = mf_value_number(text, &place[i]);
        if (end == NULL || (*end != '\0' && *end != ',')) {
            return 0;
        }
        if (*end == '\0') {
            return i + 1;
        }
        text = end + 1;
    }
    return 0;
}

/* ---- commands of every run */

static const char *play_run(struct swarm_operator *o, const struct swarm_words *w, FILE *to)
{
    (void)w, (void)to;
    swarm_hold_pause(o->w, false);
    return NULL;
}

static const char *pause_run(struct swarm_operator *o, const struct swarm_words *w, FILE *to)
{
    (void)w, (void)to;
    swarm_hold_pause(o->w, true);
    return NULL;
}

static const char *order_steps(struct swarm_operator *o, const struct swarm_words *w, FILE *to)
{
    const uint32_t n = swarm_operator_number(w->word[1], STEPS_MAX);
    (void)to;
    if (n == 0) {
        return swarm_operator_wrong(o, "step N: how many %ss, 1 to %u", o->world->step, STEPS_MAX);
    }
    swarm_hold_steps(o->w, n);
    return NULL;
}

static const char *show_world(struct swarm_operator *o, const struct swarm_words *w, FILE *to)
{
    (void)w;
    o->world->show(o, to);
    return NULL;
}

static const char *order_task(struct swarm_operator *o, const struct swarm_words *w, FILE *to)
{
    uint32_t number = 0;
    const char *wrong = o->world->task(o, w->rest, strlen(w->rest), &number);
    if (wrong == NULL) {
        (void)fprintf(to, "task %u\n", (unsigned)number);
    }
    return wrong;
}

static const char *run_shell_command(struct swarm_operator *o, const struct swarm_words *w,
                                     FILE *to)
{
    char shell[] = "sh", option[] = "-c", command[SWARM_LINE_MAX];
    char *const words[] = {shell, option, command, NULL};
    pid_t child;
    (void)o;
    (void)fflush(to);
    (void)snprintf(command, sizeof command, "%s", w->rest);
    if (w->count < 2) {
        return "run COMMAND: of the shell";
    }
    if (posix_spawnp(&child, shell, NULL, NULL, words, environ) != 0) {
        return "the shell cannot be started";
    }
    (void)waitpid(child, NULL, 0);
    return NULL;
}

static const char *end_run(struct swarm_operator *o, const struct swarm_words *w, FILE *to)
{
    (void)w, (void)to;
    o->ends = true;
    return NULL;
}

static const char *print_help(struct swarm_operator *o, const struct swarm_words *w, FILE *to);

static const struct swarm_operator_command k_command[] = {
    {"play", "", "time passes by itself", false, play_run},
    {"pause", "", "no longer", false, pause_run},
    {"step", "N", "so many steps", false, order_steps},
    {"show", "", "what there is, and where", false, show_world},
    {"run", "COMMAND", "a command of the shell; not by the control API", false, run_shell_command},
    {"help", "", "this list", false, print_help},
    {"exit", "", "the run ends here", false, end_run},
    {"task", "TASK", "as in a scenario: task {carry: 7, to: [3, 4]}", true, order_task},
};
#define COMMANDS (sizeof k_command / sizeof k_command[0])

/* Commands of systems stand behind those of every run, and tasks before these, in a world that has
 * them. @return NULL: there are no more */
static const struct swarm_operator_command *command_at(const struct swarm_operator *o, size_t i)
{
    const size_t commands = o->world->task != NULL ? COMMANDS : COMMANDS - 1u;
    if (i < commands) {
        return &k_command[i];
    }
    i -= commands;
    for (const struct swarm_system *const *s = o->w->systems; *s != NULL; s++) {
        for (const struct swarm_operator_command *c = (*s)->commands; c != NULL && c->name != NULL;
             c++) {
            if (i-- == 0) {
                return c;
            }
        }
    }
    return NULL;
}

static const char *print_help(struct swarm_operator *o, const struct swarm_words *w, FILE *to)
{
    const struct swarm_operator_command *c;
    (void)w;
    (void)fprintf(to, "Enter: a %s\n", o->world->step);
    for (size_t i = 0; (c = command_at(o, i)) != NULL; i++) {
        (void)fprintf(to, "%-7s %-16s %s\n", c->name, c->takes, c->help);
    }
    return NULL;
}

/* ---- a line */

static void split_line(struct swarm_operator *o, const char *line)
{
    struct swarm_words *w = &o->words;
    char *save = NULL;
    *w = (struct swarm_words){.rest = ""};
    memcpy(o->line, line, strlen(line) + 1u);
    for (char *word = strtok_r(o->line, " \t\r\n", &save);
         word != NULL && w->count < SWARM_WORDS_MAX; word = strtok_r(NULL, " \t\r\n", &save)) {
        if (w->count == 1) {
            w->rest = line + (word - o->line);
        }
        w->word[w->count++] = word;
    }
}

const char *swarm_operator_obey(struct swarm_operator *o, const char *line, bool local, FILE *to)
{
    const struct swarm_operator_command *c;
    const struct swarm_words *w = &o->words;
    MF_ASSERT(strlen(line) < SWARM_LINE_MAX);
    split_line(o, line);
    if (w->count == 0) {
        swarm_hold_steps(o->w, 1);
        return NULL;
    }
    struct mf_nearest nearest = {.word = w->word[0]};
    for (size_t i = 0; (c = command_at(o, i)) != NULL; i++) {
        if (strcmp(w->word[0], c->name) != 0) {
            mf_nearest_try(&nearest, c->name);
            continue;
        }
        if (c->run == run_shell_command && !local) {
            return "run: commands of the shell are taken from stdin only";
        }
        const char *wrong = c->run(o, w, to);
        o->changed = o->changed || (wrong == NULL && c->changes);
        return wrong;
    }
    return swarm_operator_wrong(o, "there is no '%s'%s%s; help lists all", w->word[0],
                                nearest.best != NULL ? ", did you mean " : "",
                                nearest.best != NULL ? nearest.best : "");
}
