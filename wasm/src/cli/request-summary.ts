// What a request is, in the words of kube-apiserver's log and metrics.

export interface RequestSummary {
  /** GET, LIST, WATCH, APPLY, CONNECT, or the method. */
  verb: string;
  /** `pods`, `deployments.apps/scale`; empty for what is no resource. */
  resource: string;
}

const kConnections = ['attach', 'exec', 'log', 'portforward', 'proxy'];
/** Subresources of namespaces. */
const kOfNamespaces = ['status', 'finalize'];

/**
 * Looks at the path alone: whether the resource exists is another matter. Rules: 1.36,
 * apiserver/pkg/endpoints/request/requestinfo.go and metrics.NormalizedVerb.
 */
export function summarize(method: string, target: string, contentType: string): RequestSummary {
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  const { group, resource, name, subresource } = resourcePart(path.split('/').filter((part) => part !== ''));
  const verb = (): string => {
    if (kConnections.includes(subresource)) return 'CONNECT';
    if (method === 'GET' && asksToWatch(query)) return 'WATCH';
    if (method === 'GET' || method === 'HEAD') return resource === '' || name !== '' ? 'GET' : 'LIST';
    return method === 'PATCH' && contentType === 'application/apply-patch+yaml' ? 'APPLY' : method;
  };
  const qualified = group === '' || resource === '' ? resource : `${resource}.${group}`;
  return { verb: verb(), resource: subresource === '' ? qualified : `${qualified}/${subresource}` };
}

function resourcePart(parts: readonly string[]): { group: string; resource: string; name: string; subresource: string } {
  const isCore = parts[0] === 'api' && parts.length > 2;
  const isGrouped = parts[0] === 'apis' && parts.length > 3;
  let rest = isCore ? parts.slice(2) : isGrouped ? parts.slice(3) : [];
  if (rest[0] === 'watch' && rest.length > 1) rest = rest.slice(1);
  if (rest[0] === 'namespaces' && rest.length > 2 && !kOfNamespaces.includes(rest[2]!)) rest = rest.slice(2);
  const [resource = '', name = '', subresource = ''] = rest;
  return { group: isGrouped ? parts[1]! : '', resource, name, subresource };
}

/** Whether the query has `watch` with a value that Kubernetes takes for true. */
function asksToWatch(query: string): boolean {
  const item = query.split('&').find((one) => one === 'watch' || one.startsWith('watch='));
  return item !== undefined && item !== 'watch=0' && item !== 'watch=false';
}
