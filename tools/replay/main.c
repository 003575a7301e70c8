/* SPDX-License-Identifier: Apache-2.0 */
/* replay: flies recordings again, compares them, shows them to others. Usage text in
 * options.c. */
#include "host/base/output.h"
#include "tools/replay/compare.h"
#include "tools/replay/flight.h"
#include "tools/replay/html.h"
#include "tools/replay/options.h"
#include "tools/replay/serve.h"
#include "tools/replay/tlog.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_DIFFERENT 1

/* ---- compare */

static char s_report[REPLAY_REPORT_MAX]; /* what there is to say */

static int print_verdict(const char *name, enum replay_verdict verdict)
{
    if (verdict == REPLAY_UNREADABLE) {
        if (s_report[0] != '\0') {
            (void)fprintf(stderr, "replay: %s\n", s_report);
        }
        return EXIT_BAD_INPUT;
    }
    (void)printf("%s: %s\n", name, s_report);
    return verdict == REPLAY_EQUAL ? EXIT_SUCCESS : EXIT_DIFFERENT;
}

/*
 * Compare a recording with another, and store the verdict in s_report.
 * @param aloud  print also what is wrong with a recording that is equal
 */
static enum replay_verdict compare_with(const char *name, FILE *again, const char *again_name,
                                        bool aloud)
{
    static struct replay_source recorded, replayed;
    FILE *file = replay_open(name);
    if (file == NULL) {
        s_report[0] = '\0';
        return REPLAY_UNREADABLE;
    }
    replay_source_init(&recorded, name, file);
    replay_source_init(&replayed, again_name, again);
    enum replay_verdict verdict = replay_compare(&recorded, &replayed, s_report);
    (void)fclose(file);
    if (verdict == REPLAY_EQUAL && aloud && replay_complain(&recorded)) {
        s_report[0] = '\0';
        verdict = REPLAY_UNREADABLE;
    }
    return verdict;
}

/* ---- fly again */

static char s_why[REPLAY_WHY_MAX]; /* it was not flown */

/* @return whether it was flown; else s_why, if it is not empty, says why not */
static bool fly_recording(const struct options *o, bool aloud, enum replay_verdict *verdict)
{
    struct replay_child child;
    s_why[0] = '\0';
    if (!replay_child_start(&child, &o->conform, "--out")) {
        return false;
    }
    *verdict = compare_with(o->conform.file, child.out, "the replay", aloud);
    const bool flown = replay_child_end(&child, s_why);
    return *verdict == REPLAY_UNREADABLE || flown;
}

static int fly_again(const struct options *o)
{
    enum replay_verdict verdict;
    if (!replay_is_recording(o->conform.file)) { /* conform takes scripts, too */
        return EXIT_BAD_INPUT;
    }
    if (fly_recording(o, true, &verdict)) {
        return print_verdict(o->conform.file, verdict);
    }
    if (s_why[0] != '\0') {
        (void)fprintf(stderr, "replay: %s: %s\n", o->conform.file, s_why);
    }
    return EXIT_BAD_INPUT;
}

static int compare_files(const struct options *o)
{
    FILE *other = replay_open(o->compare);
    if (other == NULL) {
        return EXIT_BAD_INPUT;
    }
    const enum replay_verdict verdict = compare_with(o->conform.file, other, o->compare, true);
    (void)fclose(other);
    return print_verdict(o->conform.file, verdict);
}

/* ---- outputs */

/* @return NULL: it was reported */
static FILE *open_out(const char *name)
{
    const char *why;
    FILE *out = strcmp(name, OPTIONS_STDOUT) == 0 ? stdout : mf_output_stream(name, &why);
    if (out == NULL) {
        (void)fprintf(stderr, "replay: %s: %s\n", name, why);
    }
    return out;
}

/* @return whether it took all; else it was reported */
static bool close_out(const char *name, FILE *out, bool written)
{
    const bool closed = out == stdout ? fflush(out) == 0 : fclose(out) == 0;
    if (!closed || !written) {
        (void)fprintf(stderr, "replay: cannot write to %s\n", name);
    }
    return closed && written;
}

/* Stream for messages about written files: stderr if an output is stdout. */
static FILE *told_on(const struct options *o)
{
    bool standard = false;
    for (size_t i = 0; i < EXPORTS; i++) {
        standard = standard || (o->out[i] != NULL && strcmp(o->out[i], OPTIONS_STDOUT) == 0);
    }
    return standard ? stderr : stdout;
}

static int write_tlog(const struct options *o, uint16_t link)
{
    static struct replay_source source;
    const char *name = o->out[EXPORT_TLOG];
    FILE *file = replay_open(o->conform.file);
    FILE *out = file == NULL ? NULL : open_out(name);
    if (out == NULL) {
        if (file != NULL) {
            (void)fclose(file);
        }
        return EXIT_BAD_INPUT;
    }
    replay_source_init(&source, o->conform.file, file);
    const int64_t frames = replay_tlog(&source, link, out);
    (void)fclose(file);
    if (!close_out(name, out, frames >= 0)) {
        return EXIT_BAD_INPUT;
    }
    (void)fprintf(told_on(o), "%s: %lld frames of link %u (%s)\n", name, (long long)frames, link,
                  replay_link_name(&source, link));
    return replay_complain(&source) ? EXIT_BAD_INPUT : EXIT_SUCCESS;
}

static bool write_flight(const struct options *o, enum export which,
                         const struct replay_flight *flight, uint16_t link,
                         bool (*write)(const struct replay_flight *flight, FILE *out))
{
    const char *name = o->out[which];
    FILE *out = name == NULL ? NULL : open_out(name);
    if (name == NULL) {
        return true; /* not asked for */
    }
    if (out == NULL || !close_out(name, out, write(flight, out))) {
        return false;
    }
    (void)fprintf(told_on(o), "%s: %zu positions, %zu events of link %u (%s)\n", name,
                  flight->samples, flight->events, link, flight->link);
    return true;
}

static bool read_flight(const struct options *o, uint16_t link, struct replay_source *source,
                        struct replay_flight *flight)
{
    FILE *file = replay_open(o->conform.file);
    if (file == NULL) {
        return false;
    }
    replay_source_init(source, o->conform.file, file);
    const bool good = replay_flight_read(flight, source, link);
    (void)fclose(file);
    if (!good) {
        (void)fprintf(stderr, "replay: %s: not enough memory\n", o->conform.file);
    }
    return good;
}

static int export_flight(const struct options *o, uint16_t link)
{
    static struct replay_source source;
    static struct replay_flight flight;
    bool good = read_flight(o, link, &source, &flight);
    good = good && write_flight(o, EXPORT_JSON, &flight, link, replay_json);
    good = good && write_flight(o, EXPORT_KML, &flight, link, replay_kml);
    replay_flight_free(&flight);
    return good && !replay_complain(&source) ? EXIT_SUCCESS : EXIT_BAD_INPUT;
}

/* ---- the page */

/* Read the story that conform wrote. @return false: conform wrote none, or refused the recording:
 * s_why */
static bool read_story(const struct options *o, struct replay_story *story)
{
    struct replay_child child;
    memset(story, 0, sizeof *story);
    if (!replay_child_start(&child, &o->conform, "--story")) {
        (void)snprintf(s_why, sizeof s_why, "no conform beside replay, and no --conform PROGRAM");
        return false;
    }
    const bool read = replay_story_read(story, child.out);
    (void)replay_child_end(&child, s_why);
    return read && story->chapters > 0;
}

/* Make the story of one link's messages, for a recording that this build cannot fly. */
static bool hear_story(const struct options *o, struct replay_story *story)
{
    static struct replay_source source;
    static struct replay_flight flight;
    const int link = replay_choose_link(o->conform.file, o->link);
    replay_story_free(story);
    const bool good = link < 0 || (read_flight(o, (uint16_t)link, &source, &flight) &&
                                   replay_story_heard(story, &flight));
    replay_flight_free(&flight);
    return good;
}

/* Read a recording to its end. @return false: not readable, or not a recording; reported */
static bool survey(const struct options *o, struct replay_source *source)
{
    FILE *file = replay_open(o->conform.file);
    if (file == NULL) {
        return false;
    }
    replay_source_init(source, o->conform.file, file);
    while (replay_next(source)) {
    }
    (void)fclose(file);
    if (source->state == MF_RECORDING_DAMAGED && source->reader.count == 0 &&
        !replay_is_empty(o->conform.file)) {
        (void)replay_complain(source);
        return false;
    }
    return true;
}

__attribute__((format(printf, 2, 3))) static void note(struct replay_about *about,
                                                       const char *format, ...)
{
    static char text[REPLAY_NOTES][REPLAY_REPORT_MAX + REPLAY_WHY_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text[about->notes], sizeof text[0], format, args);
    va_end(args);
    about->note[about->notes] = text[about->notes];
    about->notes++;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* Fill the story, and say what is not as it should be. @return false: no memory */
static bool print_summary(const struct options *o, const struct replay_source *source,
                          struct replay_story *story, struct replay_about *about)
{
    enum replay_verdict verdict = REPLAY_EQUAL;
    const char *complaint = replay_complaint(source);
    bool good = true;
    if (replay_is_empty(o->conform.file)) {
        note(about, "The recording is empty: nothing was written to it.");
    } else if (complaint != NULL) {
        note(about, "The recording is not whole: %s.", complaint);
    }
    about->truth = source->begun && read_story(o, story);
    if (source->begun && !about->truth) {
        note(about, "This build did not fly the recording: %s. The page shows what one link heard.",
             s_why);
        good = hear_story(o, story);
    } else if (source->begun && fly_recording(o, false, &verdict) && verdict == REPLAY_DIFFERENT) {
        note(about,
             "This build does not fly as recorded, and the page shows how this build flies: %s",
             s_report);
    }
    return good;
}

static int write_page(const struct options *o)
{
    static struct replay_source source;
    const char *name = o->out[EXPORT_HTML];
    struct replay_about about = {.name = base_name(o->conform.file)};
    struct replay_story story = {0};
    if (!survey(o, &source)) {
        return EXIT_BAD_INPUT;
    }
    bool good = print_summary(o, &source, &story, &about);
    if (!good) {
        (void)fprintf(stderr, "replay: %s: not enough memory\n", o->conform.file);
    }
    replay_story_thin(&story, REPLAY_HTML_INSTANTS, REPLAY_HTML_FIGURES);
    FILE *out = good ? open_out(name) : NULL;
    good = out != NULL && close_out(name, out, replay_html(&story, &about, out));
    for (size_t i = 0; good && i < about.notes; i++) {
        (void)fprintf(stderr, "replay: %s: %s\n", o->conform.file, about.note[i]);
    }
    if (good) {
        (void)fprintf(told_on(o), "%s: %zu positions, %zu events, to within %.2f m\n", name,
                      story.instants, story.events, story.tolerance_m);
    }
    replay_story_free(&story);
    return good && source.begun && source.state != MF_RECORDING_DAMAGED ? EXIT_SUCCESS
                                                                        : EXIT_BAD_INPUT;
}

/* Write the outputs that show the flight as one of its links saw it. */
static int write_outputs(const struct options *o, uint16_t link)
{
    int result = EXIT_SUCCESS;
    if (o->out[EXPORT_JSON] != NULL || o->out[EXPORT_KML] != NULL) {
        result = export_flight(o, link);
    }
    if (o->out[EXPORT_TLOG] != NULL && result == EXIT_SUCCESS) {
        result = write_tlog(o, link);
    }
    if (o->serve != NULL && result == EXIT_SUCCESS) {
        result = replay_serve(o->serve, o->conform.file, link, o->speed, o->once);
    }
    return result;
}

int main(int argc, char **argv)
{
    struct options o;
    mf_output_judge_stdout("replay");
    int result = options_read(argc, argv, &o);
    if (result != 0) {
        return result < 0 ? EXIT_SUCCESS : result;
    }
    mf_output_keep(o.conform.file);
    mf_output_keep(o.compare);
    const bool heard = o.out[EXPORT_JSON] != NULL || o.out[EXPORT_KML] != NULL ||
                       o.out[EXPORT_TLOG] != NULL || o.serve != NULL;
    if (o.out[EXPORT_HTML] != NULL) {
        result = write_page(&o);
    } else if (!heard) {
        result = o.compare != NULL ? compare_files(&o) : fly_again(&o);
    }
    if (!heard || result != EXIT_SUCCESS) {
        return result;
    }
    const int link = replay_choose_link(o.conform.file, o.link);
    return link < 0 ? EXIT_BAD_INPUT : write_outputs(&o, (uint16_t)link);
}
