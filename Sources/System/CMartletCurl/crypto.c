#include <string.h>

#include "CMartletCurl.h"
#include "loading.h"

// Numbers of libcrypto 3: NIDs (https://docs.openssl.org/3.0/man3/OBJ_nid2obj/), and a control of
// ciphers (https://docs.openssl.org/3.0/man3/EVP_EncryptInit/).
#define ID_EC 408
#define ID_P256 415
#define CONTROL_GET_TAG 0x10

// Each function has the type of its documentation (https://docs.openssl.org/3.0/man3/), with `void`
// for the structures. Functions that are variadic, or macros, are not used.
static struct {
  const void *(*sha256)(void);
  unsigned char *(*hmac)(
      const void *, const void *, int, const unsigned char *, size_t, unsigned char *,
      unsigned int *);
  void (*cleanse)(void *, size_t);

  void *(*new_id_context)(int, void *);
  void *(*new_context)(void *, void *);
  void (*free_context)(void *);
  int (*keygen_init)(void *);
  int (*set_curve)(void *, int);
  int (*keygen)(void *, void **);
  void (*free_key)(void *);

  void *(*read_private)(void **, const unsigned char **, long);
  void *(*read_public)(void **, const unsigned char **, long);
  int (*write_private)(const void *, unsigned char **);
  int (*write_public)(void *, unsigned char **);

  int (*derive_init)(void *);
  int (*derive_set_peer)(void *, void *);
  int (*derive)(void *, unsigned char *, size_t *);

  const void *(*aes_128_gcm)(void);
  void *(*new_cipher)(void);
  void (*free_cipher)(void *);
  int (*control_cipher)(void *, int, int, void *);
  int (*encrypt_init)(
      void *, const void *, void *, const unsigned char *, const unsigned char *);
  int (*encrypt_update)(void *, unsigned char *, int *, const unsigned char *, int);
  int (*encrypt_final)(void *, unsigned char *, int *);

  void *(*new_digest)(void);
  void (*free_digest)(void *);
  int (*sign_init)(void *, void **, const void *, void *, void *);
  int (*sign)(void *, unsigned char *, size_t *, const unsigned char *, size_t);
  void *(*read_signature)(void **, const unsigned char **, long);
  void (*signature_numbers)(const void *, const void **, const void **);
  int (*write_number)(const void *, unsigned char *, int);
  void (*free_signature)(void *);
} crypto;

bool crypto_find(const struct library *library) {
  const struct {
    const char *name;
    void *place;
  } functions[] = {
      {"EVP_sha256", &crypto.sha256},
      {"HMAC", &crypto.hmac},
      {"OPENSSL_cleanse", &crypto.cleanse},
      {"EVP_PKEY_CTX_new_id", &crypto.new_id_context},
      {"EVP_PKEY_CTX_new", &crypto.new_context},
      {"EVP_PKEY_CTX_free", &crypto.free_context},
      {"EVP_PKEY_keygen_init", &crypto.keygen_init},
      {"EVP_PKEY_CTX_set_ec_paramgen_curve_nid", &crypto.set_curve},
      {"EVP_PKEY_keygen", &crypto.keygen},
      {"EVP_PKEY_free", &crypto.free_key},
      {"d2i_AutoPrivateKey", &crypto.read_private},
      {"d2i_PUBKEY", &crypto.read_public},
      {"i2d_PrivateKey", &crypto.write_private},
      {"i2d_PUBKEY", &crypto.write_public},
      {"EVP_PKEY_derive_init", &crypto.derive_init},
      {"EVP_PKEY_derive_set_peer", &crypto.derive_set_peer},
      {"EVP_PKEY_derive", &crypto.derive},
      {"EVP_aes_128_gcm", &crypto.aes_128_gcm},
      {"EVP_CIPHER_CTX_new", &crypto.new_cipher},
      {"EVP_CIPHER_CTX_free", &crypto.free_cipher},
      {"EVP_CIPHER_CTX_ctrl", &crypto.control_cipher},
      {"EVP_EncryptInit_ex", &crypto.encrypt_init},
      {"EVP_EncryptUpdate", &crypto.encrypt_update},
      {"EVP_EncryptFinal_ex", &crypto.encrypt_final},
      {"EVP_MD_CTX_new", &crypto.new_digest},
      {"EVP_MD_CTX_free", &crypto.free_digest},
      {"EVP_DigestSignInit", &crypto.sign_init},
      {"EVP_DigestSign", &crypto.sign},
      {"d2i_ECDSA_SIG", &crypto.read_signature},
      {"ECDSA_SIG_get0", &crypto.signature_numbers},
      {"BN_bn2binpad", &crypto.write_number},
      {"ECDSA_SIG_free", &crypto.free_signature},
  };
  for (size_t index = 0; index < sizeof functions / sizeof *functions; index++) {
    if (!library_find(library, functions[index].name, functions[index].place)) return false;
  }
  return true;
}

bool ccrypto_hmac_sha256(
    const uint8_t *key, size_t keyCount, const uint8_t *data, size_t count, uint8_t *code) {
  unsigned int length = 0;
  return crypto.hmac(crypto.sha256(), key, (int)keyCount, data, count, code, &length) != NULL &&
         length == 32;
}

void *ccrypto_new_key(void) {
  void *key = NULL;
  void *context = crypto.new_id_context(ID_EC, NULL);
  if (context == NULL) return NULL;
  if (crypto.keygen_init(context) != 1 || crypto.set_curve(context, ID_P256) != 1 ||
      crypto.keygen(context, &key) != 1) {
    key = NULL;
  }
  crypto.free_context(context);
  return key;
}

void ccrypto_free_key(void *key) { crypto.free_key(key); }

// The DER of keys (RFC 5915, RFC 5480): these bytes, and then the key.
static const uint8_t public_head[] = {0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48,
                                      0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
                                      0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00};
// PKCS #8 (RFC 5958) with the version 0, the curve, and an ECPrivateKey that has only the secret.
static const uint8_t private_head[] = {
    0x30, 0x41, 0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48,
    0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03,
    0x01, 0x07, 0x04, 0x27, 0x30, 0x25, 0x02, 0x01, 0x01, 0x04, 0x20};
// An ECPrivateKey with its parameters and the public key, as libcrypto writes it.
static const uint8_t written_head[] = {0x30, 0x77, 0x02, 0x01, 0x01, 0x04, 0x20};

enum { PUBLIC_SIZE = sizeof public_head + CCRYPTO_POINT, WRITTEN_SIZE = 121 };

void *ccrypto_private_key(const uint8_t *secret) {
  uint8_t bytes[sizeof private_head + CCRYPTO_SECRET];
  memcpy(bytes, private_head, sizeof private_head);
  memcpy(bytes + sizeof private_head, secret, CCRYPTO_SECRET);
  const uint8_t *end = bytes;
  void *key = crypto.read_private(NULL, &end, sizeof bytes);
  crypto.cleanse(bytes, sizeof bytes);
  return key;
}

void *ccrypto_public_key(const uint8_t *point) {
  uint8_t bytes[PUBLIC_SIZE];
  memcpy(bytes, public_head, sizeof public_head);
  memcpy(bytes + sizeof public_head, point, CCRYPTO_POINT);
  const uint8_t *end = bytes;
  return crypto.read_public(NULL, &end, sizeof bytes);
}

bool ccrypto_secret(void *key, uint8_t *secret) {
  uint8_t bytes[WRITTEN_SIZE];
  uint8_t *end = bytes;
  bool is_written = crypto.write_private(key, NULL) == WRITTEN_SIZE &&
                    crypto.write_private(key, &end) == WRITTEN_SIZE &&
                    memcmp(bytes, written_head, sizeof written_head) == 0;
  if (is_written) memcpy(secret, bytes + sizeof written_head, CCRYPTO_SECRET);
  crypto.cleanse(bytes, sizeof bytes);
  return is_written;
}

bool ccrypto_point(void *key, uint8_t *point) {
  uint8_t bytes[PUBLIC_SIZE];
  uint8_t *end = bytes;
  if (crypto.write_public(key, NULL) != PUBLIC_SIZE ||
      crypto.write_public(key, &end) != PUBLIC_SIZE ||
      memcmp(bytes, public_head, sizeof public_head) != 0) {
    return false;
  }
  memcpy(point, bytes + sizeof public_head, CCRYPTO_POINT);
  return true;
}

bool ccrypto_agree(void *key, void *peer, uint8_t *shared) {
  void *context = crypto.new_context(key, NULL);
  if (context == NULL) return false;
  size_t length = CCRYPTO_SECRET;
  bool is_derived = crypto.derive_init(context) == 1 &&
                    crypto.derive_set_peer(context, peer) == 1 &&
                    crypto.derive(context, shared, &length) == 1 && length == CCRYPTO_SECRET;
  crypto.free_context(context);
  return is_derived;
}

bool ccrypto_sign(void *key, const uint8_t *data, size_t count, uint8_t *signature) {
  void *digest = crypto.new_digest();
  if (digest == NULL) return false;
  // The longest signature of P-256 in DER.
  uint8_t bytes[72];
  size_t length = sizeof bytes;
  bool is_signed = crypto.sign_init(digest, NULL, crypto.sha256(), NULL, key) == 1 &&
                   crypto.sign(digest, bytes, &length, data, count) == 1;
  crypto.free_digest(digest);
  if (!is_signed) return false;
  const uint8_t *end = bytes;
  void *numbers = crypto.read_signature(NULL, &end, (long)length);
  if (numbers == NULL) return false;
  const void *r = NULL, *s = NULL;
  crypto.signature_numbers(numbers, &r, &s);
  const int half = CCRYPTO_SIGNATURE / 2;
  bool is_written = crypto.write_number(r, signature, half) == half &&
                    crypto.write_number(s, signature + half, half) == half;
  crypto.free_signature(numbers);
  return is_written;
}

bool ccrypto_seal(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *text, size_t count, uint8_t *sealed) {
  void *cipher = crypto.new_cipher();
  if (cipher == NULL) return false;
  int written = 0, rest = 0;
  bool is_sealed =
      crypto.encrypt_init(cipher, crypto.aes_128_gcm(), NULL, key, nonce) == 1 &&
      crypto.encrypt_update(cipher, sealed, &written, text, (int)count) == 1 &&
      crypto.encrypt_final(cipher, sealed + written, &rest) == 1 &&
      (size_t)written + (size_t)rest == count &&
      crypto.control_cipher(cipher, CONTROL_GET_TAG, CCRYPTO_TAG, sealed + count) == 1;
  crypto.free_cipher(cipher);
  return is_sealed;
}
