// Reads the field descriptions from Kubernetes' generated OpenAPI code, which openapi-gen always writes in this form:
//
//   import (
//       appsv1 "k8s.io/api/apps/v1"
//   ...
//       appsv1.Deployment{}.OpenAPIModelName():   schema_k8sio_api_apps_v1_Deployment(ref),
//   ...
//   func schema_k8sio_api_apps_v1_Deployment(ref …
//                   Properties: map[string]spec.Schema{
//                       "kind": {
//                           SchemaProps: spec.SchemaProps{
//                               Description: "…",

const kImport = /^\t(\w+) "([\w./-]+)"$/;
const kModel = /^\t\t(\w+)\.(\w+)\{\}\.OpenAPIModelName\(\): +(schema_\w+)\(ref\),$/;
const kFunction = /^func (schema_\w+)\(/;
const kProperty = /^\t{5}"([^"]+)": \{$/;
const kDescription = /^\t{7}Description: (".*"),$/;

/** "k8s.io/api/apps/v1" → "io.k8s.api.apps.v1", the prefix of the names of OpenAPI types. */
function typePrefix(path) {
  const [domain, ...rest] = path.split('/');
  return [...domain.split('.').reverse(), ...rest].join('.');
}

/** Parses a Go string literal, which differs from JSON only in control characters. */
const unquote = (literal) => JSON.parse(literal.replace(/(?<=(?:^|[^\\])(?:\\\\)*)\\x/g, '\\u00'));

/**
 * Returns the descriptions: a Map from type names, such as "io.k8s.api.apps.v1.Deployment", to Maps from fields to
 * texts.
 */
export function generatedTexts(code) {
  const paths = new Map();
  const types = new Map(); // by function
  const found = new Map();
  let fields;
  let field;
  for (const line of code.split('\n')) {
    let match;
    if ((match = kDescription.exec(line))) {
      if (field) fields?.set(field, unquote(match[1]));
    } else if ((match = kProperty.exec(line))) {
      field = match[1];
    } else if ((match = kFunction.exec(line))) {
      const type = types.get(match[1]);
      fields = type && new Map();
      field = undefined;
      if (type) found.set(type, fields);
    } else if ((match = kModel.exec(line))) {
      types.set(match[3], `${typePrefix(paths.get(match[1]))}.${match[2]}`);
    } else if ((match = kImport.exec(line))) {
      paths.set(match[1], match[2]);
    }
  }
  return found;
}
