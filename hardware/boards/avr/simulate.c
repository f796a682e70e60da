/* Runs board.elf on a simulated ATmega328P (libsimavr) in real time, its UART0 joined to standard
 * input and output. `--eeprom FILE` keeps its EEPROM. At the end of standard input it says how long
 * it ran and how deep the stack was.
 *
 *   socat PTY,link=table,raw,echo=0 EXEC:"simulate board.elf --eeprom board.eeprom" */
#define _XOPEN_SOURCE 700

#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <simavr/avr_eeprom.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

enum { SPL = 0x5D, SPH = 0x5E, EEPROM = 1024 };
enum { BYTE_CYCLES = 1389 }; /* of one byte at 115200 baud */

static avr_irq_t *to_board;
static bool full;
static unsigned long told;

static void from_board(avr_irq_t *irq, uint32_t value, void *self)
{
    uint8_t byte = (uint8_t)value;
    (void)irq;
    (void)self;
    if (write(STDOUT_FILENO, &byte, 1) == 1)
        told++;
}

static void is_full(avr_irq_t *irq, uint32_t value, void *self)
{
    (void)irq;
    (void)value;
    full = self != NULL;
}

/* Pacing is done here, not in the simulator. */
static void no_sleep(avr_t *avr, avr_cycle_count_t cycles)
{
    (void)avr;
    (void)cycles;
}

static uint64_t real_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static avr_t *start(const char *name)
{
    elf_firmware_t firmware;
    avr_t *avr;
    uint32_t flags = 0;
    memset(&firmware, 0, sizeof firmware);
    if (elf_read_firmware(name, &firmware)) {
        fprintf(stderr, "%s is no program\n", name);
        return NULL;
    }
    avr = avr_make_mcu_by_name("atmega328p");
    if (avr == NULL)
        return NULL;
    avr_init(avr);
    firmware.frequency = 16000000;
    avr_load_firmware(avr, &firmware);
    avr->sleep = no_sleep;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    to_board = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT),
                            from_board, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XON),
                            is_full, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XOFF),
                            is_full, &full);
    return avr;
}

/* Gives the EEPROM what the file has, or the file what the EEPROM has. */
static void keep(avr_t *avr, const char *name, bool save)
{
    static uint8_t bytes[EEPROM];
    avr_eeprom_desc_t all = {.ee = bytes, .offset = 0, .size = EEPROM};
    FILE *file = name ? fopen(name, save ? "wb" : "rb") : NULL;
    memset(bytes, 0xFF, sizeof bytes);
    if (save)
        avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &all);
    if (file && (save ? fwrite(bytes, 1, EEPROM, file) : fread(bytes, 1, EEPROM, file)) == 0)
        perror(name);
    if (file)
        fclose(file);
    if (!save)
        avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &all);
}

/* One byte for the board, if it takes one; false at the end of standard input. */
static bool feed(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    uint8_t byte;
    if (full || poll(&input, 1, 0) <= 0)
        return true;
    if (read(STDIN_FILENO, &byte, 1) != 1)
        return false;
    avr_raise_irq(to_board, byte);
    return true;
}

int main(int count, char **words)
{
    const char *eeprom = count == 4 && strcmp(words[2], "--eeprom") == 0 ? words[3] : NULL;
    uint64_t began = real_us(), next = 0;
    unsigned deepest = 0xFFFF;
    int state = cpu_Running;
    avr_t *avr;
    if (count != 2 && eeprom == NULL) {
        fputs("simulate board.elf [--eeprom FILE]\n", stderr);
        return 2;
    }
    avr = start(words[1]);
    if (avr == NULL)
        return 1;
    keep(avr, eeprom, false);
    while (state != cpu_Done && state != cpu_Crashed) {
        unsigned stack;
        state = avr_run(avr);
        stack = avr->data[SPL] | (unsigned)avr->data[SPH] << 8;
        /* Below its memory it has not been set yet. */
        if (stack > 0xFF && stack < deepest)
            deepest = stack;
        if (avr->cycle < next)
            continue;
        next = avr->cycle + BYTE_CYCLES;
        if (!feed())
            break;
        while (real_us() - began < avr->cycle / 16)
            poll(NULL, 0, 1);
    }
    keep(avr, eeprom, true);
    fprintf(stderr, "%.3f s of board time, %lu bytes said, stack %u bytes at most%s\n",
            (double)avr->cycle / 16e6, told, avr->ramend - deepest,
            state == cpu_Crashed ? ", crashed" : "");
    return state == cpu_Crashed;
}
