#include "store/tree.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

namespace tabernetes::store {
namespace {

// Prefetches a record that is about to be read; it mostly occupies two cache lines.
void prefetch(const Record* record) {
  __builtin_prefetch(record);
  __builtin_prefetch(record + 1);
}

constexpr std::size_t kFanOut = 32;
// A smaller node is merged with a neighbour. A node at the right edge of an append may be smaller:
// it was split off to grow.
constexpr std::size_t kMinimum = kFanOut / 4;

using KeyPtr = std::shared_ptr<const std::string>;

// Edit the first `size` slots of a node's array like a vector.
template <typename Slots, typename T>
void insert_slot(Slots& slots, std::size_t size, std::size_t at, T value) {
  std::move_backward(slots.begin() + at, slots.begin() + size, slots.begin() + size + 1);
  slots[at] = std::move(value);
}

template <typename Slots>
void erase_slot(Slots& slots, std::size_t size, std::size_t at) {
  std::move(slots.begin() + at + 1, slots.begin() + size, slots.begin() + at);
  slots[size - 1] = {};
}

// Moves slots between two nodes so that the left one has `left_size` of them.
template <typename Slots>
void share_slots(Slots& left, std::size_t left_old, Slots& right, std::size_t right_old,
                 std::size_t left_size) {
  if (left_size >= left_old) {
    const std::size_t moved = left_size - left_old;
    std::move(right.begin(), right.begin() + moved, left.begin() + left_old);
    std::move(right.begin() + moved, right.begin() + right_old, right.begin());
    std::fill(right.begin() + (right_old - moved), right.begin() + right_old, nullptr);
  } else {
    const std::size_t moved = left_old - left_size;
    std::move_backward(right.begin(), right.begin() + right_old, right.begin() + right_old + moved);
    std::move(left.begin() + left_size, left.begin() + left_old, right.begin());
    std::fill(left.begin() + left_size, left.begin() + left_old, nullptr);
  }
}

// The keys of a node as far as most searches need them, in few cache lines: what all of them begin
// with is left out, and the next eight bytes are a number that orders them. Equal numbers say
// nothing; then the keys are compared.
class KeyHeads {
 public:
  // Takes over the keys [first, size) of a node; text(i) returns key i.
  template <typename Text>
  void assign(std::size_t first, std::size_t size, Text text) {
    skip_ = 0;
    if (first >= size) return;
    const std::string_view low = text(first), high = text(size - 1);
    const std::size_t most = std::min(low.size(), high.size());
    while (skip_ < most && low[skip_] == high[skip_]) ++skip_;
    for (std::size_t i = first; i < size; ++i) heads_[i] = head(text(i));
  }
  // Returns false if the key does not begin as `other`, one of the node's, does: then nothing is
  // inserted, and assign() is needed. `size` is the number of keys so far.
  bool insert(std::size_t size, std::size_t at, std::string_view key, std::string_view other) {
    if (key.substr(0, skip_) != other.substr(0, skip_)) return false;
    insert_slot(heads_, size, at, head(key));
    return true;
  }
  void erase(std::size_t size, std::size_t at) { erase_slot(heads_, size, at); }

  // Returns the first index in [first, size) whose key is not less than `key` (kUpper: is greater),
  // for a key that begins as all of the node's do; any index for another one.
  template <bool kUpper, typename Text>
  std::size_t bound(std::size_t first, std::size_t size, std::string_view key, Text text) const {
    const std::uint64_t wanted = head(key);
    std::size_t at =
        std::lower_bound(heads_.begin() + first, heads_.begin() + size, wanted) - heads_.begin();
    while (at < size && heads_[at] == wanted && (kUpper ? text(at) <= key : text(at) < key)) ++at;
    return at;
  }
  // Compares the beginning of `key` with what all keys of a node begin with, of which `other` is
  // one: negative, 0 or positive.
  int compare_beginning(std::string_view key, std::string_view other) const {
    return key.substr(0, skip_).compare(other.substr(0, skip_));
  }

 private:
  std::uint64_t head(std::string_view key) const {
    std::uint64_t value = 0;
    if (key.size() >= skip_ + 8) {
      for (std::size_t i = 0; i < 8; ++i) {
        value = value << 8 | static_cast<unsigned char>(key[skip_ + i]);
      }
      return value;
    }
    for (std::size_t i = skip_; i < skip_ + 8; ++i) {
      value = value << 8 | (i < key.size() ? static_cast<unsigned char>(key[i]) : 0U);
    }
    return value;
  }

  std::size_t skip_ = 0;  // bytes that all keys of the node share
  std::array<std::uint64_t, kFanOut> heads_ = {};
};

}  // namespace

struct Tree::Node {
  Node(bool leaf, Epoch made) : epoch(made), is_leaf(leaf) {}

  Epoch epoch;
  bool is_leaf;
  std::uint16_t size = 0;   // number of records or children
  std::uint64_t bytes = 0;  // of all records here or below
};

struct Tree::Leaf : Node {
  explicit Leaf(Epoch epoch) : Node(true, epoch) {}

  // Returns the index of the first record whose key is not less than `key`.
  std::size_t lower_bound(std::string_view key) const {
    if (size == 0) return 0;
    const std::size_t at = place_of(key);
    const int order = heads.compare_beginning(key, near(at));
    return order == 0 ? at : order < 0 ? 0 : size;
  }
  // Returns the record with the key, or null.
  RecordPtr find(std::string_view key) const {
    const std::size_t at = place_of(key);
    return holds(at, key) ? records[at] : nullptr;
  }
  bool holds(std::size_t at, std::string_view key) const {
    return at < size && records[at]->key == key;
  }
  // REQUIRES: there is room; `at` is the key's lower bound.
  void insert(std::size_t at, RecordPtr record) {
    // The first few keys share more than the later ones will.
    const bool indexed = size >= kMinimum && heads.insert(size, at, record->key, near(at));
    bytes += record->bytes.size();
    insert_slot(records, size++, at, std::move(record));
    if (!indexed) index();
  }
  void erase(std::size_t at) {
    bytes -= records[at]->bytes.size();
    erase_slot(records, size, at);
    heads.erase(size--, at);
  }
  // Returns the bytes of the records [first, end).
  std::uint64_t weigh(std::size_t first, std::size_t end) const {
    for (std::size_t i = first; i < end; ++i) __builtin_prefetch(records[i].get());
    std::uint64_t sum = 0;
    for (std::size_t i = first; i < end; ++i) sum += records[i]->bytes.size();
    return sum;
  }
  void index() {
    heads.assign(0, size, [this](std::size_t i) -> std::string_view { return records[i]->key; });
  }

  KeyHeads heads;
  std::array<RecordPtr, kFanOut> records;

 private:
  // Returns the lower bound of a key that begins as all of the leaf's do.
  std::size_t place_of(std::string_view key) const {
    return heads.bound<false>(
        0, size, key, [this](std::size_t i) -> std::string_view { return records[i]->key; });
  }
  // Returns the key at an index, or the last one. Mostly it is about to be read anyway.
  std::string_view near(std::size_t at) const {
    return records[std::min<std::size_t>(at, size - 1)]->key;
  }
};

struct Tree::Inner : Node {
  explicit Inner(Epoch epoch) : Node(false, epoch) {}

  // Returns the index of the child whose range contains `key`.
  std::size_t child_of(std::string_view key) const {
    if (size < 2) return 0;
    const int order = heads.compare_beginning(key, *bounds[1]);
    if (order != 0) return order < 0 ? 0 : size - 1;
    return heads.bound<true>(1, size, key, [this](std::size_t i) -> std::string_view {
      return *bounds[i];
    }) - 1;
  }
  // Counts and weighs the records below, and indexes the bounds.
  void recount();
  void index() {
    heads.assign(1, size, [this](std::size_t i) -> std::string_view { return *bounds[i]; });
  }

  KeyHeads heads;
  std::size_t count = 0;  // records below
  std::array<std::shared_ptr<Node>, kFanOut> children;
  std::array<KeyPtr, kFanOut>
      bounds;  // keys of child i are >= *bounds[i]; bounds[0] is meaningless
};

// Edits nodes in one epoch. Recurses as deep as the tree is high, which is six for 100 million
// records.
class Tree::Editor {
 public:
  explicit Editor(Epoch epoch) : epoch_(epoch) {}

  struct Split {
    KeyPtr bound;
    std::shared_ptr<Node> right;  // null: no split
  };

  // What a put changes.
  struct Growth {
    bool added = false;
    std::uint64_t bytes = 0;  // modulo 2^64, as there may be fewer
  };

  static const Leaf& leaf(const Node& node) { return static_cast<const Leaf&>(node); }
  static const Inner& inner(const Node& node) { return static_cast<const Inner&>(node); }
  static std::size_t count(const Node& node) {
    return node.is_leaf ? node.size : inner(node).count;
  }

  // Returns the node in `slot` for writing, copying it first unless this epoch made it.
  template <typename T>
  T& own(std::shared_ptr<Node>& slot) const {
    if (slot->epoch != epoch_) {
      slot = std::make_shared<T>(static_cast<const T&>(*slot));
      slot->epoch = epoch_;
    }
    return static_cast<T&>(*slot);
  }

  Split put(std::shared_ptr<Node>& slot, RecordPtr record, Growth& growth) const {
    return slot->is_leaf ? put_in_leaf(own<Leaf>(slot), std::move(record), growth)
                         : put_in_inner(own<Inner>(slot), std::move(record), growth);
  }

  // Returns the bytes of the erased record. REQUIRES: the key exists.
  std::uint64_t erase(std::shared_ptr<Node>& slot, std::string_view key) const {
    if (slot->is_leaf) {
      Leaf& node = own<Leaf>(slot);
      const std::uint64_t before = node.bytes;
      node.erase(node.lower_bound(key));
      return before - node.bytes;
    }
    Inner& node = own<Inner>(slot);
    const std::size_t at = node.child_of(key);
    const std::uint64_t erased = erase(node.children[at], key);
    --node.count;
    node.bytes -= erased;
    if (node.children[at]->size < kMinimum) join(node, at);
    return erased;
  }

  static std::size_t rank(const Node& node, std::string_view key) {
    if (node.is_leaf) return leaf(node).lower_bound(key);
    const Inner& parent = inner(node);
    const std::size_t at = parent.child_of(key);
    std::size_t before = 0;
    for (std::size_t i = 0; i < at; ++i) before += count(*parent.children[i]);
    return before + rank(*parent.children[at], key);
  }

  // Adds what the node has of [from, to).
  static void measure(const Node& node, std::string_view from, std::string_view to, Extent& sum) {
    if (node.is_leaf) {
      const Leaf& here = leaf(node);
      const std::size_t first = here.lower_bound(from);
      const std::size_t end = to.empty() ? here.size : here.lower_bound(to);
      if (first >= end) return;
      const bool whole = end - first == here.size;
      sum.records += end - first;
      sum.bytes += whole ? here.bytes : here.weigh(first, end);
      return;
    }
    const Inner& parent = inner(node);
    const std::size_t first = parent.child_of(from);
    const std::size_t last = to.empty() ? parent.size - 1U : parent.child_of(to);
    for (std::size_t i = first; i <= last; ++i) {
      const Node& child = *parent.children[i];
      if (i == first || i == last) {
        measure(child, from, to, sum);
      } else {
        sum.records += count(child);
        sum.bytes += child.bytes;
      }
    }
  }

  // Returns false if the visitor or the end of the range stopped it.
  static bool scan(const Node& node, std::string_view from, std::string_view to,
                   const Visitor& visit) {
    if (node.is_leaf) {
      const Leaf& here = leaf(node);
      // Mostly the whole leaf lies before the end; then no other key of it is compared.
      const bool last = !to.empty() && here.size > 0 && here.records[here.size - 1]->key >= to;
      const std::size_t first = here.lower_bound(from);
      for (std::size_t i = first; i < here.size; ++i) prefetch(here.records[i].get());
      for (std::size_t i = first; i < here.size; ++i) {
        const RecordPtr& record = here.records[i];
        if (last && record->key >= to) return false;
        if (!visit(record->key, record)) return false;
      }
      return true;
    }
    const Inner& parent = inner(node);
    for (std::size_t i = parent.child_of(from); i < parent.size; ++i) {
      if (!scan(*parent.children[i], from, to, visit)) return false;
    }
    return true;
  }

 private:
  Split put_in_leaf(Leaf& node, RecordPtr record, Growth& growth) const {
    std::size_t at = node.lower_bound(record->key);
    growth.bytes = record->bytes.size();
    if (node.holds(at, record->key)) {
      growth.bytes -= node.records[at]->bytes.size();
      node.bytes += growth.bytes;
      node.records[at] = std::move(record);
      return {};
    }
    growth.added = true;
    if (node.size < kFanOut) {
      node.insert(at, std::move(record));
      return {};
    }
    auto right = std::make_shared<Leaf>(epoch_);
    // Keys often arrive in order: then the left node stays full.
    const std::size_t keep = at == kFanOut ? kFanOut : kFanOut / 2;
    share_slots(node.records, kFanOut, right->records, 0, keep);
    node.size = static_cast<std::uint16_t>(keep);
    right->size = static_cast<std::uint16_t>(kFanOut - keep);
    const bool goes_right = at > keep || right->size == 0;
    Leaf& target = goes_right ? *right : node;
    if (goes_right) at -= keep;
    insert_slot(target.records, target.size++, at, std::move(record));
    if (keep != kFanOut) node.index();
    right->index();
    right->bytes = right->weigh(0, right->size);
    node.bytes += growth.bytes - right->bytes;
    auto bound = std::make_shared<const std::string>(right->records[0]->key);
    return {std::move(bound), std::move(right)};
  }

  Split put_in_inner(Inner& node, RecordPtr record, Growth& growth) const {
    const std::size_t at = node.child_of(record->key);
    Split split = put(node.children[at], std::move(record), growth);
    if (growth.added) ++node.count;
    node.bytes += growth.bytes;
    if (!split.right) return {};
    if (node.size < kFanOut) {
      insert_child(node, at + 1, std::move(split));
      return {};
    }
    auto right = std::make_shared<Inner>(epoch_);
    const std::size_t keep = at + 1 == kFanOut ? kFanOut : kFanOut / 2;
    share_slots(node.children, kFanOut, right->children, 0, keep);
    share_slots(node.bounds, kFanOut, right->bounds, 0, keep);
    node.size = static_cast<std::uint16_t>(keep);
    right->size = static_cast<std::uint16_t>(kFanOut - keep);
    if (at + 1 > keep || right->size == 0) {
      insert_child(*right, at + 1 - keep, std::move(split));
    } else {
      insert_child(node, at + 1, std::move(split));
    }
    node.recount();
    right->recount();
    KeyPtr bound = right->bounds[0];
    return {std::move(bound), std::move(right)};
  }

  static void insert_child(Inner& node, std::size_t at, Split split) {
    const bool indexed = at > 0 && node.size >= kMinimum &&
                         node.heads.insert(node.size, at, *split.bound, *node.bounds[1]);
    insert_slot(node.children, node.size, at, std::move(split.right));
    insert_slot(node.bounds, node.size, at, std::move(split.bound));
    ++node.size;
    if (!indexed) node.index();
  }

  // Merges child `at` with a neighbour, or moves some of the neighbour's slots over.
  void join(Inner& parent, std::size_t at) const {
    if (parent.size == 1) {
      if (parent.children[0]->size != 0) return;
      parent.children[0] = nullptr;
      parent.size = 0;
      return;
    }
    const std::size_t left = at > 0 ? at - 1 : 0;
    std::shared_ptr<Node>& left_slot = parent.children[left];
    std::shared_ptr<Node>& right_slot = parent.children[left + 1];
    const std::size_t total = left_slot->size + right_slot->size;
    const std::size_t left_size = total <= kFanOut ? total : total / 2;
    if (left_slot->is_leaf) {
      share(own<Leaf>(left_slot), own<Leaf>(right_slot), left_size);
    } else {
      share(own<Inner>(left_slot), own<Inner>(right_slot), parent.bounds[left + 1], left_size);
    }
    if (left_size == total) {
      erase_slot(parent.children, parent.size, left + 1);
      erase_slot(parent.bounds, parent.size, left + 1);
      --parent.size;
    } else {
      parent.bounds[left + 1] =
          right_slot->is_leaf
              ? std::make_shared<const std::string>(leaf(*right_slot).records[0]->key)
              : inner(*right_slot).bounds[0];
    }
    parent.index();
  }

  static void share(Leaf& left, Leaf& right, std::size_t left_size) {
    share_slots(left.records, left.size, right.records, right.size, left_size);
    resize(left, right, left_size);
    const std::uint64_t bytes = left.bytes + right.bytes;
    left.bytes = left.weigh(0, left.size);
    right.bytes = bytes - left.bytes;
    left.index();
    right.index();
  }

  static void share(Inner& left, Inner& right, KeyPtr bound, std::size_t left_size) {
    right.bounds[0] = std::move(bound);  // meaningful from now on
    share_slots(left.children, left.size, right.children, right.size, left_size);
    share_slots(left.bounds, left.size, right.bounds, right.size, left_size);
    resize(left, right, left_size);
    left.recount();
    right.recount();
  }

  static void resize(Node& left, Node& right, std::size_t left_size) {
    const std::size_t total = left.size + right.size;
    left.size = static_cast<std::uint16_t>(left_size);
    right.size = static_cast<std::uint16_t>(total - left_size);
  }

  Epoch epoch_;
};

void Tree::Inner::recount() {
  count = 0;
  bytes = 0;
  for (std::size_t i = 0; i < size; ++i) {
    count += Editor::count(*children[i]);
    bytes += children[i]->bytes;
  }
  index();
}

std::size_t Tree::size() const { return root_ ? Editor::count(*root_) : 0; }

RecordPtr Tree::find(std::string_view key) const {
  const Node* node = root_.get();
  if (node == nullptr) return nullptr;
  while (!node->is_leaf) {
    const Inner& inner = Editor::inner(*node);
    node = inner.children[inner.child_of(key)].get();
  }
  return Editor::leaf(*node).find(key);
}

std::size_t Tree::count(std::string_view from, std::string_view to) const {
  if (!root_) return 0;
  const std::size_t first = Editor::rank(*root_, from);
  const std::size_t end = to.empty() ? size() : Editor::rank(*root_, to);
  return end > first ? end - first : 0;
}

Tree::Extent Tree::extent(std::string_view from, std::string_view to) const {
  Extent sum;
  if (root_) Editor::measure(*root_, from, to, sum);
  return sum;
}

void Tree::scan(std::string_view from, std::string_view to, const Visitor& visit) const {
  if (root_) Editor::scan(*root_, from, to, visit);
}

Tree::Editor TreeWriter::edit() {
  if (given_) ++tree_.epoch_;
  given_ = false;
  return Tree::Editor(tree_.epoch_);
}

void TreeWriter::put(RecordPtr record) {
  assert(record);
  const Tree::Editor editor = edit();
  std::shared_ptr<Tree::Node>& root = tree_.root_;
  if (!root) root = std::make_shared<Tree::Leaf>(tree_.epoch_);
  Tree::Editor::Growth growth;
  Tree::Editor::Split split = editor.put(root, std::move(record), growth);
  if (!split.right) return;
  auto above = std::make_shared<Tree::Inner>(tree_.epoch_);
  above->children[0] = std::move(root);
  above->children[1] = std::move(split.right);
  above->bounds[1] = std::move(split.bound);
  above->size = 2;
  above->recount();
  root = std::move(above);
}

bool TreeWriter::erase(std::string_view key) {
  if (!find(key)) return false;
  std::shared_ptr<Tree::Node>& root = tree_.root_;
  edit().erase(root, key);
  while (root && !root->is_leaf && root->size == 1) {
    std::shared_ptr<Tree::Node> child = Tree::Editor::inner(*root).children[0];
    root = std::move(child);
  }
  if (root->size == 0) root = nullptr;
  return true;
}

std::string prefix_end(std::string_view prefix) {
  while (!prefix.empty() && static_cast<unsigned char>(prefix.back()) == 0xff) {
    prefix.remove_suffix(1);
  }
  std::string end(prefix);
  if (!end.empty()) end.back() = static_cast<char>(static_cast<unsigned char>(end.back()) + 1);
  return end;
}

}  // namespace tabernetes::store
