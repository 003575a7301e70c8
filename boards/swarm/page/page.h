/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The live page of a run (docs/swarm-page.md): a stream of frames of the bus to a thread that
 * serves browsers (page_server.h), and what they want back. The run never waits for it: while the
 * last picture is still on its way, there is no other.
 */
#ifndef MF_BOARDS_SWARM_PAGE_H
#define MF_BOARDS_SWARM_PAGE_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"
#include "boards/swarm/output/pictures.h"
#include "boards/swarm/time/pace.h"
#include "fleet/bus.h"

/** Functions of the page for a kind of world. */
struct swarm_page_ops {
    swarm_picture_fn *tell;
    /** Obey a frame ORDERS, TASK or CLOCK of a browser. @return NULL, or why it is refused */
    const char *(*obey)(struct swarm *w, const struct mf_bus_frame *frame);
};

/** Tasks whose answers are kept; characters of the reason why one is refused. */
#define SWARM_PAGE_ANSWERS 64u
#define SWARM_PAGE_WHY_MAX 200u

/** The answer to a task that a browser gave. */
struct swarm_page_answer {
    uint32_t request, task; /**< the browser's number; the task's, 0: it is refused */
    char why[SWARM_PAGE_WHY_MAX];
};

/** Tasks that browsers have given, and the last answers: the n-th at n % SWARM_PAGE_ANSWERS. */
struct swarm_page_answers {
    uint32_t count;
    struct swarm_page_answer answer[SWARM_PAGE_ANSWERS];
};

/** @brief Answers of the page. @return NULL: the run has a file of pictures, but no page */
struct swarm_page_answers *swarm_page_answers(const struct swarm *w);

/** @brief Serve, if the scenario says so. @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_page_open(struct swarm *w);

/** @brief Obey browsers, and send a picture of w->now_us if one is due. @param now  one is due */
void swarm_page_turn(struct swarm *w, const struct swarm_page_ops *ops, bool now);

/** @brief Browsers are told of the end, and the page ends with the run. */
void swarm_page_close(struct swarm *w, int code);

/** @brief Open the file of pictures, with frames of the run's kind of world.
 *  @return SWARM_OK or SWARM_INPUT */
int swarm_page_open_pictures(struct swarm *w);

/** The page and the file of pictures in a world that goes by steps. */
extern const struct swarm_display swarm_page_display;

/** The live page, and the frames of the file of pictures. */
extern const struct swarm_system swarm_page_system;

#endif
