/* The test board's description: PROTOCOL.md's conversations and vectors are about it. */
#ifndef ABOUT_H
#define ABOUT_H

#include "../core/tct.h"

enum { OUTPUTS = 24, FIRST_LAMP = 16, INPUTS = 30, FIRST_COUNT = 6, LAST_PROGRESS = 13 };

static const struct tct_number about_numbers[] = {
    {1, 136, {34, 34, 34, 34}, 0, 0x10, 0, 0, "四麻"},
    {5, 116, {30, 28, 30, 28}, 0, 0x18, 0, 1, "華8"},
};

/* Side 0, column 1. */
enum { UPPER = 1 << 2, LOWER = 1 << 2 | 1 };

static const struct tct_input about_inputs[INPUTS] = {
    {TCT_IN_BUTTON, TCT_B_START, 0}, {TCT_IN_BUTTON, TCT_B_DICE, 2},
    {TCT_IN_NUMBER, 1, 0}, {TCT_IN_NUMBER, 1, 1}, {TCT_IN_NUMBER, 2, 0}, {TCT_IN_NUMBER, 2, 1},
    {TCT_IN_COUNT, 0, 0}, {TCT_IN_COUNT, 1, 0}, {TCT_IN_COUNT, 2, 0}, {TCT_IN_COUNT, 3, 0},
    {TCT_IN_PROGRESS, 0, 0}, {TCT_IN_PROGRESS, 1, 0},
    {TCT_IN_PROGRESS, 2, 0}, {TCT_IN_PROGRESS, 3, 0},
    {TCT_IN_DIE, 0, 0}, {TCT_IN_DIE, 1, 0},
    {TCT_IN_PHASE, 1, TCT_MIXING}, {TCT_IN_PHASE, 1, TCT_STACKING}, {TCT_IN_PHASE, 1, TCT_READY},
    {TCT_IN_PHASE, 1, TCT_RAISING}, {TCT_IN_PHASE, 1, TCT_UP}, {TCT_IN_PHASE, 1, TCT_DROPPING},
    {TCT_IN_PHASE, 2, TCT_READY}, {TCT_IN_PHASE, 2, TCT_UP},
    {TCT_IN_TROUBLE, TCT_JAM, TCT_UNKNOWN}, {TCT_IN_TROUBLE, TCT_SHORT, 2},
    {TCT_IN_RIICHI, 0, 0}, {TCT_IN_RIICHI, 1, 0},
    {TCT_IN_PLACE, UPPER, 0}, {TCT_IN_PLACE, LOWER, 0},
};

static const struct tct_about about = {
    .uid = {1, 2, 3, 4, 5, 6, 7, 8},
    .model = "VECTOR",
    .firmware = "c99 1.0",
    .abilities = TCT_SELECT_NUMBER | TCT_READ_NUMBER | TCT_PRESS_BUTTONS | TCT_SEE_BUTTONS
                 | TCT_PHASES | TCT_PROGRESS | TCT_COUNTS_AT_RAISE | TCT_COUNTS_LIVE
                 | TCT_PRESENCE_LIVE | TCT_FACES_WHEN_SHOWN | TCT_DICE | TCT_HAS_POINTS
                 | TCT_RIICHI_TRAY,
    .sides = 4, .sets = 2, .dice = 2, .seats = 4,
    .press_ms = 200,
    .guard = 0,
    .motions = {8, 9, 10, 11, 12, 13},
    .lamps = {16, 17, 18, 19, 20, 21, 22, 23, TCT_NO_LINE, TCT_NO_LINE, TCT_NO_LINE, TCT_NO_LINE,
              TCT_NO_LINE, TCT_NO_LINE, TCT_NO_LINE, TCT_NO_LINE},
    .number_count = 2, .input_count = INPUTS,
    .numbers = about_numbers, .inputs = about_inputs,
};

/* What the lines read before anybody sets them. */
static inline uint8_t about_line(uint8_t line)
{
    return line >= FIRST_COUNT && line <= LAST_PROGRESS ? TCT_UNKNOWN : 0;
}

#endif
