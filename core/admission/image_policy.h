// What an AdmissionConfiguration says about the plugin ImagePolicyWebhook. Source: upstream 1.36
// plugin/pkg/admission/imagepolicy/config.go.
#pragma once

#include <string>

#include "json/document_part.h"
#include "registry/kind/webhook_client.h"
#include "registry/kind/webhook_kubeconfig.h"
#include "tabernetes/time.h"

namespace tabernetes::admission {

struct ImagePolicy {
  std::string kubeconfig;  // the path of a file
  registry::WebhookClient client;
  Duration allowed_ttl, denied_ttl;  // how long answers are kept; 0: they are not
  Duration first_pause;              // before the second call
  bool allows_on_error = false;
};

// Reads the plugin's configuration; `files` has the kubeconfig and the files that it names.
ImagePolicy read_image_policy(const json::DocumentPart& part, const registry::Files& files);

}  // namespace tabernetes::admission
