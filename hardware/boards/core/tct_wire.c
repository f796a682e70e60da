#include "tct_wire.h"

#include <string.h>

static const TCT_FLASH struct tct_row rows[] = {
    {TCT_HELLO, 0, true, "m411"},
    {TCT_IAM, 0, false, "m4114u21tt"},
    {TCT_HUH, 0, true, "111"},

    {TCT_PING, 1, true, "2"},
    {TCT_ACK, 1, true, "441"},
    {TCT_GET, 1, true, "11"},
    {TCT_SELECT, 1, true, "42p12"},
    {TCT_MOVE, 1, true, "42p1"},
    {TCT_LAMP, 1, true, "4211"},
    {TCT_ASK_OUTCOME, 1, true, "42"},

    {TCT_PONG, 1, false, "24444"},
    {TCT_ABILITIES, 1, false, "4111121"},
    {TCT_NUMBER, 1, false, "1122q111t"},
    {TCT_OUTCOME, 1, false, "42114"},
    {TCT_LEVELS, 1, false, "4pddqq2"},
    {TCT_SNAPSHOT, 1, false, "444pddqq21q411"},
    {TCT_PRESENCE, 1, false, "411b"},
    {TCT_POINTS, 1, false, "1ii1"},
    {TCT_COUNTERS, 1, false, "44442"},

    {TCT_E_NUMBER, 1, false, "44112"},
    {TCT_E_PHASE, 1, false, "44111"},
    {TCT_E_RAISED, 1, false, "4412q"},
    {TCT_E_DICE, 1, false, "441q"},
    {TCT_E_BUTTON, 1, false, "44111"},
    {TCT_E_TAKEN, 1, false, "4421"},
    {TCT_E_SHOWN, 1, false, "44211"},
    {TCT_E_SEALED, 1, false, "44211"},
    {TCT_E_TROUBLE, 1, false, "44111111"},
    {TCT_E_RIICHI, 1, false, "4411"},
    {TCT_FIRST_VENDOR, 1, false, "44v"},
};

/* A letter of a layout: how many numbers of how many bytes, or a string of at least that many. */
struct kind {
    uint8_t numbers, size;
    bool string;
};

static struct kind kind_of(char letter)
{
    struct kind kind = {1, 1, false};
    switch (letter) {
    case '2': case 'i': kind.size = 2; break;
    case '4': kind.size = 4; break;
    case 'p': kind.numbers = 2; break;
    case 'q': kind.numbers = 4; break;
    case 'd': kind.numbers = 2; kind.size = 2; break;
    case 'm': kind.numbers = 0; kind.size = 4; break;
    case 'u': kind.numbers = 0; kind.size = 8; kind.string = true; break;
    case 'b': kind.numbers = 0; kind.size = 6; kind.string = true; break;
    case 't': kind.numbers = 0; kind.size = 1; kind.string = true; break;
    case 'v': kind.numbers = 0; kind.size = 0; kind.string = true; break;
    default: break;
    }
    return kind;
}

static char magic(uint8_t n)
{
    static const TCT_FLASH char word[] = "TCT1";
    return word[n];
}

const TCT_FLASH struct tct_row *tct_row(uint8_t version, uint8_t type)
{
    if (version == 1 && type >= TCT_FIRST_VENDOR && type <= TCT_LAST_EDGE)
        type = TCT_FIRST_VENDOR;
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++)
        if (rows[n].version == version && rows[n].type == type)
            return &rows[n];
    return NULL;
}

bool tct_speaks(uint8_t version)
{
    return version <= 1;
}

uint8_t tct_least(const TCT_FLASH struct tct_row *row)
{
    uint8_t least = 0;
    for (const TCT_FLASH char *letter = row->layout; *letter; letter++) {
        struct kind kind = kind_of(*letter);
        least = (uint8_t)(least + kind.size * (kind.numbers ? kind.numbers : 1));
    }
    return least;
}

uint8_t tct_build(const TCT_FLASH struct tct_row *row, const struct tct_values *values,
                  uint8_t *body, uint8_t room)
{
    const uint32_t *number = values->number;
    uint8_t at = 0, strings = 0;
    for (const TCT_FLASH char *letter = row->layout; *letter; letter++) {
        struct kind kind = kind_of(*letter);
        uint8_t length = kind.string ? values->length[strings] : 0;
        uint8_t needed = (uint8_t)(kind.size * (kind.numbers ? kind.numbers : 1));
        if (*letter == 't' || *letter == 'v') {
            if (length > TCT_MOST_BODY)
                return 0xFF;
            needed = (uint8_t)(needed + length);
        } else if (kind.string && length != kind.size) {
            return 0xFF;
        }
        if (needed > room - at)
            return 0xFF;
        if (*letter == 'm')
            for (uint8_t n = 0; n < 4; n++)
                body[at++] = (uint8_t)magic(n);
        for (uint8_t n = 0; n < kind.numbers; n++, number++)
            for (uint8_t byte = 0; byte < kind.size; byte++)
                body[at++] = (uint8_t)(*number >> 8 * byte & 0xFF);
        if (*letter == 't')
            body[at++] = length;
        if (kind.string && length > 0)
            memcpy(body + at, values->bytes[strings], length);
        at = (uint8_t)(at + length);
        if (kind.string)
            strings++;
    }
    return at;
}

uint8_t tct_parse(const TCT_FLASH struct tct_row *row, const uint8_t *body, uint8_t length,
                  struct tct_values *values)
{
    uint32_t *number = values->number;
    uint8_t at = 0, strings = 0;
    if (length < tct_least(row))
        return TCT_BAD_LENGTH;
    for (const TCT_FLASH char *letter = row->layout; *letter; letter++) {
        struct kind kind = kind_of(*letter);
        uint8_t left = (uint8_t)(length - at), taken = kind.size;
        if (taken * (kind.numbers ? kind.numbers : 1) > left)
            return TCT_BAD_LENGTH;
        if (*letter == 'm')
            for (uint8_t n = 0; n < 4; n++)
                if (body[at++] != (uint8_t)magic(n))
                    return TCT_BAD_FIELD;
        for (uint8_t n = 0; n < kind.numbers; n++, number++) {
            *number = 0;
            for (uint8_t byte = 0; byte < kind.size; byte++)
                *number |= (uint32_t)body[at++] << 8 * byte;
        }
        if (!kind.string)
            continue;
        if (*letter == 'v')
            taken = left;
        if (*letter == 't') {
            taken = body[at++];
            if (taken > left - 1)
                return TCT_BAD_LENGTH;
        }
        values->bytes[strings] = body + at;
        values->length[strings++] = taken;
        at = (uint8_t)(at + taken);
    }
    return TCT_FITS;
}

uint16_t tct_crc(const uint8_t *data, uint8_t length)
{
    uint16_t crc = 0xFFFF;
    while (length--) {
        crc = (uint16_t)(crc ^ (uint16_t)((uint16_t)*data++ << 8));
        for (uint8_t bit = 0; bit < 8; bit++)
            crc = (uint16_t)(crc & 0x8000 ? (unsigned)crc << 1 ^ 0x1021U : (unsigned)crc << 1);
    }
    return crc;
}

uint8_t tct_seal(uint8_t *run, uint8_t length)
{
    uint16_t crc = tct_crc(run + 1, length);
    uint8_t code = 0;
    run[++length] = (uint8_t)(crc & 0xFF);
    run[++length] = (uint8_t)(crc >> 8);
    /* From the end: each zero becomes the distance to the next, the last to the end. A run is too
     * short for a distance of FF. */
    for (uint8_t at = length; at > 0; at--) {
        code++;
        if (run[at] == 0) {
            run[at] = code;
            code = 0;
        }
    }
    run[0] = (uint8_t)(code + 1);
    return (uint8_t)(length + 1);
}

enum tct_run tct_open(uint8_t *run, uint8_t *length)
{
    uint8_t from = 0, to = 0;
    while (from < *length) {
        uint8_t code = run[from++];
        if (code == 0 || code - 1 > *length - from)
            return TCT_RUN_COBS;
        for (; code > 1; code--) {
            if (run[from] == 0)
                return TCT_RUN_COBS;
            run[to++] = run[from++];
        }
        if (from < *length)
            run[to++] = 0;
    }
    if (to < 4)
        return TCT_RUN_SHORT;
    to = (uint8_t)(to - 2);
    if (tct_crc(run, to) != (uint16_t)(run[to] | (uint16_t)run[to + 1] << 8))
        return TCT_RUN_CRC;
    *length = to;
    return TCT_RUN_FRAME;
}

enum { SKIPPING = 0xFF };

enum tct_run tct_receive(struct tct_receiver *receiver, uint8_t byte, uint8_t *length)
{
    if (byte == 0) {
        *length = receiver->length;
        receiver->length = 0;
        return *length == 0 || *length == SKIPPING ? TCT_RUN_NONE : tct_open(receiver->run, length);
    }
    if (receiver->length == SKIPPING)
        return TCT_RUN_NONE;
    if (receiver->length == TCT_MOST_RUN) {
        receiver->length = SKIPPING;
        return TCT_RUN_LONG;
    }
    receiver->run[receiver->length++] = byte;
    return TCT_RUN_NONE;
}
