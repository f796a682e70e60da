#include "tct.h"

#include <string.h>

#include "tct_own.h"

enum { NEWEST = 1 };        /* version */
enum { LONGEST_READ = 20 }; /* ms of messages before lines and times are looked at */
enum { ABILITIES, NUMBERS, SNAPSHOT, PRESENCE, COUNTERS }; /* what GET asks for */

static void take(struct tct *board, uint8_t length);
static void hello(struct tct *board, uint32_t conversation);
static void get(struct tct *board, uint8_t what, uint8_t index);

void tct_init(struct tct *board, const TCT_FLASH struct tct_about *about,
              const struct tct_port *port)
{
    memset(board, 0, sizeof *board);
    board->about = about;
    board->port = port;
    board->boot = port->boot(port->self);
    board->now = port->ms(port->self);
    board->next = 1;
    board->kept_result = NO_OUTCOME;
    board->wanted = NO_COMMAND;
    board->pressed = TCT_NO_LINE;
    tct_level_begin(board);
    tct_input_begin(board);
    tct_level_told(board);
}

void tct_poll(struct tct *board)
{
    const struct tct_port *port = board->port;
    uint32_t began = port->ms(port->self);
    int byte;
    board->now = began;
    /* A host that asks faster than the line carries answers must not hold a button down. */
    while (!tct_past(board, began, LONGEST_READ) && (byte = port->read(port->self)) >= 0) {
        uint8_t length = 0;
        switch (tct_receive(&board->receiver, (uint8_t)byte, &length)) {
        case TCT_RUN_FRAME:
            board->frames++;
            board->now = port->ms(port->self);
            take(board, length);
            tct_level_send(board);
            break;
        case TCT_RUN_CRC:
            board->bad_crc++;
            break;
        case TCT_RUN_LONG: case TCT_RUN_COBS: case TCT_RUN_SHORT:
            board->dropped++;
            break;
        case TCT_RUN_NONE:
            break;
        }
    }
    tct_input_read(board);
    tct_command_time(board);
    tct_ring_again(board);
    tct_level_send(board);
}

/* One frame, in the receive buffer. */
static void take(struct tct *board, uint8_t length)
{
    const uint8_t *frame = board->receiver.run;
    uint8_t version = frame[0], type = frame[1], verdict;
    struct tct_values values;
    const TCT_FLASH struct tct_row *row = tct_row(version, type);
    /* What another board says is never answered. */
    if (type >= TCT_PONG || (version == 0 && (type == TCT_IAM || type == TCT_HUH)))
        return;
    if (!tct_speaks(version)) {
        tct_huh(board, type, TCT_BAD_VERSION, NEWEST);
        return;
    }
    if (row == NULL || !row->to_table) {
        tct_huh(board, type, TCT_BAD_TYPE, version);
        return;
    }
    verdict = tct_parse(row, frame + 2, (uint8_t)(length - 2), &values);
    if (verdict != TCT_FITS) {
        tct_huh(board, type, verdict, verdict == TCT_BAD_LENGTH ? tct_least(row) : 0);
        return;
    }
    if (version > 0 && !board->talking) {
        tct_huh(board, type, TCT_BUSY, 0);
        return;
    }
    switch (type) {
    case TCT_HELLO:
        hello(board, values.number[0]);
        break;
    case TCT_PING:
        values.number[1] = board->boot;
        values.number[2] = board->now;
        values.number[3] = tct_first_kept(board);
        values.number[4] = board->next;
        tct_send(board, 1, TCT_PONG, &values);
        break;
    case TCT_ACK:
        tct_ring_ack(board, &values);
        break;
    case TCT_GET:
        get(board, (uint8_t)values.number[0], (uint8_t)values.number[1]);
        break;
    case TCT_ASK_OUTCOME:
        tct_command_ask(board, &values);
        break;
    default:
        tct_command(board, type, &values);
        break;
    }
}

/* Copies a text out of flash; gives its length, which is below `room`. */
static uint8_t text(uint8_t *to, const TCT_FLASH char *from, uint8_t room)
{
    uint8_t length = 0;
    for (; length < room - 1 && from[length]; length++)
        to[length] = (uint8_t)from[length];
    return length;
}

static void hello(struct tct *board, uint32_t conversation)
{
    const TCT_FLASH struct tct_about *about = board->about;
    uint8_t uid[8], model[sizeof about->model], firmware[sizeof about->firmware];
    uint32_t newer = conversation - board->conversation;
    struct tct_values values;
    if (!board->talking || (newer != 0 && newer < 0x80000000UL)) {
        board->talking = true;
        board->conversation = conversation;
        board->greatest = 0;
        tct_ring_begin(board);
        tct_level_told(board);
    }
    for (uint8_t n = 0; n < sizeof uid; n++)
        uid[n] = about->uid[n];
    values.number[0] = board->conversation;
    values.number[1] = NEWEST;
    values.number[2] = NEWEST;
    values.number[3] = board->boot;
    values.number[4] = TCT_RING;
    values.number[5] = TCT_MOST_BODY;
    values.bytes[0] = uid;
    values.length[0] = sizeof uid;
    values.bytes[1] = model;
    values.length[1] = text(model, about->model, sizeof model);
    values.bytes[2] = firmware;
    values.length[2] = text(firmware, about->firmware, sizeof firmware);
    tct_send(board, 0, TCT_IAM, &values);
}

static void tell_number(struct tct *board, uint8_t index)
{
    const TCT_FLASH struct tct_about *about = board->about;
    struct tct_values values;
    uint8_t name[sizeof about->numbers->name];
    values.number[0] = index;
    values.number[1] = about->number_count;
    values.length[0] = 0;
    if (about->number_count > 0) {
        const TCT_FLASH struct tct_number *number = &about->numbers[index];
        values.number[2] = number->number;
        values.number[3] = number->tiles;
        for (uint8_t side = 0; side < 4; side++)
            values.number[4 + side] = number->sides[side];
        values.number[8] = number->odd_ends;
        values.number[9] = number->players;
        values.number[10] = number->flags;
        values.bytes[0] = name;
        values.length[0] = text(name, number->name, sizeof name);
    } else {
        memset(values.number + 2, 0xFF, 7 * sizeof values.number[0]);
        values.number[2] = values.number[9] = values.number[10] = 0;
    }
    tct_send(board, 1, TCT_NUMBER, &values);
}

static void get(struct tct *board, uint8_t what, uint8_t index)
{
    const TCT_FLASH struct tct_about *about = board->about;
    struct tct_values values;
    switch (what) {
    case ABILITIES:
        values.number[0] = about->abilities;
        values.number[1] = about->sides;
        values.number[2] = about->sets;
        values.number[3] = about->dice;
        values.number[4] = about->seats;
        values.number[5] = about->press_ms;
        values.number[6] = about->guard;
        tct_send(board, 1, TCT_ABILITIES, &values);
        break;
    case NUMBERS:
        if (about->number_count == 0)
            tell_number(board, 0);
        for (; index < about->number_count; index++)
            tell_number(board, index);
        break;
    case SNAPSHOT:
        tct_level_snapshot(board);
        break;
    case PRESENCE:
        if (index >= about->sides || index > 3 || !tct_able(board, TCT_PRESENCE_LIVE))
            tct_huh(board, TCT_GET, TCT_BAD_FIELD, 1);
        else
            tct_level_presence(board, index);
        break;
    case COUNTERS:
        values.number[0] = board->frames;
        values.number[1] = board->bad_crc;
        values.number[2] = board->dropped;
        values.number[3] = board->ring_drops;
        values.number[4] = board->boot & 0xFFFF;
        tct_send(board, 1, TCT_COUNTERS, &values);
        break;
    default:
        tct_huh(board, TCT_GET, TCT_BAD_FIELD, 0);
        break;
    }
}

void tct_huh(struct tct *board, uint8_t type, uint8_t reason, uint8_t detail)
{
    struct tct_values values;
    values.number[0] = type;
    values.number[1] = reason;
    values.number[2] = detail;
    tct_send(board, 0, TCT_HUH, &values);
}

void tct_send(struct tct *board, uint8_t version, uint8_t type, const struct tct_values *values)
{
    uint8_t length = tct_build(tct_row(version, type), values, board->send + 3, TCT_MOST_BODY);
    tct_send_body(board, version, type, length);
}

void tct_send_body(struct tct *board, uint8_t version, uint8_t type, uint8_t length)
{
    const struct tct_port *port = board->port;
    board->send[1] = version;
    board->send[2] = type;
    length = tct_seal(board->send, (uint8_t)(length + 2));
    if (!port->write(port->self, 0))
        return;
    for (uint8_t n = 0; n < length; n++)
        if (!port->write(port->self, board->send[n]))
            return;
    port->write(port->self, 0);
}

bool tct_able(const struct tct *board, uint32_t ability)
{
    return (board->about->abilities & ability) != 0;
}

bool tct_past(const struct tct *board, uint32_t since, uint32_t ms)
{
    return board->now - since >= ms;
}
