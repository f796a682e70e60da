/* Commands: each is begun at most once, and the last outcome is kept. */
#include "tct_own.h"

enum { ACCEPTED, DONE, REFUSED, UNKNOWN };
enum { NONE, PHASE, UNABLE, NUMBER, TROUBLE, BUSY, GUARD, VALUE, NO_SIGN, FORGOTTEN };
enum { ANY_PHASE = 0xFF, MOST_MODE = 3 };
#define NO_SIGN_AFTER 10000UL

static uint8_t refusal(struct tct *board, uint8_t type, const struct tct_values *values,
                       uint8_t *line);
static void begin(struct tct *board, uint8_t type, const struct tct_values *values, uint8_t line);
static void keep(struct tct *board, uint8_t result, uint8_t why);
static void send_kept(struct tct *board);
static void answer(struct tct *board, const struct tct_values *asked, uint8_t result, uint8_t why);
static bool is_shown(const struct tct *board);
static bool reads(const struct tct *board);
static bool is_kept(const struct tct *board, const struct tct_values *values);

void tct_command(struct tct *board, uint8_t type, const struct tct_values *values)
{
    uint16_t command = (uint16_t)values->number[1];
    uint8_t why, line = TCT_NO_LINE;
    if (values->number[0] != board->conversation) {
        tct_huh(board, type, TCT_BAD_FIELD, 0);
        return;
    }
    if (is_kept(board, values)) {
        send_kept(board);
        return;
    }
    if (command <= board->greatest) {
        answer(board, values, UNKNOWN, FORGOTTEN);
        return;
    }
    board->greatest = command;
    if (board->wanted != NO_COMMAND) {
        answer(board, values, REFUSED, BUSY);
        return;
    }
    board->kept_conversation = board->conversation;
    board->kept_command = command;
    why = refusal(board, type, values, &line);
    if (why != NONE) {
        keep(board, REFUSED, why);
        send_kept(board);
        return;
    }
    begin(board, type, values, line);
}

void tct_command_ask(struct tct *board, const struct tct_values *values)
{
    bool unseen = values->number[0] == board->conversation && values->number[1] > board->greatest;
    if (is_kept(board, values))
        send_kept(board);
    else
        answer(board, values, UNKNOWN, unseen ? NONE : FORGOTTEN);
}

/* An edge may show that the command under way is done. */
void tct_command_shown(struct tct *board, uint8_t type, const uint8_t *body)
{
    const uint8_t *phase = board->levels.phase;
    bool sign = false;
    if (type == TCT_E_BUTTON) {
        board->hand = true;
        board->hand_at = board->now;
    }
    if (board->wanted == NO_COMMAND || !is_shown(board))
        return;
    if (board->wanted == TCT_SELECT) {
        sign = type == TCT_E_NUMBER && reads(board);
    } else if (board->wanted_value == TCT_THROW) {
        sign = type == TCT_E_DICE;
    } else if (type == TCT_E_PHASE) {
        uint8_t from = body[1], to = body[2];
        switch (board->wanted_value) {
        case TCT_START:
            sign = to == TCT_DROPPING || to == TCT_MIXING || to == TCT_RAISING || from == TCT_PAUSED;
            break;
        case TCT_RAISE: sign = to == TCT_RAISING || to == TCT_UP; break;
        case TCT_LOWER: sign = from == TCT_UP && to != TCT_UP && to != TCT_DROPPING; break;
        case TCT_PAUSE: sign = to == TCT_PAUSED; break;
        case TCT_RESUME: sign = phase[0] != TCT_PAUSED && phase[1] != TCT_PAUSED; break;
        default: break;
        }
    }
    if (!sign)
        return;
    board->wanted = NO_COMMAND;
    keep(board, DONE, NONE);
    send_kept(board);
}

void tct_command_time(struct tct *board)
{
    const struct tct_port *port = board->port;
    bool ended = tct_past(board, board->begun_at, board->about->press_ms);
    if (board->pressed != TCT_NO_LINE && ended) {
        port->press(port->self, board->pressed, 0);
        board->pressed = TCT_NO_LINE;
    }
    /* So that a clock that runs over does not bring the hand back. */
    if (board->hand && tct_past(board, board->hand_at, board->about->guard * 1000UL))
        board->hand = false;
    if (board->wanted == NO_COMMAND)
        return;
    if (!is_shown(board) && ended)
        keep(board, DONE, NONE);
    else if (is_shown(board) && tct_past(board, board->begun_at, NO_SIGN_AFTER))
        keep(board, UNKNOWN, NO_SIGN);
    else
        return;
    board->wanted = NO_COMMAND;
    send_kept(board);
}

static bool is_meant(const struct tct *board, const uint32_t *masks)
{
    for (uint8_t set = 0; set < 2; set++) {
        uint8_t phase = board->levels.phase[set];
        if (masks[set] != ANY_PHASE && (phase > 7 || !(masks[set] >> phase & 1)))
            return false;
    }
    return true;
}

/* Why a command is refused, in the order of the page; NONE and its output line if it is not. */
static uint8_t refusal(struct tct *board, uint8_t type, const struct tct_values *values,
                       uint8_t *line)
{
    const TCT_FLASH struct tct_about *about = board->about;
    const uint32_t *given = values->number + 2; /* behind conversation and command */
    if (type == TCT_LAMP) {
        if (given[0] >= TCT_LAMPS || given[1] > MOST_MODE)
            return VALUE;
        *line = about->lamps[given[0]];
        return *line == TCT_NO_LINE ? UNABLE : NONE;
    }
    if (type == TCT_SELECT) {
        bool found = false;
        if (given[2] > about->sets)
            return VALUE;
        if (!tct_able(board, TCT_SELECT_NUMBER))
            return UNABLE;
        for (uint8_t n = 0; n < about->number_count; n++)
            if (!found && about->numbers[n].number == given[3]) {
                found = true;
                *line = about->numbers[n].line;
            }
        if (!found)
            return NUMBER;
        if (*line == TCT_NO_LINE)
            return UNABLE;
        return is_meant(board, given) ? NONE : PHASE;
    }
    if (given[2] >= TCT_MOTIONS)
        return VALUE;
    *line = about->motions[given[2]];
    if (!tct_able(board, TCT_PRESS_BUTTONS) || *line == TCT_NO_LINE)
        return UNABLE;
    if (!is_meant(board, given))
        return PHASE;
    if (board->troubles || board->levels.phase[0] == TCT_BLOCKED
        || board->levels.phase[1] == TCT_BLOCKED)
        return TROUBLE;
    if (board->hand && !tct_past(board, board->hand_at, about->guard * 1000UL))
        return GUARD;
    return NONE;
}

static void begin(struct tct *board, uint8_t type, const struct tct_values *values, uint8_t line)
{
    const struct tct_port *port = board->port;
    const uint32_t *given = values->number + 2;
    if (type == TCT_LAMP) {
        uint16_t bit = (uint16_t)(1U << given[0]);
        board->levels.lamps = (uint16_t)(given[1] ? board->levels.lamps | bit
                                                  : board->levels.lamps & ~bit);
        port->press(port->self, line, (uint8_t)given[1]);
        keep(board, DONE, NONE);
        send_kept(board);
        return;
    }
    board->wanted = type;
    board->wanted_value = (uint8_t)given[2];
    board->wanted_number = type == TCT_SELECT ? (uint16_t)given[3] : 0;
    board->begun_at = board->now;
    /* A press that still lasts has already shown what it was for. */
    if (board->pressed != TCT_NO_LINE)
        port->press(port->self, board->pressed, 0);
    board->pressed = line;
    port->press(port->self, line, 1);
    keep(board, ACCEPTED, NONE);
    send_kept(board);
    if (type == TCT_SELECT && is_shown(board) && reads(board)) {
        board->wanted = NO_COMMAND;
        keep(board, DONE, NONE);
        send_kept(board);
    }
}

/* Whether the machine can show that the command under way is done. */
static bool is_shown(const struct tct *board)
{
    if (board->wanted == TCT_SELECT)
        return tct_able(board, TCT_READ_NUMBER);
    return tct_able(board, board->wanted_value == TCT_THROW ? TCT_DICE : TCT_PHASES);
}

/* Whether the sets meant will be stacked with the number that is wanted. */
static bool reads(const struct tct *board)
{
    const struct tct_levels *levels = &board->levels;
    for (uint8_t set = 0; set < 2 && set < board->about->sets; set++) {
        bool meant = board->wanted_value == 0 || board->wanted_value == set + 1;
        uint16_t next = levels->pending[set] != TCT_NO_NUMBER ? levels->pending[set]
                                                               : levels->active[set];
        if (meant && next != board->wanted_number)
            return false;
    }
    return true;
}

static bool is_kept(const struct tct *board, const struct tct_values *values)
{
    return board->kept_result != NO_OUTCOME && values->number[0] == board->kept_conversation
           && values->number[1] == board->kept_command;
}

/* The outcome of the command that kept_conversation and kept_command name. */
static void keep(struct tct *board, uint8_t result, uint8_t why)
{
    board->kept_result = result;
    board->kept_why = why;
    board->kept_edge = board->next - 1;
}

static void send_outcome(struct tct *board, uint32_t conversation, uint16_t command,
                         uint8_t result, uint8_t why, uint32_t edge)
{
    struct tct_values values;
    values.number[0] = conversation;
    values.number[1] = command;
    values.number[2] = result;
    values.number[3] = why;
    values.number[4] = edge;
    tct_send(board, 1, TCT_OUTCOME, &values);
}

static void send_kept(struct tct *board)
{
    send_outcome(board, board->kept_conversation, board->kept_command, board->kept_result,
                 board->kept_why, board->kept_edge);
}

static void answer(struct tct *board, const struct tct_values *asked, uint8_t result, uint8_t why)
{
    send_outcome(board, asked->number[0], (uint16_t)asked->number[1], result, why,
                 board->next - 1);
}
