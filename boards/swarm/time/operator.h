/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Commands of an operator between two steps of a run: from standard input (console.h), and from the
 * control API (operator_routes.c). The commands of every run stand here, those of a world in the
 * table of the world's system.
 */
#ifndef MF_BOARDS_SWARM_OPERATOR_H
#define MF_BOARDS_SWARM_OPERATOR_H

#include "boards/swarm/core/swarm.h"
#include "host/api/api_route.h"
#include "host/base/json.h"

#define SWARM_LINE_MAX  256u
#define SWARM_WORDS_MAX 6

/** A line in words. */
struct swarm_words {
    const char *word[SWARM_WORDS_MAX];
    const char *rest; /**< what stands behind the first one */
    int count;
};

struct swarm_operator;

struct swarm_operator_command {
    const char *name, *takes, *help;
    bool changes; /**< the world */
    /** @param to  what is seen  @return NULL, or what is wrong */
    const char *(*run)(struct swarm_operator *o, const struct swarm_words *w, FILE *to);
};

/** A kind of world. */
struct swarm_operator_world {
    const char *step; /**< its word */
    void (*show)(const struct swarm_operator *o, FILE *to);
    void (*write)(const struct swarm_operator *o, struct mf_json *j); /**< as JSON */
    /** Add a task. @param text  [n], YAML or JSON  @param number  out  @return NULL, or what is
     * wrong. NULL: the world is without tasks */
    const char *(*task)(struct swarm_operator *o, const char *text, size_t n, uint32_t *number);
};

struct swarm_operator {
    struct swarm *w;
    const struct swarm_operator_world *world;
    void *ctx;                   /**< the world's */
    char line[SWARM_LINE_MAX];   /**< that is obeyed, in words */
    struct swarm_words words;    /**< of it */
    char why[MF_KEYS_ERROR_MAX]; /**< swarm_operator_wrong() */
    bool changed;                /**< a command has changed the world since the run last looked */
    bool ends;                   /**< the run */
};

/** @return NULL: the run is without an operator */
static inline struct swarm_operator *swarm_operator_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_OPERATOR];
}

/** @brief Do what a line says; an empty one lets a step pass.
 *  @param line  shorter than SWARM_LINE_MAX
 *  @param local  may it be a command of the shell?
 *  @return NULL, or what is wrong */
const char *swarm_operator_obey(struct swarm_operator *o, const char *line, bool local, FILE *to);

/** @brief Write a reason into o->why. @return o->why */
__attribute__((format(printf, 2, 3))) const char *swarm_operator_wrong(struct swarm_operator *o,
                                                                       const char *format, ...);

/** Handlers and fields of the routes of a world that goes by steps (operator_routes.c). */
void swarm_operator_get_world(struct mf_api_call *call);
void swarm_operator_post_console(struct mf_api_call *call);
void swarm_operator_post_task(struct mf_api_call *call);
extern const struct mf_api_field swarm_operator_line[], swarm_operator_shown[],
    swarm_operator_task[], swarm_operator_tasked[];

/** Routes of every such world. @param FIELDS  of the answer of GET /v1/world */
#define SWARM_OPERATOR_ROUTES(FIELDS)                                                    \
    {"GET",                                                                              \
     "/v1/world",                                                                        \
     MF_API_PROCESS,                                                                     \
     MF_API_JSON,                                                                        \
     swarm_operator_get_world,                                                           \
     "What there is, and where",                                                         \
     NULL,                                                                               \
     FIELDS,                                                                             \
     NULL},                                                                              \
    {                                                                                    \
        "POST", "/v1/console", MF_API_PROCESS, MF_API_JSON, swarm_operator_post_console, \
            "A command of step mode", swarm_operator_line, swarm_operator_shown, NULL    \
    }

/** @brief Read a number from 1 to @p most. @return 0: the text is not such a number */
uint32_t swarm_operator_number(const char *text, uint32_t most);

/** @brief "4,2" or "4,2,1". @return how many numbers; 0: others stand there */
int swarm_operator_place(const char *text, double place[3]);

#endif
