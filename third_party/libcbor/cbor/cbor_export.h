/* Nothing is exported: the library is linked statically. */
#define CBOR_EXPORT
#define CBOR_NO_EXPORT
#define CBOR_DEPRECATED
