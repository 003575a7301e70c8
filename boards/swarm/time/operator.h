/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What a person may ask of a run between two steps: on stdin (console.h), and by the control API
 * (api_operator.c). The commands of every run stand here, those of its world in a table of the
 * world.
 */
#ifndef MF_BOARDS_SWARM_OPERATOR_H
#define MF_BOARDS_SWARM_OPERATOR_H

#include "boards/swarm/core/swarm.h"
#include "host/base/json.h"

#define SWARM_LINE_MAX  256u
#define SWARM_WORDS_MAX 4

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
    const struct swarm_operator_command *command;
    size_t commands;
    void (*show)(const struct swarm_operator *o, FILE *to);
    void (*write)(const struct swarm_operator *o, struct mf_json *j); /**< as JSON */
    /** A new task. @param text  [n], YAML or JSON  @param number  out  @return NULL, or what is
     * wrong. NULL: such a world has none */
    const char *(*task)(struct swarm_operator *o, const char *text, size_t n, uint32_t *number);
};

struct swarm_operator {
    struct swarm *w;
    const struct swarm_operator_world *world;
    void *ctx;                   /**< the world's */
    char line[SWARM_LINE_MAX];   /**< that is obeyed, in words */
    struct swarm_words words;    /**< of it */
    char why[MF_KEYS_ERROR_MAX]; /**< swarm_operator_wrong() */
    bool changed;                /**< the world, since somebody looked */
    bool ends;                   /**< the run */
};

/** @return the state; NULL: the run lacks this part */
static inline struct swarm_operator *swarm_operator_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_OPERATOR];
}

/** @brief Do what a line says; an empty one lets a step pass.
 *  @param line  shorter than SWARM_LINE_MAX
 *  @param local  may it be a command of the shell?
 *  @return NULL, or what is wrong */
const char *swarm_operator_obey(struct swarm_operator *o, const char *line, bool local, FILE *to);

/** @brief What is wrong, as a text. @return o->why */
__attribute__((format(printf, 2, 3))) const char *swarm_operator_wrong(struct swarm_operator *o,
                                                                       const char *format, ...);

/** @brief A number from 1. @return 0: it is none */
uint32_t swarm_operator_number(const char *text, uint32_t most);

/** @brief "4,2" or "4,2,1". @return how many numbers; 0: others stand there */
int swarm_operator_place(const char *text, double place[3]);

#endif
