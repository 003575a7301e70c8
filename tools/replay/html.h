/* SPDX-License-Identifier: Apache-2.0 */
/** A flight as one HTML file that needs nothing else. */
#ifndef MF_TOOLS_REPLAY_HTML_H
#define MF_TOOLS_REPLAY_HTML_H

#include "tools/replay/story.h"

/** Instants that a page draws at most, so that the file stays below 2 MB. */
#define REPLAY_HTML_INSTANTS 12000u
/** Maximum number of figures of a boot in a page. */
#define REPLAY_HTML_FIGURES 3000u
#define REPLAY_NOTES        4u

/** Facts about a recording on its page, apart from the flight. */
struct replay_about {
    const char *name;               /**< of the recording's file, without its folder */
    bool truth;                     /**< the story has it; else what a link heard */
    const char *note[REPLAY_NOTES]; /**< what is not as it should be, in a sentence each */
    size_t notes;
};

/** @brief Write what is described in docs/recording.md. Equal recordings give equal bytes.
 *  @return whether @p out took it */
bool replay_html(const struct replay_story *story, const struct replay_about *about, FILE *out);

#endif
