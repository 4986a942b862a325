// The texts that describe kinds and fields in OpenAPI documents, which `kubectl explain` shows.
//
// They are a file of their own (tools/explain makes it) that a host loads when the first such
// document is asked for:
//
//   auto texts = std::make_shared<tabernetes::OpenApiTexts>();
//   options.openapi_texts = texts;                // any number of clusters may share them
//   ...
//   if (texts->lacks(request.target)) texts->give(unpacked_file());
//   server.handle(request, ...);
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace tabernetes {

namespace schema::openapi {
class Descriptions;
}

// Any thread may call: the texts are given once, and never change.
class OpenApiTexts {
 public:
  OpenApiTexts();
  ~OpenApiTexts();
  OpenApiTexts(const OpenApiTexts&) = delete;
  OpenApiTexts& operator=(const OpenApiTexts&) = delete;

  // Whether a request for this target is to wait until the texts have been given.
  bool lacks(std::string_view target) const;

  // `file`: the content of the file, unpacked. Documents have its texts from then on. Empty, or
  // what is wrong with it; documents then have none. What comes after the first document was asked
  // for is left aside.
  std::string give(std::string_view file) const;
  // There is no such file: documents have no texts.
  void give_none() const;

  // For the core: what was given; from then on that it was nothing, if it was.
  const schema::openapi::Descriptions& descriptions() const;

 private:
  struct Given;
  std::unique_ptr<Given> given_;
};

}  // namespace tabernetes
