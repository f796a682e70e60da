#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/tct_wire.h"

static int digit(char letter)
{
    const char *digits = "0123456789abcdef", *found;
    if (letter >= 'A' && letter <= 'F')
        letter = (char)(letter - 'A' + 'a');
    found = letter ? strchr(digits, letter) : NULL;
    return found ? (int)(found - digits) : -1;
}

int words_bytes(const char *hex, uint8_t *to, int room)
{
    int length = 0;
    if (strcmp(hex, "-") == 0)
        return 0;
    for (; hex[0]; hex += 2, length++) {
        int high = digit(hex[0]), low = high < 0 ? -1 : digit(hex[1]);
        if (low < 0 || length == room)
            return -1;
        to[length] = (uint8_t)(high << 4 | low);
    }
    return length;
}

static void print_bytes(const uint8_t *bytes, int length)
{
    if (length == 0)
        putchar('-');
    for (int n = 0; n < length; n++)
        printf("%02x", bytes[n]);
}

void words_encode(char *arguments)
{
    static uint8_t store[TCT_MOST_STRINGS][TCT_MOST_BODY];
    uint8_t run[TCT_MOST_RUN], type, version, length;
    struct tct_values values = {{0}, {0}, {0}};
    const struct tct_row *row;
    int numbers = 0, strings = 0;
    char *word = strtok(arguments, " "), *next = word ? strtok(NULL, " ") : NULL;
    if (!next) {
        puts("bad words");
        return;
    }
    type = (uint8_t)strtoul(word, NULL, 16);
    version = (uint8_t)strtoul(next, NULL, 10);
    row = tct_row(version, type);
    if (!row) {
        puts("bad type");
        return;
    }
    for (const char *letter = row->layout; *letter; letter++) {
        int count = *letter == 'q' ? 4 : *letter == 'p' || *letter == 'd' ? 2 : 1;
        if (*letter == 'm')
            continue;
        for (; count > 0; count--) {
            word = strtok(NULL, " ");
            if (!word) {
                puts("bad words");
                return;
            }
            if (!strchr("utvb", *letter)) {
                values.number[numbers++] = (uint32_t)strtoll(word, NULL, 10);
                continue;
            }
            int bytes = words_bytes(word, store[strings], TCT_MOST_BODY);
            if (bytes < 0) {
                puts("bad words");
                return;
            }
            values.bytes[strings] = store[strings];
            values.length[strings++] = (uint8_t)bytes;
        }
    }
    length = tct_build(row, &values, run + 3, TCT_MOST_BODY);
    if (length > TCT_MOST_BODY) {
        puts("bad long");
        return;
    }
    run[1] = version;
    run[2] = type;
    length = tct_seal(run, (uint8_t)(length + 2));
    printf("ok 00");
    print_bytes(run, length);
    puts("00");
}

static const char *const run_words[] = {"none", "frame", "long", "cobs", "short", "crc"};

void words_runs(char *arguments)
{
    static uint8_t data[4096];
    struct tct_receiver receiver = {{0}, 0};
    int size = words_bytes(arguments, data, sizeof data);
    printf(size < 0 ? "bad words" : "ok");
    for (int n = 0; n < size; n++) {
        uint8_t length;
        enum tct_run found = tct_receive(&receiver, data[n], &length);
        if (found != TCT_RUN_NONE)
            printf(" %s", run_words[found]);
    }
    putchar('\n');
}

void words_decode(char *arguments)
{
    static const char *const bad_body[] = {"", "type", "version", "length", "field", "busy"};
    static uint8_t data[4096];
    struct tct_receiver receiver = {{0}, 0};
    struct tct_values values;
    const struct tct_row *row;
    enum tct_run found = TCT_RUN_NONE;
    uint8_t length = 0, verdict;
    int numbers = 0, strings = 0, size = words_bytes(arguments, data, sizeof data - 1);
    if (size < 0) {
        puts("bad words");
        return;
    }
    data[size] = 0;
    for (int n = 0; n <= size && found == TCT_RUN_NONE; n++)
        found = tct_receive(&receiver, data[n], &length);
    if (found != TCT_RUN_FRAME) {
        printf("bad %s\n", run_words[found]);
        return;
    }
    row = tct_row(receiver.run[0], receiver.run[1]);
    if (!row) {
        printf("bad %s\n", bad_body[tct_speaks(receiver.run[0]) ? TCT_BAD_TYPE : TCT_BAD_VERSION]);
        return;
    }
    verdict = tct_parse(row, receiver.run + 2, (uint8_t)(length - 2), &values);
    if (verdict != TCT_FITS) {
        printf("bad %s\n", bad_body[verdict]);
        return;
    }
    printf("ok %02X %u", receiver.run[1], receiver.run[0]);
    for (const char *letter = row->layout; *letter; letter++) {
        int count = *letter == 'q' ? 4 : *letter == 'p' || *letter == 'd' ? 2 : 1;
        if (*letter == 'm')
            continue;
        for (; count > 0; count--) {
            putchar(' ');
            if (strchr("utvb", *letter)) {
                print_bytes(values.bytes[strings], values.length[strings]);
                strings++;
            } else if (*letter == 'i') {
                printf("%d", (int16_t)values.number[numbers++]);
            } else {
                printf("%lu", (unsigned long)values.number[numbers++]);
            }
        }
    }
    putchar('\n');
}
