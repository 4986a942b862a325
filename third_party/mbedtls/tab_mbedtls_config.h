/* The part of mbedTLS that is built: two hash functions in portable C. */
#define MBEDTLS_SHA256_C
#define MBEDTLS_SHA512_C
