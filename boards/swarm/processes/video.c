/* SPDX-License-Identifier: Apache-2.0 */
/* Writes videos, for which it starts ffmpeg where that is installed. Called by
 * boards/swarm/search/search_watch and boards/swarm/cells/grid_video. */
#include "boards/swarm/processes/video.h"

#include "boards/swarm/processes/processes.h"
#include "host/base/output.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The canvases belong to struct swarm_video; gcc 12 loses sight of them. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif

bool swarm_video_is_wanted(const struct swarm *w)
{
    return w->scenario->outputs.video.file[0] != '\0' && w->scenario->outputs.plots;
}

static bool has_ending(const char *text, const char *ending)
{
    const size_t n = strlen(text), k = strlen(ending);
    return n >= k && strcmp(text + n - k, ending) == 0;
}

/* ffmpeg reads pictures from a pipe, and writes the file. @return the pipe; NULL with @p why set */
static FILE *start_ffmpeg(struct swarm *w, struct swarm_video *v, const char **why)
{
    char path[2 * MF_SCENARIO_FILE_MAX + 2u], fps[32];
    int ends[2];
    (void)swarm_output_path(w, w->scenario->outputs.video.file, path, sizeof path);
    (void)snprintf(fps, sizeof fps, "%g", w->scenario->outputs.video_fps);
    const int fd = mf_output_open(path, why);
    if (fd < 0 || pipe(ends) != 0) {
        *why = fd < 0 ? *why : strerror(errno);
        return NULL;
    }
    (void)close(fd);
    (void)fflush(NULL);
    v->ffmpeg = fork();
    if (v->ffmpeg == 0) {
        (void)dup2(ends[0], STDIN_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
        (void)execlp("ffmpeg", "ffmpeg", "-y", "-loglevel", "error", "-f", "image2pipe", "-c:v",
                     "ppm", "-framerate", fps, "-i", "-", "-pix_fmt", "yuv420p", "-movflags",
                     "+faststart", path, (char *)NULL);
        _exit(127);
    }
    (void)close(ends[0]);
    if (v->ffmpeg < 0) {
        (void)close(ends[1]);
        v->ffmpeg = 0;
        *why = strerror(errno);
        return NULL;
    }
    (void)signal(SIGPIPE, SIG_IGN);
    return fdopen(ends[1], "w");
}

/* A video has an even number of pixels in each direction. */
static uint32_t even_px(double px)
{
    return 2u * (uint32_t)ceil(px / 2.0);
}

int swarm_video_open(struct swarm *w, struct swarm_video *v, double width_px, double height_px)
{
    const struct mf_scenario_output *o = &w->scenario->outputs.video;
    v->still = v->canvas = (struct mf_canvas){even_px(width_px), even_px(height_px), NULL};
    v->still.rgb = malloc(mf_canvas_bytes(&v->still));
    v->canvas.rgb = malloc(mf_canvas_bytes(&v->canvas));
    if (v->still.rgb == NULL || v->canvas.rgb == NULL) {
        return swarm_refuse(w, o->line, "outputs: video: no memory");
    }
    if (!has_ending(o->file, ".ppm") && swarm_has_program("ffmpeg")) {
        const char *why = "no memory";
        v->pipe = start_ffmpeg(w, v, &why);
        return v->pipe != NULL ? SWARM_OK : swarm_refuse(w, o->line, "outputs: video: %s", why);
    }
    return SWARM_OK;
}

void swarm_video_begin_frame(struct swarm_video *v)
{
    memcpy(v->canvas.rgb, v->still.rgb, mf_canvas_bytes(&v->still));
}

/* "sharks.mp4" becomes "sharks-00017.ppm". */
static FILE *open_frame(const struct swarm *w, uint32_t frame)
{
    char path[2 * MF_SCENARIO_FILE_MAX + 32u];
    (void)swarm_output_path(w, w->scenario->outputs.video.file, path, sizeof path);
    char *dot = strrchr(path, '.');
    char *end = dot != NULL && strchr(dot, '/') == NULL ? dot : path + strlen(path);
    (void)snprintf(end, sizeof path - (size_t)(end - path), "-%05u.ppm", (unsigned)frame);
    const char *why;
    return mf_output_stream(path, &why);
}

void swarm_video_write_frame(const struct swarm *w, struct swarm_video *v)
{
    v->frames++;
    FILE *file = v->ffmpeg > 0 ? v->pipe : open_frame(w, v->frames);
    if (file == NULL || !mf_canvas_write(&v->canvas, file)) {
        v->failed = true;
    }
    if (v->ffmpeg == 0 && !swarm_close(w, file)) {
        v->failed = true;
    }
}

static bool end_ffmpeg(const struct swarm *w, struct swarm_video *v)
{
    int status = 0;
    if (v->ffmpeg > 0) {
        char path[2 * MF_SCENARIO_FILE_MAX + 2u];
        const bool taken = swarm_close(w, v->pipe);
        (void)swarm_output_path(w, w->scenario->outputs.video.file, path, sizeof path);
        swarm_file_add_written(w, path);
        return waitpid(v->ffmpeg, &status, 0) == v->ffmpeg && WIFEXITED(status) &&
               WEXITSTATUS(status) == 0 && taken;
    }
    if (v->frames > 0 && !has_ending(w->scenario->outputs.video.file, ".ppm")) {
        (void)printf("video     ffmpeg is not installed: its %u frames are %.*s-00001.ppm and so "
                     "on\n",
                     v->frames, (int)strcspn(w->scenario->outputs.video.file, "."),
                     w->scenario->outputs.video.file);
    }
    return true;
}

bool swarm_video_close(const struct swarm *w, struct swarm_video *v)
{
    const bool good = end_ffmpeg(w, v) && !v->failed;
    free(v->still.rgb);
    free(v->canvas.rgb);
    *v = (struct swarm_video){0};
    return good;
}
