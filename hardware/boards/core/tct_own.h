/* What the parts of the core know of each other. */
#ifndef TCT_OWN_H
#define TCT_OWN_H

#include "tct.h"

enum { NO_COMMAND = 0xFF, NO_OUTCOME = 0xFF };

/* tct.c */
void tct_send(struct tct *board, uint8_t version, uint8_t type, const struct tct_values *values);
/* The body lies in send + 3. */
void tct_send_body(struct tct *board, uint8_t version, uint8_t type, uint8_t length);
void tct_huh(struct tct *board, uint8_t type, uint8_t reason, uint8_t detail);
bool tct_able(const struct tct *board, uint32_t ability);
bool tct_past(const struct tct *board, uint32_t since, uint32_t ms);

/* tct_ring.c */
uint32_t tct_first_kept(const struct tct *board);
void tct_ring_begin(struct tct *board);
void tct_ring_ack(struct tct *board, const struct tct_values *ack);
void tct_ring_again(struct tct *board);

/* tct_command.c */
void tct_command(struct tct *board, uint8_t type, const struct tct_values *values);
void tct_command_ask(struct tct *board, const struct tct_values *values);
void tct_command_shown(struct tct *board, uint8_t type, const uint8_t *body);
void tct_command_time(struct tct *board);

/* tct_input.c */
void tct_input_begin(struct tct *board);
void tct_input_read(struct tct *board);

/* tct_level.c */
void tct_level_begin(struct tct *board);
void tct_level_note(struct tct *board, uint8_t type, const uint8_t *body);
void tct_level_told(struct tct *board);
void tct_level_send(struct tct *board);
void tct_level_snapshot(struct tct *board);
void tct_level_presence(struct tct *board, uint8_t side);

#endif
