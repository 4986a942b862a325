#include "etcd/messages.h"

#include <utility>

#include "etcd/wire.h"

namespace tabernetes::host::etcd {
namespace {

// Compare.target
constexpr std::uint64_t kVersionTarget = 0, kModTarget = 2;

std::uint64_t read_header(std::string_view message) {
  MessageReader reader(message);
  while (const auto field = reader.next()) {
    if (field->number == 3) return field->value;
  }
  return 0;
}

KeyValue read_key_value(std::string_view message) {
  KeyValue read;
  MessageReader reader(message);
  while (const auto field = reader.next()) {
    if (field->number == 1) read.key = field->bytes;
    if (field->number == 3) read.revision = field->value;
    if (field->number == 4) read.version = field->value;
    if (field->number == 5) read.value = field->bytes;
  }
  return read;
}

std::string put_message(std::string_view key, std::string_view value, std::uint64_t lease) {
  MessageWriter put;
  put.bytes(1, key).bytes(2, value);
  if (lease != 0) put.number(3, lease);
  return put.take();
}

// A RequestOp; `kind` is the number of its member.
std::string operation(int kind, const std::string& request) {
  return MessageWriter().bytes(kind, request).take();
}

constexpr int kRangeOp = 1, kPutOp = 2, kDeleteOp = 3;

}  // namespace

std::string end_of_prefix(std::string prefix) {
  ++prefix.back();
  return prefix;
}

std::string range_request(const RangeQuery& query) {
  MessageWriter request;
  request.bytes(1, query.key);
  if (!query.end.empty()) request.bytes(2, query.end);
  if (query.limit != 0) request.number(3, query.limit);
  if (query.revision != 0) request.number(4, query.revision);
  return request.take();
}

RangeAnswer read_range(std::string_view message) {
  RangeAnswer answer;
  MessageReader reader(message);
  while (const auto field = reader.next()) {
    if (field->number == 1) answer.revision = read_header(field->bytes);
    if (field->number == 2) answer.found.push_back(read_key_value(field->bytes));
    if (field->number == 3) answer.more = field->value != 0;
  }
  return answer;
}

std::string write_request(const std::vector<const KeyWrite*>& writes) {
  MessageWriter request;
  for (const KeyWrite* write : writes) {
    request.bytes(1, MessageWriter()
                         .number(2, kModTarget)
                         .bytes(3, write->key)
                         .number(6, write->replaces)
                         .take());
  }
  for (const KeyWrite* write : writes) {
    request.bytes(2, write->value
                         ? operation(kPutOp, put_message(write->key, *write->value, write->lease))
                         : operation(kDeleteOp, MessageWriter().bytes(1, write->key).take()));
  }
  return request.take();
}

std::string put_if_version(std::string_view key, std::string_view value, std::uint64_t version) {
  return MessageWriter()
      .bytes(1, MessageWriter().number(2, kVersionTarget).bytes(3, key).number(4, version).take())
      .bytes(2, operation(kPutOp, put_message(key, value, 0)))
      .bytes(3, operation(kRangeOp, MessageWriter().bytes(1, key).take()))
      .take();
}

std::string put_request(std::string_view key, std::string_view value) {
  return MessageWriter().bytes(2, operation(kPutOp, put_message(key, value, 0))).take();
}

TxnAnswer read_txn(std::string_view message) {
  TxnAnswer answer;
  MessageReader reader(message);
  while (const auto field = reader.next()) {
    if (field->number == 1) answer.revision = read_header(field->bytes);
    if (field->number == 2) answer.succeeded = field->value != 0;
    if (field->number != 3) continue;
    MessageReader operations(field->bytes);
    while (const auto done = operations.next()) {
      if (done->number == kRangeOp) answer.found = read_range(done->bytes).found;
    }
  }
  return answer;
}

std::string compact_request(std::uint64_t revision) {
  return MessageWriter().number(1, revision).take();
}

std::string lease_request(std::uint64_t seconds) {
  return MessageWriter().number(1, seconds).take();
}

std::uint64_t read_lease(std::string_view message) {
  MessageReader reader(message);
  while (const auto field = reader.next()) {
    if (field->number == 2) return field->value;
  }
  return 0;
}

std::string watch_request(std::string_view key, std::string_view end, std::uint64_t from) {
  return MessageWriter()
      .bytes(1, MessageWriter().bytes(1, key).bytes(2, end).number(3, from).number(4, 1).take())
      .take();
}

WatchAnswer read_watch(std::string_view message) {
  WatchAnswer answer;
  MessageReader reader(message);
  while (const auto field = reader.next()) {
    switch (field->number) {
      case 1:
        answer.revision = read_header(field->bytes);
        break;
      case 3:
        answer.created = field->value != 0;
        break;
      case 4:
        answer.canceled = field->value != 0;
        break;
      case 5:
        answer.compacted = field->value;
        break;
      case 6:
        answer.reason = field->bytes;
        break;
      case 11: {
        WatchedChange& change = answer.changes.emplace_back();
        MessageReader event(field->bytes);
        while (const auto part = event.next()) {
          if (part->number == 1) change.deleted = part->value == 1;
          if (part->number == 2) change.to = read_key_value(part->bytes);
        }
        break;
      }
      default:
        break;
    }
  }
  return answer;
}

}  // namespace tabernetes::host::etcd
