// What a table asks for beyond its collection: selectors, and columns of the user.
import { jsonPathText } from '../kubectl/jsonpath';
import type { Column, Row } from './types';

export interface TableQuery {
  labelSelector: string;
  fieldSelector: string;
  /** As for kubectl's custom-columns: `Image:.spec.containers[*].image,Node:.spec.nodeName`. */
  columns: string;
}

export const kWholeTable: TableQuery = { labelSelector: '', fieldSelector: '', columns: '' };

/** Returns the parameters of the request. Own columns need whole objects. */
export function parametersOf({ labelSelector, fieldSelector, columns }: TableQuery): Record<string, string> {
  return {
    ...(labelSelector && { labelSelector }),
    ...(fieldSelector && { fieldSelector }),
    ...(ownColumns(columns).length > 0 && { includeObject: 'Object' }),
  };
}

interface OwnColumn {
  name: string;
  path: string;
}

/** Reads the columns; what is not complete yet is left out. */
export function ownColumns(text: string): OwnColumn[] {
  return text.split(/,(?![^[]*\])/).flatMap((each) => {
    const [, name, path] = /^\s*([^:]+):\s*(\S.*?)\s*$/.exec(each) ?? [];
    return name && path ? [{ name: name.trim(), path }] : [];
  });
}

/** Returns what adds the own columns to a table and to its rows. */
export function widening(text: string): { column(given: readonly Column[]): readonly Column[]; row(given: Row): Row } {
  const own = ownColumns(text);
  if (own.length === 0) return { column: (given) => given, row: (given) => given };
  return {
    column: (given) => [...given, ...own.map(({ name, path }): Column => ({ name, type: 'string', priority: 0, description: path }))],
    row: (given) => ({ ...given, cells: [...given.cells, ...own.map(({ path }) => cellOf(path, given.object))] }),
  };
}

function cellOf(path: string, object: unknown): string {
  try {
    return jsonPathText(path, object);
  } catch (fault) {
    return (fault as Error).message;
  }
}

/** Fields by which the server selects, beyond names and namespaces. */
const kFields: Readonly<Record<string, readonly string[]>> = {
  'v1/pods': ['spec.nodeName', 'spec.restartPolicy', 'spec.schedulerName', 'spec.serviceAccountName', 'spec.hostNetwork', 'status.phase', 'status.podIP', 'status.nominatedNodeName'],
  'v1/events': ['involvedObject.kind', 'involvedObject.name', 'involvedObject.namespace', 'involvedObject.uid', 'reason', 'reportingComponent', 'source', 'type'],
  'v1/secrets': ['type'],
  'v1/namespaces': ['status.phase'],
  'v1/nodes': ['spec.unschedulable'],
  'v1/replicationcontrollers': ['status.replicas'],
  'apps/v1/replicasets': ['status.replicas'],
  'batch/v1/jobs': ['status.successful'],
};

export function fieldsOf(resource: string): string[] {
  return ['metadata.name', 'metadata.namespace', ...(kFields[resource] ?? [])];
}

/** Returns the labels that the rows have, `app=web`, the most frequent first. */
export function labelsIn(rows: readonly Row[]): string[] {
  const counts = new Map<string, number>();
  for (const { object } of rows) for (const [key, value] of Object.entries(object?.metadata.labels ?? {})) counts.set(`${key}=${value}`, (counts.get(`${key}=${value}`) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).slice(0, 60).map(([label]) => label);
}
