#include "server/containers/tar.h"

#include <algorithm>
#include <charconv>

namespace tabernetes::server {
namespace {

constexpr std::size_t kBlock = 512;
constexpr std::size_t kName = 100;
constexpr std::size_t kMostEntries = 100'000;

void put_octal(std::string& block, std::size_t at, std::size_t size, std::uint64_t number) {
  for (std::size_t i = size - 1; i-- > 0;) {
    block[at + i] = static_cast<char>('0' + (number & 7));
    number >>= 3;
  }
}

std::uint64_t octal_at(std::string_view block, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  // GNU's form for large numbers.
  if ((static_cast<unsigned char>(block[at]) & 0x80) != 0) {
    for (std::size_t i = 1; i < size; ++i) {
      number = number << 8 | static_cast<unsigned char>(block[at + i]);
    }
    return number;
  }
  for (std::size_t i = at; i < at + size; ++i) {
    const char c = block[i];
    if (c >= '0' && c <= '7') number = number << 3 | static_cast<std::uint64_t>(c - '0');
  }
  return number;
}

std::string text_in(std::string_view block, std::size_t at, std::size_t size) {
  const std::string_view field = block.substr(at, size);
  return std::string(field.substr(0, std::min(field.find('\0'), field.size())));
}

// The sum of all bytes, those of the sum itself as blanks.
std::uint64_t sum_of(std::string_view block) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    sum += i >= 148 && i < 156 ? ' ' : static_cast<unsigned char>(block[i]);
  }
  return sum;
}

void write_block(char type, std::string_view name, std::string_view target, int mode, Time changed,
                 std::size_t size, std::string& out) {
  std::string block(kBlock, '\0');
  name = name.substr(0, kName);
  std::copy(name.begin(), name.end(), block.begin());
  put_octal(block, 100, 8, static_cast<std::uint64_t>(mode & 07777));
  put_octal(block, 108, 8, 0);
  put_octal(block, 116, 8, 0);
  put_octal(block, 124, 12, size);
  put_octal(block, 136, 12,
            static_cast<std::uint64_t>(std::max<std::int64_t>(0, changed.unix_seconds())));
  block[156] = type;
  target = target.substr(0, kName);
  std::copy(target.begin(), target.end(), block.begin() + 157);
  constexpr std::string_view kMagic("ustar\00000root", 12);
  std::copy(kMagic.begin(), kMagic.end(), block.begin() + 257);
  constexpr std::string_view kGroup = "root";
  std::copy(kGroup.begin(), kGroup.end(), block.begin() + 297);
  const std::uint64_t sum = sum_of(block);
  put_octal(block, 148, 7, sum);
  block[154] = '\0';
  block[155] = ' ';
  out += block;
}

void write_padded(std::string_view bytes, std::string& out) {
  out += bytes;
  if (bytes.size() % kBlock != 0) out.append(kBlock - bytes.size() % kBlock, '\0');
}

bool is_zero(std::string_view block) {
  return block.find_first_not_of('\0') == std::string_view::npos;
}

// Sets what an extended header of pax says: lines of `LENGTH KEY=VALUE`.
void read_pax(std::string_view records, std::string& name, std::string& target) {
  while (!records.empty()) {
    std::size_t length = 0;
    const auto [end, error] =
        std::from_chars(records.data(), records.data() + records.size(), length);
    if (error != std::errc() || length == 0 || length > records.size()) return;
    std::string_view record = records.substr(0, length);
    record.remove_prefix(
        std::min(static_cast<std::size_t>(end - records.data()) + 1, record.size()));
    if (record.ends_with('\n')) record.remove_suffix(1);
    if (record.starts_with("path=")) name = record.substr(5);
    if (record.starts_with("linkpath=")) target = record.substr(9);
    records.remove_prefix(length);
  }
}

struct Header {
  char type = '\0';
  std::string name, target;
  int mode = 0;
  Time changed;
  std::uint64_t size = 0;
};

Header header_of(std::string_view block) {
  Header header{.type = block[156],
                .name = text_in(block, 0, kName),
                .target = text_in(block, 157, kName),
                .mode = static_cast<int>(octal_at(block, 100, 8) & 07777),
                .changed = {},
                .size = octal_at(block, 124, 12)};
  const std::uint64_t seconds = octal_at(block, 136, 12);
  constexpr std::uint64_t kMostSeconds = 9'000'000'000;
  header.changed =
      Time{} + Duration::from_seconds(static_cast<std::int64_t>(std::min(seconds, kMostSeconds)));
  const std::string prefix = block.substr(257, 6) == std::string_view("ustar\0", 6)
                                 ? text_in(block, 345, 155)
                                 : std::string();
  if (!prefix.empty()) header.name = prefix + "/" + header.name;
  return header;
}

TarEntry::Kind kind_of(char type) {
  if (type == '0' || type == '\0' || type == '7') return TarEntry::Kind::kFile;
  if (type == '5') return TarEntry::Kind::kFolder;
  return type == '2' ? TarEntry::Kind::kLink : TarEntry::Kind::kOther;
}

std::size_t padded(std::uint64_t size) {
  return static_cast<std::size_t>((size + kBlock - 1) / kBlock * kBlock);
}

bool is_header(std::string_view block) { return octal_at(block, 148, 8) == sum_of(block); }

}  // namespace

void write_tar_entry(const TarEntry& entry, std::string& out) {
  const bool is_folder = entry.kind == TarEntry::Kind::kFolder;
  const bool is_link = entry.kind == TarEntry::Kind::kLink;
  const std::string name = entry.name + (is_folder ? "/" : "");
  constexpr std::string_view kLong = "././@LongLink";
  if (name.size() > kName) {
    write_block('L', kLong, {}, 0644, {}, name.size() + 1, out);
    write_padded(name + '\0', out);
  }
  if (is_link && entry.bytes.size() > kName) {
    write_block('K', kLong, {}, 0644, {}, entry.bytes.size() + 1, out);
    write_padded(entry.bytes + '\0', out);
  }
  const bool has_bytes = !is_folder && !is_link;
  write_block(is_folder ? '5'
              : is_link ? '2'
                        : '0',
              name, is_link ? std::string_view(entry.bytes) : std::string_view(), entry.mode,
              entry.changed, has_bytes ? entry.bytes.size() : 0, out);
  if (has_bytes) write_padded(entry.bytes, out);
}

void write_tar_end(std::string& out) { out.append(2 * kBlock, '\0'); }

TarRead read_tar(std::string_view archive) {
  TarRead read;
  std::string long_name, long_target;
  while (archive.size() >= kBlock) {
    const std::string_view block = archive.substr(0, kBlock);
    archive.remove_prefix(kBlock);
    if (is_zero(block)) {
      read.ended = true;
      return read;
    }
    const Header header = header_of(block);
    if (!is_header(block) || header.size > archive.size() || read.entries.size() > kMostEntries) {
      read.broken = true;
      return read;
    }
    const std::string_view bytes = archive.substr(0, static_cast<std::size_t>(header.size));
    archive.remove_prefix(std::min(archive.size(), padded(header.size)));
    if (header.type == 'x') {
      read_pax(bytes, long_name, long_target);
    } else if (header.type == 'L') {
      long_name = bytes.substr(0, std::min(bytes.find('\0'), bytes.size()));
    } else if (header.type == 'K') {
      long_target = bytes.substr(0, std::min(bytes.find('\0'), bytes.size()));
    } else {
      TarEntry entry{.name = long_name.empty() ? header.name : long_name,
                     .kind = kind_of(header.type),
                     .mode = header.mode,
                     .changed = header.changed,
                     .bytes = std::string(bytes)};
      if (entry.kind == TarEntry::Kind::kLink) {
        entry.bytes = long_target.empty() ? header.target : long_target;
      }
      long_name.clear();
      long_target.clear();
      read.entries.push_back(std::move(entry));
    }
  }
  return read;
}

bool TarWatcher::complete(std::string_view archive) {
  while (archive.size() >= at_ + kBlock) {
    const std::string_view block = archive.substr(at_, kBlock);
    if (is_zero(block) || !is_header(block)) return true;
    const std::uint64_t size = octal_at(block, 124, 12);
    if (size > std::uint64_t{1} << 30) return true;
    at_ += kBlock + padded(size);
  }
  return false;
}

}  // namespace tabernetes::server
