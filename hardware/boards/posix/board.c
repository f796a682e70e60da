/* The reference board as a process on a pseudo-terminal, for tests and for trying things.
 *
 *   board --pty LINK          obeys its standard input, a command a line; its clock stands still
 *   board --pty LINK --live   runs on the real clock until its standard input ends
 *
 * Commands and answers: `help`. */
#define _XOPEN_SOURCE 700

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "about.h"
#include "words.h"

enum { FIRST_BOOT = 7, MOST_PRESSES = 256, BUFFER = 4096 };
/* On the real clock a line that nobody reads takes nothing, like one that is unplugged. */
enum { PATIENCE_MS = 5000, LIVE_PATIENCE_MS = 20 };

static const char help[] =
    "step NOW IN: read IN bytes in all, let the clock go to NOW; ok BYTES-WRITTEN | line N VALUE | "
    "edge TYPE BODY | points SEAT HUNDREDS DIFFERENCE STICKS | reset | presses | counts | "
    "encode TYPE VERSION values | decode HEX | runs HEX | quit";

static struct {
    int master, slave;
    unsigned long read, written;
    uint8_t in[BUFFER];
    size_t in_at, in_end;
    uint32_t clock, boot_at, boot;
    bool live;
    uint8_t lines[INPUTS];
    struct { uint8_t line, value; } presses[MOST_PRESSES];
    size_t press_count;
    unsigned long acted;
} host;

static struct tct board;

/* ── the six functions of the port ──────────────────────────────────────────────────────────── */

static int port_read(void *self)
{
    (void)self;
    return host.in_at < host.in_end ? host.in[host.in_at++] : -1;
}

static bool port_write(void *self, uint8_t byte)
{
    (void)self;
    for (;;) {
        ssize_t done = write(host.master, &byte, 1);
        if (done == 1) {
            host.written++;
            return true;
        }
        if (done < 0 && errno != EAGAIN && errno != EINTR)
            return false;
        struct pollfd wait = {host.master, POLLOUT, 0};
        if (poll(&wait, 1, host.live ? LIVE_PATIENCE_MS : PATIENCE_MS) == 0)
            return false;
    }
}

static uint32_t real_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)((uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000);
}

static uint32_t port_ms(void *self)
{
    (void)self;
    return (host.live ? real_ms() : host.clock) - host.boot_at;
}

static uint32_t port_boot(void *self)
{
    (void)self;
    return host.boot;
}

/* A button that is pressed and a lamp that is set are commands begun; letting go is not. */
static void port_press(void *self, uint8_t line, uint8_t value)
{
    (void)self;
    if (value || line >= FIRST_LAMP)
        host.acted++;
    if (host.press_count < MOST_PRESSES) {
        host.presses[host.press_count].line = line;
        host.presses[host.press_count++].value = value;
    }
}

static uint8_t port_line(void *self, uint8_t line)
{
    (void)self;
    return host.lines[line];
}

static const struct tct_port port = {port_read, port_write, port_ms, port_boot, port_press, port_line, NULL};

/* ── commands ───────────────────────────────────────────────────────────────────────────────── */

/* Takes what the terminal has; false if nothing came within so many ms. */
static bool fill(int ms)
{
    struct pollfd wait = {host.master, POLLIN, 0};
    ssize_t done;
    if (poll(&wait, 1, ms) <= 0)
        return false;
    done = read(host.master, host.in, sizeof host.in);
    if (done <= 0)
        return false;
    host.in_at = 0;
    host.in_end = (size_t)done;
    host.read += (unsigned long)done;
    return true;
}

static void step(const char *arguments)
{
    unsigned long now, in;
    if (sscanf(arguments, "%lu %lu", &now, &in) != 2) {
        puts("error step NOW IN");
        return;
    }
    while (host.read < in) {
        if (!fill(PATIENCE_MS)) {
            printf("error %lu bytes came, not %lu\n", host.read, in);
            return;
        }
        tct_poll(&board);
    }
    tct_poll(&board);
    while (host.clock < now) {
        host.clock++;
        tct_poll(&board);
    }
    printf("ok %lu\n", host.written);
}

static void edge(const char *arguments)
{
    char hex[2 * TCT_MOST_BODY + 1];
    unsigned type;
    uint8_t body[TCT_MOST_BODY];
    int length;
    if (sscanf(arguments, "%x %236s", &type, hex) != 2
        || (length = words_bytes(hex, body, sizeof body)) < 0) {
        puts("error edge TYPE BODY");
        return;
    }
    printf("ok %lu\n", (unsigned long)tct_edge(&board, (uint8_t)type, body, (uint8_t)length));
}

static void reset(void)
{
    host.in_at = host.in_end = 0;
    host.boot_at = host.live ? real_ms() : host.clock;
    host.boot++;
    tct_init(&board, &about, &port);
}

static bool obey(char *line)
{
    char *arguments = strchr(line, ' ');
    unsigned a, b;
    int hundreds, difference;
    if (arguments)
        *arguments++ = 0;
    else
        arguments = line + strlen(line);
    if (!strcmp(line, "step")) {
        step(arguments);
    } else if (!strcmp(line, "edge")) {
        edge(arguments);
    } else if (!strcmp(line, "line") && sscanf(arguments, "%u %u", &a, &b) == 2 && a < INPUTS) {
        host.lines[a] = (uint8_t)b;
        puts("ok");
    } else if (!strcmp(line, "points")
               && sscanf(arguments, "%u %d %d %u", &a, &hundreds, &difference, &b) == 4) {
        tct_points(&board, (uint8_t)a, (int16_t)hundreds, (int16_t)difference, (uint8_t)b);
        puts("ok");
    } else if (!strcmp(line, "reset")) {
        reset();
        printf("ok %lu\n", (unsigned long)host.boot);
    } else if (!strcmp(line, "presses")) {
        printf("ok");
        for (size_t n = 0; n < host.press_count; n++)
            printf(" %u:%u", host.presses[n].line, host.presses[n].value);
        host.press_count = 0;
        puts("");
    } else if (!strcmp(line, "counts")) {
        printf("ok acted=%lu\n", host.acted);
    } else if (!strcmp(line, "encode")) {
        words_encode(arguments);
    } else if (!strcmp(line, "decode")) {
        words_decode(arguments);
    } else if (!strcmp(line, "runs")) {
        words_runs(arguments);
    } else if (!strcmp(line, "quit")) {
        return false;
    } else {
        printf("error %s\n", help);
    }
    return true;
}

static int run_live(void)
{
    struct pollfd wait[2] = {{host.master, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    char ignored[64];
    for (;;) {
        poll(wait, 2, 1);
        if (wait[1].revents && read(STDIN_FILENO, ignored, sizeof ignored) <= 0)
            return 0;
        if (wait[0].revents)
            fill(0);
        tct_poll(&board);
    }
}

static bool open_terminal(const char *link)
{
    struct termios raw;
    const char *name;
    host.master = posix_openpt(O_RDWR | O_NOCTTY);
    if (host.master < 0 || grantpt(host.master) || unlockpt(host.master)
        || !(name = ptsname(host.master)))
        return false;
    /* Without any slave the master would report a hang-up for ever. */
    host.slave = open(name, O_RDWR | O_NOCTTY);
    if (host.slave < 0 || tcgetattr(host.slave, &raw))
        return false;
    raw.c_iflag = raw.c_oflag = raw.c_lflag = 0;
    raw.c_cflag = (raw.c_cflag & ~(tcflag_t)(CSIZE | PARENB)) | CS8;
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    if (tcsetattr(host.slave, TCSANOW, &raw) || fcntl(host.master, F_SETFL, O_NONBLOCK))
        return false;
    unlink(link);
    return symlink(name, link) == 0;
}

int main(int count, char **arguments)
{
    static char line[8 * BUFFER];
    int status = 0;
    if (count < 3 || strcmp(arguments[1], "--pty") || count > 4
        || (count == 4 && strcmp(arguments[3], "--live"))) {
        fprintf(stderr, "board --pty LINK [--live]\n%s\n", help);
        return 2;
    }
    if (!open_terminal(arguments[2])) {
        perror(arguments[2]);
        return 1;
    }
    for (uint8_t n = 0; n < INPUTS; n++)
        host.lines[n] = about_line(n);
    host.live = count == 4;
    host.boot = host.live ? (uint32_t)time(NULL) : FIRST_BOOT;
    host.boot_at = host.live ? real_ms() : 0;
    tct_init(&board, &about, &port);
    puts("ready");
    fflush(stdout);
    if (host.live)
        status = run_live();
    else
        while (fgets(line, sizeof line, stdin)) {
            line[strcspn(line, "\n")] = 0;
            if (!obey(line))
                break;
            fflush(stdout);
        }
    unlink(arguments[2]);
    close(host.slave);
    close(host.master);
    return status;
}
