// Nodes, with the pods on them and what those ask for.
import type { Caller, KubeObject } from '../session';
import { greater, kZero, percentage, type Quantity, quantityOf, quantityText, sum } from './quantity';
import { longTime, type Sheet } from './sheet';

// Parts of objects have the fields of the API.
type Any = any;

export async function writeNode(sheet: Sheet, object: KubeObject, caller: Caller): Promise<void> {
  const { metadata, spec = {}, status = {} } = object;
  sheet.line(0, 'Name:', metadata.name);
  sheet.line(0, 'Roles:', rolesOf(metadata.labels ?? {}));
  sheet.labels('Labels', metadata.labels);
  sheet.annotations('Annotations', metadata.annotations);
  sheet.line(0, 'CreationTimestamp:', longTime(metadata.creationTimestamp));
  sheet.list('Taints', [...((spec.taints ?? []) as Any[])].sort((a, b) => (`${a.effect},${a.key}` < `${b.effect},${b.key}` ? -1 : 1)).map(taintText));
  sheet.line(0, 'Unschedulable:', spec.unschedulable ?? false);
  await writeLease(sheet, metadata.name, caller);
  writeConditions(sheet, status.conditions ?? []);
  sheet.line(0, 'Addresses:');
  for (const { type, address } of (status.addresses ?? []) as Any[]) sheet.line(1, `${type}:`, address);
  for (const [title, list] of [['Capacity', status.capacity], ['Allocatable', status.allocatable]] as const) {
    if (Object.keys(list ?? {}).length === 0) continue;
    sheet.line(0, `${title}:`);
    for (const name of Object.keys(list).sort()) sheet.line(1, `${name}:`, list[name]);
  }
  writeSystem(sheet, status.nodeInfo ?? {});
  if (spec.podCIDR) sheet.line(0, 'PodCIDR:', spec.podCIDR);
  if (spec.podCIDRs?.length > 0) sheet.line(0, 'PodCIDRs:', spec.podCIDRs.join(','));
  if (spec.providerID) sheet.line(0, 'ProviderID:', spec.providerID);
  const fields = `spec.nodeName=${metadata.name},status.phase!=Succeeded,status.phase!=Failed`;
  const pods = await caller.json<{ items: KubeObject[] | null }>('GET', `/api/v1/pods?fieldSelector=${encodeURIComponent(fields)}`).catch(() => undefined);
  if (pods) writePods(sheet, pods.items ?? [], status.allocatable ?? status.capacity ?? {});
  else sheet.line(0, 'Pods:', 'not authorized');
}

function rolesOf(labels: Readonly<Record<string, string>>): string {
  const prefix = 'node-role.kubernetes.io/';
  const roles = Object.entries(labels).flatMap(([key, value]) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : key === 'kubernetes.io/role' ? [value] : []));
  return [...new Set(roles.filter(Boolean))].sort().join(',') || '<none>';
}

const taintText = ({ key, value = '', effect = '' }: Any) => (effect === '' ? `${key}${value && `=${value}:`}` : `${key}${value && `=${value}`}:${effect}`);

async function writeLease(sheet: Sheet, node: string, caller: Caller): Promise<void> {
  try {
    const { spec = {} } = await caller.json('GET', `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${node}`);
    sheet.line(0, 'Lease:');
    sheet.line(1, 'HolderIdentity:', spec.holderIdentity ?? '<unset>');
    sheet.line(1, 'AcquireTime:', spec.acquireTime ? longTime(spec.acquireTime) : '<unset>');
    sheet.line(1, 'RenewTime:', spec.renewTime ? longTime(spec.renewTime) : '<unset>');
  } catch (fault) {
    sheet.line(0, 'Lease:', `Failed to get lease: ${(fault as Error).message.replace(/^Error from server \(\w+\): /, '')}`);
  }
}

function writeConditions(sheet: Sheet, conditions: readonly Any[]): void {
  if (conditions.length === 0) return;
  sheet.line(0, 'Conditions:');
  sheet.line(1, 'Type', 'Status', 'LastHeartbeatTime', 'LastTransitionTime', 'Reason', 'Message');
  sheet.line(1, '----', '------', '-----------------', '------------------', '------', '-------');
  for (const { type, status, lastHeartbeatTime, lastTransitionTime, reason = '', message = '' } of conditions) {
    sheet.line(1, `${type} `, `${status} `, `${longTime(lastHeartbeatTime)} `, `${longTime(lastTransitionTime)} `, `${reason} `, message);
  }
}

const kSystem = ['Machine ID', 'System UUID', 'Boot ID', 'Kernel Version', 'OS Image', 'Operating System', 'Architecture', 'Container Runtime Version', 'Kubelet Version', 'Kube-Proxy Version'];

function writeSystem(sheet: Sheet, info: Record<string, string>): void {
  sheet.line(0, 'System Info:');
  for (const title of kSystem) {
    const words = title.replace('-', ' ').split(' ');
    const first = words[0]!;
    const field = (first === 'OS' ? 'os' : first[0]!.toLowerCase() + first.slice(1)) + words.slice(1).join('');
    sheet.line(1, `${title}:`, info[field] ?? '');
  }
}

type Amounts = Map<string, Quantity>;

function amounts(list: Record<string, string> = {}): Amounts {
  return new Map(Object.entries(list).map(([name, value]) => [name, quantityOf(value)]));
}

function merged(all: readonly Amounts[], how: (a: Quantity, b: Quantity) => Quantity): Amounts {
  const result: Amounts = new Map();
  for (const each of all) for (const [name, value] of each) result.set(name, result.has(name) ? how(result.get(name)!, value) : value);
  return result;
}

/** What a pod asks for: its containers with those that stay beside them, or an init container if that asks for more. */
function askedBy({ spec }: KubeObject, list: 'requests' | 'limits'): Amounts {
  const of = ({ resources }: Any) => amounts(resources?.[list]);
  const stays = ({ restartPolicy }: Any) => restartPolicy === 'Always';
  let beside: Amounts = new Map();
  let most: Amounts = new Map();
  for (const container of (spec.initContainers ?? []) as Any[]) {
    if (stays(container)) beside = merged([beside, of(container)], sum);
    most = merged([most, stays(container) ? beside : merged([beside, of(container)], sum)], greater);
  }
  const all = merged([merged([...((spec.containers ?? []) as Any[]).map(of), beside], sum), most], greater);
  // Overhead counts for limits only where there is a limit.
  const overhead = [...amounts(spec.overhead)].filter(([name]) => list === 'requests' || (all.get(name)?.milli ?? 0n) > 0n);
  return merged([all, new Map(overhead)], sum);
}

function writePods(sheet: Sheet, pods: readonly KubeObject[], allocatable: Record<string, string>): void {
  const whole = amounts(allocatable);
  const share = (asked: Amounts, name: string) => {
    const value = asked.get(name) ?? kZero;
    return `${quantityText(value)} (${percentage(value, whole.get(name) ?? kZero)}%)`;
  };
  sheet.line(0, 'Non-terminated Pods:', `(${pods.length} in total)`);
  sheet.line(1, 'Namespace', 'Name', '', 'CPU Requests', 'CPU Limits', 'Memory Requests', 'Memory Limits', 'Age');
  sheet.line(1, '---------', '----', '', '------------', '----------', '---------------', '-------------', '---');
  for (const pod of pods) {
    const [requests, limits] = [askedBy(pod, 'requests'), askedBy(pod, 'limits')];
    const cells = [share(requests, 'cpu'), share(limits, 'cpu'), share(requests, 'memory'), share(limits, 'memory')];
    sheet.line(1, pod.metadata.namespace ?? '', pod.metadata.name, '', ...cells, sheet.age(pod.metadata.creationTimestamp));
  }
  sheet.line(0, 'Allocated resources:');
  sheet.line(1, '(Total limits may be over 100 percent, i.e., overcommitted.)');
  sheet.line(1, 'Resource', 'Requests', 'Limits');
  sheet.line(1, '--------', '--------', '------');
  const [requests, limits] = (['requests', 'limits'] as const).map((list) => merged(pods.map((pod) => askedBy(pod, list)), sum)) as [Amounts, Amounts];
  const names = Object.keys(allocatable).sort();
  const pages = names.filter((name) => name.startsWith('hugepages-'));
  for (const name of ['cpu', 'memory', 'ephemeral-storage', ...pages]) sheet.line(1, name, share(requests, name), share(limits, name));
  for (const name of names.filter((each) => !/^(cpu|memory|ephemeral-storage|pods)$|^hugepages-/.test(each))) {
    sheet.line(1, name, quantityText(requests.get(name) ?? kZero), quantityText(limits.get(name) ?? kZero));
  }
}
