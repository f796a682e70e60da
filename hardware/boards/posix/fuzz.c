/* Any bytes, times, lines, edges and resets, in any order. The core must never read or write beside
 * its memory, and all that it says must be frames of the catalogue, with edges that it keeps and may
 * send. Built with REPLAY it runs the files that are its arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "about.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A board that can do nothing: one set, no lines, no numbers, and a guard. */
static const struct tct_about bare = {
    .model = "BARE", .firmware = "", .sides = 3, .sets = 1, .seats = 3, .guard = 1,
    .motions = {0, 0xFF, 2, 3, 4, 5}, .abilities = TCT_PRESS_BUTTONS,
};

static const uint8_t *input;
static size_t left;

static const uint8_t *line_bytes;
static size_t line_length;
static uint32_t clock_ms, boot;
static uint8_t lines[256];
static struct tct_receiver host;
static struct tct board;

static uint8_t take(void)
{
    if (left == 0)
        return 0;
    left--;
    return *input++;
}

static void hold(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "does not hold: %s\n", what);
    abort();
}

/* ── the port ───────────────────────────────────────────────────────────────────────────────── */

static int port_read(void *self)
{
    (void)self;
    if (line_length == 0)
        return -1;
    line_length--;
    return *line_bytes++;
}

static bool port_write(void *self, uint8_t byte)
{
    uint8_t length, again[TCT_MOST_BODY];
    struct tct_values values;
    const struct tct_row *row;
    enum tct_run run = tct_receive(&host, byte, &length);
    (void)self;
    hold(run == TCT_RUN_NONE || run == TCT_RUN_FRAME, "what the board says is frames");
    /* A line that is out now and then takes not even the first zero. */
    if (run == TCT_RUN_NONE)
        return byte != 0 || (clock_ms & 0x3F) != 0x3F;
    row = tct_row(host.run[0], host.run[1]);
    length = (uint8_t)(length - 2);
    if (row == NULL) {
        hold(host.run[1] >= TCT_FIRST_EDGE && host.run[1] <= TCT_LAST_EDGE && length >= 8,
             "known, or an edge");
        return true;
    }
    hold(tct_parse(row, host.run + 2, length, &values) == TCT_FITS, "its body fits");
    hold(tct_build(row, &values, again, sizeof again) <= length, "and is built again");
    hold(memcmp(again, host.run + 2, tct_least(row)) == 0, "as the same");
    hold(host.run[0] == 0 || board.talking, "version 1 only in a conversation, or to refuse");
    if (host.run[1] >= TCT_FIRST_EDGE)
        hold(values.number[0] > board.upto && values.number[0] - board.upto <= board.credit
                 && board.next - values.number[0] <= board.kept,
             "an edge that is kept and may be sent");
    return true;
}

static uint32_t port_ms(void *self)
{
    (void)self;
    return clock_ms;
}

static uint32_t port_boot(void *self)
{
    (void)self;
    return ++boot;
}

static void port_press(void *self, uint8_t line, uint8_t value)
{
    (void)self;
    hold(line != TCT_NO_LINE && value <= 3, "only lines that there are");
}

static uint8_t port_line(void *self, uint8_t line)
{
    (void)self;
    return lines[line];
}

static const struct tct_port port = {
    port_read, port_write, port_ms, port_boot, port_press, port_line, NULL,
};

/* ── what happens ───────────────────────────────────────────────────────────────────────────── */

static void poll_board(void)
{
    tct_poll(&board);
    hold(board.kept <= TCT_RING && board.oldest < TCT_RING && board.kept < board.next, "the ring");
    hold(board.receiver.length <= TCT_MOST_RUN || board.receiver.length == 0xFF, "the run");
    hold(line_length == 0, "all bytes are read");
}

static void bytes(void)
{
    size_t length = take();
    line_length = length < left ? length : left;
    line_bytes = input;
    input += line_length;
    left -= line_length;
    poll_board();
}

/* A whole frame, most often one that the board understands. */
static void frame(void)
{
    static const uint8_t types[] = {
        TCT_HELLO, TCT_PING, TCT_ACK, TCT_GET, TCT_SELECT, TCT_MOVE, TCT_LAMP, TCT_ASK_OUTCOME,
        TCT_ACK, TCT_MOVE, TCT_SELECT, TCT_HUH, TCT_IAM, 0x7F, 0x80, 0xFF};
    uint8_t run[TCT_MOST_RUN + 1], kind = take();
    uint8_t *body = run + 3, length = 11;
    run[2] = types[kind & 0x0F];
    run[1] = run[2] >= 0x10;
    for (uint8_t n = 0; n < length; n++)
        body[n] = take();
    if (kind & 0x10) {
        length = take() % (TCT_MOST_BODY + 1);
        for (uint8_t n = 11; n < length; n++)
            body[n] = take();
        run[1] = kind & 0x20 ? take() : run[1];
    } else if (run[2] == TCT_HELLO) {
        memcpy(body, "TCT1", 4);
    } else if (run[2] == TCT_ACK) {
        /* Of this boot, and near what was sent. */
        uint32_t upto = board.next - 4 + (body[4] & 3);
        for (uint8_t n = 0; n < 4; n++) {
            body[n] = (uint8_t)(board.boot >> 8 * n & 0xFF);
            body[4 + n] = (uint8_t)(upto >> 8 * n & 0xFF);
        }
    } else {
        for (uint8_t n = 0; n < 4; n++)
            body[n] = (uint8_t)(board.conversation >> 8 * n & 0xFF);
        body[5] = 0;
        if (kind & 0x40)
            body[6] = body[7] = 0xFF;
        body[8] &= 7;
        body[9] &= 7;
        body[10] = 0;
    }
    line_length = tct_seal(run, (uint8_t)(length + 2));
    run[line_length++] = 0;
    line_bytes = run;
    poll_board();
}

static void pass(void)
{
    uint8_t kind = take();
    if (kind & 0x80)
        for (uint8_t n = kind & 0x7F; n > 0; n--) {
            clock_ms++;
            poll_board();
        }
    else
        clock_ms += (uint32_t)1 << (kind & 31);
    poll_board();
}

static void change(void)
{
    uint8_t line = take();
    lines[line % INPUTS] = take();
    if (line & 0x80)
        poll_board();
}

static void edge(void)
{
    uint8_t type = take(), length = take() % 12, body[12];
    uint32_t before = board.next, number;
    for (uint8_t n = 0; n < length; n++)
        body[n] = take();
    if (type < 0x80)
        type = (uint8_t)(TCT_FIRST_EDGE + type % 12);
    number = tct_edge(&board, type, body, length);
    hold(number == 0 || number == before, "edges are counted");
    hold(board.next == before + (number != 0), "each once");
}

static void begin(const struct tct_about *of)
{
    uint32_t last = boot;
    tct_init(&board, of, &port);
    hold(board.boot == last + 1, "a boot is asked for once");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct tct_about *of = size > 0 && data[0] & 1 ? &bare : &about;
    input = data;
    left = size;
    line_length = 0;
    clock_ms = (uint32_t)take() << 24;
    boot = 0;
    memset(&host, 0, sizeof host);
    for (unsigned line = 0; line < sizeof lines; line++)
        lines[line] = about_line((uint8_t)line);
    begin(of);
    while (left > 0)
        switch (take() & 7) {
        case 0: bytes(); break;
        case 1: case 2: case 3: frame(); break;
        case 4: pass(); break;
        case 5: change(); break;
        case 6: edge(); break;
        default:
            if (take() & 0x0F)
                tct_points(&board, take(), (int16_t)(take() - 128), (int16_t)-take(), take());
            else
                begin(of);
            break;
        }
    return 0;
}

#ifdef REPLAY
int main(int count, char **names)
{
    static uint8_t data[1 << 20];
    for (int n = 1; n < count; n++) {
        FILE *file = fopen(names[n], "rb");
        if (file == NULL) {
            perror(names[n]);
            return 1;
        }
        LLVMFuzzerTestOneInput(data, fread(data, 1, sizeof data, file));
        fclose(file);
    }
    return 0;
}
#endif
