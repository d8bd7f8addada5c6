/* Ports. */
#include <stdio.h>
#include "port.h"

#ifndef PORT_LIMIT
#define PORT_LIMIT 64
#endif
#define CLAMP(x) \
    ((x) > PORT_LIMIT ? PORT_LIMIT : (x))

typedef unsigned int port_t;
typedef int (*compare_fn)(const void *, const void *);
typedef struct {
    int id; /* the number */
    char *name, label[8];
} Port;

struct node { int value; struct node *next; };
enum color { RED, GREEN = 2 };

int declared(int a, char *b);
static const int kLimit = 3;
int table[4] = { 1, 2, 3, 4 };
extern char *names;

#ifdef HAVE_FAST
int pick_path(void) { return 1; }
#else
int pick_path(void) { return 2; }
#  if LEVEL > 2
static int only_deep(void) { return 3; }
#  endif
#endif

// Opens a port.
MODULE_EXPORT int open_port(Port *p)
{
    int local = CLAMP(p->id);
    int helper(int);
    return declared(local, p->name);
}

static char **
names_of(struct node *n)
{
    return NULL;
}
