/* The board's half of the wire between a table and its host (PROTOCOL.md), for any processor.
 *
 * A port gives six functions and a description; the core does the rest. It allocates nothing, needs
 * no operating system and never waits, unless the port's `write` does. Nothing here may be called
 * from an interrupt. */
#ifndef TCT_H
#define TCT_H

#include "tct_wire.h"

/* Edges that are kept. A board with sensors for single tiles needs 256 or more. */
#ifndef TCT_RING
#define TCT_RING 32
#endif
/* Input lines at most. */
#ifndef TCT_INPUTS
#define TCT_INPUTS 32
#endif

/* ── the port ───────────────────────────────────────────────────────────────────────────────── */

struct tct_port {
    /* The next byte from the host, −1 if there is none. */
    int (*read)(void *self);
    /* A byte to the host. May block; false if the line does not take it: the frame is given up. */
    bool (*write)(void *self, uint8_t byte);
    /* Milliseconds since the boot; runs over after 2³² of them. */
    uint32_t (*ms)(void *self);
    /* The number of this boot, asked once by tct_init. It never repeats. */
    uint32_t (*boot)(void *self);
    /* Presses (1) or lets go (0) a button of the table, or gives a lamp a mode (0 to 3). */
    void (*press)(void *self, uint8_t line, uint8_t value);
    /* What an input line reads; what the values mean, its description says. */
    uint8_t (*line)(void *self, uint8_t line);
    void *self;
};

/* ── the description; constant, in flash where the compiler can ─────────────────────────────── */

/* What an input line reads. `set` 1 a, 2 b. */
enum tct_input_kind {
    TCT_IN_BUTTON,   /* a: button, b: seat or FF   1 while it is held */
    TCT_IN_PHASE,    /* a: set, b: phase           1 while the set is in that phase */
    TCT_IN_NUMBER,   /* a: set, b: 0 pending, 1 active   the number, 0 unknown */
    TCT_IN_COUNT,    /* a: side                    tiles, FF unknown */
    TCT_IN_PROGRESS, /* a: side                    tiles, FF unknown */
    TCT_IN_PLACE,    /* a, b: the place, low byte first   1 while a tile is there */
    TCT_IN_DIE,      /* a: which, from 0           0 while it moves, 1 to 6, FF unread */
    TCT_IN_TROUBLE,  /* a: trouble, b: side or FF  1 while it lasts */
    TCT_IN_RIICHI    /* a: seat                    1 while a stick lies there */
};

struct tct_input {
    uint8_t kind, a, b;
};

/* A game number of the table; the fields are those of NUMBER. `line`: the output that selects it,
 * FF none. */
struct tct_number {
    uint16_t number, tiles;
    uint8_t sides[4];
    uint8_t odd_ends, players, flags, line;
    char name[25];
};

enum { TCT_MOTIONS = 6, TCT_LAMPS = 16, TCT_NO_LINE = 0xFF };

struct tct_about {
    uint8_t uid[8];
    char model[17], firmware[13];
    uint32_t abilities;
    uint8_t sides, sets, dice, seats;
    uint16_t press_ms;             /* how long a button is pressed */
    uint8_t guard;                 /* seconds without motion after a press by hand, 0 none */
    uint8_t motions[TCT_MOTIONS];  /* output line of each, FF none */
    uint8_t lamps[TCT_LAMPS];      /* the same */
    uint8_t number_count, input_count;
    const TCT_FLASH struct tct_number *numbers;
    const TCT_FLASH struct tct_input *inputs; /* line 0 first */
};

/* ── code numbers (PROTOCOL.md, section 4) ──────────────────────────────────────────────────── */

enum { TCT_UNKNOWN = 0xFF, TCT_NO_NUMBER = 0xFFFF };
enum {
    TCT_DROPPING, TCT_MIXING, TCT_STACKING, TCT_READY, TCT_RAISING, TCT_UP, TCT_PAUSED,
    TCT_BLOCKED
};
enum { TCT_START, TCT_RAISE, TCT_LOWER, TCT_THROW, TCT_PAUSE, TCT_RESUME };
enum { TCT_JAM = 1, TCT_SHORT, TCT_MISSING, TCT_TOO_MANY, TCT_HATCH, TCT_DICE_UNREAD, TCT_OVERDUE };
enum {
    TCT_B_START, TCT_B_RAISE, TCT_B_DICE, TCT_B_REPEAT, TCT_B_DEALER, TCT_B_NUMBER_UP,
    TCT_B_NUMBER_DOWN, TCT_B_CALL
};
#define TCT_SELECT_NUMBER (1UL << 0)
#define TCT_READ_NUMBER (1UL << 1)
#define TCT_PRESS_BUTTONS (1UL << 2)
#define TCT_SEE_BUTTONS (1UL << 3)
#define TCT_PHASES (1UL << 4)
#define TCT_PROGRESS (1UL << 5)
#define TCT_COUNTS_AT_RAISE (1UL << 6)
#define TCT_COUNTS_LIVE (1UL << 7)
#define TCT_PRESENCE_LIVE (1UL << 8)
#define TCT_FACES_WHEN_SHOWN (1UL << 9)
#define TCT_FACES_WHEN_STACKED (1UL << 10)
#define TCT_DICE (1UL << 11)
#define TCT_HAS_POINTS (1UL << 12)
#define TCT_RIICHI_TRAY (1UL << 13)
#define TCT_AUTO_DEAL (1UL << 14)
#define TCT_TURNS_INDICATOR (1UL << 15)

/* ── the board ──────────────────────────────────────────────────────────────────────────────── */

/* An edge in the ring; its number follows from the slot's place. */
struct tct_slot {
    uint8_t type, length;
    uint8_t at[4];
    uint8_t body[8];
};

/* Values that go out when they change. */
struct tct_levels {
    uint16_t active[2], pending[2], lamps;
    uint8_t phase[2], counts[4], progress[4];
    uint8_t presence[4][6];
    uint8_t points[4][5]; /* of a seat: hundreds, difference, sticks, as in POINTS */
};

enum { TCT_NEWS = 9 }; /* LEVELS, PRESENCE of four sides, POINTS of four seats */

/* Memory of the core, to be left alone. `line`: what each reads, or a button's state and time. */
struct tct {
    const TCT_FLASH struct tct_about *about;
    const struct tct_port *port;
    uint32_t now, boot, conversation;
    uint32_t next, upto, sent, again_at;
    uint32_t frames, bad_crc, dropped, ring_drops;
    uint32_t troubles, hand_at;
    uint32_t kept_conversation, kept_edge, begun_at;
    struct tct_levels levels, told;
    uint16_t told_at[TCT_NEWS];
    uint16_t line[TCT_INPUTS];
    uint16_t quiet;
    uint16_t oldest, kept, wait;
    uint16_t greatest, kept_command, wanted_number;
    uint8_t kept_result, kept_why;
    uint8_t wanted, wanted_value, pressed;
    uint8_t credit;
    uint8_t dice, pips[4], riichi;
    bool talking, waiting, hand, dice_moved;
    struct tct_slot ring[TCT_RING];
    struct tct_receiver receiver;
    uint8_t send[TCT_MOST_RUN];
};

/* Clears the board and reads all lines once; what they read then is no news. `about` and `port`
 * must outlive it. */
void tct_init(struct tct *board, const TCT_FLASH struct tct_about *about,
              const struct tct_port *port);

/* Takes all bytes that there are (what comes within 20 ms at most), reads the lines and sends what
 * is due. To be called as often as can be, each millisecond at best: what comes and goes in between
 * is not seen. */
void tct_poll(struct tct *board);

/* Something happened that no line tells: an edge, its body without number and time. Levels follow
 * where it changes them. Gives its number; 0 for a type that is no edge or a body that is too short
 * or above 8 bytes. */
uint32_t tct_edge(struct tct *board, uint8_t type, const uint8_t *body, uint8_t length);

/* Points of a seat in hundreds, the difference on its display (−32768: unknown) and its sticks
 * (FF: unknown). */
void tct_points(struct tct *board, uint8_t seat, int16_t hundreds, int16_t difference,
                uint8_t sticks);

#endif
