#include "data_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "data_file.h"

namespace tabernetes::host {
namespace {

[[noreturn]] void fail(const std::string& path) {
  throw std::runtime_error(path + ": " + std::strerror(errno));
}

// Makes what was created in a directory survive a loss of power.
void flush_directory(const std::string& path) {
  const int directory = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  ::fsync(directory);
  ::close(directory);
}

// Returns the pid that the owner has written.
std::string owner_in(int lock) {
  char text[32] = {};
  const ssize_t size = ::pread(lock, text, sizeof text - 1, 0);
  std::string pid(text, size > 0 ? static_cast<std::size_t>(size) : 0);
  while (!pid.empty() && pid.back() == '\n') pid.pop_back();
  return pid.empty() ? "another process" : "process " + pid;
}

}  // namespace

std::string data_file_in(const std::string& directory) { return directory + "/" + kDataFile; }

DataDirectory::DataDirectory(std::string path) : path_(std::move(path)) {
  if (::mkdir(path_.c_str(), 0700) == 0) {
    flush_directory(path_ + "/..");
  } else if (errno != EEXIST) {
    fail(path_);
  }
  const std::string lock = path_ + "/lock";
  lock_.number = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock_.number < 0) fail(lock);
  if (::flock(lock_.number, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) refuse();
    fail(lock);
  }
  claim_database();
  const std::string pid = std::to_string(::getpid()) + "\n";
  if (::ftruncate(lock_.number, 0) != 0 || ::pwrite(lock_.number, pid.data(), pid.size(), 0) < 0) {
    fail(lock);
  }
  flush_directory(path_);
}

DataDirectory::File::~File() {
  if (number >= 0) ::close(number);
}

void DataDirectory::claim_database() {
  owner_.emplace(path_ + "/owner.db", Sqlite::Mode::kCreate);
  owner_->run("PRAGMA busy_timeout = 0");
  try {
    owner_->run("BEGIN EXCLUSIVE");  // held until the end; nothing is written
  } catch (const SqliteError& error) {
    if (!std::string_view(error.what()).ends_with("database is locked")) throw;
    refuse();
  }
}

void DataDirectory::refuse() const {
  throw std::runtime_error(path_ + ": " + owner_in(lock_.number) + " has this data directory");
}

std::string DataDirectory::file() const { return data_file_in(path_); }

SameFile::SameFile(std::string path) : path_(std::move(path)) {
  struct stat found {};
  if (::stat(path_.c_str(), &found) != 0) fail(path_);
  device_ = found.st_dev;
  number_ = found.st_ino;
}

std::string SameFile::problem() const {
  struct stat found {};
  if (::stat(path_.c_str(), &found) != 0) return path_ + ": " + std::strerror(errno);
  if (found.st_dev == device_ && found.st_ino == number_) return {};
  return path_ + ": another file has taken its place";
}

}  // namespace tabernetes::host
