// Services and what stands behind and before them.
import { selectorOrNone } from '../selectors';
import type { Caller, KubeObject } from '../session';
import { formatLabels, type Sheet } from './sheet';

// Parts of objects have the fields of the API.
type Any = any;

const kShown = 3;

async function slicesOf(caller: Caller, namespace: string, service: string): Promise<KubeObject[]> {
  const path = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices?labelSelector=${encodeURIComponent(`kubernetes.io/service-name=${service}`)}`;
  return (await caller.json<{ items: KubeObject[] | null }>('GET', path).catch(() => undefined))?.items ?? [];
}

/** The ready addresses behind a port, three at most. */
function addressesText(slices: readonly KubeObject[], portName: string): string {
  if (slices.length === 0) return '<none>';
  const all = slices.flatMap(({ ports, endpoints }) => {
    const ready = ((endpoints ?? []) as Any[]).filter(({ conditions }) => conditions?.ready !== false).map(({ addresses }) => addresses[0] as string);
    if ((ports ?? []).length === 0) return ready;
    const own = (ports as Any[]).filter(({ name = '' }) => name === portName);
    return own.flatMap(({ port }) => ready.map((address) => (address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`)));
  });
  return all.slice(0, kShown).join(',') + (all.length > kShown ? ` + ${all.length - kShown} more...` : '');
}

export async function writeService(sheet: Sheet, object: KubeObject, caller: Caller): Promise<void> {
  const { metadata, spec, status = {} } = object;
  const slices = await slicesOf(caller, metadata.namespace ?? '', metadata.name);
  const joined = (list: readonly string[] | undefined, otherwise = '') => (list?.length ? list.join(',') : otherwise);
  const optional = (title: string, value: string | number | undefined) => value && sheet.line(0, `${title}:`, value);
  sheet.head(object);
  sheet.line(0, 'Selector:', formatLabels(spec.selector));
  sheet.line(0, 'Type:', spec.type);
  optional('IP Family Policy', spec.ipFamilyPolicy);
  sheet.line(0, 'IP Families:', joined(spec.ipFamilies, '<none>'));
  sheet.line(0, 'IP:', spec.clusterIP ?? '');
  sheet.line(0, 'IPs:', joined(spec.clusterIPs, '<none>'));
  optional('External IPs', joined(spec.externalIPs));
  optional('Desired LoadBalancer IP', spec.loadBalancerIP);
  optional('External Name', spec.externalName);
  const balanced = (status.loadBalancer?.ingress ?? []) as Any[];
  optional('LoadBalancer Ingress', balanced.map(({ ip, ipMode, hostname }) => (ip ? `${ip}${ipMode ? ` (${ipMode})` : ''}` : hostname)).join(', '));
  for (const { name = '', port, protocol, targetPort, nodePort } of (spec.ports ?? []) as Any[]) {
    sheet.line(0, 'Port:', name || '<unset>', `${port}/${protocol}`);
    sheet.line(0, 'TargetPort:', `${targetPort}/${protocol}`);
    if (nodePort) sheet.line(0, 'NodePort:', name || '<unset>', `${nodePort}/${protocol}`);
    sheet.line(0, 'Endpoints:', addressesText(slices, name));
  }
  sheet.line(0, 'Session Affinity:', spec.sessionAffinity ?? '');
  optional('External Traffic Policy', spec.externalTrafficPolicy);
  optional('Internal Traffic Policy', spec.internalTrafficPolicy);
  optional('HealthCheck NodePort', spec.healthCheckNodePort);
  optional('LoadBalancer Source Ranges', joined(spec.loadBalancerSourceRanges));
}

export function writeEndpoints(sheet: Sheet, object: KubeObject): void {
  sheet.head(object);
  sheet.line(0, 'Subsets:');
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of (object.subsets ?? []) as Any[]) {
    const text = (list: readonly Any[]) => list.map(({ ip }) => ip).join(',') || '<none>';
    sheet.line(1, 'Addresses:', text(addresses));
    sheet.line(1, 'NotReadyAddresses:', text(notReadyAddresses));
    if (ports.length > 0) writePorts(sheet, 1, ports);
    sheet.line(0);
  }
}

function writePorts(sheet: Sheet, level: number, ports: readonly Any[]): void {
  sheet.line(level, 'Ports:');
  sheet.line(level + 1, 'Name', 'Port', 'Protocol');
  sheet.line(level + 1, '----', '----', '--------');
  for (const { name, port, protocol } of ports) sheet.line(level + 1, name || '<unset>', port ?? '<unset>', protocol);
}

export function writeEndpointSlice(sheet: Sheet, object: KubeObject): void {
  const ports = (object.ports ?? []) as Any[];
  const endpoints = (object.endpoints ?? []) as Any[];
  sheet.head(object);
  sheet.line(0, 'AddressType:', object.addressType);
  if (ports.length === 0) sheet.line(0, 'Ports: <unset>');
  else writePorts(sheet, 0, ports);
  sheet.line(0, endpoints.length === 0 ? 'Endpoints: <none>' : 'Endpoints:');
  for (const { addresses, conditions = {}, hostname, targetRef, nodeName, zone } of endpoints) {
    sheet.line(1, '- Addresses:', (addresses as string[]).join(', ') || '<none>');
    sheet.line(2, 'Conditions:');
    sheet.line(3, 'Ready:', conditions.ready ?? '<unset>');
    sheet.line(2, 'Hostname:', hostname ?? '<unset>');
    if (targetRef) sheet.line(2, 'TargetRef:', `${targetRef.kind}/${targetRef.name}`);
    sheet.line(2, 'NodeName:', nodeName ?? '<unset>');
    sheet.line(2, 'Zone:', zone ?? '<unset>');
  }
}

export async function writeIngress(sheet: Sheet, { metadata, spec, status = {} }: KubeObject, caller: Caller): Promise<void> {
  const namespace = metadata.namespace ?? '';
  sheet.line(0, 'Name:', metadata.name);
  sheet.labels('Labels', metadata.labels);
  sheet.line(0, 'Namespace:', namespace);
  const addresses = ((status.loadBalancer?.ingress ?? []) as Any[]).map(({ ip, hostname }) => (ip || hostname) as string);
  sheet.line(0, 'Address:', [...new Set(addresses)].sort().join(','));
  sheet.line(0, 'Ingress Class:', spec.ingressClassName ?? '<none>');
  const otherwise = spec.defaultBackend ? await backendText(caller, namespace, spec.defaultBackend) : '<default>';
  sheet.line(0, 'Default backend:', otherwise);
  if (spec.tls) sheet.line(0, 'TLS:');
  for (const { secretName, hosts = [] } of (spec.tls ?? []) as Any[]) sheet.line(1, `${secretName ? `${secretName} terminates` : 'SNI routes'} ${hosts.join(',')}`);
  sheet.line(0, 'Rules:');
  sheet.line(1, 'Host', 'Path', 'Backends');
  sheet.line(1, '----', '----', '--------');
  const rules = ((spec.rules ?? []) as Any[]).filter(({ http }) => http);
  for (const { host, http } of rules) {
    sheet.line(1, host || '*', '');
    for (const { path = '', backend } of http.paths) sheet.line(2, '', `${path} `, await backendText(caller, namespace, backend));
  }
  if (rules.length === 0) sheet.line(1, '*', '*', otherwise);
  sheet.annotations('Annotations', metadata.annotations);
}

async function backendText(caller: Caller, namespace: string, { service, resource }: Any): Promise<string> {
  if (resource) return `APIGroup: ${resource.apiGroup ?? '<none>'}, Kind: ${resource.kind}, Name: ${resource.name}`;
  if (!service) return '';
  const text = `${service.name}:${service.port.number || service.port.name}`;
  const slices = await slicesOf(caller, namespace, service.name);
  try {
    const found = await caller.json('GET', `/api/v1/namespaces/${namespace}/services/${service.name}`);
    const port = ((found.spec.ports ?? []) as Any[]).filter((each) => (service.port.number ? each.port === service.port.number : each.name === service.port.name)).at(-1);
    return `${text} (${addressesText(slices, port?.name ?? '')})`;
  } catch (fault) {
    return `${text} (<error: ${(fault as Error).message.replace(/^Error from server \(\w+\): /, '')}>)`;
  }
}

export function writeNetworkPolicy(sheet: Sheet, object: KubeObject): void {
  const { metadata, spec } = object;
  sheet.line(0, 'Name:', metadata.name);
  sheet.line(0, 'Namespace:', metadata.namespace ?? '');
  sheet.line(0, 'Created on:', goTime(metadata.creationTimestamp ?? ''));
  sheet.labels('Labels', metadata.labels);
  sheet.annotations('Annotations', metadata.annotations);
  sheet.line(0, 'Spec:');
  const chosen = selectorOrNone(spec.podSelector);
  sheet.line(1, `PodSelector:     ${chosen === '<none>' ? '<none> (Allowing the specific traffic to all pods in this namespace)' : chosen}`);
  const types = (spec.policyTypes ?? []) as string[];
  for (const [type, title, rules] of [['Ingress', 'ingress', spec.ingress], ['Egress', 'egress', spec.egress]] as [string, string, Any[] | undefined][]) {
    if (!types.includes(type)) sheet.line(1, `Not affecting ${title} traffic`);
    else {
      sheet.line(1, `Allowing ${title} traffic:`);
      writeTraffic(sheet, title, rules ?? []);
    }
  }
  sheet.line(1, `Policy Types: ${types.join(', ')}`);
}

/** `2026-05-01 12:00:00 +0000 UTC`, in the zone of this computer. */
function goTime(time: string): string {
  const date = new Date(time);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString();
  const offset = -date.getTimezoneOffset();
  const zone = `${offset < 0 ? '-' : '+'}${String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0')}${String(Math.abs(offset) % 60).padStart(2, '0')}`;
  const name = offset === 0 ? 'UTC' : new Intl.DateTimeFormat('en', { timeZoneName: 'short' }).formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value;
  return `${local.slice(0, 10)} ${local.slice(11, 19)} ${zone} ${name}`;
}

function writeTraffic(sheet: Sheet, direction: string, rules: readonly Any[]): void {
  const inwards = direction === 'ingress';
  if (rules.length === 0) sheet.line(2, `<none> (Selected pods are isolated for ${direction} connectivity)`);
  rules.forEach(({ ports = [], from = [], to = [] }, index) => {
    const peers = (inwards ? from : to) as Any[];
    if (ports.length === 0) sheet.line(2, 'To Port: <any> (traffic allowed to all ports)');
    for (const { protocol = 'TCP', port, endPort } of ports) sheet.line(2, endPort ? `To Port Range: ${port}-${endPort}/${protocol}` : `To Port: ${port ?? '<nil>'}/${protocol}`);
    if (peers.length === 0) sheet.line(2, inwards ? 'From: <any> (traffic not restricted by source)' : 'To: <any> (traffic not restricted by destination)');
    for (const { podSelector, namespaceSelector, ipBlock } of peers) {
      sheet.line(2, inwards ? 'From:' : 'To:');
      if (namespaceSelector) sheet.line(3, `NamespaceSelector: ${selectorOrNone(namespaceSelector)}`);
      if (podSelector) sheet.line(3, `PodSelector: ${selectorOrNone(podSelector)}`);
      if (podSelector || namespaceSelector || !ipBlock) continue;
      sheet.line(3, 'IPBlock:');
      sheet.line(4, `CIDR: ${ipBlock.cidr}`);
      sheet.line(4, `Except: ${(ipBlock.except ?? []).join(', ')}`);
    }
    if (index < rules.length - 1) sheet.line(2, '----------');
  });
}
