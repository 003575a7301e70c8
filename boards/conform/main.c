/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A board that is no machine: a recording or a script in, the bytes of the vehicle out. Nothing but
 * C11 and stdio, so that it runs wherever a compiler goes, and says in one line what all of them
 * must agree on.
 *
 *     conform [--out FILE] [--story FILE] [--quiet] [--geoid MODEL:FILE ...] [--terrain FILE ...]
 * FILE     FILE may be -, for standard input or output; packs are those that a session may ask for
 * besides egm96
 */
#include "boards/conform/script.h"
#include "boards/conform/story.h"
#include "host/spec/geoidspec.h"
#include "mavlink/sha256.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_BAD_INPUT 2
/* Of all packs together; what is not used costs addresses only. */
#ifndef PACK_BYTES
#define PACK_BYTES ((size_t)64 << 20)
#endif

struct session {
    FILE *in, *out;
    struct story story;
    struct mf_sha256 hash;
    uint64_t frames;
    struct mf_recording_reader reader;
    struct script script;
    struct player player;
};

static struct session s_session;
static uint8_t s_packs[PACK_BYTES];
static size_t s_packs_len;

static bool write_out(void *ctx, const uint8_t *bytes, size_t n)
{
    const struct session *s = ctx;
    return s->out == NULL || fwrite(bytes, 1, n, s->out) == n;
}

static size_t read_in(void *ctx, uint8_t *bytes, size_t n)
{
    const struct session *s = ctx;
    return fread(bytes, 1, n, s->in);
}

static void on_sent(void *ctx, uint16_t link, const uint8_t *bytes, size_t n)
{
    struct session *s = ctx;
    (void)link;
    mf_sha256_add(&s->hash, bytes, n);
    s->frames++;
}

static int run_script(struct session *s)
{
    static char line[SCRIPT_LINE_MAX];
    script_init(&s->script, &s->player);
    while (fgets(line, sizeof line, s->in) != NULL) {
        if (strchr(line, '\n') == NULL && !feof(s->in)) {
            (void)fprintf(stderr, "conform: line %" PRIu32 " is too long\n", s->script.line + 1);
            return EXIT_BAD_INPUT;
        }
        if (script_line(&s->script, line) != MF_E_OK) {
            (void)fprintf(stderr, "conform: %s\n", s->script.error);
            return EXIT_BAD_INPUT;
        }
    }
    player_end(&s->player);
    return EXIT_SUCCESS;
}

static int run_recording(struct session *s)
{
    s->reader = (struct mf_recording_reader){.read = read_in, .ctx = s};
    const int result = player_run(&s->player, &s->reader);
    if (s->player.state == MF_RECORDING_DAMAGED) {
        (void)fprintf(stderr, "conform: %s\n", s->reader.error);
    } else if (result != MF_E_OK) {
        (void)fprintf(stderr, "conform: record %" PRIu64 ": %s\n", s->reader.count,
                      s->player.error);
    }
    if (result != MF_E_OK) {
        return EXIT_BAD_INPUT;
    }
    if (s->player.state == MF_RECORDING_CUT) {
        (void)fprintf(stderr, "conform: %s\n", s->reader.error);
    }
    return EXIT_SUCCESS;
}

static void print_hash(struct session *s, FILE *to)
{
    uint8_t digest[MF_SHA256_BYTES];
    const uint64_t bytes = s->hash.count;
    mf_sha256_end(&s->hash, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        (void)fprintf(to, "%02x", digest[i]);
    }
    (void)fprintf(to, "  %" PRIu64 " frames, %" PRIu64 " bytes, %.6f s\n", s->frames, bytes,
                  (double)s->player.now.vehicle_us / 1e6);
}

static int run(struct session *s, bool quiet)
{
    mf_sha256_init(&s->hash);
    s->player.sent = on_sent;
    s->player.sent_ctx = s;
    player_init(&s->player, write_out, s);
    if (s->story.out != NULL) {
        story_init(&s->story, s->story.out, &s->player);
    }
    const int first = getc(s->in);
    const bool recording = first == 'M' && ungetc(first, s->in) == first;
    if (!recording && first != EOF) {
        (void)ungetc(first, s->in);
    }
    const int result = recording ? run_recording(s) : run_script(s);
    if (result == EXIT_SUCCESS && !quiet) {
        print_hash(s, s->out == stdout || s->story.out == stdout ? stderr : stdout);
    }
    if (s->player.recorder->failed || (s->out != NULL && fflush(s->out) != 0) ||
        (s->story.out != NULL && fflush(s->story.out) != 0)) {
        (void)fprintf(stderr, "conform: cannot write the output\n");
        return EXIT_FAILURE;
    }
    return result;
}

static FILE *open_file(const char *name, const char *mode, FILE *standard)
{
    FILE *file = strcmp(name, "-") == 0 ? standard : fopen(name, mode);
    if (file == NULL) {
        (void)fprintf(stderr, "conform: %s cannot be opened\n", name);
    }
    return file;
}

/* A pack for a session to ask for: its model, or its grid, says which one it is. */
static bool read_pack(struct session *s, const char *path)
{
    FILE *file = open_file(path, "rb", stdin);
    if (file == NULL) {
        return false;
    }
    uint8_t *bytes = s_packs + s_packs_len;
    const size_t n = fread(bytes, 1, sizeof s_packs - s_packs_len, file);
    (void)fclose(file);
    s_packs_len += n;
    if (drone_earth_have(&s->player.drone.earth, bytes, n) != MF_E_OK) {
        (void)fprintf(stderr, "conform: %s: %s\n", path, s->player.drone.earth.why);
        return false;
    }
    return true;
}

static bool read_geoid(struct session *s, const char *text)
{
    struct mf_geoid_spec spec;
    char reason[MF_GEOID_REASON_MAX];
    if (mf_geoid_spec_parse(text, &spec, reason) != MF_E_OK || spec.source != MF_GEOID_FROM_FILE) {
        (void)fprintf(stderr, "conform: --geoid: '%s' is not a pack, allowed: MODEL:FILE\n", text);
        return false;
    }
    return read_pack(s, spec.file);
}

/* An option with its value. @return MF_E_OK; MF_E_NOENT: no such option; MF_E_IO: it was reported
 */
static int take_option(struct session *s, const char *option, const char *value)
{
    if (strcmp(option, "--out") == 0) {
        s->out = open_file(value, "wb", stdout);
        return s->out != NULL ? MF_E_OK : MF_E_IO;
    }
    if (strcmp(option, "--story") == 0) {
        s->story.out = open_file(value, "wb", stdout);
        return s->story.out != NULL ? MF_E_OK : MF_E_IO;
    }
    if (strcmp(option, "--geoid") == 0) {
        return read_geoid(s, value) ? MF_E_OK : MF_E_IO;
    }
    if (strcmp(option, "--terrain") == 0) {
        return read_pack(s, value) ? MF_E_OK : MF_E_IO;
    }
    return MF_E_NOENT;
}

int main(int argc, char **argv)
{
    struct session *s = &s_session;
    bool quiet = false;
    int at = 1;
    for (; at < argc && argv[at][0] == '-' && argv[at][1] == '-'; at++) {
        if (strcmp(argv[at], "--quiet") == 0) {
            quiet = true;
            continue;
        }
        const int taken = at + 1 < argc ? take_option(s, argv[at], argv[at + 1]) : MF_E_NOENT;
        if (taken == MF_E_IO) {
            return EXIT_BAD_INPUT;
        }
        if (taken == MF_E_NOENT) {
            break;
        }
        at++;
    }
    if (at != argc - 1) {
        (void)fprintf(stderr, "usage: conform [--out FILE] [--story FILE] [--quiet]"
                              " [--geoid MODEL:FILE] [--terrain FILE] FILE\n");
        return EXIT_BAD_INPUT;
    }
    s->in = open_file(argv[at], "rb", stdin);
    return s->in == NULL ? EXIT_BAD_INPUT : run(s, quiet);
}
