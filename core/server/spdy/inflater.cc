// The only file that includes zlib.
#include "server/spdy/inflater.h"

#include <zlib.h>

#include <algorithm>
#include <array>

namespace tabernetes::server {
namespace {

// The dictionary of SPDY/3 (draft-mbelshe-httpbis-spdy-00, section 2.6.10.1): words with their
// lengths, then a text.
constexpr std::string_view kSpdyWords[] = {"options",
                                           "head",
                                           "post",
                                           "put",
                                           "delete",
                                           "trace",
                                           "accept",
                                           "accept-charset",
                                           "accept-encoding",
                                           "accept-language",
                                           "accept-ranges",
                                           "age",
                                           "allow",
                                           "authorization",
                                           "cache-control",
                                           "connection",
                                           "content-base",
                                           "content-encoding",
                                           "content-language",
                                           "content-length",
                                           "content-location",
                                           "content-md5",
                                           "content-range",
                                           "content-type",
                                           "date",
                                           "etag",
                                           "expect",
                                           "expires",
                                           "from",
                                           "host",
                                           "if-match",
                                           "if-modified-since",
                                           "if-none-match",
                                           "if-range",
                                           "if-unmodified-since",
                                           "last-modified",
                                           "location",
                                           "max-forwards",
                                           "pragma",
                                           "proxy-authenticate",
                                           "proxy-authorization",
                                           "range",
                                           "referer",
                                           "retry-after",
                                           "server",
                                           "te",
                                           "trailer",
                                           "transfer-encoding",
                                           "upgrade",
                                           "user-agent",
                                           "vary",
                                           "via",
                                           "warning",
                                           "www-authenticate",
                                           "method",
                                           "get",
                                           "status",
                                           "200 OK",
                                           "version",
                                           "HTTP/1.1",
                                           "url",
                                           "public",
                                           "set-cookie",
                                           "keep-alive",
                                           "origin"};
constexpr std::string_view kSpdyText =
    "100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505203 "
    "Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 "
    "Unauthorized403 Forbidden404 Not Found500 Internal Server Error501 Not Implemented503 Service "
    "UnavailableJan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, "
    "Sat, Sun, GMTchunked,text/html,image/png,image/jpg,image/gif,application/xml,application/"
    "xhtml+xml,text/plain,text/javascript,publicprivatemax-age=gzip,deflate,sdchcharset=utf-"
    "8charset=iso-8859-1,utf-,*,enq=0.";

std::string spdy_dictionary() {
  std::string all;
  for (const std::string_view word : kSpdyWords) {
    all.append(3, '\0');
    all += static_cast<char>(word.size());
    all += word;
  }
  return all.append(kSpdyText);
}

}  // namespace

struct SpdyInflater::State {
  z_stream zlib = {};
};

SpdyInflater::SpdyInflater() : state_(std::make_unique<State>()) { inflateInit(&state_->zlib); }
SpdyInflater::~SpdyInflater() { inflateEnd(&state_->zlib); }

std::optional<std::string> SpdyInflater::expand(std::string_view compressed, std::size_t most) {
  z_stream& zlib = state_->zlib;
  zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));
  zlib.avail_in = static_cast<uInt>(compressed.size());
  std::string out;
  std::array<char, 4096> piece;
  while (true) {
    zlib.next_out = reinterpret_cast<Bytef*>(piece.data());
    zlib.avail_out = static_cast<uInt>(piece.size());
    const int result = inflate(&zlib, Z_SYNC_FLUSH);
    out.append(piece.data(), piece.size() - zlib.avail_out);
    if (out.size() > most) return std::nullopt;
    if (result == Z_NEED_DICT) {
      const std::string dictionary = spdy_dictionary();
      if (inflateSetDictionary(&zlib, reinterpret_cast<const Bytef*>(dictionary.data()),
                               static_cast<uInt>(dictionary.size())) != Z_OK) {
        return std::nullopt;
      }
      continue;
    }
    // Nothing more to do is no error.
    if (result == Z_BUF_ERROR && zlib.avail_in == 0) return out;
    if (result != Z_OK) return std::nullopt;
    if (zlib.avail_in == 0 && zlib.avail_out != 0) return out;
  }
}

std::string deflate_stored(std::string_view bytes, bool first) {
  std::string out;
  if (first) out.append("\x78\x01");
  constexpr std::size_t kMost = 0xffff;
  // An empty block comes last: readers such as Go's give out what they have when they see it.
  while (true) {
    const std::string_view part = bytes.substr(0, kMost);
    bytes.remove_prefix(part.size());
    const auto size = static_cast<unsigned>(part.size());
    for (const unsigned byte : {0U, size & 0xff, size >> 8, ~size & 0xff, ~size >> 8 & 0xff}) {
      out += static_cast<char>(byte);
    }
    out += part;
    if (part.empty()) return out;
  }
}

}  // namespace tabernetes::server
