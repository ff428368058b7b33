#ifndef COUNTERFOIL_OPENSSL_SHIM_H
#define COUNTERFOIL_OPENSSL_SHIM_H

#include <openssl/evp.h>

#endif
