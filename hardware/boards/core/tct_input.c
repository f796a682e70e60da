/* Input lines: what they read becomes levels and edges.
 *
 * A line's memory is what it read last. A button's is its state and 13 bits of the time of its last
 * change: enough, since only times up to 800 ms are asked of it. */
#include "tct_own.h"

enum { DEBOUNCE = 20, LONG_PRESS = 800 };
enum { OPEN, CLOSING, HELD, OPENING, TOLD, TOLD_OPENING }; /* states of a button */
enum { STATE_SHIFT = 13, TIME_MASK = 0x1FFF };

static uint8_t read_line(const struct tct *board, uint8_t line);
static void begin_line(struct tct *board, struct tct_input input, uint8_t value);
static void change_line(struct tct *board, struct tct_input input, uint8_t value);
static void button(struct tct *board, uint8_t line, struct tct_input input, bool closed);
static bool lie(const struct tct *board, uint8_t *pips);
static void rest_dice(struct tct *board);

static uint8_t count(const struct tct *board)
{
    uint8_t told = board->about->input_count;
    return told < TCT_INPUTS ? told : TCT_INPUTS;
}

static struct tct_input input_of(const struct tct *board, uint8_t line)
{
    return board->about->inputs[line];
}

void tct_input_begin(struct tct *board)
{
    bool dice = false;
    for (uint8_t line = 0; line < count(board); line++) {
        struct tct_input input = input_of(board, line);
        uint8_t value = read_line(board, line);
        /* A button that is held at the boot is not pressed until it was let go. */
        if (input.kind == TCT_IN_BUTTON)
            board->line[line] = value ? (uint16_t)((unsigned)TOLD << STATE_SHIFT) : 0;
        else
            board->line[line] = value;
        begin_line(board, input, value);
        dice = dice || input.kind == TCT_IN_DIE;
    }
    if (dice && lie(board, board->pips))
        board->dice = board->about->dice;
}

void tct_input_read(struct tct *board)
{
    bool dice = false;
    for (uint8_t line = 0; line < count(board); line++) {
        struct tct_input input = input_of(board, line);
        uint8_t value = read_line(board, line);
        if (input.kind == TCT_IN_BUTTON) {
            button(board, line, input, value != 0);
        } else if (board->line[line] != value) {
            board->line[line] = value;
            change_line(board, input, value);
            dice = dice || input.kind == TCT_IN_DIE;
        }
    }
    if (dice)
        rest_dice(board);
}

static uint8_t read_line(const struct tct *board, uint8_t line)
{
    return board->port->line(board->port->self, line);
}

static uint16_t *number_level(struct tct *board, struct tct_input input)
{
    uint8_t set = input.a == 2;
    return input.b ? &board->levels.active[set] : &board->levels.pending[set];
}

/* What a line reads at the boot is a level, but no news. */
static void begin_line(struct tct *board, struct tct_input input, uint8_t value)
{
    uint8_t body[4] = {input.a, input.b, value != 0, 1};
    switch (input.kind) {
    case TCT_IN_PHASE:
        if (value)
            board->levels.phase[input.a == 2] = input.b;
        break;
    case TCT_IN_NUMBER:
        *number_level(board, input) = value ? value : 0xFFFF;
        break;
    case TCT_IN_COUNT:
        board->levels.counts[input.a & 3] = value;
        break;
    case TCT_IN_PROGRESS:
        board->levels.progress[input.a & 3] = value;
        break;
    case TCT_IN_PLACE:
        tct_level_note(board, TCT_E_TAKEN, body);
        break;
    case TCT_IN_DIE:
        board->dice_moved = board->dice_moved || value == 0;
        break;
    case TCT_IN_TROUBLE:
        if (value)
            tct_level_note(board, TCT_E_TROUBLE, body);
        break;
    case TCT_IN_RIICHI:
        body[1] = value != 0;
        tct_level_note(board, TCT_E_RIICHI, body);
        break;
    default:
        break;
    }
}

static void phase(struct tct *board, uint8_t set, uint8_t to)
{
    const struct tct_levels *levels = &board->levels;
    uint8_t from = levels->phase[set == 2];
    uint8_t body[3] = {set, from, to};
    if (from == to)
        return;
    tct_edge(board, TCT_E_PHASE, body, sizeof body);
    if (to == TCT_UP && tct_able(board, TCT_COUNTS_AT_RAISE)) {
        uint16_t game = levels->active[set == 2];
        uint8_t raised[7] = {set, (uint8_t)(game & 0xFF), (uint8_t)(game >> 8)};
        for (uint8_t side = 0; side < 4; side++)
            raised[3 + side] = levels->counts[side];
        tct_edge(board, TCT_E_RAISED, raised, sizeof raised);
    }
}

/* A trouble goes on as long as one of its lines says so. */
static void trouble(struct tct *board, struct tct_input input, bool on)
{
    uint8_t body[6] = {input.a, TCT_UNKNOWN, input.b, on, TCT_UNKNOWN, TCT_UNKNOWN};
    tct_edge(board, TCT_E_TROUBLE, body, sizeof body);
    for (uint8_t line = 0; line < count(board); line++) {
        struct tct_input other = input_of(board, line);
        if (other.kind == TCT_IN_TROUBLE && other.a == input.a)
            if (board->line[line] && input.a < 32)
                board->troubles |= (uint32_t)1 << input.a;
    }
}

static void change_line(struct tct *board, struct tct_input input, uint8_t value)
{
    uint8_t body[4] = {input.a, input.b, value, 0};
    switch (input.kind) {
    case TCT_IN_PHASE:
        if (value)
            phase(board, input.a, input.b);
        break;
    case TCT_IN_NUMBER:
        /* A number that nobody knows any more is a level, but nothing that happened. */
        if (value)
            tct_edge(board, TCT_E_NUMBER, body, 4);
        else
            *number_level(board, input) = 0xFFFF;
        break;
    case TCT_IN_PLACE:
        body[2] = value != 0;
        tct_edge(board, TCT_E_TAKEN, body, 3);
        break;
    case TCT_IN_TROUBLE:
        trouble(board, input, value != 0);
        break;
    case TCT_IN_RIICHI:
        body[1] = value != 0;
        tct_edge(board, TCT_E_RIICHI, body, 2);
        break;
    case TCT_IN_COUNT: case TCT_IN_PROGRESS: case TCT_IN_DIE:
        begin_line(board, input, value);
        break;
    default:
        break;
    }
}

/* A press counts from the moment it closed, once it was closed for 20 ms; the same for its end. */
static void button(struct tct *board, uint8_t line, struct tct_input input, bool closed)
{
    uint16_t now = (uint16_t)(board->now & TIME_MASK);
    uint16_t since = (uint16_t)((now - board->line[line]) & TIME_MASK);
    uint8_t state = (uint8_t)(board->line[line] >> STATE_SHIFT), before = state;
    uint8_t body[3] = {input.a, input.b, 0};
    bool changed = false;
    switch (state) {
    case OPEN:
    case CLOSING:
        changed = closed != (state == CLOSING);
        if (changed)
            state = closed ? CLOSING : OPEN;
        else if (state == CLOSING && since >= DEBOUNCE)
            state = HELD;
        break;
    case HELD:
    case OPENING:
        changed = closed != (state == HELD);
        if (changed)
            state = closed ? HELD : OPENING;
        else if (state == OPENING && since >= DEBOUNCE)
            state = OPEN;
        else if (state == HELD && since >= LONG_PRESS)
            state = TOLD;
        break;
    default:
        changed = closed != (state == TOLD);
        if (changed)
            state = closed ? TOLD : TOLD_OPENING;
        else if (state == TOLD_OPENING && since >= DEBOUNCE)
            state = OPEN;
        break;
    }
    if (changed)
        since = 0;
    board->line[line] =
        (uint16_t)((unsigned)state << STATE_SHIFT | ((unsigned)(now - since) & TIME_MASK));
    if (before == CLOSING && state == HELD) {
        board->hand = true;
        board->hand_at = board->now;
    }
    if ((before == OPENING && state == OPEN) || (before == HELD && state == TOLD)) {
        body[2] = state == TOLD;
        tct_edge(board, TCT_E_BUTTON, body, sizeof body);
    }
}

/* Pips as the dice lie; false while one moves. */
static bool lie(const struct tct *board, uint8_t *pips)
{
    for (uint8_t line = 0; line < count(board); line++) {
        struct tct_input input = input_of(board, line);
        uint16_t value = board->line[line];
        if (input.kind != TCT_IN_DIE)
            continue;
        if (value == 0)
            return false;
        if (input.a < 4 && value <= 6)
            pips[input.a] = (uint8_t)value;
    }
    return true;
}

/* Dice that lie after one has moved were thrown. */
static void rest_dice(struct tct *board)
{
    uint8_t body[5] = {board->about->dice, TCT_UNKNOWN, TCT_UNKNOWN, TCT_UNKNOWN, TCT_UNKNOWN};
    if (!board->dice_moved || !lie(board, body + 1))
        return;
    board->dice_moved = false;
    tct_edge(board, TCT_E_DICE, body, sizeof body);
}
