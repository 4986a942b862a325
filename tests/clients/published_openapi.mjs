// The OpenAPI documents that Kubernetes publishes of the release, from the Go module that the descriptions come from.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { moduleFiles } from './go_module.mjs';
import { top } from './server.mjs';

const kFolder = 'api/openapi-spec/';

/**
 * Returns a function from a file name, "swagger.json" or "v3/apis__apps__v1_openapi.json", to the document. If no proxy
 * can be reached, returns a text with the reason.
 */
export async function publishedOpenApi() {
  const { sources } = JSON.parse(readFileSync(join(top, 'third_party', 'manifest.json'), 'utf8'));
  const { from } = sources.find(({ name }) => name === 'kubernetes_openapi');
  const files = await moduleFiles(from.find(({ kind }) => kind === 'go'), new RegExp(`^${kFolder}.*json$`));
  return typeof files === 'string' ? files : (file) => JSON.parse(files.get(kFolder + file));
}
