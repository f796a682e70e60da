/* Messages as words, for the vectors: numbers in decimal, texts and bytes in hexadecimal. */
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <stdint.h>

/* Hexadecimal digits to bytes; "-" is none. Gives how many, or -1 if these are no digits or more
 * than `room` bytes. */
int words_bytes(const char *hex, uint8_t *to, int room);

/* `encode TYPE VERSION values…`: writes "ok HEX" or "bad WHY" and a line's end. */
void words_encode(char *arguments);

/* `decode HEX`, a frame or a run with or without its zeros: writes "ok TYPE VERSION values…" or
 * "bad CODE", as the vectors call it. */
void words_decode(char *arguments);

/* `runs HEX`: bytes as a receiver gets them; writes "ok" and what each run is: `frame` or a code. */
void words_runs(char *arguments);

#endif
