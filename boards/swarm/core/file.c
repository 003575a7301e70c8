/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and closes outputs of a run, and reads inputs from files or from the bytes that a root has
 * sent. Systems of all rooms call it. */
#include "boards/swarm/core/file.h"

#include "boards/swarm/core/swarm.h"
#include "host/base/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX  ((size_t)256 * 1024 * 1024)
#define FILES_MAX 128u
#define NAMES_MAX 20u /* names of written files that a run prints */
#define PATH_SIZE (3u * MF_SCENARIO_FILE_MAX)

/* A file that this process has read, or that its root has sent. */
struct file {
    char path[3 * MF_SCENARIO_FILE_MAX];
    char *bytes; /* bytes from the root; NULL: read the file */
    size_t n;
};

struct files {
    struct file file[FILES_MAX];
    uint32_t count;
    char incomplete[PATH_SIZE];         /* the first file that is, and why */
    char written[NAMES_MAX][PATH_SIZE]; /* paths of the last files that were closed, a ring */
    uint32_t written_count;             /* number of all of them */
};

const size_t swarm_files_bytes = sizeof(struct files);

static struct files *files_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_FILES];
}

const char *swarm_file_get_path(const struct swarm *w, uint32_t k)
{
    return k < files_of(w)->count ? files_of(w)->file[k].path : NULL;
}

/* Index of a path among the files of a run; their count if it is new. */
static uint32_t find_file(const struct files *f, const char *path)
{
    uint32_t k = 0;
    while (k < f->count && strcmp(f->file[k].path, path) != 0) {
        k++;
    }
    return k;
}

static bool remember_path(struct files *f, uint32_t k, const char *path)
{
    if (k < f->count) {
        return true;
    }
    if (k == FILES_MAX || strlen(path) >= sizeof f->file[k].path) {
        return false;
    }
    (void)snprintf(f->file[k].path, sizeof f->file[k].path, "%s", path);
    f->count++;
    return true;
}

bool swarm_file_set_bytes(struct swarm *w, const char *path, const void *bytes, size_t n)
{
    struct files *f = files_of(w);
    const uint32_t k = find_file(f, path);
    char *copy = malloc(n + 1u);
    if (copy == NULL || !remember_path(f, k, path)) {
        free(copy);
        return false;
    }
    memcpy(copy, bytes, n);
    free(f->file[k].bytes);
    f->file[k].bytes = copy;
    f->file[k].n = n;
    return true;
}

void swarm_files_free(struct swarm *w)
{
    struct files *f = files_of(w);
    for (uint32_t k = 0; k < f->count; k++) {
        free(f->file[k].bytes);
        f->file[k].bytes = NULL;
    }
}

static char *read_bytes(const char *path, size_t *n)
{
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

char *swarm_read_file(const struct swarm *w, const char *path, size_t *n)
{
    struct files *f = w != NULL ? files_of(w) : NULL;
    const uint32_t k = f != NULL ? find_file(f, path) : 0;
    if (f == NULL || k == f->count || f->file[k].bytes == NULL) {
        (void)(f != NULL && remember_path(f, k, path));
        return read_bytes(path, n);
    }
    char *text = malloc(f->file[k].n + 1u);
    *n = f->file[k].n;
    if (text != NULL) {
        memcpy(text, f->file[k].bytes, *n);
        text[*n] = '\0';
    }
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

bool swarm_output_path(const struct swarm *w, const char *file, char *path, size_t size)
{
    const bool within = file[0] != '/' && w->command->out[0] != '\0';
    (void)snprintf(path, size, "%s%s%s", within ? w->command->out : "", within ? "/" : "", file);
    return within;
}

FILE *swarm_open(struct swarm *w, const struct mf_scenario_output *o, uint32_t member)
{
    char name[MF_SCENARIO_FILE_MAX + 16u], path[PATH_SIZE];
    const char *mark = strstr(o->file, "%n"), *why;
    if (mark != NULL) {
        (void)snprintf(name, sizeof name, "%.*s%u%s", (int)(mark - o->file), o->file,
                       (unsigned)member + 1u, mark + 2);
    }
    const bool within = swarm_output_path(w, mark != NULL ? name : o->file, path, sizeof path);
    FILE *file = mf_output_stream(path, &why);
    if (file == NULL) {
        (void)swarm_refuse(w, o->line, "outputs: %s: %s%s", path, why,
                           !within && errno == EACCES ? ": --out DIR writes elsewhere" : "");
    }
    return file;
}

/* Path of an open file; "" if the system does not know it. */
static void get_path(FILE *file, char found[PATH_SIZE])
{
    char descriptor[64];
    (void)snprintf(descriptor, sizeof descriptor, "/proc/self/fd/%d", fileno(file));
    const ssize_t n = readlink(descriptor, found, PATH_SIZE - 1u);
    found[n > 0 ? n : 0] = '\0';
}

void swarm_file_add_written(const struct swarm *w, const char *path)
{
    struct files *f = files_of(w);
    (void)snprintf(f->written[f->written_count % NAMES_MAX], PATH_SIZE, "%s", path);
    f->written_count++;
}

/* Print a path and the size of its file. A path without a file is left out. */
static void print_written(const char *path)
{
    static const char *const k_unit[] = {"bytes", "kB", "MB", "GB"};
    struct stat is;
    size_t unit = 0;
    if (stat(path, &is) != 0 || !S_ISREG(is.st_mode)) {
        return;
    }
    double size = (double)is.st_size;
    for (; size >= 1000.0 && unit + 1u < sizeof k_unit / sizeof k_unit[0]; unit++) {
        size /= 1000.0;
    }
    (void)printf("wrote     %s, %.*f %s\n", path, unit > 0 ? 1 : 0, size, k_unit[unit]);
}

void swarm_files_print_written(const struct swarm *w)
{
    const struct files *f = files_of(w);
    const uint32_t unnamed = f->written_count > NAMES_MAX ? f->written_count - NAMES_MAX : 0;
    if (unnamed > 0) {
        (void)printf("wrote     %u files, and\n", unnamed);
    }
    for (uint32_t k = unnamed; k < f->written_count; k++) {
        print_written(f->written[k % NAMES_MAX]);
    }
}

bool swarm_close(const struct swarm *w, FILE *file)
{
    if (file == NULL) {
        return true;
    }
    char path[PATH_SIZE];
    struct files *f = files_of(w);
    errno = 0;
    const bool good = fflush(file) == 0 && ferror(file) == 0;
    const char *why = errno != 0 ? strerror(errno) : "not all could be written";
    get_path(file, path);
    swarm_file_add_written(w, path);
    if (!good && f->incomplete[0] == '\0') {
        (void)snprintf(f->incomplete, sizeof f->incomplete, "%.500s: %s", path, why);
    }
    return fclose(file) == 0 && good;
}

int swarm_refuse_incomplete(struct swarm *w, int line)
{
    return swarm_refuse(w, line, "outputs: %s",
                        files_of(w)->incomplete[0] != '\0' ? files_of(w)->incomplete
                                                           : "cannot write all of a file");
}
