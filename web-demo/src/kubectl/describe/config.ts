// Configuration, identities and their rights, namespaces and their limits.
import { compactRules, type Rule, ruleCells } from '../rules';
import type { Caller, KubeObject } from '../session';
import { longTime, type Sheet } from './sheet';

// Parts of objects have the fields of the API.
type Any = any;

export function writeConfigMap(sheet: Sheet, object: KubeObject): void {
  sheet.head(object);
  sheet.raw('\nData\n====\n');
  for (const [key, value] of sortedEntries(object.data)) sheet.raw(`${key}:\n----\n${value}\n\n`);
  sheet.raw('\nBinaryData\n====\n');
  for (const [key, value] of sortedEntries(object.binaryData)) sheet.raw(`${key}: ${bytesIn(value)} bytes\n`);
  sheet.raw('\n');
}

export function writeSecret(sheet: Sheet, object: KubeObject): void {
  sheet.head(object);
  sheet.raw('\n');
  sheet.line(0, 'Type:', object.type ?? '');
  sheet.raw('\nData\n====\n');
  for (const [key, value] of sortedEntries(object.data)) {
    const isToken = key === 'token' && object.type === 'kubernetes.io/service-account-token';
    sheet.line(0, `${key}:`, isToken ? atob(value) : `${bytesIn(value)} bytes`);
  }
}

const sortedEntries = (map: Record<string, string> = {}) => Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
const bytesIn = (base64: string) => (base64.length / 4) * 3 - (/=*$/.exec(base64)?.[0].length ?? 0);

export async function writeServiceAccount(sheet: Sheet, object: KubeObject, caller: Caller): Promise<void> {
  const { metadata } = object;
  const path = `/api/v1/namespaces/${metadata.namespace}/secrets?limit=500`;
  const secrets = (await caller.json<{ items: KubeObject[] | null }>('GET', path).catch(() => undefined))?.items;
  const names = (list: Any) => ((list ?? []) as { name: string }[]).map(({ name }) => name);
  const about = (secret: KubeObject, field: string) => secret.metadata.annotations?.[`kubernetes.io/service-account.${field}`];
  const tokens = (secrets ?? []).filter((each) => each.type === 'kubernetes.io/service-account-token' && about(each, 'name') === metadata.name && about(each, 'uid') === metadata.uid);
  const isMissing = (name: string) => secrets !== undefined && secrets !== null && !secrets.some((each) => each.metadata.name === name);
  sheet.head(object);
  for (const [title, list] of [['Image pull secrets:', names(object.imagePullSecrets)], ['Mountable secrets: ', names(object.secrets)], ['Tokens:            ', names(tokens.map((each) => each.metadata))]] as const) {
    if (list.length === 0) sheet.line(0, title, '<none>');
    list.forEach((name, index) => sheet.line(0, index === 0 ? title : ' '.repeat(19), `${name}${isMissing(name) ? ' (not found)' : ''}`));
  }
}

export function writeRole(sheet: Sheet, object: KubeObject): void {
  sheet.head(object, false);
  sheet.line(0, 'PolicyRule:');
  sheet.line(1, 'Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs');
  sheet.line(1, '---------', '-----------------', '--------------', '-----');
  for (const rule of compactRules(object.rules as Rule[] | undefined)) sheet.line(1, ...ruleCells(rule));
}

export function writeBinding(sheet: Sheet, object: KubeObject): void {
  sheet.head(object, false);
  sheet.line(0, 'Role:');
  sheet.line(1, 'Kind:', object.roleRef.kind);
  sheet.line(1, 'Name:', object.roleRef.name);
  sheet.line(0, 'Subjects:');
  sheet.line(1, 'Kind', 'Name', 'Namespace');
  sheet.line(1, '----', '----', '---------');
  for (const { kind, name, namespace = '' } of (object.subjects ?? []) as Any[]) sheet.line(1, kind, name, namespace);
}

export async function writeNamespace(sheet: Sheet, object: KubeObject, caller: Caller): Promise<void> {
  const { metadata, status = {} } = object;
  const listOf = async (name: string) => (await caller.json<{ items: KubeObject[] | null }>('GET', `/api/v1/namespaces/${metadata.name}/${name}?limit=500`)).items ?? [];
  const [quotas, limits] = await Promise.all([listOf('resourcequotas'), listOf('limitranges')]);
  sheet.head(object, false);
  sheet.line(0, 'Status:', status.phase ?? '');
  if (status.conditions?.length > 0) {
    sheet.line(0, 'Conditions:');
    sheet.line(1, 'Type', 'Status', 'LastTransitionTime', 'Reason', 'Message');
    sheet.line(1, '----', '------', '------------------', '------', '-------');
    for (const each of status.conditions as Any[]) sheet.line(1, each.type, each.status, longTime(each.lastTransitionTime), each.reason ?? '', each.message ?? '');
  }
  sheet.raw('\n');
  writeQuotas(sheet, quotas);
  sheet.raw('\n');
  if (limits.length === 0) return sheet.line(0, 'No LimitRange resource.');
  sheet.line(0, 'Resource Limits');
  for (const cells of kLimitHeads) sheet.line(0, ` ${cells[0]}`, ...cells.slice(1));
  for (const each of limits) writeLimits(sheet, each, ' ');
}

const byName = (a: KubeObject, b: KubeObject) => (a.metadata.name < b.metadata.name ? -1 : 1);

function writeQuotas(sheet: Sheet, quotas: readonly KubeObject[]): void {
  if (quotas.length === 0) return sheet.line(0, 'No resource quota.');
  sheet.line(0, 'Resource Quotas');
  for (const quota of [...quotas].sort(byName)) {
    sheet.line(1, 'Name:', quota.metadata.name);
    writeScopes(sheet, 1, '* ', quota);
    sheet.line(1, 'Resource', 'Used', 'Hard');
    sheet.line(1, '--------', '---', '---');
    writeUsage(sheet, 1, quota);
  }
}

const kScopes: Readonly<Record<string, string>> = {
  Terminating: 'Matches all pods that have an active deadline. These pods have a limited lifespan on a node before being actively terminated by the system.',
  NotTerminating: 'Matches all pods that do not have an active deadline. These pods usually include long running pods whose container command is not expected to terminate.',
  BestEffort: 'Matches all pods that do not have resource requirements set. These pods have a best effort quality of service.',
  NotBestEffort: 'Matches all pods that have at least one resource requirement set. These pods have a burstable or guaranteed quality of service.',
};

function writeScopes(sheet: Sheet, level: number, mark: string, { spec }: KubeObject): void {
  const scopes = [...((spec.scopes ?? []) as string[])].sort();
  if (scopes.length === 0) return;
  sheet.line(level, 'Scopes:', scopes.join(', '));
  for (const scope of scopes) if (kScopes[scope]) sheet.line(level, `${mark}${kScopes[scope]}`);
}

function writeUsage(sheet: Sheet, level: number, { status = {} }: KubeObject): void {
  for (const [name, hard] of sortedEntries(status.hard)) sheet.line(level, name, status.used?.[name] ?? '0', hard);
}

export function writeQuota(sheet: Sheet, object: KubeObject): void {
  sheet.line(0, 'Name:', object.metadata.name);
  sheet.line(0, 'Namespace:', object.metadata.namespace ?? '');
  writeScopes(sheet, 0, ' * ', object);
  sheet.line(0, 'Resource', 'Used', 'Hard');
  sheet.line(0, '--------', '----', '----');
  writeUsage(sheet, 0, object);
}

const kLimitHeads = [
  ['Type', 'Resource', 'Min', 'Max', 'Default Request', 'Default Limit', 'Max Limit/Request Ratio'],
  ['----', '--------', '---', '---', '---------------', '-------------', '-----------------------'],
] as const;

export function writeLimitRange(sheet: Sheet, object: KubeObject): void {
  sheet.line(0, 'Name:', object.metadata.name);
  sheet.line(0, 'Namespace:', object.metadata.namespace ?? '');
  for (const cells of kLimitHeads) sheet.line(0, ...cells);
  writeLimits(sheet, object, '');
}

function writeLimits(sheet: Sheet, { spec }: KubeObject, prefix: string): void {
  for (const { type, min = {}, max = {}, defaultRequest = {}, default: limit = {}, maxLimitRequestRatio = {} } of (spec.limits ?? []) as Any[]) {
    const lists = [min, max, defaultRequest, limit, maxLimitRequestRatio];
    const names = [...new Set(lists.flatMap((list) => Object.keys(list)))].sort();
    for (const name of names) sheet.line(0, `${prefix}${type}`, name, ...lists.map((list) => list[name] ?? '-'));
  }
}
