#ifndef SHELF_ISBN_H
#define SHELF_ISBN_H

#define ISBN_LENGTH 13

/* Checks the last digit of an ISBN-13. Returns 1 when it fits. */
int isbn_is_valid(const char *digits);

#endif
