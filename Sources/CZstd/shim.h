#ifndef COUNTERFOIL_ZSTD_SHIM_H
#define COUNTERFOIL_ZSTD_SHIM_H

#include <zstd.h>

#endif
