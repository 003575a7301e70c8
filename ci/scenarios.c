/* SPDX-License-Identifier: Apache-2.0 */
/* scenarios page: docs/scenarios.md, the keys of a scenario file, from the table that the program
 * reads them by. */
#include "fleet/scenario.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEPTH 8
#define PATH  128

static const char k_page[] =
    "# Scenario files\n\n"
    "This page is for people who write scenarios. It lists every key of the file that "
    "`mayfly-swarm` "
    "reads: what its value is, what it\nmeans, and after the semicolon its default. "
    "The [manual](swarm-manual.md) explains how the parts work together, the "
    "[tour](swarm.md) begins with an example.\n\n"
    "A file is YAML or JSON. A key that is left out has its default, and a part that is left out "
    "is "
    "off. The program refuses an unknown\nkey, a value of another type and a number outside its "
    "range, with the line and the nearest key. `--check` reads a file and runs\nnothing, `--keys` "
    "prints the keys.\n\n"
    "A text may hold `${NAME}` or `${NAME:default}`, which `--set NAME=VALUE` or the environment "
    "gives. `--set` and variations change\na value by its dotted key, such as "
    "`entities.0.body.mass`. The number counts the entries of a list from 0.";

/* The characters that a table of Markdown would take for its own. */
static void put_text(const char *text)
{
    for (; *text != '\0'; text++) {
        fputs(*text == '|' ? "\\|" : *text == '<' ? "&lt;" : "", stdout);
        if (*text != '|' && *text != '<') {
            putchar(*text);
        }
    }
}

static void put_words(const char *const *word)
{
    for (size_t i = 0; word[i] != NULL; i++) {
        printf("%s`%s`", i > 0 ? ", " : "", word[i]);
    }
}

static void put_range(const char *what, const struct mf_key *key)
{
    printf("%s, %.10g to %.10g", what, key->low, key->high);
}

static void put_value(const struct mf_key *key)
{
    switch (key->type) {
    case MF_KEY_REAL:
        put_range("number", key);
        break;
    case MF_KEY_WHOLE:
    case MF_KEY_LONG:
        put_range("whole number", key);
        break;
    case MF_KEY_BOOL:
        fputs("`true`, `false`", stdout);
        break;
    case MF_KEY_TEXT:
        printf("text, up to %zu characters", key->size - 1u);
        break;
    case MF_KEY_WORD:
        put_words(key->words);
        break;
    case MF_KEY_TRIPLE:
        put_range("2 or 3 numbers", key);
        break;
    case MF_KEY_PAIR:
        put_range("2 numbers", key);
        break;
    case MF_KEY_MAP:
        fputs("map", stdout);
        if (key->keys->alone != NULL) {
            printf(", or its `%s` alone", key->keys->alone);
        }
        break;
    case MF_KEY_ARRAY:
    case MF_KEY_LIST:
        fputs(key->one ? "map, or list" : "list", stdout);
        if (key->most > 0) {
            printf(" of up to %u maps", key->most);
        } else {
            fputs(" of maps", stdout);
        }
        break;
    case MF_KEY_OTHER:
        break; /* its help says which */
    }
}

static void put_row(const char *path, const struct mf_key *key)
{
    printf("| `%s` | ", path);
    put_value(key);
    fputs(" | ", stdout);
    put_text(key->help);
    puts(" |");
}

/* All keys of a table, those of a map below it. */
static void put_rows(const struct mf_keys *keys)
{
    struct {
        const struct mf_keys *keys;
        size_t next, length;
    } at[DEPTH] = {{keys, 0, 0}};
    char path[PATH] = "";
    puts("\n| key | value | meaning |\n|---|---|---|");
    for (int depth = 0; depth >= 0;) {
        if (at[depth].next == at[depth].keys->count) {
            depth--;
            continue;
        }
        const struct mf_key *key = &at[depth].keys->key[at[depth].next++];
        const size_t length = at[depth].length;
        const int n = snprintf(path + length, sizeof path - length, "%s", key->name);
        put_row(path, key);
        if (key->keys != NULL && depth + 1 < DEPTH) {
            const int dot =
                snprintf(path + length + (size_t)n, sizeof path - length - (size_t)n, ".");
            at[++depth].keys = key->keys;
            at[depth].next = 0;
            at[depth].length = length + (size_t)n + (size_t)dot;
        }
    }
}

int main(void)
{
    puts(k_page);
    puts("\n## The file\n\n| key | value | meaning |\n|---|---|---|");
    for (size_t i = 0; i < mf_scenario_keys.count; i++) {
        put_row(mf_scenario_keys.key[i].name, &mf_scenario_keys.key[i]);
    }
    for (size_t i = 0; i < mf_scenario_keys.count; i++) {
        const struct mf_key *key = &mf_scenario_keys.key[i];
        if (key->keys != NULL) {
            printf("\n## %s\n", key->name);
            put_rows(key->keys);
        }
    }
    return 0;
}
