// A data directory: one process owns it, and keeps its cluster's data in one file there.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "sqlite.h"

namespace tabernetes::host {

// The right to a directory. Ends with the process, however that ends.
//
// `lock` has the pid of the owner, who has locked it and the database `owner.db`: the latter is
// what a host in Node.js can lock, too.
class DataDirectory {
 public:
  // Creates the directory if it does not exist. Throws a std::runtime_error that names the process
  // that owns it, or says what else is wrong.
  explicit DataDirectory(std::string path);
  DataDirectory(const DataDirectory&) = delete;
  DataDirectory& operator=(const DataDirectory&) = delete;

  // Returns the path of the data.
  std::string file() const;

 private:
  struct File {
    int number = -1;
    ~File();
  };

  void claim_database();
  [[noreturn]] void refuse() const;

  std::string path_;
  File lock_;
  std::optional<Sqlite> owner_;
};

// Returns the path of the data of a directory.
std::string data_file_in(const std::string& directory);

// Tells whether a file is still the one that was there at first.
class SameFile {
 public:
  // Throws a std::runtime_error if there is no such file.
  explicit SameFile(std::string path);
  // Returns what has become of it, or an empty text.
  std::string problem() const;

 private:
  std::string path_;
  dev_t device_ = 0;
  ino_t number_ = 0;
};

}  // namespace tabernetes::host
