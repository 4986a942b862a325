// Where each form is offered; the recordings hold the full answers.
#include "server/request/negotiation.h"

#include <catch2/catch_test_macros.hpp>

namespace tabernetes::server {
namespace {

constexpr std::string_view kObjectTypes =
    "only the following media types are accepted: application/json, application/yaml, "
    "application/vnd.kubernetes.protobuf";
constexpr std::string_view kStreamTypes =
    "only the following media types are accepted: application/json;stream=watch, "
    "application/vnd.kubernetes.protobuf;stream=watch";

Request accepting(std::string_view accept) {
  Request request;
  request.headers = {{"accept", std::string(accept)}};
  return request;
}

std::string name_of(const Representation& form) {
  std::string name(codec::media_type_of(form.encoding));
  if (form.transform == Transform::kTable) name += " Table";
  if (form.transform == Transform::kPartialMetadata) name += " Metadata";
  if (form.transform == Transform::kPartialMetadataList) name += " MetadataList";
  return name + (form.pretty ? " pretty" : "");
}

TEST_CASE("negotiation: the form that is answered", "[server]") {
  struct Case {
    std::string_view accept;
    Offer offer;
    std::string_view form;  // or the message of the 406
  };
  static constexpr std::string_view kProtobuf = "application/vnd.kubernetes.protobuf";
  static constexpr Case kCases[] = {
      {"", Offer::kObjects, "application/json"},
      {"*/*", Offer::kWatch, "application/json"},
      {"application/vnd.kubernetes.protobuf", Offer::kObjects, kProtobuf},
      {"application/vnd.kubernetes.protobuf,application/json", Offer::kObjects, kProtobuf},
      {"application/json,application/vnd.kubernetes.protobuf", Offer::kObjects, "application/json"},
      {"application/vnd.kubernetes.protobuf", Offer::kDocuments, kProtobuf},
      {"application/vnd.kubernetes.protobuf", Offer::kWatch, kProtobuf},
      {"application/vnd.kubernetes.protobuf;stream=watch", Offer::kWatch, kProtobuf},
      {"application/json;stream=watch", Offer::kWatch, "application/json"},
      {"application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
       Offer::kObjects, "application/vnd.kubernetes.protobuf Metadata"},
      {"application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,"
       "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
       Offer::kObjects, "application/vnd.kubernetes.protobuf MetadataList"},
      {"application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io", Offer::kObjects,
       kObjectTypes},
      {"application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io,"
       "application/json;as=Table;v=v1;g=meta.k8s.io",
       Offer::kObjects, "application/json Table"},
      {"application/yaml", Offer::kWatch, kStreamTypes},
      {"application/json;stream=other", Offer::kWatch, kObjectTypes},
      {"application/cbor", Offer::kObjects, kObjectTypes},
  };
  for (const Case& c : kCases) {
    INFO(c.accept);
    const auto form = negotiate(accepting(c.accept), Query(), c.offer, {});
    CHECK((form ? name_of(*form) : form.error().message) == c.form);
  }
}

TEST_CASE("negotiation: the form of an error", "[server]") {
  struct Case {
    std::string_view accept, form;
  };
  static constexpr Case kCases[] = {
      {"", "application/json"},
      {"application/yaml", "application/yaml"},
      {"application/vnd.kubernetes.protobuf", "application/vnd.kubernetes.protobuf"},
      {"application/vnd.kubernetes.protobuf;stream=watch", "application/vnd.kubernetes.protobuf"},
      {"application/json;as=Table;v=v1;g=meta.k8s.io,application/json", "application/json"},
      // None can be met without the transformation.
      {"application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io",
       "application/json pretty"},
      {"text/html", "application/json pretty"},
  };
  for (const Case& c : kCases) {
    INFO(c.accept);
    CHECK(name_of(negotiate_error(accepting(c.accept), Query(), {})) == c.form);
  }
}

TEST_CASE("negotiation: CBOR, where its gate is on", "[server]") {
  struct Case {
    std::string_view accept;
    Offer offer;
    std::string_view form;  // or the message of the 406
  };
  static const std::string kWithCbor = std::string(kObjectTypes) + ", application/cbor";
  static const std::string kStreamsWithCbor = std::string(kStreamTypes) + ", application/cbor-seq";
  static const Case kCases[] = {
      {"application/cbor", Offer::kObjects, "application/cbor"},
      {"application/cbor", Offer::kDocuments, "application/cbor"},
      {"application/cbor", Offer::kWatch, "application/cbor"},
      {"application/cbor;stream=watch", Offer::kWatch, "application/cbor"},
      {"application/cbor-seq", Offer::kWatch, kWithCbor},
      {"application/yaml", Offer::kWatch, kStreamsWithCbor},
      {"application/*", Offer::kObjects, "application/json"},
      {"application/cbor, application/json", Offer::kObjects, "application/cbor"},
      {"application/json, application/cbor", Offer::kObjects, "application/json"},
      {"application/cbor;as=Table;v=v1;g=meta.k8s.io", Offer::kObjects, kWithCbor},
      {"application/cbor;as=Table;v=v1;g=meta.k8s.io", Offer::kWatch, kWithCbor},
      {"application/cbor;as=PartialObjectMetadata;v=v1;g=meta.k8s.io", Offer::kObjects,
       "application/cbor Metadata"},
      {"application/cbor;pretty=1", Offer::kObjects, "application/cbor pretty"},
  };
  for (const Case& c : kCases) {
    INFO(c.accept);
    const auto form = negotiate(accepting(c.accept), Query(), c.offer, {.cbor = true});
    CHECK((form ? name_of(*form) : form.error().message) == c.form);
  }
  CHECK(name_of(negotiate_error(accepting("application/cbor"), Query(), {.cbor = true})) ==
        "application/cbor");
  CHECK(name_of(negotiate_error(accepting("application/cbor"), Query(), {})) ==
        "application/json pretty");
}

TEST_CASE("negotiation: a body in CBOR, where its gate is on", "[server]") {
  Request request;
  request.headers = {{"content-type", "Application/CBOR; charset=x"}};
  CHECK(*body_encoding(request, {.cbor = true}) == codec::Encoding::kCbor);
  const auto refused = body_encoding(request, {});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message ==
        "the body of the request was in an unknown format - accepted media types include: "
        "application/json, application/yaml, application/vnd.kubernetes.protobuf");
}

}  // namespace
}  // namespace tabernetes::server
