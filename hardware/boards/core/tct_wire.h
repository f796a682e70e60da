/* The wire: frames, and what lies in the body of each message (PROTOCOL.md, sections 2 and 3). */
#ifndef TCT_WIRE_H
#define TCT_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Constant tables stay in flash. Only AVR has a second address space for them. */
#ifndef TCT_FLASH
#ifdef __AVR__
#define TCT_FLASH __flash
#else
#define TCT_FLASH
#endif
#endif

enum { TCT_MOST_BODY = 118, TCT_MOST_RAW = 122, TCT_MOST_RUN = 123 };

/* Types of messages. */
enum {
    TCT_HELLO = 0x00, TCT_IAM = 0x01, TCT_HUH = 0x02,
    TCT_PING = 0x10, TCT_ACK = 0x11, TCT_GET = 0x12,
    TCT_SELECT = 0x18, TCT_MOVE = 0x19, TCT_LAMP = 0x1A, TCT_ASK_OUTCOME = 0x1B,
    TCT_PONG = 0x80, TCT_ABILITIES = 0x81, TCT_NUMBER = 0x82, TCT_OUTCOME = 0x83,
    TCT_LEVELS = 0x84, TCT_SNAPSHOT = 0x85, TCT_PRESENCE = 0x86, TCT_POINTS = 0x87,
    TCT_COUNTERS = 0x88,
    TCT_E_NUMBER = 0xA0, TCT_E_PHASE = 0xA1, TCT_E_RAISED = 0xA2, TCT_E_DICE = 0xA3,
    TCT_E_BUTTON = 0xA4, TCT_E_TAKEN = 0xA5, TCT_E_SHOWN = 0xA6, TCT_E_SEALED = 0xA7,
    TCT_E_TROUBLE = 0xA8, TCT_E_RIICHI = 0xA9,
    TCT_FIRST_EDGE = 0xA0, TCT_FIRST_VENDOR = 0xC0, TCT_LAST_EDGE = 0xCF
};

/* What a run between two zeros turned out to be. */
enum tct_run { TCT_RUN_NONE, TCT_RUN_FRAME, TCT_RUN_LONG, TCT_RUN_COBS, TCT_RUN_SHORT, TCT_RUN_CRC };

/* What a body turned out to be; the numbers are those of HUH. */
enum { TCT_FITS, TCT_BAD_TYPE, TCT_BAD_VERSION, TCT_BAD_LENGTH, TCT_BAD_FIELD, TCT_BUSY };

/* One message. `layout`, a letter a field:
 *   1 2 4  u8 u16 u32    i  i16          u  8 bytes, the uid    m  "TCT1"
 *   p  two u8            d  two u16      b  6 bytes of bits     t  text: length u8, then bytes
 *   q  four u8                           v  all that is left                                  */
struct tct_row {
    uint8_t type, version;
    bool to_table;
    char layout[15];
};

/* The values of a body, in the order of its layout: numbers (i16 as its 16 bits), and strings of
 * bytes. */
enum { TCT_MOST_NUMBERS = 26, TCT_MOST_STRINGS = 3 };
struct tct_values {
    uint32_t number[TCT_MOST_NUMBERS];
    const uint8_t *bytes[TCT_MOST_STRINGS];
    uint8_t length[TCT_MOST_STRINGS];
};

/* Bytes from the line become runs. */
struct tct_receiver {
    uint8_t run[TCT_MOST_RUN];
    uint8_t length;
};

/* The row of a message; NULL if there is none. */
const TCT_FLASH struct tct_row *tct_row(uint8_t version, uint8_t type);

/* Whether some message has this version. */
bool tct_speaks(uint8_t version);

/* The length of the shortest body. */
uint8_t tct_least(const TCT_FLASH struct tct_row *row);

/* Lays values into a body of at most `room` bytes. Gives its length, or FF if there is no room. */
uint8_t tct_build(const TCT_FLASH struct tct_row *row, const struct tct_values *values,
                  uint8_t *body, uint8_t room);

/* Reads a body; strings point into it. Gives TCT_FITS, TCT_BAD_LENGTH or TCT_BAD_FIELD. */
uint8_t tct_parse(const TCT_FLASH struct tct_row *row, const uint8_t *body, uint8_t length,
                  struct tct_values *values);

/* CRC-16/IBM-3740. */
uint16_t tct_crc(const uint8_t *data, uint8_t length);

/* Makes the run of a frame in place: version, type and body lie in run[1 … length]; at most 120.
 * Gives the length of the run, without the zeros around it. */
uint8_t tct_seal(uint8_t *run, uint8_t length);

/* Opens a run in place. A frame's version, type and body then lie in run[0 … *length − 1]. */
enum tct_run tct_open(uint8_t *run, uint8_t *length);

/* Takes one byte. TCT_RUN_FRAME: version, type and body lie in `run`, and `*length` says how many
 * they are, until the next byte is taken. TCT_RUN_NONE: nothing to say yet. */
enum tct_run tct_receive(struct tct_receiver *receiver, uint8_t byte, uint8_t *length);

#endif
