/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/swarm/console.h"

#include "boards/swarm/run.h"
#include "host/base/value.h"

#include <inttypes.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS_MAX 4

/* A line in words. */
struct words {
    const char *word[WORDS_MAX];
    const char *rest; /* what stands behind the first one */
    int count;
};

/* ---- what is meant */

/* "4,2" or "4,2,1" @return false: no cell of this world */
static bool read_cell(const struct swarm_console *c, const char *text, struct mf_cell *cell)
{
    int32_t *const at[3] = {&cell->x, &cell->y, &cell->z};
    *cell = (struct mf_cell){0, 0, 0};
    for (int i = 0; i < 3 && text != NULL; i++) {
        char *end;
        const long n = strtol(text, &end, 10);
        if (end == text || n < 0 || n > INT32_MAX || (*end != '\0' && *end != ',')) {
            return false;
        }
        *at[i] = (int32_t)n;
        if (*end == '\0') {
            return i > 0 && mf_field_is_inside(mf_grid_field(c->q), *cell);
        }
        text = end + 1;
    }
    return false;
}

/* A number from 1 @return 0: it is none */
static uint32_t read_number(const char *text, uint32_t most)
{
    char *end;
    const unsigned long n = text != NULL ? strtoul(text, &end, 10) : 0;
    return n > 0 && n <= most && *end == '\0' ? (uint32_t)n : 0;
}

/* Drones that were there at first have names, those that were added numbers. */
static void name_of(const struct swarm_console *c, uint32_t drone, char *name)
{
    swarm_grid_name(c->w, c->g, drone, name);
}

/* By its name or number @return 0: there is none, or it is not there yet */
static uint32_t read_drone(const struct swarm_console *c, const char *text)
{
    uint32_t found = read_number(text, c->g->s.drone_count);
    for (uint32_t drone = 1; found == 0 && text != NULL && drone <= c->g->s.drone_count; drone++) {
        char name[SWARM_NAME_MAX];
        name_of(c, drone, name);
        found = strcmp(name, text) == 0 ? drone : 0;
    }
    return found != 0 && mf_grid_drone(c->q, found).state != MF_GRID_STATE_ABSENT ? found : 0;
}

static uint64_t next_tick(const struct swarm_console *c)
{
    return mf_grid_ticks(c->q) + 1u;
}

/* ---- commands: NULL, or what is wrong */

static const char *play(struct swarm_console *c, const struct words *w)
{
    (void)w;
    swarm_run_pause(c->w, false);
    return NULL;
}

static const char *pause_run(struct swarm_console *c, const struct words *w)
{
    (void)w;
    swarm_run_pause(c->w, true);
    return NULL;
}

static const char *step(struct swarm_console *c, const struct words *w)
{
    const uint32_t n = read_number(w->word[1], 1000000);
    if (n == 0) {
        return "step N: how many ticks, 1 to 1000000";
    }
    swarm_run_steps(c->w, n);
    return NULL;
}

static const char *show(struct swarm_console *c, const struct words *w)
{
    (void)w;
    for (uint32_t drone = 1; drone <= c->g->s.drone_count; drone++) {
        const struct mf_grid_view v = mf_grid_drone(c->q, drone);
        const struct mf_cell at = mf_field_cell(mf_grid_field(c->q), v.cell);
        char name[SWARM_NAME_MAX];
        if (v.state != MF_GRID_STATE_ABSENT) {
            name_of(c, drone, name);
            (void)printf("%-16s %-10s at %d,%d,%d  battery %.3f mAh  trust %.3f  task %u\n", name,
                         mf_grid_state_name[v.state], (int)at.x, (int)at.y, (int)at.z,
                         (double)v.battery_uah / 1000.0, v.trust, (unsigned)v.task);
        }
    }
    for (uint32_t task = 1; task <= c->g->s.task_count; task++) {
        const char *reason;
        const bool done = mf_grid_is_done(c->q, task, &reason);
        (void)printf("task %-11u %s%s%s\n", (unsigned)task, done ? "done" : "not done",
                     reason[0] != '\0' ? ": " : "", reason);
    }
    for (uint32_t level = 0; level < c->g->s.size[2]; level++) {
        mf_grid_map(c->q, level, c->map);
        (void)puts(c->map);
    }
    return NULL;
}

static const char *add(struct swarm_console *c, const struct words *w)
{
    struct mf_cell cell;
    if (!read_cell(c, w->word[1], &cell)) {
        return "add X,Y[,Z]: a cell of this world";
    }
    if (c->added == SWARM_GRID_SPARES) {
        return "no more drones can be added in this run";
    }
    struct mf_grid_drone *d = &c->g->drone[c->g->own_drones + c->added++];
    *d = c->g->drone[0];
    d->home = mf_field_index(mf_grid_field(c->q), cell);
    d->appears = next_tick(c);
    return NULL;
}

static struct mf_grid_effect *next_effect(struct swarm_console *c)
{
    if (c->done == SWARM_GRID_SPARES) {
        return NULL;
    }
    struct mf_grid_effect *e = &c->g->effect[c->g->own_effects + c->done++];
    e->at = next_tick(c);
    return e;
}

static const char *block(struct swarm_console *c, const struct words *w)
{
    struct mf_cell cell;
    if (!read_cell(c, w->word[1], &cell)) {
        return "block X,Y[,Z]: a cell of this world";
    }
    struct mf_grid_effect *e = next_effect(c);
    if (e == NULL) {
        return "no more can be changed in this run";
    }
    e->kind = MF_GRID_EFFECT_BLOCK;
    e->from = e->to = cell;
    return NULL;
}

/* The last way of a task leads elsewhere; who is under way turns around with the next tick. */
static const char *target(struct swarm_console *c, const struct words *w)
{
    const uint32_t number = read_number(w->word[1], c->g->s.task_count);
    struct mf_cell cell;
    if (number == 0 || !read_cell(c, w->word[2], &cell)) {
        return "target TASK X,Y[,Z]: number of a task, and a cell of this world";
    }
    struct mf_grid_task *t = &c->g->task[number - 1u];
    for (uint32_t i = t->steps; i > 0; i--) {
        if (t->step[i - 1u].kind == MF_GRID_STEP_GOTO) {
            t->step[i - 1u].cell = mf_field_index(mf_grid_field(c->q), cell);
            return NULL;
        }
    }
    return "this task has no cell where it leads to";
}

static const char *order(struct swarm_console *c, uint32_t drone, bool plays, struct mf_cell cell)
{
    if (c->ordered == SWARM_GRID_SPARES) {
        return "no more orders can be given in this run";
    }
    c->g->orders[c->g->own_orders + c->ordered++] =
        (struct mf_grid_order){.at = next_tick(c),
                               .controller = c->g->drone[drone - 1u].controller,
                               .drone = drone,
                               .play = plays,
                               .cell = mf_field_index(mf_grid_field(c->q), cell)};
    return NULL;
}

static const char *send(struct swarm_console *c, const struct words *w)
{
    const uint32_t drone = read_drone(c, w->word[1]);
    struct mf_cell cell;
    if (drone == 0 || !read_cell(c, w->word[2], &cell)) {
        return "goto DRONE X,Y[,Z]: name or number of a drone, and a cell of this world";
    }
    return order(c, drone, false, cell);
}

static const char *release(struct swarm_console *c, const struct words *w)
{
    const uint32_t drone = read_drone(c, w->word[1]);
    return drone == 0 ? "release DRONE: name or number of a drone"
                      : order(c, drone, true, (struct mf_cell){0, 0, 0});
}

/* What is left of the battery becomes another. */
static const char *set_battery(struct swarm_console *c, uint32_t drone, int64_t uah)
{
    struct mf_grid_effect *e = next_effect(c);
    const int64_t most = c->g->drone[drone - 1u].body.capacity_uah;
    if (e == NULL) {
        return "no more can be changed in this run";
    }
    e->kind = MF_GRID_EFFECT_DAMAGE;
    e->part = MF_GRID_PART_BATTERY;
    e->drone = drone;
    e->amount = mf_grid_drone(c->q, drone).battery_uah - (uah < most ? uah : most);
    return NULL;
}

static const char *set_drone(struct swarm_console *c, uint32_t drone, const char *key, double value)
{
    struct mf_mover_cell_settings *body = &c->g->drone[drone - 1u].body;
    const struct {
        const char *key;
        int64_t *uah;
    } all[] = {{"move", &body->move_uah},
               {"tick", &body->tick_uah},
               {"per_kg", &body->per_kg_uah},
               {"charge_below", &c->g->drone[drone - 1u].charge_below_uah}};
    const int64_t uah = (int64_t)(value * 1000.0 + 0.5);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (strcmp(key, all[i].key) == 0) {
            *all[i].uah = uah;
            return NULL;
        }
    }
    if (strcmp(key, "battery") == 0) {
        return set_battery(c, drone, uah);
    }
    if (strcmp(key, "speed") == 0 && value >= 1.0 && value <= 100.0) {
        body->speed = (uint32_t)value;
        return NULL;
    }
    return "a drone has battery, charge_below, move, tick, per_kg [mAh] and speed (1 to 100 cells "
           "a tick)";
}

static const char *set(struct swarm_console *c, const struct words *w)
{
    static const char k_use[] = "set ENTITY.KEY VALUE: drone.1.battery 500, task.2.deadline 40";
    char entity[SWARM_CONSOLE_LINE_MAX];
    double value;
    const char *end = w->count == 3 ? mf_value_number(w->word[2], &value) : NULL;
    const char *dot = w->count == 3 ? strrchr(w->word[1], '.') : NULL;
    if (end == NULL || *end != '\0' || dot == NULL || !(value >= 0.0 && value <= 1e9)) {
        return k_use;
    }
    memcpy(entity, w->word[1], (size_t)(dot - w->word[1]));
    entity[dot - w->word[1]] = '\0';
    const uint32_t task =
        strncmp(entity, "task.", 5) == 0 ? read_number(entity + 5, c->g->s.task_count) : 0;
    if (task != 0 && strcmp(dot, ".deadline") == 0) {
        c->g->task[task - 1u].deadline = (uint32_t)value;
        return NULL;
    }
    const uint32_t drone = read_drone(c, entity);
    return drone != 0 ? set_drone(c, drone, dot + 1, value) : k_use;
}

static const char *run_command(struct swarm_console *c, const struct words *w)
{
    char shell[] = "sh", option[] = "-c", command[SWARM_CONSOLE_LINE_MAX];
    char *const words[] = {shell, option, command, NULL};
    pid_t child;
    (void)c;
    (void)fflush(stdout);
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

static const char *help(struct swarm_console *c, const struct words *w);

static const struct {
    const char *name;
    const char *help;
    const char *(*run)(struct swarm_console *c, const struct words *w);
} k_command[] = {
    {"play", "          ticks pass by themselves", play},
    {"pause", "         no longer", pause_run},
    {"step", " N        so many ticks", step},
    {"show", "          drones, tasks, the map", show},
    {"add", " X,Y       a drone like the first one", add},
    {"block", " X,Y     a wall, which drones have to find", block},
    {"target", " T X,Y  task T leads to another cell", target},
    {"goto", " D X,Y    an operator sends drone D there", send},
    {"release", " D     it goes on with its task", release},
    {"set", " E.KEY V   drone.1.battery 500, task.2.deadline 40", set},
    {"run", " COMMAND   a command of the shell", run_command},
    {"help", "          this list", help},
    {"exit", "          the run ends here", NULL},
};
#define COMMANDS (sizeof k_command / sizeof k_command[0])

static const char *help(struct swarm_console *c, const struct words *w)
{
    (void)c;
    (void)w;
    (void)puts("Enter: a tick");
    for (size_t i = 0; i < COMMANDS; i++) {
        (void)printf("%s%s\n", k_command[i].name, k_command[i].help);
    }
    return NULL;
}

/* ---- lines */

/* Waits this long while time stands [ms]: the control API has its turn, too. */
#define WAIT_MS 10

/* @return true: a line is in @p line */
static bool next_line(struct swarm_console *c, char *line, bool waits)
{
    for (;;) {
        char *end = memchr(c->input, '\n', c->length);
        if (end == NULL && c->length == sizeof c->input) {
            end = &c->input[sizeof c->input - 1]; /* too long: cut */
        }
        if (end != NULL) {
            const size_t n = (size_t)(end - c->input);
            memcpy(line, c->input, n);
            line[n] = '\0';
            c->length -= n + 1;
            memmove(c->input, end + 1, c->length);
            return true;
        }
        struct pollfd said = {.fd = STDIN_FILENO, .events = POLLIN};
        if (poll(&said, c->ended ? 0 : 1, waits ? WAIT_MS : 0) < 1) {
            return false;
        }
        const ssize_t got = read(STDIN_FILENO, c->input + c->length, sizeof c->input - c->length);
        c->ended = got <= 0;
        c->length += got > 0 ? (size_t)got : 0;
    }
}

static struct words words_of(char *line, char *copy)
{
    struct words w = {.rest = ""};
    char *save = NULL;
    memcpy(copy, line, strlen(line) + 1u);
    for (char *word = strtok_r(copy, " \t\r", &save); word != NULL && w.count < WORDS_MAX;
         word = strtok_r(NULL, " \t\r", &save)) {
        if (w.count == 1) {
            w.rest = line + (word - copy);
        }
        w.word[w.count++] = word;
    }
    return w;
}

/* @return false: exit */
static bool obey(struct swarm_console *c, char *line)
{
    char copy[SWARM_CONSOLE_LINE_MAX];
    const struct words w = words_of(line, copy);
    if (w.count == 0) {
        swarm_run_steps(c->w, 1);
        return true;
    }
    struct mf_nearest nearest = {.word = w.word[0]};
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(w.word[0], k_command[i].name) == 0) {
            const char *wrong = k_command[i].run != NULL ? k_command[i].run(c, &w) : NULL;
            if (wrong != NULL) {
                (void)puts(wrong);
            }
            return k_command[i].run != NULL;
        }
        mf_nearest_try(&nearest, k_command[i].name);
    }
    (void)printf("there is no '%s'%s%s; help lists all\n", w.word[0],
                 nearest.best != NULL ? ", did you mean " : "",
                 nearest.best != NULL ? nearest.best : "");
    return true;
}

int swarm_console_turn(void *ctx, bool stands)
{
    struct swarm_console *c = ctx;
    char line[SWARM_CONSOLE_LINE_MAX];
    if (!stands && c->w->hold_us != MF_NEVER) {
        return 0; /* so many ticks were asked for, and pass */
    }
    if (stands && !c->asked && !c->ended) {
        (void)printf("tick %" PRIu64 "> ", mf_grid_ticks(c->q));
        (void)fflush(stdout);
        c->asked = true;
    }
    if (next_line(c, line, stands)) {
        c->asked = false;
        return obey(c, line) ? 1 : -1;
    }
    if (stands && c->ended && c->w->links == NULL) {
        swarm_run_pause(c->w, false); /* nobody else lets it go on */
        return 1;
    }
    return 0;
}
