/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and closes outputs of a run, and reads inputs from files or from the bytes that a root has
 * sent. Systems of all rooms call it. */
#include "boards/swarm/core/file.h"

#include "boards/swarm/core/swarm.h"
#include "host/base/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_MAX  ((size_t)16 * 1024 * 1024)
#define FILES_MAX 128u

/* Files that this process has read, or that its root has sent. */
static struct {
    char path[3 * MF_SCENARIO_FILE_MAX];
    char *bytes; /* bytes from the root; NULL: read the file */
    size_t n;
} s_file[FILES_MAX];
static uint32_t s_files;

const char *swarm_file_read(uint32_t k)
{
    return k < s_files ? s_file[k].path : NULL;
}

/* Index of a path in s_file; s_files if it is new. */
static uint32_t file_of(const char *path)
{
    uint32_t k = 0;
    while (k < s_files && strcmp(s_file[k].path, path) != 0) {
        k++;
    }
    return k;
}

static bool remember(uint32_t k, const char *path)
{
    if (k < s_files) {
        return true;
    }
    if (k == FILES_MAX || strlen(path) >= sizeof s_file[k].path) {
        return false;
    }
    (void)snprintf(s_file[k].path, sizeof s_file[k].path, "%s", path);
    s_files++;
    return true;
}

bool swarm_file_given(const char *path, const void *bytes, size_t n)
{
    const uint32_t k = file_of(path);
    char *copy = malloc(n + 1u);
    if (copy == NULL || !remember(k, path)) {
        free(copy);
        return false;
    }
    memcpy(copy, bytes, n);
    free(s_file[k].bytes);
    s_file[k].bytes = copy;
    s_file[k].n = n;
    return true;
}

char *swarm_read_file(const char *path, size_t *n)
{
    const uint32_t k = file_of(path);
    if (k < s_files && s_file[k].bytes != NULL) {
        char *text = malloc(s_file[k].n + 1u);
        *n = s_file[k].n;
        if (text != NULL) {
            memcpy(text, s_file[k].bytes, *n);
            text[*n] = '\0';
        }
        return text;
    }
    (void)remember(k, path);
    FILE *file = fopen(path, "rbe");
    if (file == NULL) {
        return NULL;
    }
    char *text = malloc(FILE_MAX + 1u);
    *n = text != NULL ? fread(text, 1, FILE_MAX + 1u, file) : 0;
    const bool good = text != NULL && !ferror(file) && *n <= FILE_MAX;
    const int why = *n > FILE_MAX ? EFBIG : errno;
    (void)fclose(file);
    if (!good) {
        free(text);
        errno = why;
        return NULL;
    }
    text[*n] = '\0'; /* the rest of the buffer stays untouched memory */
    return text;
}

void swarm_plan_path(const struct swarm *w, const char *name, char *path, size_t size)
{
    const char *slash = strrchr(w->file, '/');
    if (name[0] == '/' || slash == NULL) {
        (void)snprintf(path, size, "%s", name);
    } else {
        (void)snprintf(path, size, "%.*s/%s", (int)(slash - w->file), w->file, name);
    }
}

FILE *swarm_open(struct swarm *w, const struct mf_scenario_output *o, uint32_t member)
{
    char path[3 * MF_SCENARIO_FILE_MAX];
    const char *mark = strstr(o->file, "%n");
    const char *folder = o->file[0] == '/' ? "" : w->command->out,
               *slash = folder[0] != '\0' ? "/" : "";
    if (mark != NULL) {
        (void)snprintf(path, sizeof path, "%s%s%.*s%u%s", folder, slash, (int)(mark - o->file),
                       o->file, (unsigned)member + 1u, mark + 2);
    } else {
        (void)snprintf(path, sizeof path, "%s%s%s", folder, slash, o->file);
    }
    const char *why;
    FILE *file = mf_output_stream(path, &why);
    if (file == NULL) {
        (void)swarm_refuse(w, o->line, "outputs: %s: %s%s", path, why,
                           folder[0] == '\0' && errno == EACCES ? ": --out DIR writes elsewhere"
                                                                : "");
    }
    return file;
}

static char s_incomplete[3 * MF_SCENARIO_FILE_MAX]; /* path and error of the first incomplete file
                                                     */

static void note_incomplete(FILE *file, int why)
{
    char link[64];
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", fileno(file));
    const ssize_t n = readlink(link, s_incomplete, sizeof s_incomplete - 1u);
    const size_t length = n > 0 ? (size_t)n : 0;
    (void)snprintf(s_incomplete + length, sizeof s_incomplete - length, ": %s",
                   why != 0 ? strerror(why) : "not all could be written");
}

bool swarm_close(FILE *file)
{
    if (file == NULL) {
        return true;
    }
    errno = 0;
    const bool good = fflush(file) == 0 && ferror(file) == 0;
    if (!good && s_incomplete[0] == '\0') {
        note_incomplete(file, errno);
    }
    return fclose(file) == 0 && good;
}

int swarm_refuse_incomplete(struct swarm *w, int line)
{
    return swarm_refuse(w, line, "outputs: %s",
                        s_incomplete[0] != '\0' ? s_incomplete : "a file took not all of it");
}
