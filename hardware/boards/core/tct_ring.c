/* The ring of edges. What was sent and not acknowledged is sent again, in order.
 *
 *   first kept … upto+credit   may be sent; up to `sent` it was */
#include <string.h>

#include "tct_own.h"

enum { FIRST_WAIT = 400, LONGEST_WAIT = 3200, MOST_CREDIT = 8 };

static void send_from(struct tct *board, uint32_t number);

uint32_t tct_first_kept(const struct tct *board)
{
    return board->next - board->kept;
}

uint32_t tct_edge(struct tct *board, uint8_t type, const uint8_t *body, uint8_t length)
{
    const TCT_FLASH struct tct_row *row = tct_row(1, type);
    struct tct_slot *slot;
    if (type < TCT_FIRST_EDGE || type > TCT_LAST_EDGE || length > sizeof slot->body)
        return 0;
    if (row != NULL && length + 8 < tct_least(row))
        return 0;
    board->now = board->port->ms(board->port->self);
    if (board->kept == TCT_RING) {
        board->oldest = (uint16_t)((board->oldest + 1) % TCT_RING);
        board->kept--;
        board->ring_drops++;
    }
    slot = &board->ring[(board->oldest + board->kept) % TCT_RING];
    slot->type = type;
    slot->length = length;
    for (uint8_t n = 0; n < 4; n++)
        slot->at[n] = (uint8_t)(board->now >> 8 * n & 0xFF);
    if (length > 0)
        memcpy(slot->body, body, length);
    board->kept++;
    board->next++;
    send_from(board, board->sent + 1);
    tct_level_note(board, type, body);
    tct_command_shown(board, type, body);
    return board->next - 1;
}

void tct_ring_begin(struct tct *board)
{
    board->upto = board->sent = 0;
    board->credit = 0;
    board->waiting = false;
    board->wait = FIRST_WAIT;
}

void tct_ring_ack(struct tct *board, const struct tct_values *ack)
{
    uint32_t upto = ack->number[1];
    if (ack->number[0] != board->boot)
        return;
    if (upto >= board->next) {
        tct_huh(board, TCT_ACK, TCT_BAD_FIELD, 4);
        return;
    }
    if (upto < board->upto)
        return;
    if (upto > board->upto) {
        board->upto = upto;
        board->waiting = false;
        board->wait = FIRST_WAIT;
        if (board->sent < upto)
            board->sent = upto;
        while (board->kept > 0 && tct_first_kept(board) <= upto) {
            board->oldest = (uint16_t)((board->oldest + 1) % TCT_RING);
            board->kept--;
        }
    }
    board->credit = (uint8_t)(ack->number[2] > MOST_CREDIT ? MOST_CREDIT : ack->number[2]);
    send_from(board, board->sent + 1);
}

void tct_ring_again(struct tct *board)
{
    if (!board->waiting || (int32_t)(board->now - board->again_at) < 0)
        return;
    board->waiting = false;
    if (board->wait < LONGEST_WAIT)
        board->wait = (uint16_t)(2 * board->wait);
    send_from(board, board->upto + 1);
}

static void send(struct tct *board, uint32_t number)
{
    uint32_t nth = number - tct_first_kept(board);
    const struct tct_slot *slot = &board->ring[(board->oldest + nth) % TCT_RING];
    uint8_t *body = board->send + 3;
    for (uint8_t n = 0; n < 4; n++)
        body[n] = (uint8_t)(number >> 8 * n & 0xFF);
    memcpy(body + 4, slot->at, sizeof slot->at);
    memcpy(body + 8, slot->body, slot->length);
    tct_send_body(board, 1, slot->type, (uint8_t)(8 + slot->length));
}

/* Sends what may be sent, beginning with this number. The time until it is sent again runs from
 * the first that is not acknowledged. */
static void send_from(struct tct *board, uint32_t number)
{
    uint32_t first = tct_first_kept(board), last = board->upto + board->credit;
    if (last >= board->next)
        last = board->next - 1;
    if (number < first)
        number = first;
    for (; number <= last; number++) {
        send(board, number);
        if (board->sent < number)
            board->sent = number;
    }
    if (!board->waiting && first <= last && first <= board->sent) {
        board->waiting = true;
        board->again_at = board->now + board->wait;
    }
}
