// kubectl describe: every kind as kubectl describes kinds that it does not know, with the events of the object.
import { humanAge } from '../api/age';
import type { Flags } from './flags';
import { objectsOf } from './get';
import { allResources, targetsOf } from './resources';
import { type Caller, CommandError, type KubeObject } from './session';

export async function describe(caller: Caller, flags: Flags, namespace: string): Promise<number> {
  if (flags.rest.length === 0) throw new CommandError('error: You must specify the type of resource to describe. Use "kubectl api-resources" for a complete list of supported resources.');
  const targets = targetsOf(await allResources(caller), flags.rest);
  const query = new URLSearchParams(flags.has('selector') ? { labelSelector: flags.get('selector') } : {});
  const texts: string[] = [];
  for (const target of targets) {
    for (const { object } of await objectsOf(caller, target, { namespace: flags.is('all-namespaces') ? '' : namespace, query })) {
      texts.push(describeText(object) + (await eventsText(caller, object)));
    }
  }
  if (texts.length === 0) caller.terminal.err(namespace === '' ? 'No resources found\n' : `No resources found in ${namespace} namespace.\n`);
  caller.terminal.out(texts.join('\n\n'));
  return 0;
}

function describeText(object: KubeObject): string {
  const { metadata, apiVersion, kind, ...rest } = object;
  const head: [string, string][] = [['Name', metadata.name], ['Namespace', metadata.namespace ?? '']];
  const lists = (['labels', 'annotations'] as const).flatMap((field): [string, string][] => {
    const pairs = Object.entries(metadata[field] ?? {}).filter(([key]) => key !== 'kubectl.kubernetes.io/last-applied-configuration').sort();
    const separator = field === 'labels' ? '=' : ': ';
    if (pairs.length === 0) return [[capital(field), '<none>']];
    return pairs.map(([key, value], index) => [index === 0 ? capital(field) : '', `${key}${separator}${value}`]);
  });
  const { labels: _l, annotations: _a, name: _n, namespace: _s, managedFields: _m, ...more } = metadata;
  const lines = [...head, ...lists, ['API Version', apiVersion], ['Kind', kind]] as [string, string][];
  const top = lines.map(([key, value]) => `${`${key === '' ? '' : `${key}:`}`.padEnd(14)}${value}\n`).join('');
  return top + treeText({ metadata: more, ...rest }, 0);
}

const kAcronyms = ['API', 'URL', 'UID', 'OSB', 'GUID'];
/** `resourceVersion` becomes `Resource Version`. */
const capital = (text: string) => {
  const words = text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2');
  const all = words.split(' ').map((word) => (kAcronyms.includes(word.toUpperCase()) ? word.toUpperCase() : word));
  const label = all.join(' ');
  return (label[0] ?? '').toUpperCase() + label.slice(1);
};

function treeText(value: Record<string, unknown>, depth: number): string {
  const pad = '  '.repeat(depth);
  const keys = Object.keys(value).sort();
  const plain = keys.filter((key) => typeof value[key] !== 'object');
  const width = Math.max(0, ...plain.map((key) => capital(key).length)) + 3;
  return keys
    .map((key) => {
      const each = value[key];
      if (each === null || each === undefined) return `${pad}${capital(key)}:  <nil>\n`;
      if (Array.isArray(each)) return `${pad}${capital(key)}:\n${each.map((item) => (typeof item === 'object' && item !== null ? treeText(item as Record<string, unknown>, depth + 1) : `${pad}  ${String(item)}\n`)).join('')}`;
      if (typeof each === 'object') return `${pad}${capital(key)}:\n${treeText(each as Record<string, unknown>, depth + 1)}`;
      return `${pad}${`${capital(key)}:`.padEnd(width)}${String(each)}\n`;
    })
    .join('');
}

const ageText = (time: string | undefined, now: Date) => (time ? humanAge(now.getTime() - Date.parse(time)) : '<unknown>');

interface Event {
  type?: string;
  reason?: string;
  message?: string;
  lastTimestamp?: string | null;
  eventTime?: string | null;
  source?: { component?: string };
  reportingComponent?: string;
  metadata: { creationTimestamp?: string };
}

async function eventsText(caller: Caller, { metadata, kind }: KubeObject): Promise<string> {
  const selector = `involvedObject.name=${metadata.name},involvedObject.kind=${kind},involvedObject.uid=${metadata.uid}`;
  const path = metadata.namespace ? `/api/v1/namespaces/${metadata.namespace}/events` : '/api/v1/events';
  const { items } = await caller.json<{ items: Event[] }>('GET', `${path}?fieldSelector=${encodeURIComponent(selector)}`).catch(() => ({ items: [] }));
  if (items.length === 0) return 'Events:  <none>\n';
  const now = caller.session.now();
  const rows = items.map((event) => [
    event.type ?? '',
    event.reason ?? '',
    ageText(event.lastTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp, now),
    event.source?.component || event.reportingComponent || '',
    (event.message ?? '').trim(),
  ]);
  const all = [['Type', 'Reason', 'Age', 'From', 'Message'], ['----', '------', '----', '----', '-------'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]!.length)) + 2);
  return `Events:\n${all.map((row) => `  ${row.map((cell, index) => (index < 4 ? cell.padEnd(widths[index]!) : cell)).join('')}\n`).join('')}`;
}
