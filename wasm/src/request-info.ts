// What a request is, in Kubernetes' words.

/** The facts of a request that its method and path tell. */
export interface RequestInfo {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete` or `deletecollection`; else the method. */
  verb: string;
  /** API group; empty for the core group, and for what is no resource. */
  group: string;
  /** `deployments`; empty for what is no resource. */
  resource: string;
  /** `status`, `scale`, `log` …; else empty. */
  subresource: string;
  namespace: string;
  name: string;
}

/** Source: upstream 1.36 apiserver/pkg/endpoints/request/requestinfo.go. */
export function requestInfo(method: string, target: string): RequestInfo {
  const [path = '', query = ''] = target.split('?', 2);
  const parts = path.split('/').filter((part) => part !== '').map(decoded);
  const info: RequestInfo = { verb: method.toLowerCase(), group: '', resource: '', subresource: '', namespace: '', name: '' };
  const first = parts.shift();
  if (first === 'apis') info.group = parts.shift() ?? '';
  if ((first !== 'api' && first !== 'apis') || parts.length < 2) return info;
  parts.shift(); // the version
  const watchesByPath = parts[0] === 'watch';
  if (watchesByPath) parts.shift();
  if (parts[0] === 'namespaces' && parts.length > 1) {
    info.namespace = parts[1]!;
    if (parts.length > 2 && !kOfNamespaces.has(parts[2]!)) parts.splice(0, 2);
  }
  [info.resource = '', info.name = ''] = parts;
  info.subresource = parts.slice(2).join('/');
  info.verb = verbOf(method, info.name, new URLSearchParams(query), watchesByPath);
  return info;
}

const kOfNamespaces = new Set(['status', 'finalize']);
const kVerbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch' };

function verbOf(method: string, name: string, query: URLSearchParams, watchesByPath: boolean): string {
  const whole = name === '';
  if (method === 'DELETE') return whole ? 'deletecollection' : 'delete';
  if (method !== 'GET' && method !== 'HEAD') return kVerbs[method] ?? method.toLowerCase();
  const watches = query.get('watch');
  const named = /(^|,)metadata\.name=/.test(query.get('fieldSelector') ?? '');
  if (watchesByPath || (watches !== null && watches !== '0' && watches !== 'false' && (whole || named))) return 'watch';
  return whole ? 'list' : 'get';
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
