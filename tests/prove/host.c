/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that the host reads: lines of the time socket, and recordings. */
#include "host/record/recording.h"
#include "host/time/time_line.h"
#include "tests/prove/any.h"

void prove_time_line(void);
void prove_recording(void);

/* A line of any bytes, behind which nothing may be read: as long as the words are, and
 * the longest. */
void prove_time_line(void)
{
    static char line[MF_TIME_LINE_MAX];
    static const size_t k_length[] = {1, 2, 3, 4, 5, 6, 7, 8, MF_TIME_LINE_MAX};
    char reason[MF_TIME_TEXT_MAX];
    //@ loop unroll 9;
    for (size_t i = 0; i < sizeof k_length / sizeof k_length[0]; i++) {
        struct mf_time_command command;
        any_bytes(line, sizeof line);
        const char *start = line + sizeof line - k_length[i];
        if (mf_time_line_parse(&command, start, k_length[i], reason) == MF_E_OK) {
            must_hold(command.at_us >= 0 && command.at_us <= MF_TIME_MAX_US);
        }
    }
}

/* Read up to a header in pieces of any size; longer reads are whole or end. Eva would take hours
 * for pieces of these, which the same loop reads. */
static size_t read_any(void *ctx, uint8_t *bytes, size_t n)
{
    (void)ctx;
    must_be_writable(bytes, n);
    any_bytes(bytes, n);
    return n <= MF_RECORDING_HEADER_BYTES ? any_size(0, n) : either() ? n : 0;
}

/* A file of any bytes. */
void prove_recording(void)
{
    static struct mf_recording_reader reader;
    struct mf_record record = {0};
    reader.read = read_any;
    while (mf_recording_next(&reader, &record) == MF_RECORDING_RECORD) {
        must_hold(record.type <= MF_RECORD_MESSAGE);
    }
}
