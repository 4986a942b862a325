#include "data_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
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
  lock_ = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock_ < 0) fail(lock);
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    const bool owned = errno == EWOULDBLOCK;
    const std::string owner = owned ? owner_in(lock_) : "";
    ::close(lock_);
    if (!owned) fail(lock);
    throw std::runtime_error(path_ + ": " + owner + " has this data directory");
  }
  const std::string pid = std::to_string(::getpid()) + "\n";
  if (::ftruncate(lock_, 0) != 0 || ::pwrite(lock_, pid.data(), pid.size(), 0) < 0) {
    const int error = errno;
    ::close(lock_);
    errno = error;
    fail(lock);
  }
  flush_directory(path_);
}

DataDirectory::~DataDirectory() { ::close(lock_); }

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
