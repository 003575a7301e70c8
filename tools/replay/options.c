/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/replay/options.h"

#include "tools/replay/source.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char k_usage[] =
    "usage: replay [options] FILE     options and FILE in any order\n"
    "\n"
    "Gives a recording (mayfly --record FILE) to a fresh vehicle and compares what it sends.\n"
    "At the first difference it prints time, link, message, field and both values.\n"
    "\n"
    "options\n"
    "  --conform PROGRAM  program that flies it (conform, beside this program)\n"
    "  --geoid MODEL:FILE  a pack that it flew by, other than egm96; more than once for several\n"
    "  --terrain FILE     a pack of the ground that it flew over; the same\n"
    "  --compare OTHER    compare with another recording instead of flying it\n"
    "  --html OUT         write the flight as a page for a browser, one file that needs nothing "
    "else\n"
    "  --tlog OUT         write a telemetry log for MAVProxy or QGroundControl\n"
    "  --json OUT         write the flight: positions on and above WGS84, times, modes, events\n"
    "  --kml OUT          the same for Google Earth and others; above mean sea level, as it has "
    "it\n"
    "                     OUT: a file, or '-' for standard output, which is meant without OUT, "
    "too:\n"
    "                     replay --html FILE > flight.html\n"
    "  --serve HOST:PORT  be the vehicle: send what it sent to TCP clients, as fast as it did\n"
    "  --speed X          with --serve: X times as fast (1)\n"
    "  --once             with --serve: end with the first client\n"
    "  --link N           with --tlog, --json, --kml, --serve: whose bytes (the link with most "
    "input)\n"
    "  --help\n"
    "\n"
    "exit codes: 0 equal, or written, or served; 1 different; 2 wrong usage or file\n";

static const char *const k_export[EXPORTS] = {"html", "json", "kml", "tlog"};
static char s_stdout[] = OPTIONS_STDOUT;

static int refuse(const char *what, const char *value)
{
    (void)fprintf(stderr, "replay: %s '%s'; --help lists the options\n", what, value);
    return EXIT_BAD_INPUT;
}

static bool add_pack(struct options *o, bool is_geoid)
{
    static char geoid[] = "--geoid", terrain[] = "--terrain";
    if (o->conform.args + 2 > REPLAY_CHILD_ARGS) {
        return false;
    }
    o->conform.arg[o->conform.args++] = is_geoid ? geoid : terrain;
    o->conform.arg[o->conform.args++] = optarg;
    return true;
}

/* @return 0, or an exit code */
static int read_number(struct options *o, int c)
{
    char *end;
    if (c == 'x') {
        o->speed = strtod(optarg, &end);
        return end == optarg || *end != '\0' || !(o->speed > 0.0 && o->speed <= 1e9)
                   ? refuse("not a speed:", optarg)
                   : 0;
    }
    o->link = (int)strtol(optarg, &end, 10);
    return end == optarg || *end != '\0' || o->link < 0 || o->link >= (int)REPLAY_LINKS
               ? refuse("not a link:", optarg)
               : 0;
}

/* Options of one character each; EXPORT_* stand for themselves. */
/* clang-format off */
static const struct option k_long[] = {
    {"conform", required_argument, NULL, 'c'}, {"geoid", required_argument, NULL, 'g'},
    {"compare", required_argument, NULL, 'd'}, {"tlog", required_argument, NULL, EXPORT_TLOG},
    {"json", required_argument, NULL, EXPORT_JSON}, {"kml", required_argument, NULL, EXPORT_KML},
    {"html", required_argument, NULL, EXPORT_HTML},
    {"serve", required_argument, NULL, 's'},   {"speed", required_argument, NULL, 'x'},
    {"link", required_argument, NULL, 'l'},    {"terrain", required_argument, NULL, 'T'},
    {"once", no_argument, NULL, 'o'},          {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0},
};
/* clang-format on */

/* @return 0, or an exit code */
static int take_option(struct options *o, int c)
{
    switch (c) {
    case EXPORT_HTML:
    case EXPORT_JSON:
    case EXPORT_KML:
    case EXPORT_TLOG:
        o->out[c] = optarg;
        return 0;
    case 'c':
        o->conform.program = optarg;
        return 0;
    case 'g':
    case 'T':
        return add_pack(o, c == 'g') ? 0 : refuse("too many packs:", optarg);
    case 'd':
        o->compare = optarg;
        return 0;
    case 's':
        o->serve = optarg;
        return 0;
    case 'o':
        o->once = true;
        return 0;
    case 'x':
    case 'l':
        return read_number(o, c);
    default:
        return EXIT_BAD_INPUT;
    }
}

/* "--json" as the last word, behind the recording */
static bool take_bare_export(struct options *o, const char *word)
{
    for (size_t i = 0; i < EXPORTS; i++) {
        if (strncmp(word, "--", 2) == 0 && strcmp(word + 2, k_export[i]) == 0) {
            o->out[i] = s_stdout;
            return true;
        }
    }
    return false;
}

/*
 * Take the recording of "--json FILE" alone, where it stands in the place of the output, which is
 * stdout then. @return the recording; NULL: not this case
 */
static char *recording_of_export(struct options *o)
{
    for (size_t i = 0; i < EXPORTS; i++) {
        if (o->out[i] != NULL &&
            (replay_begins_as_recording(o->out[i]) || replay_is_empty(o->out[i]))) {
            char *name = o->out[i];
            o->out[i] = s_stdout;
            return name;
        }
    }
    return NULL;
}

/* @return 0, or an exit code: an output that is a recording, or two on standard output */
static int check_exports(const struct options *o)
{
    const char *standard = NULL;
    for (size_t i = 0; i < EXPORTS; i++) {
        const char *out = o->out[i];
        if (out != NULL && strcmp(out, s_stdout) == 0) {
            if (standard != NULL) {
                (void)fprintf(stderr,
                              "replay: --%s and --%s cannot both write standard output: name a "
                              "file for one of them\n",
                              standard, k_export[i]);
                return EXIT_BAD_INPUT;
            }
            standard = k_export[i];
        } else if (out != NULL && replay_begins_as_recording(out)) {
            (void)fprintf(stderr,
                          "replay: --%s %s: that is a recording, which it would overwrite; the "
                          "output comes first: --%s OUT FILE\n",
                          k_export[i], out, k_export[i]);
            return EXIT_BAD_INPUT;
        }
    }
    return 0;
}

/* @return 0, or an exit code */
static int find_file(struct options *o, int argc, char **argv)
{
    if (optind == argc) {
        o->conform.file = recording_of_export(o);
    } else if (optind == argc - 1) {
        o->conform.file = argv[optind];
    } else {
        (void)fprintf(stderr,
                      "replay: one recording at a time: '%s' and '%s'; --compare OTHER "
                      "compares two\n",
                      argv[optind], argv[optind + 1]);
        return EXIT_BAD_INPUT;
    }
    if (o->conform.file == NULL) {
        for (size_t i = 0; i < EXPORTS; i++) {
            if (o->out[i] != NULL && strcmp(o->out[i], s_stdout) != 0) {
                (void)fprintf(stderr,
                              "replay: no recording is given, and '%s' of --%s is not one\n",
                              o->out[i], k_export[i]);
                return EXIT_BAD_INPUT;
            }
        }
        (void)fputs(k_usage, stderr);
        return EXIT_BAD_INPUT;
    }
    return check_exports(o);
}

int options_read(int argc, char **argv, struct options *o)
{
    *o = (struct options){.speed = 1.0, .link = -1};
    for (int c = getopt_long(argc, argv, ":", k_long, NULL); c != -1;
         c = getopt_long(argc, argv, ":", k_long, NULL)) {
        const char *word = argv[optind - 1];
        if (c == 'h') {
            (void)fputs(k_usage, stdout);
            return -1;
        }
        if (c == '?') {
            return refuse("unknown option", word);
        }
        if (c == ':' && !take_bare_export(o, word)) {
            return refuse("no value for", word);
        }
        const int result = c == ':' ? 0 : take_option(o, c);
        if (result != 0) {
            return result;
        }
    }
    return find_file(o, argc, argv);
}
