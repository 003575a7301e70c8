/* SPDX-License-Identifier: Apache-2.0 */
/* Keys, defaults and checks of outputs. Called by fleet/scenario and scenario_keys. */
#include "fleet/scenario_outputs.h"

#include "fleet/key_forms.h"
#include "fleet/scenario.h"

#include <math.h>
#include <string.h>

#define OUTPUT(field) offsetof(struct mf_scenario_output, field)
#define TOP(field)    offsetof(struct mf_scenario, field)

static const struct mf_key k_output[] = {
    NAME("file", OUTPUT(file), MF_SCENARIO_FILE_MAX,
         "where to; %n is the member's number in the swarm"),
    REAL("every", OUTPUT(every_s), 0.001, 1e6, "period [s]; 1"),
    CHOSEN("of", OUTPUT(of), "members: an entity, a member, or a list of these"),
};
static const struct mf_keys k_output_keys = {k_output, COUNT_OF(k_output), "file", OUTPUT(line)};

static const struct mf_key k_video[] = {
    NAME("file", OUTPUT(file), MF_SCENARIO_FILE_MAX,
         "MP4, by ffmpeg; without that program, or if it ends in .ppm, a picture for each frame"),
    REAL("every", OUTPUT(every_s), 0.001, 1e6, "interval between frames [s]; 0.5"),
    REAL("fps", TOP(outputs.video_fps) - TOP(outputs.video), 1, 240,
         "frames a second of the video; 20"),
};
static const struct mf_keys k_video_keys = {k_video, COUNT_OF(k_video), "file", OUTPUT(line)};

static const struct mf_key k_costs[] = {
    NAME("file", OUTPUT(file), MF_SCENARIO_FILE_MAX, "where to, as SVG"),
    PLACE("to", TOP(outputs.costs_to) - TOP(outputs.costs), MF_SCENARIO_CELL_FAR,
          "goal; where the first drone begins"),
    WHOLE("controller", TOP(outputs.costs_controller) - TOP(outputs.costs), 0, MF_CONTROLLER_ID_MAX,
          "id of the one whose map counts; the lowest id"),
};
static const struct mf_keys k_costs_keys = {k_costs, COUNT_OF(k_costs), "file", OUTPUT(line)};

static const struct mf_key k_page[] = {
    NAME("listen", OUTPUT(file), MF_SCENARIO_ADDRESS_MAX, "[ADDRESS:]PORT of this machine"),
    REAL("every", OUTPUT(every_s), 0.02, 60, "interval between pictures, by the wall [s]; 0.2"),
};
static const struct mf_keys k_page_keys = {k_page, COUNT_OF(k_page), "listen", OUTPUT(line)};

static const struct mf_key k_pictures[] = {
    NAME("file", OUTPUT(file), MF_SCENARIO_FILE_MAX, "frames of the bus"),
    REAL("every", OUTPUT(every_s), 0.001, 1e6, "interval between pictures [s]; 1"),
};
static const struct mf_keys k_pictures_keys = {k_pictures, COUNT_OF(k_pictures), "file",
                                               OUTPUT(line)};

#define OUTPUT_KEY(field, text)                                                          \
    {                                                                                    \
        .name = #field, .type = MF_KEY_MAP, .offset = TOP(outputs.field) - TOP(outputs), \
        .keys = &k_output_keys, .help = (text)                                           \
    }

static const struct mf_key k_outputs[] = {
    OUTPUT_KEY(
        csv,
        "a line per member and period: time, place, velocity, heading, mode, last item reached"),
    OUTPUT_KEY(kml, "tracks of chosen members for Google Earth"),
    OUTPUT_KEY(czml, "tracks of chosen members for Cesium"),
    OUTPUT_KEY(geojson, "flight records: a track with its times for each chosen member"),
    OUTPUT_KEY(
        tlog,
        "MAVLink of a chosen vehicle with all streams, or of a ghost's drone as it comes, for "
        "QGroundControl, MAVProxy and pymavlink; one file each"),
    OUTPUT_KEY(record, "recording of a chosen member, for replay and conform; one file each"),
    OUTPUT_KEY(events,
               "a line per event, in order: armed, item, landed, mode, ... (expect.event has all)"),
    OUTPUT_KEY(stats, "a line per searcher and one of all: precision, recall, energy, coverage"),
    OUTPUT_KEY(detections, "search: a line per detection of a chosen searcher: time, searcher, "
                           "object, place, right or wrong"),
    OUTPUT_KEY(counts, "search: a line per searcher and one of all: true and false positives and "
                       "negatives"),
    OUTPUT_KEY(
        tasks,
        "world of cells: a line per task that ended: drone, estimated, actual, score, trust"),
    OUTPUT_KEY(map, "world of cells: the map as text, each period; without file to the terminal"),
    OUTPUT_KEY(trace,
               "world of cells: a line per controller and drone in each tick, and their messages"),
    MAP("messages", TOP(grid) - TOP(outputs), mf_scenario_message_keys,
        "world of cells: a line per message"),
    OUTPUT_KEY(radio, "a line per packet that a chosen member has received"),
    OUTPUT_KEY(contacts, "a line per contact with an obstacle or a member; between two looks, each "
                         "period, all fly straight on"),
    OUTPUT_KEY(hive,
               "a line for all that a hive decides and sees: sent, found, visited, lost, ..."),
    OUTPUT_KEY(sensors, "a line per measurement of a chosen member"),
    OUTPUT_KEY(recording, "all input of ghosts and the bus, for --replay"),
    OUTPUT_KEY(overhead, "where members were, seen from above, as SVG"),
    OUTPUT_KEY(trust, "world of cells: the trust in each drone over time, as SVG"),
    MAP("costs", TOP(outputs.costs) - TOP(outputs), k_costs_keys,
        "world of cells: the moves from each cell to a goal at the end, as SVG"),
    MAP("video", TOP(outputs.video) - TOP(outputs), k_video_keys,
        "where members were, seen from above, as a video"),
    MAP("page", TOP(outputs.page) - TOP(outputs), k_page_keys,
        "a live page for browsers (docs/swarm-page.md)"),
    MAP("pictures", TOP(outputs.pictures) - TOP(outputs), k_pictures_keys,
        "what that page shows, for mayfly-view"),
    FLAG("plots", TOP(outputs.plots) - TOP(outputs),
         "false: overhead, video, trust and costs are not written; true"),
    MAP("coverage", TOP(search) - TOP(outputs), mf_scenario_coverage_keys,
        "the raster of what cameras saw, for stats"),
};
const struct mf_keys mf_output_keys = {k_outputs, COUNT_OF(k_outputs), NULL, SIZE_MAX};

/* @return the output file of row @p i of k_outputs; NULL: the row is another key */
static struct mf_scenario_output *file_of(struct mf_scenario_outputs *o, size_t i)
{
    const struct mf_key *key = &k_outputs[i];
    const bool file =
        key->type == MF_KEY_MAP && key->keys != &k_page_keys && key->keys->line_at == OUTPUT(line);
    return file ? (void *)((uint8_t *)o + key->offset) : NULL;
}

void mf_scenario_outputs_defaults(struct mf_scenario_outputs *o)
{
    for (size_t i = 0; i < COUNT_OF(k_outputs); i++) {
        if (file_of(o, i) != NULL) {
            file_of(o, i)->every_s = 1.0;
        }
    }
    o->costs_to[0] = (double)NAN;
    o->costs_controller = UINT32_MAX;
    o->video.every_s = 0.5;
    o->page.every_s = 0.2;
    o->video_fps = 20.0;
    o->plots = true;
}

/* Find an output before row @p i that has a file. Devices may have several. */
static bool is_taken(struct mf_scenario_outputs *all, size_t i, const char *file)
{
    bool taken = false;
    for (size_t k = 0; k < i && file[0] != '\0' && strncmp(file, "/dev/", 5) != 0; k++) {
        const struct mf_scenario_output *o = file_of(all, k);
        taken = taken || (o != NULL && strcmp(file, o->file) == 0);
    }
    return taken;
}

bool mf_scenario_outputs_check(struct mf_reading *r, struct mf_scenario *s)
{
    const struct mf_scenario_output *video = &s->outputs.video;
    if (video->file[0] != '\0' && !mf_scenario_goes_by_steps(s)) {
        return mf_reading_refuse(r, video->line, "outputs: video needs a plan or space.cells");
    }
    for (size_t i = 0; i < COUNT_OF(k_outputs); i++) {
        const struct mf_scenario_output *o = file_of(&s->outputs, i);
        if (o != NULL && !mf_chosen_check(r, s, &o->of)) {
            return false;
        }
        if (o != NULL && is_taken(&s->outputs, i, o->file)) {
            return mf_reading_refuse(r, o->line, "outputs: two of them are the file %s", o->file);
        }
    }
    return true;
}
