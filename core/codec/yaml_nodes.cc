// Source: go-yaml v2 decode.go (parser), for the handling of events and the line numbers of errors.
// Tested by tests/core/codec/yaml_reader_test.cc, tests/fuzz/yaml_fuzz.cc.
#include "codec/yaml_nodes.h"

#include <yaml.h>

#include <functional>
#include <map>
#include <vector>

#include "codec/json_syntax.h"

namespace tabernetes::codec {
namespace {

// libyaml visits every open flow collection for every token. Texts of the allowed size and
// reasonable depth stay far below this limit; a text made to be slow is rejected as too deep.
constexpr std::uint64_t kMaxFlowWork = 150'000'000;

constexpr std::string_view kTooDeep = "exceeded max depth of 10000";

std::string_view text_of(const yaml_char_t* text) {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

struct Event {
  yaml_event_t event{};
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { yaml_event_delete(&event); }
};

}  // namespace

struct YamlNodeReader::Parser {
  yaml_parser_t parser;
};

// Builds the nodes of one document from events.
class YamlNodeReader::DocumentBuilder {
 public:
  explicit DocumentBuilder(json::Arena& arena) : arena_(arena) {}

  // Returns false after setting the error.
  bool add(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_SCALAR_EVENT:
        return add_node(scalar(event), event.data.scalar.anchor);
      case YAML_SEQUENCE_START_EVENT:
        return open(event, YamlNode::Kind::kSequence, event.data.sequence_start.anchor,
                    event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE);
      case YAML_MAPPING_START_EVENT:
        return open(event, YamlNode::Kind::kMapping, event.data.mapping_start.anchor,
                    event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE);
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        if (open_.back().is_flow) --flow_depth_;
        open_.pop_back();
        return true;
      case YAML_ALIAS_EVENT:
        return add_alias(event);
      default:
        return true;
    }
  }

  const YamlNode* root() const { return root_; }
  const std::string& error() const { return error_; }

 private:
  struct Container {
    YamlNode* node;
    YamlNode* last;
    bool is_flow;
  };

  YamlNode* make_node(const yaml_event_t& event, YamlNode::Kind kind) {
    auto* node = new (arena_.allocate(sizeof(YamlNode))) YamlNode{};
    node->kind = kind;
    node->line = static_cast<std::uint32_t>(event.start_mark.line);
    return node;
  }

  YamlNode* scalar(const yaml_event_t& event) {
    YamlNode* node = make_node(event, YamlNode::Kind::kScalar);
    const auto& data = event.data.scalar;
    node->implicit = data.plain_implicit != 0;
    node->tag = arena_.copy(text_of(data.tag));
    node->value = arena_.copy({reinterpret_cast<const char*>(data.value), data.length});
    return node;
  }

  // `line` counts from 0; the first line is not mentioned.
  bool too_deep(std::size_t line) {
    if (line > 0) error_ = "line " + std::to_string(line + 1) + ": ";
    error_ += kTooDeep;
    return false;
  }

  bool add_node(YamlNode* node, const yaml_char_t* anchor) {
    flow_work_ += flow_depth_;
    if (flow_work_ > kMaxFlowWork) return too_deep(node->line);
    if (anchor != nullptr) anchors_[std::string(text_of(anchor))] = node;
    if (open_.empty()) {
      root_ = node;
    } else {
      Container& container = open_.back();
      (container.last == nullptr ? container.node->first : container.last->next) = node;
      container.last = node;
    }
    return true;
  }

  bool open(const yaml_event_t& event, YamlNode::Kind kind, const yaml_char_t* anchor,
            bool is_flow) {
    if (open_.size() == kMaxJsonDepth) return too_deep(event.start_mark.line);
    YamlNode* node = make_node(event, kind);
    if (!add_node(node, anchor)) return false;
    open_.push_back({node, nullptr, is_flow});
    if (is_flow) ++flow_depth_;
    return true;
  }

  bool add_alias(const yaml_event_t& event) {
    const std::string name(text_of(event.data.alias.anchor));
    const auto anchor = anchors_.find(name);
    if (anchor == anchors_.end()) {
      error_ = "unknown anchor '" + name + "' referenced";
      return false;
    }
    YamlNode* node = make_node(event, YamlNode::Kind::kAlias);
    node->value = arena_.copy(name);
    node->first = anchor->second;
    return add_node(node, nullptr);
  }

  json::Arena& arena_;
  const YamlNode* root_ = nullptr;
  std::vector<Container> open_;
  std::map<std::string, const YamlNode*, std::less<>> anchors_;
  std::uint64_t flow_depth_ = 0;
  std::uint64_t flow_work_ = 0;
  std::string error_;
};

YamlNodeReader::YamlNodeReader(std::string_view text, json::Arena& arena)
    : parser_(std::make_unique<Parser>()), arena_(arena) {
  if (text.data() == nullptr) text = "";  // libyaml takes no null pointer
  yaml_parser_initialize(&parser_->parser);
  yaml_parser_set_input_string(&parser_->parser,
                               reinterpret_cast<const unsigned char*>(text.data()), text.size());
}

YamlNodeReader::~YamlNodeReader() { yaml_parser_delete(&parser_->parser); }

const YamlNode* YamlNodeReader::next_document() {
  DocumentBuilder builder(arena_);
  while (true) {
    Event event;
    if (yaml_parser_parse(&parser_->parser, &event.event) == 0) {
      fail();
      return nullptr;
    }
    if (event.event.type == YAML_STREAM_END_EVENT || event.event.type == YAML_NO_EVENT) {
      return nullptr;
    }
    if (event.event.type == YAML_DOCUMENT_START_EVENT) {
      // go-yaml supports YAML 1.1 only.
      const yaml_version_directive_t* version = event.event.data.document_start.version_directive;
      if (version != nullptr && (version->major != 1 || version->minor != 1)) {
        const std::size_t line = event.event.start_mark.line;
        error_ = (line > 0 ? "line " + std::to_string(line) + ": " : "") +
                 "found incompatible YAML document";
        return nullptr;
      }
    }
    if (!builder.add(event.event)) {
      error_ = builder.error();
      return nullptr;
    }
    if (event.event.type == YAML_DOCUMENT_END_EVENT) return builder.root();
  }
}

// go-yaml counts lines from 0 in parser errors and from 1 in scanner errors, and omits the first.
bool YamlNodeReader::fail() {
  const yaml_parser_t& parser = parser_->parser;
  std::size_t line = parser.problem_mark.line;
  if (line != 0) {
    if (parser.error == YAML_SCANNER_ERROR) ++line;
  } else {
    line = parser.context_mark.line;
  }
  if (line != 0) error_ = "line " + std::to_string(line) + ": ";
  error_ += parser.problem != nullptr ? parser.problem : "unknown problem parsing YAML content";
  return false;
}

}  // namespace tabernetes::codec
