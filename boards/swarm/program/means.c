/* SPDX-License-Identifier: Apache-2.0 */
/* Computes means of a sweep's merged files. sweep.c calls it after it has merged them. */
#include "boards/swarm/program/means.h"

#include "boards/swarm/core/gathered.h"
#include "fleet/sweep.h"
#include "host/base/output.h"
#include "host/base/value.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 32u
#define WORD_MAX    64u

/* Values of one column in the runs of one setting, by Welford's method. */
struct figure {
    uint32_t run;             /* first run of the setting */
    char variation[WORD_MAX]; /* of figures of runs.csv */
    char name[WORD_MAX], column[WORD_MAX];
    uint32_t n;
    double mean, squares; /* sum of squares of the differences from the mean */
};

struct means {
    const struct mf_scenario *s;
    struct swarm_rows figures; /* struct figure */
    size_t last; /* figure that was found last: files repeat the order of their figures */
};

/* ---- figures */

static struct figure *figure_at(const struct means *m, size_t i)
{
    return &((struct figure *)m->figures.at)[i];
}

static struct figure *add_figure(struct means *m, uint32_t run, const char *name,
                                 const char *column)
{
    struct figure *f = swarm_gather(&m->figures, sizeof *f);
    if (f == NULL) {
        return NULL;
    }
    *f = (struct figure){.run = run};
    (void)snprintf(f->name, sizeof f->name, "%s", name);
    (void)snprintf(f->column, sizeof f->column, "%s", column);
    return f;
}

static struct figure *find_figure(struct means *m, uint32_t run, const char *name,
                                  const char *column)
{
    const uint32_t setting = mf_sweep_setting(m->s, run);
    for (size_t i = 0; i < m->figures.count; i++) {
        const size_t at = (m->last + 1u + i) % m->figures.count;
        const struct figure *f = figure_at(m, at);
        if (mf_sweep_setting(m->s, f->run) == setting && strcmp(f->column, column) == 0 &&
            strcmp(f->name, name) == 0) {
            m->last = at;
            return figure_at(m, at);
        }
    }
    m->last = m->figures.count;
    return add_figure(m, run, name, column);
}

static void take_value(struct means *m, uint32_t run, const char *name, const char *column,
                       const char *text)
{
    double x;
    const char *end = mf_value_number(text, &x);
    struct figure *f = end != NULL && *end == '\0' ? find_figure(m, run, name, column) : NULL;
    if (f != NULL) { /* an empty value is undefined */
        const double before = x - f->mean;
        f->n++;
        f->mean += before / f->n;
        f->squares += before * (x - f->mean);
    }
}

/* ---- files */

/* Cut a line of CSV at its commas. @return number of words */
static size_t cut_line(char *line, char *word[COLUMNS_MAX])
{
    size_t n = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *at = line; at != NULL && n < COLUMNS_MAX; n++) {
        word[n] = at;
        at = strchr(at, ',');
        if (at != NULL) {
            *at++ = '\0';
        }
    }
    return n;
}

/* Add a file of lines "run,NAME,value,...". @param only  of runs.csv, whose lines have a variation
 * as their name: the column that counts; NULL: all columns count */
static bool add_file(struct means *m, const char *path, const char *only)
{
    char *line = NULL, *head = NULL, *word[COLUMNS_MAX], *column[COLUMNS_MAX];
    size_t room = 0, columns = 0;
    FILE *file = fopen(path, "re");
    while (file != NULL && getline(&line, &room, file) > 0) {
        if (head == NULL) {
            head = line;
            columns = cut_line(head, column);
            line = NULL;
            room = 0;
            continue;
        }
        const size_t n = cut_line(line, word);
        double run = 0.0;
        (void)mf_value_number(word[0], &run);
        for (size_t i = 2; i < n && i < columns; i++) {
            if (only == NULL || strcmp(column[i], only) == 0) {
                take_value(m, (uint32_t)run, only == NULL ? word[1] : "", column[i], word[i]);
            }
        }
        if (only != NULL && n > 1 && m->last < m->figures.count) {
            (void)snprintf(figure_at(m, m->last)->variation, WORD_MAX, "%s", word[1]);
        }
    }
    free(line);
    free(head);
    return file != NULL && fclose(file) == 0 && !m->figures.failed;
}

/* ---- the table */

/* 97.5 % quantile of Student's distribution. Beyond 30 degrees of freedom it is the expansion by
 * their inverse, to 0.0001. */
static double student(uint32_t freedom)
{
    static const double k_t[] = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060,
                                 2.2622,  2.2281, 2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199,
                                 2.1098,  2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687, 2.0639,
                                 2.0595,  2.0555, 2.0518, 2.0484, 2.0452, 2.0423};
    const size_t listed = sizeof k_t / sizeof k_t[0];
    const double inverse = 1.0 / freedom;
    return freedom <= listed ? k_t[freedom - 1u]
                             : 1.95996 + inverse * (2.37227 + inverse * 2.82250);
}

/* Name of a run's variation: figures of runs.csv come first. */
static const char *variation_of(const struct means *m, uint32_t run)
{
    for (size_t i = 0; i < m->figures.count; i++) {
        if (mf_sweep_variation(m->s, figure_at(m, i)->run) == mf_sweep_variation(m->s, run)) {
            return figure_at(m, i)->variation;
        }
    }
    return "";
}

static void write_figure(const struct means *m, const struct figure *f, FILE *to)
{
    char text[MF_SCENARIO_VALUE_MAX];
    (void)fputs(variation_of(m, f->run), to);
    for (uint32_t i = 0; i < m->s->sweep.ranges; i++) {
        if (!mf_sweep_repeats(m->s, i)) {
            mf_sweep_value(m->s, f->run, i, text);
            (void)fprintf(to, ",%s", text);
        }
    }
    (void)fprintf(to, ",%s,%s,%u,%.9g", f->name, f->column, (unsigned)f->n, f->mean);
    if (f->n > 1) {
        const double half = student(f->n - 1u) * sqrt(f->squares / (f->n - 1u) / f->n);
        (void)fprintf(to, ",%.9g,%.9g\n", f->mean - half, f->mean + half);
    } else {
        (void)fputs(",,\n", to);
    }
}

static int write_means(struct swarm *w, const struct means *m, const char *out)
{
    char path[3u * MF_SCENARIO_FILE_MAX];
    const char *why;
    (void)snprintf(path, sizeof path, "%s/means.csv", out);
    FILE *to = mf_output_stream(path, &why);
    if (to == NULL) {
        return swarm_refuse(w, 1, "sweep: %s: %s", path, why);
    }
    (void)fputs("variation", to);
    for (uint32_t i = 0; i < m->s->sweep.ranges; i++) {
        if (!mf_sweep_repeats(m->s, i)) {
            (void)fprintf(to, ",%s", m->s->sweep.range[i].key);
        }
    }
    (void)fputs(",name,figure,runs,mean,low,high\n", to);
    for (size_t i = 0; i < m->figures.count; i++) {
        write_figure(m, figure_at(m, i), to);
    }
    if (!swarm_close(w, to)) {
        return swarm_refuse(w, 1, "sweep: %s is not complete", path);
    }
    (void)printf("means     with 95 %% intervals in %s\n", path);
    return SWARM_OK;
}

/* Add a merged output, if the scenario has it in the folder of the sweep. */
static bool add_output(struct means *m, const char *out, const struct mf_scenario_output *o)
{
    char path[3u * MF_SCENARIO_FILE_MAX];
    (void)snprintf(path, sizeof path, "%s/%s", out, o->file);
    return o->file[0] == '\0' || o->file[0] == '/' || add_file(m, path, NULL);
}

int swarm_means(struct swarm *w, const char *out)
{
    struct means m = {.s = w->scenario};
    char path[3u * MF_SCENARIO_FILE_MAX];
    bool repeated = false;
    for (uint32_t i = 0; i < m.s->sweep.ranges; i++) {
        repeated = repeated || mf_sweep_repeats(m.s, i);
    }
    if (!repeated) {
        return SWARM_OK;
    }
    (void)snprintf(path, sizeof path, "%s/runs.csv", out);
    errno = 0;
    const bool good = add_file(&m, path, "simulated_s") &&
                      add_output(&m, out, &m.s->outputs.stats) &&
                      add_output(&m, out, &m.s->outputs.counts);
    const int result = good ? write_means(w, &m, out)
                            : swarm_refuse(w, 1, "sweep: no means: %s",
                                           errno != 0 ? strerror(errno) : "no memory");
    free(m.figures.at);
    return result;
}
