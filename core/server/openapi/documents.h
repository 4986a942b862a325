// The OpenAPI documents of a catalogue in both encodings, made on first use.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/algorithm/atomic_lazy.h"
#include "schema/openapi.h"
#include "schema/schema.h"
#include "server/openapi/foreign_spec.h"
#include "tabernetes/buffer.h"
#include "tabernetes/options.h"

namespace tabernetes::server {

class CustomDocuments;

// Safe on any thread. Documents are kept once made: with descriptions, 6.6 MB for all of v3 as
// JSON, 2.2 MB for v2, plus those requested as protobuf.
class OpenApiDocuments {
 public:
  // REQUIRES: the catalogue outlives this object. `texts` are the descriptions, or null; they are
  // read when the first document is made.
  OpenApiDocuments(const schema::Catalogue& catalogue, const schema::OpenApiOptions& options,
                   std::shared_ptr<const OpenApiTexts> texts);
  // Documents of `built_in`, which must outlive this object, and of custom resources.
  OpenApiDocuments(const OpenApiDocuments& built_in, std::unique_ptr<const CustomDocuments> custom);
  // Documents of this server, never null, and of others.
  OpenApiDocuments(std::shared_ptr<const OpenApiDocuments> own, ForeignSpecs foreign);
  ~OpenApiDocuments();
  OpenApiDocuments(const OpenApiDocuments&) = delete;
  OpenApiDocuments& operator=(const OpenApiDocuments&) = delete;

  class Document {
   public:
    const Slice& json() const { return text().json; }
    const Slice& protobuf() const;  // gnostic's
    // Returns the quoted hash of the JSON text, used for both encodings.
    const std::string& tag() const { return text().tag; }
    std::string_view hash() const { return std::string_view(tag()).substr(1, tag().size() - 2); }

   private:
    friend class OpenApiDocuments;
    struct Text {
      Slice json;
      std::string tag;
    };
    const Text& text() const;

    const OpenApiDocuments* owner_ = nullptr;
    std::string_view key_;  // empty: v2
    AtomicLazy<Text> text_;
    AtomicLazy<Slice> protobuf_;
  };

  const Document& v2() const { return v2_; }
  // Returns null if there is no such key ("apis/apps/v1").
  const Document* v3(std::string_view key) const;
  // Returns {"paths":{KEY:{"serverRelativeURL":"/openapi/v3/KEY?hash=HASH"},...}}.
  const Slice& v3_index() const;
  // Returns "/openapi/v3/KEY?hash=HASH".
  static std::string v3_url(std::string_view key, std::string_view hash);

 private:
  void add_key(std::string key);
  // Makes the JSON text of a document of this object's own.
  std::string make(std::string_view key) const;

  const schema::Catalogue& catalogue_;
  schema::OpenApiOptions options_;
  std::shared_ptr<const OpenApiTexts> texts_;   // never null
  const OpenApiDocuments* built_in_ = nullptr;  // those that this object adds to
  std::unique_ptr<const CustomDocuments> custom_;
  std::shared_ptr<const OpenApiDocuments> own_;  // set with `foreign_`
  ForeignSpecs foreign_;
  Document v2_;
  // Has every key from the start; the map itself never changes.
  std::map<std::string, Document, std::less<>> v3_;
  AtomicLazy<Slice> index_;
};

}  // namespace tabernetes::server
