/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the scenarios of a folder, and reads the user's choice. main.c calls it. */
#include "boards/swarm/program/menu.h"

#include "boards/swarm/core/swarm.h"
#include "host/base/value.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_MAX_BYTES 200

static int is_scenario(const struct dirent *entry)
{
    const size_t n = strlen(entry->d_name);
    const char *end = n > 5 ? entry->d_name + n - 5 : "";
    return strcmp(end, ".yaml") == 0 || strcmp(end, ".json") == 0;
}

/* Read the title of a scenario from its line 'title:'; "" without one. */
static void title_of(const char *file, char title[LINE_MAX_BYTES])
{
    static const char k_key[] = "title:";
    FILE *f = fopen(file, "r");
    char line[LINE_MAX_BYTES];
    title[0] = '\0';
    while (f != NULL && title[0] == '\0' && fgets(line, sizeof line, f) != NULL) {
        const char *key = line + mf_value_bom(line, strlen(line));
        if (strncmp(key, k_key, sizeof k_key - 1) == 0) {
            line[strcspn(line, "\n")] = '\0';
            (void)snprintf(title, LINE_MAX_BYTES, "%s",
                           key + sizeof k_key - 1 + strspn(key + sizeof k_key - 1, " "));
        }
    }
    if (f != NULL) {
        (void)fclose(f);
    }
}

/* Path of a file in a folder. @return false: it is too long */
static bool scenario_path_of(const char *folder, const struct dirent *entry, char *file)
{
    return snprintf(file, MF_SCENARIO_FILE_MAX, "%s/%s", folder, entry->d_name) <
           (int)MF_SCENARIO_FILE_MAX;
}

static int read_choice(void)
{
    char line[16];
    size_t n = 0;
    while (n < sizeof line - 1 && read(STDIN_FILENO, &line[n], 1) == 1 && line[n] != '\n') {
        n++;
    }
    line[n] = '\0';
    return (int)strtol(line, NULL, 10);
}

int swarm_menu(const char *folder, char *file)
{
    struct dirent **entry;
    const int count = scandir(folder, &entry, is_scenario, alphasort);
    if (count < 1) {
        (void)fprintf(stderr, "mayfly-swarm: %s: %s\n", folder,
                      count < 0 ? strerror(errno) : "no scenario (*.yaml, *.json) is there");
        free(count < 0 ? NULL : entry);
        return SWARM_INPUT;
    }
    for (int i = 0; i < count; i++) {
        char title[LINE_MAX_BYTES];
        title[0] = '\0';
        if (scenario_path_of(folder, entry[i], file)) {
            title_of(file, title);
        }
        (void)printf("%3d  %-28s %s\n", i + 1, entry[i]->d_name, title);
    }
    (void)printf("scenario> ");
    (void)fflush(stdout);
    const int number = read_choice();
    const bool chosen =
        number >= 1 && number <= count && scenario_path_of(folder, entry[number - 1], file);
    if (!chosen) {
        (void)fprintf(stderr,
                      "mayfly-swarm: give a number from 1 to %d, of a path below %u characters\n",
                      count, MF_SCENARIO_FILE_MAX);
    }
    for (int i = 0; i < count; i++) {
        free(entry[i]);
    }
    free(entry);
    return chosen ? SWARM_OK : SWARM_INPUT;
}
