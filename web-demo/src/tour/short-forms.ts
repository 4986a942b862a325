// What proofs write in short: paths, media types and the smallest valid objects.

/** The namespaces of every proof. */
export const kNamespaces = ['t', 'u'] as const;

const kPaths: Readonly<Record<string, string>> = {
  CM: '/api/v1/namespaces/t/configmaps',
  PODS: '/api/v1/namespaces/t/pods',
  SVC: '/api/v1/namespaces/t/services',
  NS: '/api/v1/namespaces',
  DEP: '/apis/apps/v1/namespaces/t/deployments',
  LEASES: '/apis/coordination.k8s.io/v1/namespaces/t/leases',
  SAR: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
  CRDS: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  W: '/apis/example.com/v1/namespaces/t/widgets',
};

/** Returns path and query in full: `CM@u/a?rv=5` is that of ConfigMap `a` in namespace `u`. */
export function longTarget(text: string): string {
  const [, word = '', , namespace, rest = ''] = /^([A-Z]*)(@([\w*]+))?(.*)$/.exec(text) ?? [];
  let path = kPaths[word];
  if (path === undefined) return text;
  if (namespace === '*') path = path.replace('/namespaces/t', '');
  else if (namespace !== undefined) path = path.replace('/namespaces/t', `/namespaces/${namespace}`);
  return path + rest.replace(/([?&])rv(?==)/g, '$1resourceVersion').replace(/([?&])match(?==)/g, '$1resourceVersionMatch');
}

const kProtobuf = 'application/vnd.kubernetes.protobuf';
const kEncodings: Readonly<Record<string, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  cbor: 'application/cbor',
  proto: kProtobuf,
  jsonpatch: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  smp: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};
const kForms: Readonly<Record<string, string>> = {
  table: 'Table',
  partial: 'PartialObjectMetadata',
  partials: 'PartialObjectMetadataList',
};

/** Returns a media type in full: `yaml+table`; in a longer text, `{table}` stands for one. */
export function longMediaType(text: string): string {
  if (text.includes('{')) return text.replace(/\{([\w+]+)\}/g, (_, short: string) => longMediaType(short));
  const [first = '', second] = text.split('+');
  const form = kForms[second ?? first];
  if (form !== undefined && !text.includes('/')) {
    return `${second === undefined ? kEncodings.json : kEncodings[first]};as=${form};g=meta.k8s.io;v=v1`;
  }
  return kEncodings[text] ?? text;
}

export type Json = Record<string, unknown>;

const podSpec = () => ({ containers: [{ name: 'main', image: 'nginx' }] });

const kObjects: Readonly<Record<string, (name: string) => Json>> = {
  cm: (name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }),
  pod: (name) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: podSpec() }),
  dep: (name) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { selector: { matchLabels: { app: name } }, template: { metadata: { labels: { app: name } }, spec: podSpec() } },
  }),
  svc: (name) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ports: [{ port: 80 }] } }),
  widget: (name) => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name } }),
  lease: (name) => ({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name } }),
  ns: (name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
  node: (name) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } }),
  crd: () => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec: widgetSpec() } } } }],
    },
  }),
  /** The same, but with a spec that keeps what it does not know. */
  opencrd: () => {
    const crd = kObjects.crd!('') as { spec: { versions: { schema: { openAPIV3Schema: { properties: Json } } }[] } };
    crd.spec.versions[0]!.schema.openAPIV3Schema.properties.spec = { ...widgetSpec(), 'x-kubernetes-preserve-unknown-fields': true };
    return crd as unknown as Json;
  },
  /** A review: may bob get pods in t? */
  sar: () => ({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { user: 'bob', resourceAttributes: { verb: 'get', resource: 'pods', namespace: 't' } },
  }),
};

const widgetSpec = () => ({ type: 'object', properties: { size: { type: 'integer' }, color: { type: 'string' } } });

/** Returns the object that `{cm a}`, `{crd}` or `{k=1}` (a ConfigMap's data) stands for; undefined if it is none. */
export function shortObject(text: string): Json | undefined {
  const data = /^\{(\w+)=(\w*)\}$/.exec(text);
  if (data) return { data: { [data[1]!]: data[2]! } };
  const [, kind = '', name = ''] = /^\{([a-z]+)(?: ([\w-]+))?\}$/.exec(text) ?? [];
  return kObjects[kind]?.(name);
}

/** Returns the smallest object of the kind that a collection holds. */
export function objectFor(target: string, name: string): Json {
  const kinds: Readonly<Record<string, string>> = { CM: 'cm', PODS: 'pod', SVC: 'svc', DEP: 'dep', W: 'widget', LEASES: 'lease' };
  return kObjects[kinds[/^[A-Z]+/.exec(target)![0]]!]!(name);
}
