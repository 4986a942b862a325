#include "base/crypto/verification_key.h"

#include <catch2/catch_test_macros.hpp>

#include "base/crypto/ecdsa.h"
#include "base/text/base64.h"

namespace tabernetes {
namespace {

// Made by Node.js (OpenSSL): signatures of kMessage, the key's numbers in base64url.
constexpr std::string_view kMessage = "a.message";
constexpr std::string_view kModulus =
    "zTH1oXE7x9WsvQIig1dAkErs0EiyDdb39BFFvotkS0vnaohapqrT5TvbWBeP-y-dak5zkcBVrnWaMo_h"
    "DpT1l2c9gNL42CY7jK_vdf6Aqr4mUslPWNA0tKFce15P_Jf6csxY_Gbb-FsaRY4kPoB4Yqmx7kRzIcXq"
    "P-9Yz2TBfcQ_iPz-M3VzgcIfoOzPH3ckXEvon1H2uP-OQ1_-U93KkhlWsHfmAH3wuwbJ2khAxAg9t9Bs"
    "Oxx4KNJ0DhHDjA2AniPWjwMFLAb6D-Vb7HiK77hE42R4MaFseDElWfkbt5253Elk4O7CxKfyQKXyvU6K"
    "XZGlh-H1mXhnDAnmRW9OAw";
struct Signed {
  std::string_view algorithm, key, signature;
};
constexpr Signed kSigned[] = {
    {"RS256", "rsa",
     "JjfL2LL-pcA6T_QWnxnztQOvaMIlGpee2ChjOvVHI5q0f5JKyeZDXBJqa6SfHCU5SUfkGNYRJp4EBKQy"
     "gOblUHC69hOwqy-079jZkwZliTIVOKtoKw3wj6y6VHOPqtx0qTHYkoewfkerU1cnCkYiCoAaoGGQKQnG"
     "D4GV10Wfx4WFmU21Cv1S8Rxe3vpG0cVI0xZxstk48gHdLEyXoJ7yz2Kqe7WAfe-LscBhXJY4VGAxF1vh"
     "yk0_jdT9Oev6QGscck5jtV_Xa-IIuKHnLTyBJlpblIZEYDS9De3x-hAawKkL_K1vEVFaeBEwlA5hr8Xl"
     "vLliLuB1wbZ8_C53Zz1aSQ"},
    {"PS256", "rsa",
     "wGyQx6wArCb2nA_x63Yol3ywhKpuVAt7BVaHWonlrb2n_LNnV26wf1phudOFmOk95Fc99eGdPEh-faND"
     "OCfMkkIP29ZVDORt7olvUafZT9LnQwJhaTHoDLxqEg9wpUrXbI29TELcSsiRAkBbwW_KJ6KEhIXw83T1"
     "KeibtJ6Bc7QS9TFh_QB8eMyGSktEnepoKhoQGHPuXQiS2HS9Ba_cE3YMsCWgm4ggPlizu_J9n_1HcLrI"
     "YWNAe40Qes-U4NeXsw4D1pBnXRcLQDhYJm5HJqW13U9_blmdbWDyFRSFBd3jPnTs5D6GaF9-ZZLXtpVu"
     "25Nq9g1cSoYSGgolvVwqcw"},
    {"RS384", "rsa",
     "LWYU18y09R6bDK-GHgHCEnkzi2AdBOMu2HZAFS2S-BUUnDHiNaL1PpCQ2VUJIMHrBQKsgsjjnJYglEH1"
     "mBHpKa-bJ38qv7L_exjTfqG_pTsh7MjNAVQkuub7E52sqjJXxlqUjgsQxvjWuqFgAdZUGl-o8Jx4R0bR"
     "2AyIFGHpPKFO24XPFVuuug1GxwgMEGQfAtouKRI0ROpE2n1m06hlji5LWp-q0vp8UiZEAYYWKixMG9Z1"
     "PHxdWgMUMkURTeXSQJXpLU2jJG1fWxpNk4zF8pPNkpkcHguAeFF4XfnbPwg7plIDRP_vHFqArNg4B7pk"
     "ZTXZKKyBe50gopLFgyeYwg"},
    {"PS384", "rsa",
     "X3ZQoMS47_UFy690VUsKTyfCwRQuKtsG-TMFUKTE0PlKN-fdW9RSlIpG_VPRG3zyY-wIzob50coaOCVp"
     "ZAgZaIDp4An4tHFIBhvrmXRZEhNb_B1U2cMClVshelP2okM-KPD9sjMuWqDPDblhuiKUDsIetWJw4Cw8"
     "yfjkvlJSTpsjJlMdTe-_2mqkvh_Ex9KhWTWEyX9mY3agrdkQ98vNP2DyrDwEsJQOhjy4glIUCgeJpjGB"
     "L_2TLO2N3JRSegVH5GFBTG5EFJ__nxPy5B7g4LIsA9DyWfm6IvFQCh-PQZb9sKIxyvmiuYD8DHNM1HO_"
     "L_NaNhOxueSuWkbMHC4APg"},
    {"RS512", "rsa",
     "a5PhD16Zfw7FzPtqpwbRX-akFL6vajsB7xYibjtMdpmlqlGQTZ3kTbztFt13vAjCRcNoYiMX6D6CqXh4"
     "RL2O0yRN8jJx1cZe4BZ75ubtdNcNm5wStmYRTmV7N7jijfYyCJKXecmDXKu7ResD578QSqK6ff8bpn6S"
     "E8RBEe74Ukey-BvzsUyZzT-wlDYWY14frRZz0NntJHBNckpxbsnNTHAeYfacz7U-tLET6GApgggDKZRN"
     "pJX9NfcY6Iifr_83UsnbMy7uAr3cx-h8vKHqFouBjCMB68E8nGTDFU_1kYytVXHIQpmiINuXNVOb2sRB"
     "oxWLiFo637WRc2cymwM_FQ"},
    {"PS512", "rsa",
     "usiBrLG9fDB1M3t5IBleBp6SEaq37vQvB-doEBCxKRH4HVO_FyT5_N8O5I9OLg-CMsEiek319iUmQUAe"
     "owmhyLIgn8k-8OxPltm6sQMZKrqXLNJhA9nzZ55r-dfPIfSnYuCBjEKiyje8KZqc3pHqTOMIE8nJovZ9"
     "l81sYBlba6dYoUm264UyFp2_PaORM9C56qT5cPQoK_HbNggt31IiLXIbZkHuUS2PTeJwxqm_0QR3gbj2"
     "2fLP6qhNogWm31E0eezSvd2YphzYDj29Fmx9hqg4awA-S6Fk7acK2aHxXjfvL0PZFyC8C2BlYzamwmPF"
     "mxK-7Z9dafSsjYCn-C5OQg"},
    {"ES256", "P-256",
     "iIkoIsbQearx1a_CMIDLe6Zh1g3ehuqPKe5rz-XcsoL49gmjs2SEdU5V-6RH2yZfSIaCE2b6ZbGS_3qd"
     "6B0S5w"},
    {"ES384", "P-384",
     "k_Mkh0T6UR2tfgycU5c7St1TERm6GuL7U9g7LTLDW_AwzWPwmnAQtPDvOwLZDzSIRJqSLUSEWaHLQXpM"
     "PUIfy6JGV1LFmRtlNacxLU0F-k-RD7cTb7CNiBq-7TfWdgBY"},
    {"ES512", "P-521",
     "AM1JJxqD69-N8ClCIme_CeOK_ijIEDnR4SpTA6hpE5hI16PIiRnKPVfZhlgJFp0qBxEg6PPc8r4ApIzX"
     "oHqSSG0dAQ7BMlHq6QslyDYpkBVkYr0edNRYYoal6Hi-7rw0iOQPo6JwHRR1-Iw5uF_KBYCG2RlqTVSx"
     "BLSQxy3PQCCvucVO"},
};
struct Point {
  std::string_view curve, x, y, algorithm, pem;
};
constexpr Point kPoints[] = {
    {"P-256", "XFCAIeI3XC2WiBDbZu_FVg8hK0MjiiPWpZq7Y72qI4w",
     "bSpSjc7KihtbWFxQV7vrQKzaA7oCuSjsc--DhwMF7ag", "ES256",
     "-----BEGIN EC PRIVATE KEY-----\n"
     "MHcCAQEEIL2YB3MTFga/eY+INYAVV9zlg0vRfDmjp7f7BPt035/doAoGCCqGSM49\n"
     "AwEHoUQDQgAEXFCAIeI3XC2WiBDbZu/FVg8hK0MjiiPWpZq7Y72qI4xtKlKNzsqK\n"
     "G1tYXFBXu+tArNoDugK5KOxz74OHAwXtqA==\n"
     "-----END EC PRIVATE KEY-----\n"},
    {"P-384", "_mmGWSJPRIloeu0eW8qziXeq3ZCqxpfHVF8jEalwrP4AXvrpoROduIwpi1LzNS8D",
     "Lb8dH5U_c6gD_43g17NFbZ8tMXX0FyUWjVoA77RAiwuicrY8Fw_rBBAeTHh1jWbC", "ES384",
     "-----BEGIN PRIVATE KEY-----\n"
     "MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDCjBu3molItSWsOS2ao\n"
     "+oxrNgaYY+CYTbeeOoieNsO0k3jivjVXOTMzmXqiCixP7UuhZANiAAT+aYZZIk9E\n"
     "iWh67R5byrOJd6rdkKrGl8dUXyMRqXCs/gBe+umhE524jCmLUvM1LwMtvx0flT9z\n"
     "qAP/jeDXs0Vtny0xdfQXJRaNWgDvtECLC6JytjwXD+sEEB5MeHWNZsI=\n"
     "-----END PRIVATE KEY-----\n"},
    {"P-521",
     "AApHbjrDduZvoQVz67UsH4cpink5Gfr_eJjR-WAMie77YNr2kD6LB8mAmuGHhx4fD15Kn-UMlJSvg8Xo"
     "2e7lB16_",
     "ABNIJeVPULPxmrR0BGpXbeRkIVsNMv28rqE52SxSnVovpm8X3KsVcqSHlAVddOu2iCUAjSyiaF8ebToj"
     "YmDWSTUj",
     "ES512",
     "-----BEGIN EC PRIVATE KEY-----\n"
     "MIHcAgEBBEIAiWuxkA3jXKd8MDfJGH4kl/YqVf8ourO60oHqZEF6dtwQW5cO/kxT\n"
     "Otakoa8x5kht1YOQt8Sbu/LN92oJoj31Ha2gBwYFK4EEACOhgYkDgYYABAAKR246\n"
     "w3bmb6EFc+u1LB+HKYp5ORn6/3iY0flgDInu+2Da9pA+iwfJgJrhh4ceHw9eSp/l\n"
     "DJSUr4PF6Nnu5QdevwATSCXlT1Cz8Zq0dARqV23kZCFbDTL9vK6hOdksUp1aL6Zv\n"
     "F9yrFXKkh5QFXXTrtoglAI0somhfHm06I2Jg1kk1Iw==\n"
     "-----END EC PRIVATE KEY-----\n"},
};

std::string decoded(std::string_view text) { return base64url_decode(text).value_or(""); }

VerificationKey key_named(std::string_view name) {
  for (const Point& point : kPoints) {
    if (point.curve == name) {
      return *VerificationKey::of_point(name, decoded(point.x), decoded(point.y));
    }
  }
  return *VerificationKey::of_rsa(decoded(kModulus), decoded("AQAB"));
}

TEST_CASE("verification key: every algorithm, by the right key and for the right text only",
          "[base]") {
  for (const Signed& each : kSigned) {
    INFO(each.algorithm);
    const VerificationKey key = key_named(each.key);
    std::string signature = decoded(each.signature);
    CHECK(key.verify(each.algorithm, kMessage, signature));
    CHECK_FALSE(key.verify(each.algorithm, "b.message", signature));
    CHECK_FALSE(key.verify(each.algorithm, kMessage, signature.substr(1)));
    CHECK_FALSE(key.verify(each.algorithm, kMessage, signature + "x"));
    CHECK_FALSE(key.verify(each.algorithm, kMessage, ""));
    CHECK_FALSE(key.verify(each.algorithm, kMessage, std::string(signature.size(), '\0')));
    signature[signature.size() / 2] ^= 1;
    CHECK_FALSE(key.verify(each.algorithm, kMessage, signature));
    for (const Signed& other : kSigned) {
      if (other.algorithm == each.algorithm) continue;
      CHECK_FALSE(key.verify(other.algorithm, kMessage, decoded(each.signature)));
      if (other.key != each.key) {
        CHECK_FALSE(key_named(other.key).verify(each.algorithm, kMessage, decoded(each.signature)));
      }
    }
    for (const std::string_view unknown : {"none", "HS256", "", "rs256"}) {
      CHECK_FALSE(key.verify(unknown, kMessage, decoded(each.signature)));
    }
  }
}

TEST_CASE("verification key: what is no key", "[base]") {
  const Point& point = kPoints[0];
  const std::string x = decoded(point.x), y = decoded(point.y);
  CHECK_FALSE(VerificationKey::of_point("P-256", y, x));  // not on the curve
  CHECK_FALSE(VerificationKey::of_point("P-384", x, y));
  CHECK_FALSE(VerificationKey::of_point("", x, y));
  CHECK_FALSE(VerificationKey::of_point("P-256", x, y.substr(1)));
  CHECK_FALSE(VerificationKey::of_rsa("", "\1\0\1"));
  CHECK_FALSE(VerificationKey::of_rsa(decoded(kModulus).substr(0, 64), decoded("AQAB")));
  CHECK_FALSE(VerificationKey::of_rsa(decoded(kModulus), ""));
  CHECK(VerificationKey::parse_pem("").empty());
  CHECK(VerificationKey::parse_pem("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n")
            .empty());
  CHECK(VerificationKey::parse_pem("-----BEGIN CERTIFICATE-----\nMAAA\n-----END CERTIFICATE-----\n")
            .empty());
}

TEST_CASE("ECDSA key: signs what its public half verifies, always alike", "[base]") {
  std::string all;
  for (const Point& point : kPoints) {
    all += point.pem;
    const auto key = EcKey::parse_pem(point.pem);
    REQUIRE(key);
    CHECK(key->curve() == point.curve);
    CHECK(key->algorithm() == point.algorithm);
    CHECK(key->x() == decoded(point.x));
    CHECK(key->y() == decoded(point.y));
    const std::string signature = key->sign(kMessage);
    CHECK(signature == key->sign(kMessage));
    CHECK(signature != key->sign("b.message"));
    const VerificationKey verifying = key_named(point.curve);
    CHECK(verifying.verify(point.algorithm, kMessage, signature));
    CHECK(verifying.public_key_info() == key->public_key_info());
  }
  const auto parsed = VerificationKey::parse_pem(all);
  REQUIRE(parsed.size() == 3);
  CHECK(parsed[1].public_key_info() == key_named("P-384").public_key_info());
  CHECK_FALSE(EcKey::parse_pem(""));
  CHECK_FALSE(
      EcKey::parse_pem("-----BEGIN EC PRIVATE KEY-----\nMAAA\n-----END EC PRIVATE KEY-----\n"));
}

}  // namespace
}  // namespace tabernetes
