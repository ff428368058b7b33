// What Swift cannot reach in OpenSSL 3 by itself: macros, casts, and parameter names. An OSSL_PARAM
// keeps the pointer to its name, so the name must be a C literal that lives for ever; a Swift
// string lives only as long as the call.
#ifndef COUNTERFOIL_OPENSSL_SHIM_H
#define COUNTERFOIL_OPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/cms.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

// The modulus of an RSA key as a parameter; `number` is little-endian, as all big numbers of
// parameters are in memory on the machines that this runs on, and must outlive the parameter.
static inline OSSL_PARAM counterfoil_rsa_modulus(unsigned char *number, size_t count) {
    return OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_RSA_N, number, count);
}

// The public exponent of an RSA key as a parameter; as for the modulus.
static inline OSSL_PARAM counterfoil_rsa_exponent(unsigned char *number, size_t count) {
    return OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_RSA_E, number, count);
}

// EVP_PKEY_PUBLIC_KEY is an expression of macros.
static inline int counterfoil_public_key_selection(void) { return EVP_PKEY_PUBLIC_KEY; }

// A macro that casts.
static inline long counterfoil_bio_contents(BIO *bio, char **contents) {
    return BIO_get_mem_data(bio, contents);
}

// Stacks of certificates are typed by macros.
static inline STACK_OF(X509) *counterfoil_certificates_new(void) { return sk_X509_new_null(); }

static inline int counterfoil_certificates_push(STACK_OF(X509) *stack, X509 *certificate) {
    return sk_X509_push(stack, certificate);
}

static inline int counterfoil_certificates_count(const STACK_OF(X509) *stack) {
    return sk_X509_num(stack);
}

static inline X509 *counterfoil_certificates_get(const STACK_OF(X509) *stack, int index) {
    return sk_X509_value(stack, index);
}

// Frees the stack and the certificates in it.
static inline void counterfoil_certificates_free(STACK_OF(X509) *stack) {
    sk_X509_pop_free(stack, X509_free);
}

#endif
