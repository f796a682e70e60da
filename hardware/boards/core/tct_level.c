/* Levels: values where the newest wins, and the snapshot of all of them. */
#include <string.h>

#include "tct_own.h"

enum { APART = 100 };            /* ms between two of the same news */
enum { FIRST_SIDE = 1, FIRST_SEAT = 5 }; /* in the order of news, LEVELS being 0 */
enum { COLUMNS = 24 };

/* POINTS of a seat of which nothing is known. */
static const uint8_t no_points[5] = {0x00, 0x80, 0x00, 0x80, TCT_UNKNOWN};

static void send_levels(struct tct *board);
static void send_points(struct tct *board, uint8_t seat);
static uint32_t *lay_levels(const struct tct *board, uint32_t *to);

void tct_level_begin(struct tct *board)
{
    memset(&board->levels, 0xFF, sizeof board->levels);
    memset(board->levels.presence, 0, sizeof board->levels.presence);
    memset(board->pips, 0xFF, sizeof board->pips);
    for (uint8_t seat = 0; seat < 4; seat++)
        tct_points(board, seat, INT16_MIN, INT16_MIN, TCT_UNKNOWN);
    board->levels.lamps = 0;
    board->riichi = TCT_UNKNOWN;
}

static void set_bit(uint8_t *byte, uint8_t bit, bool on)
{
    unsigned mask = 1U << bit;
    *byte = (uint8_t)(on ? *byte | mask : *byte & ~mask);
}

/* What an edge says of the levels. */
void tct_level_note(struct tct *board, uint8_t type, const uint8_t *body)
{
    struct tct_levels *levels = &board->levels;
    uint16_t place, column, number;
    uint8_t row, bit;
    switch (type) {
    case TCT_E_NUMBER:
        number = (uint16_t)(body[2] | (uint16_t)body[3] << 8);
        for (uint8_t set = 0; set < 2; set++) {
            if (body[0] != 0 && body[0] != set + 1)
                continue;
            (body[1] ? levels->active : levels->pending)[set] = number;
            if (body[1] && levels->pending[set] == number)
                levels->pending[set] = TCT_NO_NUMBER;
        }
        break;
    case TCT_E_PHASE:
        for (uint8_t set = 0; set < 2; set++)
            if (body[0] == 0 || body[0] == set + 1)
                levels->phase[set] = body[2];
        break;
    case TCT_E_DICE:
        board->dice = body[0];
        memcpy(board->pips, body + 1, sizeof board->pips);
        break;
    case TCT_E_TAKEN:
        place = (uint16_t)(body[0] | (uint16_t)body[1] << 8);
        column = place >> 2 & 0xFFF;
        row = place & 3;
        if (column < 1 || column > COLUMNS || row > 1)
            break;
        bit = (uint8_t)(2 * (column - 1) + row);
        set_bit(&levels->presence[place >> 14][bit / 8], bit % 8, body[2]);
        break;
    case TCT_E_TROUBLE:
        if (body[0] < 32 && body[3])
            board->troubles |= (uint32_t)1 << body[0];
        else if (body[0] < 32)
            board->troubles &= ~((uint32_t)1 << body[0]);
        break;
    case TCT_E_RIICHI:
        if (body[0] > 3)
            break;
        if (board->riichi == TCT_UNKNOWN)
            board->riichi = 0;
        set_bit(&board->riichi, body[0], body[1]);
        break;
    default:
        break;
    }
}

void tct_points(struct tct *board, uint8_t seat, int16_t hundreds, int16_t difference,
                uint8_t sticks)
{
    uint8_t *points;
    if (seat > 3)
        return;
    points = board->levels.points[seat];
    points[0] = (uint8_t)((uint16_t)hundreds & 0xFF);
    points[1] = (uint8_t)((uint16_t)hundreds >> 8);
    points[2] = (uint8_t)((uint16_t)difference & 0xFF);
    points[3] = (uint8_t)((uint16_t)difference >> 8);
    points[4] = sticks;
}

/* All levels are as the host knows them. */
void tct_level_told(struct tct *board)
{
    board->told = board->levels;
    board->quiet = 0;
}

/* Sends what differs from what was sent, each at most every 100 ms. */
void tct_level_send(struct tct *board)
{
    struct tct_levels *now = &board->levels, *told = &board->told;
    if (!board->talking)
        return;
    for (uint8_t news = 0; news < TCT_NEWS; news++) {
        uint16_t bit = (uint16_t)(1U << news);
        size_t at = 0, size = offsetof(struct tct_levels, presence);
        if (board->quiet & bit) {
            if ((uint16_t)((uint16_t)board->now - board->told_at[news]) < APART)
                continue;
            board->quiet = (uint16_t)(board->quiet & ~bit);
        }
        if (news >= FIRST_SEAT) {
            size = sizeof now->points[0];
            at = offsetof(struct tct_levels, points) + (size_t)(news - FIRST_SEAT) * size;
        } else if (news >= FIRST_SIDE) {
            size = sizeof now->presence[0];
            at = offsetof(struct tct_levels, presence) + (size_t)(news - FIRST_SIDE) * size;
            if (!tct_able(board, TCT_PRESENCE_LIVE))
                continue;
        }
        if (memcmp((uint8_t *)now + at, (uint8_t *)told + at, size) == 0)
            continue;
        memcpy((uint8_t *)told + at, (uint8_t *)now + at, size);
        board->quiet = (uint16_t)(board->quiet | bit);
        board->told_at[news] = (uint16_t)(board->now & 0xFFFF);
        if (news >= FIRST_SEAT)
            send_points(board, (uint8_t)(news - FIRST_SEAT));
        else if (news >= FIRST_SIDE)
            tct_level_presence(board, (uint8_t)(news - FIRST_SIDE));
        else
            send_levels(board);
    }
}

void tct_level_snapshot(struct tct *board)
{
    const uint8_t *phase = board->levels.phase;
    struct tct_values values;
    uint32_t *number = values.number;
    *number++ = board->next - 1;
    *number++ = board->boot;
    number = lay_levels(board, number);
    *number++ = board->dice;
    for (uint8_t n = 0; n < 4; n++)
        *number++ = board->pips[n];
    *number++ = board->troubles;
    *number++ = board->riichi;
    if (phase[0] == TCT_UNKNOWN || (board->about->sets > 1 && phase[1] == TCT_UNKNOWN))
        *number = TCT_UNKNOWN;
    else
        *number = phase[0] == TCT_UP ? 1 : phase[1] == TCT_UP ? 2 : 0;
    tct_send(board, 1, TCT_SNAPSHOT, &values);
    for (uint8_t seat = 0; seat < 4; seat++)
        if (memcmp(board->levels.points[seat], no_points, sizeof no_points) != 0)
            send_points(board, seat);
}

void tct_level_presence(struct tct *board, uint8_t side)
{
    struct tct_values values;
    values.number[0] = board->next - 1;
    values.number[1] = side;
    values.number[2] = TCT_UNKNOWN; /* which end is odd is not seen by sensors of places */
    values.bytes[0] = board->levels.presence[side];
    values.length[0] = sizeof board->levels.presence[side];
    tct_send(board, 1, TCT_PRESENCE, &values);
}

static void send_levels(struct tct *board)
{
    struct tct_values values;
    lay_levels(board, values.number);
    tct_send(board, 1, TCT_LEVELS, &values);
}

static void send_points(struct tct *board, uint8_t seat)
{
    const uint8_t *points = board->levels.points[seat];
    struct tct_values values;
    values.number[0] = seat;
    values.number[1] = (uint32_t)(points[0] | (uint16_t)points[1] << 8);
    values.number[2] = (uint32_t)(points[2] | (uint16_t)points[3] << 8);
    values.number[3] = points[4];
    tct_send(board, 1, TCT_POINTS, &values);
}

static uint32_t *lay_levels(const struct tct *board, uint32_t *to)
{
    const struct tct_levels *levels = &board->levels;
    *to++ = board->now;
    for (uint8_t set = 0; set < 2; set++)
        *to++ = levels->phase[set];
    for (uint8_t set = 0; set < 2; set++)
        *to++ = levels->active[set];
    for (uint8_t set = 0; set < 2; set++)
        *to++ = levels->pending[set];
    for (uint8_t side = 0; side < 4; side++)
        *to++ = levels->counts[side];
    for (uint8_t side = 0; side < 4; side++)
        *to++ = levels->progress[side];
    *to++ = levels->lamps;
    return to;
}
