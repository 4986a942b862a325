#include "server/openapi/documents.h"

#include <utility>

#include "base/crypto/hash.h"
#include "codec/gnostic.h"
#include "server/openapi/custom_documents.h"

namespace tabernetes::server {

OpenApiDocuments::OpenApiDocuments(const schema::Catalogue& catalogue,
                                   const schema::OpenApiOptions& options,
                                   std::shared_ptr<const OpenApiTexts> texts)
    : catalogue_(catalogue),
      options_(options),
      texts_(texts != nullptr ? std::move(texts) : std::make_shared<const OpenApiTexts>()) {
  v2_.owner_ = this;
  for (std::string& key : schema::openapi_v3_keys(catalogue)) {
    const auto entry = v3_.try_emplace(std::move(key)).first;
    entry->second.owner_ = this;
    entry->second.key_ = entry->first;
  }
}

OpenApiDocuments::OpenApiDocuments(const OpenApiDocuments& built_in,
                                   std::unique_ptr<const CustomDocuments> custom)
    : catalogue_(built_in.catalogue_),
      options_(built_in.options_),
      texts_(built_in.texts_),
      built_in_(&built_in),
      custom_(std::move(custom)) {
  v2_.owner_ = this;
  for (std::string& key : custom_->keys()) {
    const auto entry = v3_.try_emplace(std::move(key)).first;
    entry->second.owner_ = this;
    entry->second.key_ = entry->first;
  }
}

OpenApiDocuments::~OpenApiDocuments() = default;

const OpenApiDocuments::Document::Text& OpenApiDocuments::Document::text() const {
  return text_.get_or_make([this] {
    const schema::Catalogue& catalogue = owner_->catalogue_;
    const schema::OpenApiOptions& options = owner_->options_;
    const schema::openapi::Descriptions& texts = owner_->texts_->descriptions();
    std::string json;
    if (owner_->custom_ != nullptr) {
      json = key_.empty() ? owner_->custom_->v2(owner_->built_in_->v2().json().view(), texts)
                          : owner_->custom_->v3(key_, texts);
    } else {
      json = key_.empty()
                 ? schema::openapi_v2_document(catalogue, options, texts)
                 : schema::openapi_v3_document(catalogue, key_, options, texts).value_or("");
    }
    Text made;
    made.tag = "\"" + sha512_hex_upper(json) + "\"";
    made.json = Slice::from_string(std::move(json));
    return made;
  });
}

const Slice& OpenApiDocuments::Document::protobuf() const {
  return protobuf_.get_or_make([this] {
    return Slice::from_string(key_.empty() ? codec::gnostic_v2(json().view())
                                           : codec::gnostic_v3(json().view()));
  });
}

const OpenApiDocuments::Document* OpenApiDocuments::v3(std::string_view key) const {
  const auto known = v3_.find(key);
  if (known != v3_.end()) return &known->second;
  return built_in_ == nullptr ? nullptr : built_in_->v3(key);
}

const Slice& OpenApiDocuments::v3_index() const {
  return index_.get_or_make([this] {
    std::string text = R"({"paths":{)";
    std::map<std::string_view, const Document*> all;
    for (const auto& [key, document] : v3_) all.emplace(key, &document);
    if (built_in_ != nullptr) {
      for (const auto& [key, document] : built_in_->v3_) all.emplace(key, &document);
    }
    for (const auto& [key, document] : all) {
      if (text.back() == '}') text += ',';
      text.append("\"").append(key).append(R"(":{"serverRelativeURL":")");
      text += v3_url(key, document->hash()) + "\"}";
    }
    text += "}}";
    return Slice::from_string(std::move(text));
  });
}

std::string OpenApiDocuments::v3_url(std::string_view key, std::string_view hash) {
  std::string url = "/openapi/v3/";
  return url.append(key).append("?hash=").append(hash);
}

}  // namespace tabernetes::server
