#include "isbn.h"

#include <string.h>

/* The weights of the digits are 1 and 3 in turn. */
static int weighted_sum(const char *digits)
{
    int sum = 0;
    for (int i = 0; i < ISBN_LENGTH; i++) {
        sum += (digits[i] - '0') * (i % 2 == 0 ? 1 : 3);
    }
    return sum;
}

int isbn_is_valid(const char *digits)
{
    if (strlen(digits) != ISBN_LENGTH) {
        return 0;
    }
    return weighted_sum(digits) % 10 == 0;
}
