/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes what conform flies, by the first byte: 'F' a recording as a file, 'R' records
 * (fuzz_recorded.h), otherwise a script. A recording or a line is refused with an error, or flies;
 * what is recorded of the flight can be read. Lines that only take long are left out.
 */
#include "boards/conform/script.h"
#include "boards/conform/story.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_recorded.h"

#include <string.h>

#define SIZE_MAX_HERE 4096u
#define LINES_MAX     64
#define RUN_MAX_S     3.0
#define EVENTS_MAX    200.0
#define WRITTEN_MAX   ((size_t)4 << 20)

struct bytes {
    const uint8_t *at;
    size_t n;
};

static struct player s_player;
static uint8_t s_written[WRITTEN_MAX];
static size_t s_written_n;

static bool write_out(void *ctx, const uint8_t *bytes, size_t n)
{
    (void)ctx;
    if (n > WRITTEN_MAX - s_written_n) {
        return false;
    }
    memcpy(s_written + s_written_n, bytes, n);
    s_written_n += n;
    return true;
}

static size_t read_in(void *ctx, uint8_t *bytes, size_t n)
{
    struct bytes *in = ctx;
    const size_t got = n < in->n ? n : in->n;
    if (got > 0) {
        memcpy(bytes, in->at, got);
        in->at += got;
        in->n -= got;
    }
    return got;
}

static bool takes_long(const char *line)
{
    line += strspn(line, " ");
    return (strncmp(line, "run ", 4) == 0 && !(strtod(line + 4, NULL) <= RUN_MAX_S)) ||
           (strncmp(line, "events ", 7) == 0 && !(strtod(line + 7, NULL) <= EVENTS_MAX));
}

static void run_script(char *text)
{
    static struct script s_script;
    static char s_line[SCRIPT_LINE_MAX];
    script_init(&s_script, &s_player);
    for (int i = 0; i < LINES_MAX && text != NULL; i++) {
        (void)snprintf(s_line, sizeof s_line, "%s\n", strsep(&text, "\n"));
        if (takes_long(s_line)) {
            continue;
        }
        if (script_line(&s_script, s_line) != MF_E_OK) {
            check(strncmp(s_script.error, "line ", 5) == 0);
            return;
        }
    }
    player_end(&s_player);
}

static void run_recording(const uint8_t *bytes, size_t n)
{
    static struct mf_recording_reader s_reader;
    struct bytes in = {bytes, n};
    s_reader = (struct mf_recording_reader){.read = read_in, .ctx = &in};
    const int result = player_run(&s_player, &s_reader);
    check(result == MF_E_OK || s_reader.error[0] != '\0' || s_player.error[0] != '\0');
}

/* Check that the recorder wrote a recording, unless it had no room for it. */
static void check_written(void)
{
    static struct mf_recording_reader s_reader;
    struct mf_record record;
    struct bytes in = {s_written, s_written_n};
    enum mf_recording_state state = MF_RECORDING_RECORD;
    s_reader = (struct mf_recording_reader){.read = read_in, .ctx = &in};
    while (state == MF_RECORDING_RECORD) {
        state = mf_recording_next(&s_reader, &record);
    }
    check(s_written_n == 0 || state != MF_RECORDING_DAMAGED);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char s_text[SIZE_MAX_HERE];
    static uint8_t s_recording[FUZZ_RECORDED_BYTES(SIZE_MAX_HERE)];
    static FILE *s_null;
    static struct story s_story;
    if (size < 2 || size > SIZE_MAX_HERE) {
        return 0;
    }
    s_null = s_null != NULL ? s_null : fopen("/dev/null", "we");
    check(s_null != NULL);
    memset(&s_player, 0, offsetof(struct player, drone.banks)); /* the store clears nothing else */
    s_written_n = 0;
    player_init(&s_player, write_out, NULL);
    check(player_set(&s_player, "links=4", 7) == MF_E_OK); /* boots sooner than with 128 */
    memset(&s_story, 0, sizeof s_story);
    story_init(&s_story, s_null, &s_player);
    if (data[0] == 'F') {
        run_recording(data + 1, size - 1);
    } else if (data[0] == 'R') {
        run_recording(s_recording, fuzz_recorded(data + 1, size - 1, s_recording));
    } else {
        memcpy(s_text, data, size - 1);
        s_text[size - 1] = '\0';
        run_script(s_text);
    }
    check_written();
    return 0;
}
