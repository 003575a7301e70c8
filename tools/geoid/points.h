/* SPDX-License-Identifier: Apache-2.0 */
/** Places as text, alone and in tables. */
#ifndef MF_TOOLS_GEOID_POINTS_H
#define MF_TOOLS_GEOID_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define GEOID_LINE_MAX   4096u
#define GEOID_FIELDS_MAX 64u

/** @brief Read `LAT,LON` [deg], separated by a comma or space, to the end of the line.
 *  @return NULL, or what is wrong with it */
const char *geoid_point_read(const char *text, double *lat_deg, double *lon_deg);

/** @brief Check latitude and longitude. @return NULL, or what is wrong */
const char *geoid_point_check(double lat_deg, double lon_deg);

/** A table of comma-separated values whose first line names the columns (RFC 4180; a field does not
 * span lines). */
struct geoid_table {
    FILE *file;
    unsigned long line; /**< of the row that was read last */
    size_t columns;
    char *field[GEOID_FIELDS_MAX]; /**< of that row, within text */
    char text[GEOID_LINE_MAX];
    char names[GEOID_LINE_MAX];
    char *name[GEOID_FIELDS_MAX];
};

/** @brief Open a table and read the names of its columns. @return false; errno 0: the file lacks
 * names */
bool geoid_table_open(struct geoid_table *t, const char *path);
/** @brief The next row. @return 1; 0 at the end; -1: a row that has not as many fields as names */
int geoid_table_next(struct geoid_table *t);
/** @brief Find a column by name, or by number from 1. @return GEOID_FIELDS_MAX: not found */
size_t geoid_table_column(const struct geoid_table *t, const char *name);
void geoid_table_close(struct geoid_table *t);

#endif
