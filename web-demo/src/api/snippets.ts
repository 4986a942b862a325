// Writes a request as code: for a shell, kubectl, JavaScript and Go, and with its answer as a test fixture.
import type { Exchange } from './exchange';
import type { Resource } from './types';

export const kForms = ['curl', 'kubectl', 'fetch', 'client-node', 'client-go', 'fixture'] as const;
export type Form = (typeof kForms)[number];

type Request = Pick<Exchange, 'method' | 'target' | 'requestHeaders' | 'requestBody'>;

/** What a target is about. */
interface Place {
  group: string;
  version: string;
  namespace: string;
  resource: string;
  name: string;
  subresource: string;
  query: URLSearchParams;
}

/** `server`: `http://127.0.0.1:8001`. `kinds` are the served resources. */
export function snippet(form: Form, exchange: Exchange, server: string, kinds: readonly Resource[]): string {
  const place = placeOf(exchange.target);
  switch (form) {
    case 'curl':
      return curl(exchange, server);
    case 'kubectl':
      return kubectl(exchange, place);
    case 'fetch':
      return fetchCall(exchange, server);
    case 'client-node':
      return place ? clientNode(exchange, place, kinds) : `// client-node has no call for this path; with its own fetch:\n${fetchCall(exchange, server)}`;
    case 'client-go':
      return place ? clientGo(exchange, place) : rawGo(exchange);
    case 'fixture':
      return fixture(exchange);
  }
}

export function placeOf(target: string): Place | undefined {
  const { pathname, searchParams: query } = new URL(target, 'http://x');
  const [, core, group = '', named, namespace, resource = '', name = '', subresource = ''] =
    /^\/(?:api\/(v\w+)|apis\/([\w.-]+)\/(v\w+))(?:\/namespaces\/([^/]+)(?=\/))?\/([^/]+)(?:\/([^/]+))?(?:\/(.+))?$/.exec(pathname) ?? [];
  const version = core ?? named;
  if (version === undefined) return undefined;
  const decoded = (text: string | undefined) => decodeURIComponent(text ?? '');
  return { group, version, namespace: decoded(namespace), resource, name: decoded(name), subresource, query };
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const header = ({ requestHeaders }: Request, wanted: string) => requestHeaders.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
const isWatch = ({ target }: Request) => /[?&]watch=(1|true)/.test(target);

function curl(request: Request, server: string): string {
  const { method, target, requestHeaders, requestBody } = request;
  const lines = [`curl${isWatch(request) ? ' -N' : ''}${method === 'GET' ? '' : ` -X ${method}`} ${quoted(server + target)}`];
  for (const [name, value] of requestHeaders) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (requestBody !== '') lines.push(`--data-binary ${quoted(requestBody)}`);
  return `${lines.join(' \\\n  ')}\n`;
}

const kPatchTypes: Readonly<Record<string, string>> = { 'json-patch': 'json', 'merge-patch': 'merge', 'strategic-merge-patch': 'strategic' };
const kRaw: Readonly<Record<string, string>> = { POST: 'create', PUT: 'replace', DELETE: 'delete' };

function kubectl(request: Request, place: Place | undefined): string {
  const { method, target, requestBody } = request;
  const type = header(request, 'content-type');
  const document = `<<'EOF'\n${requestBody.replace(/\n?$/, '\n')}EOF\n`;
  const at = place && `${place.namespace === '' ? '' : ` -n ${place.namespace}`}`;
  const named = place && `${place.resource}${place.group === '' ? '' : `.${place.version}.${place.group}`}`;
  if (method === 'PATCH' && place && type.startsWith('application/apply-patch')) {
    const manager = place.query.get('fieldManager');
    const force = place.query.get('force') === 'true' ? ' --force-conflicts' : '';
    return `kubectl apply --server-side${manager ? ` --field-manager=${manager}` : ''}${force}${at} -f - ${document}`;
  }
  if (method === 'PATCH' && place) {
    const how = kPatchTypes[/application\/([\w-]+)\+/.exec(type)?.[1] ?? ''] ?? 'strategic';
    const part = place.subresource === '' ? '' : ` --subresource=${place.subresource}`;
    return `kubectl patch ${named} ${place.name}${at}${part} --type=${how} -p ${quoted(requestBody)}\n`;
  }
  if (method === 'GET' && place && place.subresource === '' && (isWatch(request) || header(request, 'accept').includes('as=Table'))) return readCommand(request, place, `${named}`);
  if (method === 'GET') return `kubectl get --raw ${quoted(target)}\n`;
  const verb = kRaw[method];
  if (verb === undefined) return `# kubectl sends no ${method}\n`;
  return `kubectl ${verb} --raw ${quoted(target)}${requestBody === '' ? '' : ` -f - ${document}`}${requestBody === '' ? '\n' : ''}`;
}

function readCommand(request: Request, { namespace, name, query }: Place, named: string): string {
  const words = ['kubectl get', named, ...(name === '' ? [] : [name]), ...(namespace === '' ? ['-A'] : ['-n', namespace])];
  const selectors = { labelSelector: '-l', fieldSelector: '--field-selector' };
  for (const [key, flag] of Object.entries(selectors)) if (query.get(key)) words.push(flag, quoted(query.get(key)!));
  if (isWatch(request)) words.push('-w');
  return `${words.join(' ')}\n`;
}

function fetchCall({ method, target, requestHeaders, requestBody }: Request, server: string): string {
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(requestHeaders.length === 0 ? [] : [`  headers: ${JSON.stringify(Object.fromEntries(requestHeaders))},`]),
    ...(requestBody === '' ? [] : [`  body: ${JSON.stringify(requestBody)},`]),
  ];
  const call = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  return `const response = await fetch(${JSON.stringify(server + target)}${call});\nconsole.log(response.status, await response.text());\n`;
}

function clientNode(request: Request, place: Place, kinds: readonly Resource[]): string {
  const { method, requestBody, target } = request;
  const { group, version, namespace, resource, name, subresource, query } = place;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const kind = kinds.find((each) => each.group === group && each.name === resource)?.kind ?? resource;
  const head = (what: string) => `import { KubeConfig, ${what} } from '@kubernetes/client-node';\n\nconst config = new KubeConfig();\nconfig.loadFromDefault();\n`;
  if (isWatch(request)) {
    const options = JSON.stringify(Object.fromEntries([...query].filter(([key]) => key !== 'watch')));
    return `${head('Watch')}const watch = new Watch(config);\nawait watch.watch(${JSON.stringify(target.split('?')[0])}, ${options}, (type, object) => console.log(type, object.metadata.name), (error) => console.log('ended', error));\n`;
  }
  const start = `${head('KubernetesObjectApi')}const client = KubernetesObjectApi.makeApiClient(config);\n`;
  const self = JSON.stringify({ apiVersion, kind, metadata: { name, ...(namespace === '' ? {} : { namespace }) } });
  if (subresource !== '') return `${start}// KubernetesObjectApi has no call for /${subresource}: see the API class of the group.\n`;
  const object = requestBody.trimStart().startsWith('{') ? requestBody.trim() : `loadYaml(${JSON.stringify(requestBody)})`;
  const loads = object.startsWith('loadYaml') ? start.replace('KubernetesObjectApi }', 'KubernetesObjectApi, loadYaml }') : start;
  switch (method) {
    case 'GET':
      return name === ''
        ? `${start}const list = await client.list('${apiVersion}', '${kind}'${namespace === '' ? '' : `, '${namespace}'`});\nconsole.log(list.items.map(({ metadata }) => metadata?.name));\n`
        : `${start}console.log(await client.read(${self}));\n`;
    case 'POST':
      return `${loads}console.log(await client.create(${object}));\n`;
    case 'PUT':
      return `${loads}console.log(await client.replace(${object}));\n`;
    case 'DELETE':
      return `${start}console.log(await client.delete(${self}));\n`;
    default: {
      const manager = query.get('fieldManager');
      const force = query.get('force') === 'true';
      return `${loads}const patch = ${object};\nconsole.log(await client.patch({ ...${self}, ...patch }, undefined, undefined, ${manager ? `'${manager}'` : 'undefined'}, ${force || 'undefined'}, '${header(request, 'content-type')}'));\n`;
    }
  }
}

const goText = (text: string) => (text.includes('`') ? JSON.stringify(text) : `\`${text}\``);

function clientGo(request: Request, place: Place): string {
  const { method, requestBody } = request;
  const { group, version, namespace, resource, name, subresource, query } = place;
  const start = `// client is a dynamic.Interface: dynamic.NewForConfig(config)\nresource := client.Resource(schema.GroupVersionResource{Group: "${group}", Version: "${version}", Resource: "${resource}"})${namespace === '' ? '' : `.Namespace("${namespace}")`}\n`;
  const part = subresource === '' ? '' : `, ${subresource.split('/').map((each) => `"${each}"`).join(', ')}`;
  const options = goOptions(query);
  const object = `object := &unstructured.Unstructured{}\nif err := yaml.Unmarshal([]byte(${goText(requestBody)}), &object.Object); err != nil {\n\treturn err\n}\n`;
  const kTypes: Readonly<Record<string, string>> = { 'json-patch': 'JSONPatchType', 'merge-patch': 'MergePatchType', 'strategic-merge-patch': 'StrategicMergePatchType', 'apply-patch': 'ApplyYAMLPatchType' };
  switch (method) {
    case 'GET':
      if (isWatch(request)) return `${start}watch, err := resource.Watch(ctx, metav1.ListOptions{${options}})\n`;
      return name === '' ? `${start}list, err := resource.List(ctx, metav1.ListOptions{${options}})\n` : `${start}object, err := resource.Get(ctx, "${name}", metav1.GetOptions{${options}}${part})\n`;
    case 'POST':
      return `${start}${object}created, err := resource.Create(ctx, object, metav1.CreateOptions{${options}}${part})\n`;
    case 'PUT':
      return `${start}${object}updated, err := resource.Update(ctx, object, metav1.UpdateOptions{${options}}${part})\n`;
    case 'DELETE':
      return name === '' ? `${start}err := resource.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{${options}})\n` : `${start}err := resource.Delete(ctx, "${name}", metav1.DeleteOptions{${options}}${part})\n`;
    default:
      return `${start}patched, err := resource.Patch(ctx, "${name}", types.${kTypes[/application\/([\w-]+)\+/.exec(header(request, 'content-type'))?.[1] ?? ''] ?? 'MergePatchType'}, []byte(${goText(requestBody)}), metav1.PatchOptions{${options}}${part})\n`;
  }
}

const kGoNames: Readonly<Record<string, (value: string) => string>> = {
  labelSelector: (value) => `LabelSelector: ${JSON.stringify(value)}`,
  fieldSelector: (value) => `FieldSelector: ${JSON.stringify(value)}`,
  limit: (value) => `Limit: ${value}`,
  continue: (value) => `Continue: ${JSON.stringify(value)}`,
  resourceVersion: (value) => `ResourceVersion: ${JSON.stringify(value)}`,
  resourceVersionMatch: (value) => `ResourceVersionMatch: metav1.ResourceVersionMatch${value}`,
  allowWatchBookmarks: (value) => `AllowWatchBookmarks: ${value}`,
  fieldManager: (value) => `FieldManager: ${JSON.stringify(value)}`,
  force: (value) => `Force: ptr.To(${value})`,
  dryRun: (value) => `DryRun: []string{${JSON.stringify(value)}}`,
  fieldValidation: (value) => `FieldValidation: ${JSON.stringify(value)}`,
  gracePeriodSeconds: (value) => `GracePeriodSeconds: ptr.To(int64(${value}))`,
  timeoutSeconds: (value) => `TimeoutSeconds: ptr.To(int64(${value}))`,
  sendInitialEvents: (value) => `SendInitialEvents: ptr.To(${value})`,
};

const goOptions = (query: URLSearchParams) => [...query].flatMap(([key, value]) => kGoNames[key]?.(value) ?? []).join(', ');

function rawGo({ method, target, requestBody }: Request): string {
  const body = requestBody === '' ? '' : `.Body([]byte(${goText(requestBody)}))`;
  return `// client is a kubernetes.Interface\nbytes, err := client.Discovery().RESTClient().Verb("${method}").RequestURI(${JSON.stringify(target)})${body}.DoRaw(ctx)\n`;
}

function fixture(exchange: Exchange): string {
  const parsed = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return text === '' ? undefined : text;
    }
  };
  const { method, target, requestHeaders, requestBody, status, responseHeaders, responseBody, events } = exchange;
  const kept = responseHeaders.filter(([name]) => /^(content-type|warning|retry-after|location)$/i.test(name));
  const request = { method, target, headers: Object.fromEntries(requestHeaders), body: parsed(requestBody) };
  const response = { status, headers: Object.fromEntries(kept), body: parsed(responseBody), events: events?.map(({ text }) => parsed(text)) };
  return `${JSON.stringify({ request, response }, null, 2)}\n`;
}
