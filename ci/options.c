/* SPDX-License-Identifier: Apache-2.0 */
/* options FORM: the settings of mayfly as a page of docs/, a man page, or a completion of bash or
 * zsh, from the table that the program reads them by. */
#include "host/config/config_item.h"

#include <stdio.h>
#include <string.h>

static const char *const k_title[MF_GROUP_COUNT] = {
#define X(name, title) [MF_GROUP_##name] = title,
    MF_CONFIG_GROUP_LIST(X)
#undef X
};

static bool is_ranged(const struct mf_config_item *item)
{
    return item->type == MF_TYPE_INT || item->type == MF_TYPE_REAL;
}

/* What follows the flag; "": nothing */
static const char *form_of(const struct mf_config_item *item)
{
    return item->type == MF_TYPE_INT ? "N" : item->unit;
}

/* A text in which each of some characters has a prefix. */
static void put_escaped(const char *text, const char *special, const char *prefix)
{
    for (; *text != '\0'; text++) {
        if (strchr(special, *text) != NULL) {
            fputs(prefix, stdout);
        }
        putchar(*text);
    }
}

static bool is_in(int i, int group)
{
    return (int)mf_config_items[i].group == group;
}

/* ---- docs/options.md */

static const char k_page[] =
    "# Options\n\n"
    "This page is for everyone who starts a drone. It lists every setting: its flag, its variable "
    "in the environment, its key in the\nfile, its default.\n\n"
    "    build/mayfly --instance 3 --clock x20 --param MPC_XY_CRUISE=15\n"
    "    MAYFLY_INSTANCE=3 MAYFLY_CLOCK=x20 MAYFLY_PARAMS=MPC_XY_CRUISE=15 build/mayfly\n"
    "    build/mayfly --config drone.yaml\n\n"
    "Flags override the environment, the environment overrides the file, the file overrides the "
    "defaults. A wrong key, type, unit or\nrange ends the start with exit code 2, and one line "
    "that says where the mistake stands and what is allowed. `--print-config`\nprints the result "
    "as a file. `--help` shows the most used settings, `--help-all` shows all.\n\n"
    "```yaml\n"
    "instance: 3\n"
    "home: 47.397742,8.545594,488,90\n"
    "tcp: 0.0.0.0:5760\n"
    "udp_out: none\n"
    "params:\n"
    "  MPC_XY_CRUISE: 15\n"
    "  MIS_TAKEOFF_ALT: 20\n"
    "streams:\n"
    "  GLOBAL_POSITION_INT: 20\n"
    "battery:\n"
    "  remaining: 80\n"
    "faults: gps_off@30s+10s\n"
    "```\n";

static const char k_page_end[] =
    "\n## Signals and limits of the host\n\n"
    "SIGTERM, SIGINT and SIGHUP end the drone in order, with exit code 0, from the first moment of "
    "`main()` on. Under `nohup` SIGHUP\ndoes nothing.\n\n"
    "| limit | what happens |\n|---|---|\n"
    "| too few descriptors, or less than 27 MB of address space (`ulimit -v`) | exit code 2 and a "
    "line; below 7 MB the system cannot load the program |\n"
    "| a file that must not grow (`ulimit -f`) | the drone treats it as a full disk |";

static void page_row(const struct mf_config_item *item)
{
    fputs("| ", stdout);
    if (item->flag != NULL) {
        printf("`%s%s", item->flag, form_of(item)[0] != '\0' ? " " : "");
        put_escaped(form_of(item), "|", "\\");
        fputs("`", stdout);
    }
    printf(" | %s%s%s", item->env != NULL ? "`" : "", item->env != NULL ? item->env : "",
           item->env != NULL ? "`" : "");
    printf(" | %s%s%s", item->key != NULL ? "`" : "", item->key != NULL ? item->key : "",
           item->key != NULL ? "`" : "");
    printf(" | %s | ", item->type == MF_TYPE_DO ? "" : item->value);
    put_escaped(item->help, "|", "\\");
    if (is_ranged(item)) {
        printf("%s%.10g to %.10g%s%s", item->help[0] != '\0' ? "; " : "", item->low, item->high,
               item->unit[0] != '\0' ? " " : "", item->unit);
    }
    puts(" |");
}

static void page(void)
{
    fputs(k_page, stdout);
    for (int group = 0; group < MF_GROUP_COUNT; group++) {
        const char *note = strchr(k_title[group], ';');
        const int n = note != NULL ? (int)(note - k_title[group]) : (int)strlen(k_title[group]);
        printf("\n## %.*s\n\n", n, k_title[group]);
        if (note != NULL) {
            printf("The value%s.\n\n", note + 1);
        }
        puts("| flag | environment | file | default | |\n|---|---|---|---|---|");
        for (int i = 0; i < MF_CONFIG_ITEM_COUNT; i++) {
            if (is_in(i, group)) {
                page_row(&mf_config_items[i]);
            }
        }
    }
    puts(k_page_end);
}

/* ---- mayfly.1 */

static const char k_manual[] =
    ".TH MAYFLY 1 \"\" \"Mayfly\" \"User Commands\"\n"
    ".SH NAME\nmayfly \\- a PX4-compatible drone in one small process\n"
    ".SH SYNOPSIS\n.B mayfly\n[\\fI\\-\\-flag value\\fR]...\n.br\n"
    ".B mayfly exec\n[\\fI\\-\\-flag value\\fR]... \\-\\- \\fIcommand\\fR [\\fIargument\\fR]...\n"
    ".SH DESCRIPTION\n"
    "Starts one simulated drone. It answers MAVLink as PX4 does, on TCP and UDP port 5760 of this "
    "machine, and serves a live picture and\na control API over HTTP on port 5759.\n"
    ".PP\n"
    ".B mayfly exec\nstarts a drone on free ports, runs a command that finds it by the environment "
    "(MAYFLY_MAVSDK_URL,\nMAYFLY_PYMAVLINK_URL, MAYFLY_API_URL), and ends with it.\n"
    ".PP\n"
    "Flags override the environment, the environment overrides the file, the file overrides the "
    "defaults.\n"
    ".SH OPTIONS\n";

static const char k_manual_end[] =
    ".SH EXIT STATUS\n"
    ".TP\n0\nIts end was asked for, by a signal, a client or its lifetime.\n"
    ".TP\n2\nA setting is wrong, or a port that was asked for is taken; one line says which.\n"
    ".PP\n"
    ".B mayfly exec\nends with the exit status of its command.\n"
    ".SH SEE ALSO\n.BR fly (1),\n.BR replay (1)";

static void manual_item(const struct mf_config_item *item)
{
    puts(".TP");
    fputs("\\fB", stdout);
    put_escaped(item->flag != NULL ? item->flag : item->env, "-", "\\");
    fputs("\\fR", stdout);
    if (item->flag != NULL && form_of(item)[0] != '\0') {
        fputs(" \\fI", stdout);
        put_escaped(form_of(item), "-", "\\");
        fputs("\\fR", stdout);
    }
    puts("");
    put_escaped(item->help, "-", "\\");
    if (is_ranged(item)) {
        printf("%s%.10g to %.10g", item->help[0] != '\0' ? "; " : "", item->low, item->high);
    }
    puts("");
    if (item->type == MF_TYPE_DO) {
        return;
    }
    printf(".br\nDefault: ");
    put_escaped(item->value, "-", "\\");
    if (item->flag != NULL) {
        printf(". Environment: %s", item->env);
    }
    printf("%s%s.\n", item->key != NULL ? ". File: " : "", item->key != NULL ? item->key : "");
}

static void manual(void)
{
    fputs(k_manual, stdout);
    for (int group = 0; group < MF_GROUP_COUNT; group++) {
        printf(".SS \"%s\"\n", k_title[group]);
        for (int i = 0; i < MF_CONFIG_ITEM_COUNT; i++) {
            if (is_in(i, group)) {
                manual_item(&mf_config_items[i]);
            }
        }
    }
    puts(k_manual_end);
}

/* ---- completions */

/* The words that a flag takes; "": a file; NULL: anything */
static const char *words_of(const struct mf_config_item *item)
{
    if (item->type == MF_TYPE_WORD || item->type == MF_TYPE_CLOCK) {
        return item->unit;
    }
    if (item->type == MF_TYPE_BOOL) {
        return "true|false";
    }
    const bool names_file = strstr(item->unit, "FILE") != NULL || strcmp(item->unit, "DIR") == 0;
    return item->type == MF_TYPE_TEXT && names_file ? "" : NULL;
}

/* With blanks between them. */
static void put_words(const char *words)
{
    for (; *words != '\0'; words++) {
        putchar(*words == '|' ? ' ' : *words);
    }
}

static void bash(void)
{
    puts("# completion of mayfly for bash\n_mayfly()\n{\n"
         "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} i\n"
         "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
         "        [[ ${COMP_WORDS[i]} == -- ]] && { COMPREPLY=(); return; } # the command of exec\n"
         "    done\n"
         "    case $before in");
    for (int i = 0; i < MF_CONFIG_ITEM_COUNT; i++) {
        const struct mf_config_item *item = &mf_config_items[i];
        const char *words = words_of(item);
        if (item->flag == NULL || item->type == MF_TYPE_DO || item->type == MF_TYPE_BOOL) {
            continue;
        }
        printf("    %s) COMPREPLY=(", item->flag);
        if (words != NULL && words[0] == '\0') {
            fputs("$(compgen -f -- \"$word\")", stdout);
        } else if (words != NULL) {
            fputs("$(compgen -W '", stdout);
            put_words(words);
            fputs("' -- \"$word\")", stdout);
        }
        puts("); return ;;");
    }
    fputs("    esac\n    COMPREPLY=($(compgen -W 'exec --", stdout);
    for (int i = 0; i < MF_CONFIG_ITEM_COUNT; i++) {
        if (mf_config_items[i].flag != NULL) {
            printf(" %s", mf_config_items[i].flag);
        }
    }
    puts("' -- \"$word\"))\n}\ncomplete -o filenames -F _mayfly mayfly");
}

/* Within the apostrophes of an argument of _arguments. */
static void put_quoted(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            fputs("'\\''", stdout);
        } else {
            printf("%s%c", strchr("[]:\\", *text) != NULL ? "\\" : "", *text);
        }
    }
}

static void zsh(void)
{
    puts("#compdef mayfly\n# completion of mayfly for zsh\n"
         "local dashes=${words[(i)--]}\n"
         "if ((dashes < CURRENT)); then # the command of exec\n"
         "    words=(\"${(@)words[dashes + 1, -1]}\")\n"
         "    ((CURRENT -= dashes))\n"
         "    _normal\n"
         "    return\n"
         "fi\n"
         "_arguments \\");
    for (int i = 0; i < MF_CONFIG_ITEM_COUNT; i++) {
        const struct mf_config_item *item = &mf_config_items[i];
        const char *words = words_of(item);
        if (item->flag == NULL) {
            continue;
        }
        printf("    '*%s[", item->flag);
        put_quoted(item->help);
        putchar(']');
        if (item->type != MF_TYPE_DO && item->type != MF_TYPE_BOOL) {
            fputs(":", stdout);
            put_quoted(form_of(item));
            putchar(':');
            if (words != NULL && words[0] == '\0') {
                fputs("_files", stdout);
            } else if (words != NULL) {
                putchar('(');
                put_words(words);
                putchar(')');
            }
        }
        puts("' \\");
    }
    puts("    '1:command:(exec)'");
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*write)(void);
    } k_form[] = {{"page", page}, {"man", manual}, {"bash", bash}, {"zsh", zsh}};
    for (size_t i = 0; argc == 2 && i < sizeof k_form / sizeof k_form[0]; i++) {
        if (strcmp(argv[1], k_form[i].name) == 0) {
            k_form[i].write();
            return 0;
        }
    }
    fputs("usage: options page|man|bash|zsh\n", stderr);
    return 2;
}
