#include "server/containers/tar.h"

#include <catch2/catch_test_macros.hpp>

using namespace tabernetes;
using server::read_tar;
using server::TarEntry;
using server::TarRead;
using server::TarWatcher;

TEST_CASE("tar: what is written is read", "[server]") {
  const std::string long_name(150, 'n');
  std::string archive;
  server::write_tar_entry(
      {.name = "d", .kind = TarEntry::Kind::kFolder, .mode = 0755, .changed = {}, .bytes = ""},
      archive);
  server::write_tar_entry({.name = long_name,
                           .kind = TarEntry::Kind::kFile,
                           .mode = 0600,
                           .changed = Time{} + Duration::from_seconds(1000),
                           .bytes = std::string(700, 'x')},
                          archive);
  server::write_tar_entry(
      {.name = "l", .kind = TarEntry::Kind::kLink, .mode = 0777, .changed = {}, .bytes = "d"},
      archive);
  CHECK_FALSE(TarWatcher().complete(archive));
  server::write_tar_end(archive);
  CHECK(TarWatcher().complete(archive));
  CHECK(archive.size() % 512 == 0);
  const TarRead read = read_tar(archive);
  REQUIRE(read.entries.size() == 3);
  CHECK(read.ended);
  CHECK(read.entries[0].name == "d/");
  CHECK(read.entries[0].kind == TarEntry::Kind::kFolder);
  CHECK(read.entries[1].name == long_name);
  CHECK(read.entries[1].mode == 0600);
  CHECK(read.entries[1].changed.unix_seconds() == 1000);
  CHECK(read.entries[1].bytes == std::string(700, 'x'));
  CHECK(read.entries[2].bytes == "d");
}

TEST_CASE("tar: what is no archive", "[server]") {
  CHECK(read_tar("").entries.empty());
  CHECK(read_tar(std::string(512, 'x')).broken);
  std::string archive;
  server::write_tar_entry(
      {.name = "a", .kind = TarEntry::Kind::kFile, .mode = 0644, .changed = {}, .bytes = "abc"},
      archive);
  archive.resize(600);
  CHECK(read_tar(archive).entries.size() == 1);
  archive.resize(514);
  CHECK(read_tar(archive).broken);
}
