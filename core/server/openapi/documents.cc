#include "server/openapi/documents.h"

#include <utility>

#include "base/crypto/hash.h"
#include "codec/gnostic.h"
#include "codec/json_writer.h"
#include "server/openapi/custom_documents.h"
#include "server/openapi/swagger_merge.h"

namespace tabernetes::server {

OpenApiDocuments::OpenApiDocuments(const schema::Catalogue& catalogue,
                                   const schema::OpenApiOptions& options,
                                   std::shared_ptr<const OpenApiTexts> texts)
    : catalogue_(catalogue),
      options_(options),
      texts_(texts != nullptr ? std::move(texts) : std::make_shared<const OpenApiTexts>()) {
  v2_.owner_ = this;
  for (std::string& key : schema::openapi_v3_keys(catalogue)) add_key(std::move(key));
}

OpenApiDocuments::OpenApiDocuments(const OpenApiDocuments& built_in,
                                   std::unique_ptr<const CustomDocuments> custom)
    : catalogue_(built_in.catalogue_),
      options_(built_in.options_),
      texts_(built_in.texts_),
      built_in_(&built_in),
      custom_(std::move(custom)) {
  v2_.owner_ = this;
  for (std::string& key : custom_->keys()) add_key(std::move(key));
}

OpenApiDocuments::OpenApiDocuments(std::shared_ptr<const OpenApiDocuments> own,
                                   ForeignSpecs foreign)
    : catalogue_(own->catalogue_),
      options_(own->options_),
      texts_(own->texts_),
      built_in_(own.get()),
      own_(std::move(own)),
      foreign_(std::move(foreign)) {
  v2_.owner_ = this;
  for (const auto& spec : foreign_) {
    for (const auto& [key, document] : spec->v3_documents) {
      if (own_->v3(key) == nullptr) add_key(key);
    }
  }
}

OpenApiDocuments::~OpenApiDocuments() = default;

void OpenApiDocuments::add_key(std::string key) {
  const auto entry = v3_.try_emplace(std::move(key)).first;
  entry->second.owner_ = this;
  entry->second.key_ = entry->first;
}

std::string OpenApiDocuments::make(std::string_view key) const {
  const schema::openapi::Descriptions& texts = texts_->descriptions();
  if (own_ != nullptr && key.empty()) {
    std::vector<std::string_view> swaggers;
    for (const auto& spec : foreign_) swaggers.push_back(spec->swagger);
    return merge_swagger(own_->v2().json().view(), swaggers);
  }
  if (own_ != nullptr) {
    for (const auto& spec : foreign_) {
      const auto found = spec->v3_documents.find(key);
      if (found != spec->v3_documents.end()) return found->second;
    }
  }
  if (custom_ != nullptr) {
    return key.empty() ? custom_->v2(built_in_->v2().json().view(), texts)
                       : custom_->v3(key, texts);
  }
  return key.empty() ? schema::openapi_v2_document(catalogue_, options_, texts)
                     : schema::openapi_v3_document(catalogue_, key, options_, texts).value_or("");
}

const OpenApiDocuments::Document::Text& OpenApiDocuments::Document::text() const {
  return text_.get_or_make([this] {
    std::string json = owner_->make(key_);
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
    std::map<std::string_view, std::string> urls;
    for (const OpenApiDocuments* each = this; each != nullptr; each = each->built_in_) {
      for (const auto& [key, document] : each->v3_) {
        urls.try_emplace(key, v3_url(key, document.hash()));
      }
    }
    for (const auto& spec : foreign_) {
      for (const auto& [key, url] : spec->v3_urls) urls.try_emplace(key, url);
    }
    std::string text = R"({"paths":{)";
    for (const auto& [key, url] : urls) {
      if (text.back() == '}') text += ',';
      codec::write_json_string(key, text);
      text += R"(:{"serverRelativeURL":)";
      codec::write_json_string(url, text);
      text += '}';
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
