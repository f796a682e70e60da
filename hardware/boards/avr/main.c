/* The port to an ATmega328P at 16 MHz: a board that presses three buttons, sees two, and reads four
 * lamps of the machine and four riichi trays.
 *
 *   D0 D1  line to the host                B0  start    B3  lamp complete
 *   D2 D3  buttons start, dice             B1  raise    B4  lamp fault
 *   D4-D7  set a mixing, ready, up; jam    B2  dice     B5  lamp call (on most boards a LED)
 *   C0-C3  riichi trays of seats 0 to 3
 *
 * Inputs are on while they are low (pull-ups inside), outputs while they are high. */
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/atomic.h>

#include "../core/tct.h"

#define BAUD_TOL 3 /* 115200 is 2.1 % off at 16 MHz, within what a receiver stands */
#include <util/setbaud.h>

/* Each board has its own: eight bytes that no other board has. */
#ifndef UID
#define UID 0x54, 0x43, 0x54, 0x41, 0x56, 0x52, 0x00, 0x01
#endif

enum { OUT_START, OUT_RAISE, OUT_DICE, OUT_COMPLETE, OUT_FAULT, OUT_CALL, OUTPUTS };
enum { LAMP_OFF, LAMP_ON, LAMP_SLOW, LAMP_FAST };
enum { INPUTS = 10, HEARD = 128 };

static const __flash struct tct_input inputs[INPUTS] = {
    {TCT_IN_BUTTON, TCT_B_START, TCT_UNKNOWN}, {TCT_IN_BUTTON, TCT_B_DICE, TCT_UNKNOWN},
    {TCT_IN_PHASE, 1, TCT_MIXING}, {TCT_IN_PHASE, 1, TCT_READY}, {TCT_IN_PHASE, 1, TCT_UP},
    {TCT_IN_TROUBLE, TCT_JAM, TCT_UNKNOWN},
    {TCT_IN_RIICHI, 0, 0}, {TCT_IN_RIICHI, 1, 0}, {TCT_IN_RIICHI, 2, 0}, {TCT_IN_RIICHI, 3, 0},
};

static const __flash struct tct_number numbers[] = {
    {1, 136, {34, 34, 34, 34}, 0, 0x10, 0, TCT_NO_LINE, "四麻"},
};

static const __flash struct tct_about about = {
    .uid = {UID},
    .model = "ADD-ON",
    .firmware = "avr 1.0",
    .abilities = TCT_PRESS_BUTTONS | TCT_SEE_BUTTONS | TCT_PHASES | TCT_RIICHI_TRAY,
    .sides = 4, .sets = 1, .dice = 0, .seats = 4,
    .press_ms = 200,
    .guard = 2,
    .motions = {OUT_START, OUT_RAISE, TCT_NO_LINE, OUT_DICE, TCT_NO_LINE, TCT_NO_LINE},
    .lamps = {OUT_COMPLETE, OUT_FAULT, OUT_CALL, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
              0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF},
    .number_count = 1, .input_count = INPUTS,
    .numbers = numbers, .inputs = inputs,
};

static struct tct board;
static volatile uint32_t ticks;
static volatile uint8_t heard[HEARD], heard_from, heard_to;
static uint8_t lamp_modes[OUTPUTS - OUT_COMPLETE];

ISR(TIMER0_COMPA_vect)
{
    ticks++;
}

/* What comes while an answer goes out waits; what does not fit makes a bad frame like any other. */
ISR(USART_RX_vect)
{
    uint8_t byte = UDR0, next = (uint8_t)((heard_to + 1) % HEARD);
    if (next == heard_from)
        return;
    heard[heard_to] = byte;
    heard_to = next;
}

/* ── the six functions ──────────────────────────────────────────────────────────────────────── */

static int port_read(void *self)
{
    uint8_t byte;
    (void)self;
    wdt_reset();
    if (heard_from == heard_to)
        return -1;
    byte = heard[heard_from];
    heard_from = (uint8_t)((heard_from + 1) % HEARD);
    return byte;
}

static bool port_write(void *self, uint8_t byte)
{
    (void)self;
    loop_until_bit_is_set(UCSR0A, UDRE0);
    UDR0 = byte;
    return true;
}

static uint32_t port_ms(void *self)
{
    uint32_t now;
    (void)self;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { now = ticks; }
    return now;
}

/* The count lies twice in EEPROM, each with its complement, and the older copy is overwritten: when
 * the supply fails within a write, the other copy still holds. */
static uint32_t port_boot(void *self)
{
    static uint32_t EEMEM copies[2][2];
    uint32_t boot = 0;
    uint8_t newer = 1;
    (void)self;
    for (uint8_t n = 0; n < 2; n++) {
        uint32_t count = eeprom_read_dword(&copies[n][0]);
        if (count == ~eeprom_read_dword(&copies[n][1]) && count > boot) {
            boot = count;
            newer = n;
        }
    }
    boot++;
    eeprom_update_dword(&copies[!newer][0], boot);
    eeprom_update_dword(&copies[!newer][1], ~boot);
    return boot;
}

static void output(uint8_t line, bool on)
{
    uint8_t bit = (uint8_t)(1U << line);
    PORTB = (uint8_t)(on ? PORTB | bit : PORTB & ~bit);
}

static void port_press(void *self, uint8_t line, uint8_t value)
{
    (void)self;
    if (line < OUT_COMPLETE)
        output(line, value != 0);
    else
        lamp_modes[line - OUT_COMPLETE] = value;
}

static uint8_t port_line(void *self, uint8_t line)
{
    uint8_t pins = line < 6 ? PIND : PINC, pin = (uint8_t)(line < 6 ? line + 2 : line - 6);
    (void)self;
    return !(pins >> pin & 1);
}

static const struct tct_port port = {
    port_read, port_write, port_ms, port_boot, port_press, port_line, NULL,
};

/* ── start ──────────────────────────────────────────────────────────────────────────────────── */

static void begin(void)
{
    DDRB = 0x3F;
    PORTC = 0x0F;
    PORTD = 0xFC;
    TCCR0A = 1 << WGM01;
    TCCR0B = 1 << CS01 | 1 << CS00;
    OCR0A = F_CPU / 64 / 1000 - 1;
    TIMSK0 = 1 << OCIE0A;
#if USE_2X
    UCSR0A = 1 << U2X0;
#else
    UCSR0A = 0;
#endif
    UBRR0 = UBRR_VALUE; /* second: the simulator takes its speed from here */
    UCSR0C = 1 << UCSZ01 | 1 << UCSZ00;
    UCSR0B = 1 << RXCIE0 | 1 << RXEN0 | 1 << TXEN0;
    sei();
}

static void light_lamps(void)
{
    uint16_t now = (uint16_t)port_ms(NULL);
    for (uint8_t n = 0; n < sizeof lamp_modes; n++) {
        uint8_t mode = lamp_modes[n];
        output((uint8_t)(OUT_COMPLETE + n), mode == LAMP_ON || (mode == LAMP_SLOW && now & 0x200)
                                                || (mode == LAMP_FAST && now & 0x80));
    }
}

int main(void)
{
    /* A board that hangs must not hold a button down. */
    MCUSR = 0;
    wdt_enable(WDTO_500MS);
    begin();
    tct_init(&board, &about, &port);
    for (;;) {
        tct_poll(&board);
        light_lamps();
        sleep_mode();
    }
}
