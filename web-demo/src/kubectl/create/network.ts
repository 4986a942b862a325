// kubectl create service and ingress
import type { Flags } from '../flags';
import { CommandError, type KubeObject } from '../session';
import { given, intOrString, listOf, pairOf } from './words';

const kTypes: Readonly<Record<string, string>> = { clusterip: 'ClusterIP', nodeport: 'NodePort', loadbalancer: 'LoadBalancer', externalname: 'ExternalName' };

/** `kind`: `clusterip` and the like. */
export function service(flags: Flags, name: string, kind: string): KubeObject {
  const type = kTypes[kind];
  if (type === undefined) throw new CommandError(`error: unknown command "${kind}"\nSee 'kubectl create service -h' for help and examples`);
  const ports = listOf(flags, 'tcp').map((each) => portOf(each, flags));
  const clusterIP = flags.get('clusterip');
  if (ports.length === 0 && clusterIP !== 'None' && kind !== 'externalname') throw new CommandError('error: at least one tcp port specifier must be provided');
  if (kind === 'externalname' && !flags.has('external-name')) throw new CommandError('error: required flag(s) "external-name" not set');
  const labels = { app: name };
  return { apiVersion: 'v1', kind: 'Service', metadata: { name, labels }, spec: { type, selector: labels, ...given({ ports, clusterIP, externalName: flags.get('external-name') }) } };
}

/** `80` or `80:8080`. */
function portOf(text: string, flags: Flags) {
  const [port = '', target = port] = text.split(':');
  const nodePort = Number(flags.get('node-port') || 0);
  return { name: text.replace(':', '-'), port: Number(port), targetPort: intOrString(target), protocol: 'TCP', ...(nodePort > 0 ? { nodePort } : {}) };
}

const kRule = /^(?<host>[\w\-.*]*)?\/(?<path>[\w\-/.]*\*?)=(?<service>[\w\-]+):(?<port>[\w\-]+)(?<tls>,tls(=[\w\-]+)?)?$/;

/** `--rule=host/path*=service:port,tls=secret` */
export function ingress(flags: Flags, name: string): KubeObject {
  const rules = flags.all('rule');
  const backend = flags.get('default-backend');
  if (rules.length === 0 && backend === '') throw new CommandError('error: not enough information provided: every ingress has to either specify a default-backend (which catches all traffic) or a list of rules (which catch specific paths)');
  const bad = rules.find((rule) => !kRule.test(rule));
  if (bad !== undefined) throw new CommandError(`error: rule ${bad} is invalid and should be in format host/path=svcname:svcport[,tls[=secret]]`);
  const plain = flags.all('annotation').find((each) => !each.includes('='));
  if (plain !== undefined) throw new CommandError(`error: annotation ${plain} is invalid and should be in format key=[value]`);
  if (backend !== '' && backend.split(':').length !== 2) throw new CommandError('error: default-backend should be in format servicename:serviceport');
  const annotations = Object.fromEntries(flags.all('annotation').map(pairOf));
  const spec = given({ ingressClassName: flags.get('class'), defaultBackend: backend === '' ? undefined : backendOf(backend), tls: tlsOf(rules), rules: rulesOf(rules) });
  return { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name, ...(flags.has('annotation') ? { annotations } : {}) }, spec };
}

function backendOf(text: string) {
  const [name = '', port = ''] = text.split(':');
  return { service: { name, port: /^\d+$/.test(port) ? { number: Number(port) } : { name: port } } };
}

function rulesOf(rules: readonly string[]) {
  const hosts = new Map<string, object[]>();
  for (const rule of rules) {
    const { host = '', path = '', service = '', port = '' } = kRule.exec(rule)!.groups!;
    const prefix = path.endsWith('*');
    const item = { path: `/${prefix ? path.slice(0, -1) : path}`, pathType: prefix ? 'Prefix' : 'Exact', backend: backendOf(`${service}:${port}`) };
    hosts.set(host, [...(hosts.get(host) ?? []), item]);
  }
  return [...hosts].map(([host, paths]) => ({ ...given({ host }), http: { paths } }));
}

function tlsOf(rules: readonly string[]) {
  const found: { hosts: string[]; secretName: string }[] = [];
  const seen = new Set<string>();
  for (const rule of rules) {
    const { host = '', tls } = kRule.exec(rule)!.groups!;
    if (tls === undefined || seen.has(host)) continue;
    seen.add(host);
    const secretName = tls.split('=')[1] ?? '';
    const same = found.find((each) => each.secretName === secretName);
    if (same) same.hosts.push(host);
    else if (host !== '' || secretName !== '') found.push({ hosts: host === '' ? [] : [host], secretName });
  }
  return found.map((each) => given(each));
}
