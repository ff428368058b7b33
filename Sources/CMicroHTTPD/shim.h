#ifndef COUNTERFOIL_MICROHTTPD_SHIM_H
#define COUNTERFOIL_MICROHTTPD_SHIM_H

// These two come first: the module must agree with glibc's about fd_set.
#include <sys/types.h>
#include <sys/select.h>
#include <microhttpd.h>

#endif
