// kubectl top: what nodes and pods use, from metrics.k8s.io.
import { percentage, type Quantity, quantityOf, sum } from './describe/quantity';
import type { Flags } from './flags';
import { type Caller, CommandError, type KubeObject } from './session';
import { aligned } from './table';

interface Metrics {
  metadata: { name: string; namespace?: string };
  usage?: Usage;
  containers?: { name: string; usage: Usage }[];
}
interface Usage {
  cpu: string;
  memory: string;
}

const kMebi = 1024n * 1024n * 1000n;
const cores = (value: Quantity) => `${value.milli}m`;
const mebibytes = (value: Quantity) => `${value.milli / kMebi}Mi`;
const none: Quantity = { milli: 0n, binary: false };
/** Every cell ends with its column's width. */
const table = (rows: string[][]) => aligned(rows.map((row) => [...row, '']));

export async function top(caller: Caller, flags: Flags, namespace: string): Promise<number> {
  const [what = '', name = ''] = flags.rest;
  if (/^(nodes?|no)$/.test(what)) return topNodes(caller, flags, name);
  if (/^(pods?|po)$/.test(what)) return topPods(caller, flags, flags.is('all-namespaces') ? '' : namespace, name);
  throw new CommandError(`error: unknown command "${what}" for "kubectl top"`);
}

async function listed(caller: Caller, flags: Flags, path: string, name: string): Promise<Metrics[]> {
  if (name !== '') return [await caller.json<Metrics>('GET', `${path}/${name}`)];
  const query = flags.has('selector') ? `?labelSelector=${encodeURIComponent(flags.get('selector'))}` : '';
  return (await caller.json<{ items: Metrics[] | null }>('GET', `${path}${query}`)).items ?? [];
}

async function topNodes(caller: Caller, flags: Flags, name: string): Promise<number> {
  const found = await listed(caller, flags, '/apis/metrics.k8s.io/v1beta1/nodes', name);
  const nodes = (await caller.json<{ items: KubeObject[] }>('GET', '/api/v1/nodes')).items;
  const rows = found.map(({ metadata, usage }) => {
    const whole = nodes.find((node) => node.metadata.name === metadata.name)?.status?.allocatable ?? {};
    const [cpu, memory] = [quantityOf(usage?.cpu), quantityOf(usage?.memory)];
    return [metadata.name, cores(cpu), `${percentage(cpu, quantityOf(whole.cpu))}%`, mebibytes(memory), `${percentage(memory, quantityOf(whole.memory))}%`];
  });
  caller.terminal.out(table([...(flags.is('no-headers') ? [] : [['NAME', 'CPU(cores)', 'CPU(%)', 'MEMORY(bytes)', 'MEMORY(%)']]), ...rows.sort(byName)]));
  return 0;
}

const byName = ([a = '']: string[], [b = '']: string[]) => (a < b ? -1 : 1);

async function topPods(caller: Caller, flags: Flags, namespace: string, name: string): Promise<number> {
  const path = namespace === '' ? '/apis/metrics.k8s.io/v1beta1/pods' : `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods`;
  const found = (await listed(caller, flags, path, name)).sort((a, b) => byName([`${a.metadata.namespace}/${a.metadata.name}`], [`${b.metadata.namespace}/${b.metadata.name}`]));
  if (found.length === 0) {
    caller.terminal.err(namespace === '' ? 'No resources found\n' : `No resources found in ${namespace} namespace.\n`);
    return 0;
  }
  const split = flags.is('containers');
  const spaces = (cells: string[], space: string) => (namespace === '' ? [space, ...cells] : cells);
  const rows = found.flatMap(({ metadata, containers = [] }) => {
    const use = (list: typeof containers) => {
      const total = (field: keyof Usage) => list.map(({ usage }) => quantityOf(usage[field])).reduce(sum, none);
      return [cores(total('cpu')), mebibytes(total('memory'))];
    };
    const lines = split ? containers.map((each) => [metadata.name, each.name, ...use([each])]) : [[metadata.name, ...use(containers)]];
    return lines.map((cells) => spaces(cells, metadata.namespace ?? ''));
  });
  const head = spaces([split ? 'POD' : 'NAME', ...(split ? ['NAME'] : []), 'CPU(cores)', 'MEMORY(bytes)'], 'NAMESPACE');
  caller.terminal.out(table([...(flags.is('no-headers') ? [] : [head]), ...rows]));
  return 0;
}
