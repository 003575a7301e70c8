/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of outputs and components. Used by fleet/scenario_keys, scenario_network and
 * planner_keys. */
#include "fleet/output_keys.h"

#include "fleet/key_forms.h"

#include <string.h>

#define OUTPUT(field) offsetof(struct mf_scenario_output, field)
#define TOP(field)    offsetof(struct mf_scenario, field)

/* Read one name, or a list of names. */
bool mf_chosen_read(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                    void *at)
{
    static const struct mf_reading_rows k_rows = {.most = MF_SCENARIO_CHOSEN_MAX,
                                                  .size = MF_SCENARIO_NAME_MAX};
    struct mf_scenario_chosen *chosen = at;
    (void)key;
    chosen->line = mf_node_line(node);
    chosen->name = mf_reading_text_rows(r, node, &k_rows, &chosen->count);
    return chosen->name != NULL;
}

static const struct mf_key k_output[] = {
    {.name = "file",
     .type = MF_KEY_TEXT,
     .offset = OUTPUT(file),
     .size = MF_SCENARIO_FILE_MAX,
     .help = "where to; %n is the member's number in the swarm"},
    {.name = "every",
     .type = MF_KEY_REAL,
     .offset = OUTPUT(every_s),
     .low = 0.001,
     .high = 1e6,
     .help = "period [s]; 1"},
    {.name = "of",
     .type = MF_KEY_OTHER,
     .offset = OUTPUT(of),
     .read = mf_chosen_read,
     .help = "whose: an entity, a member, or a list of these"},
};
static const struct mf_keys k_output_keys = {k_output, COUNT_OF(k_output), "file", OUTPUT(line)};

static const struct mf_key k_video[] = {
    {.name = "file",
     .type = MF_KEY_TEXT,
     .offset = OUTPUT(file),
     .size = MF_SCENARIO_FILE_MAX,
     .help =
         "MP4, by ffmpeg; without that program, or if it ends in .ppm, a picture for each frame"},
    {.name = "every",
     .type = MF_KEY_REAL,
     .offset = OUTPUT(every_s),
     .low = 0.001,
     .high = 1e6,
     .help = "a frame [s]; 0.5"},
    {.name = "fps",
     .type = MF_KEY_REAL,
     .offset = TOP(outputs.video_fps) - TOP(outputs.video),
     .low = 1,
     .high = 240,
     .help = "frames a second of the video; 20"},
};
static const struct mf_keys k_video_keys = {k_video, COUNT_OF(k_video), "file", OUTPUT(line)};

static const struct mf_key k_page[] = {
    {.name = "listen",
     .type = MF_KEY_TEXT,
     .offset = OUTPUT(file),
     .size = MF_SCENARIO_ADDRESS_MAX,
     .help = "[ADDRESS:]PORT of this machine"},
    {.name = "every",
     .type = MF_KEY_REAL,
     .offset = OUTPUT(every_s),
     .low = 0.02,
     .high = 60,
     .help = "a picture, by the wall [s]; 0.2"},
};
static const struct mf_keys k_page_keys = {k_page, COUNT_OF(k_page), "listen", OUTPUT(line)};

static const struct mf_key k_pictures[] = {
    {.name = "file",
     .type = MF_KEY_TEXT,
     .offset = OUTPUT(file),
     .size = MF_SCENARIO_FILE_MAX,
     .help = "frames of the bus"},
    {.name = "every",
     .type = MF_KEY_REAL,
     .offset = OUTPUT(every_s),
     .low = 0.001,
     .high = 1e6,
     .help = "a picture [s]; 1"},
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
    OUTPUT_KEY(czml, "the same for Cesium"),
    OUTPUT_KEY(geojson, "flight records: a track with its times for each chosen member"),
    OUTPUT_KEY(
        tlog,
        "MAVLink of a chosen vehicle with all streams, or of a ghost's drone as it comes, for "
        "QGroundControl, MAVProxy and pymavlink; one file each"),
    OUTPUT_KEY(record, "recording of a chosen member, for replay and conform; one file each"),
    OUTPUT_KEY(events,
               "a line per event, in order: armed, item, landed, mode, ... (expect.event has all)"),
    OUTPUT_KEY(stats, "a line per searcher and one of all: precision, recall, energy, coverage"),
    OUTPUT_KEY(
        tasks,
        "world of cells: a line per task that ended: drone, estimated, actual, score, trust"),
    OUTPUT_KEY(map, "world of cells: the map as text, each period; without file to the terminal"),
    OUTPUT_KEY(trace,
               "world of cells: a line per controller and drone in each tick, and their messages"),
    {.name = "messages",
     .type = MF_KEY_MAP,
     .offset = TOP(grid) - TOP(outputs),
     .keys = &mf_scenario_message_keys,
     .help = "world of cells: a line per message"},
    OUTPUT_KEY(radio, "a line per packet that a chosen member has received"),
    OUTPUT_KEY(contacts, "a line per contact with an obstacle or a member; between two looks, each "
                         "period, all fly straight on"),
    OUTPUT_KEY(hive,
               "a line for all that a hive decides and sees: sent, found, visited, lost, ..."),
    OUTPUT_KEY(sensors, "a line per measurement of a chosen member"),
    OUTPUT_KEY(recording, "all that ghosts and the bus have said, for --replay"),
    OUTPUT_KEY(overhead, "where members were, seen from above, as SVG"),
    {.name = "video",
     .type = MF_KEY_MAP,
     .offset = TOP(outputs.video) - TOP(outputs),
     .keys = &k_video_keys,
     .help = "the same as a video"},
    {.name = "page",
     .type = MF_KEY_MAP,
     .offset = TOP(outputs.page) - TOP(outputs),
     .keys = &k_page_keys,
     .help = "a live page for browsers (docs/swarm-page.md)"},
    {.name = "pictures",
     .type = MF_KEY_MAP,
     .offset = TOP(outputs.pictures) - TOP(outputs),
     .keys = &k_pictures_keys,
     .help = "what that page shows, for mayfly-view"},
    {.name = "plots",
     .type = MF_KEY_BOOL,
     .offset = TOP(outputs.plots) - TOP(outputs),
     .help = "false: neither overhead nor video is written; true"},
    {.name = "coverage",
     .type = MF_KEY_MAP,
     .offset = TOP(search) - TOP(outputs),
     .keys = &mf_scenario_coverage_keys,
     .help = "the raster of what cameras saw, for stats"},
};
const struct mf_keys mf_output_keys = {k_outputs, COUNT_OF(k_outputs), NULL, SIZE_MAX};

#define COMPONENT(field) offsetof(struct mf_scenario_component, field)

static const struct mf_key k_component[] = {
    NAME("run", COMPONENT(run), MF_SCENARIO_FILE_MAX,
         "a command for the shell; its standard input has a line of CSV per member and period"),
    MF_SCENARIO_OWN_KEYS(COMPONENT(own)),
    REAL("every", COMPONENT(every_s), 0.001, 1e6, "period [s]; 1"),
    WHOLE("queue", COMPONENT(queue), 1, 1e6, "lines that wait for it at most; 1000"),
    {.name = "of",
     .type = MF_KEY_OTHER,
     .offset = COMPONENT(of),
     .read = mf_chosen_read,
     .help = "whose: an entity, a member, or a list of these"},
};
const struct mf_keys mf_component_keys = {k_component, COUNT_OF(k_component), "run",
                                          COMPONENT(line)};

void mf_component_defaults(void *component)
{
    *(struct mf_scenario_component *)component =
        (struct mf_scenario_component){.every_s = 1.0, .queue = 1000};
}
