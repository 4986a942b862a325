// An edited object as a request: a replacement, an apply, or a merge patch.
import type { Send } from './client';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Members = { [key: string]: Json };

export type EditForm = 'replace' | 'apply' | 'merge patch';
export const kEditForms: readonly EditForm[] = ['replace', 'apply', 'merge patch'];

export interface EditOptions {
  /** Of an apply: takes fields over from other managers. */
  force: boolean;
  dryRun: boolean;
}

/** Fields that the server sets. */
export const kServers: readonly string[] = ['creationTimestamp', 'generation', 'managedFields', 'resourceVersion', 'selfLink', 'uid', 'deletionTimestamp', 'deletionGracePeriodSeconds'];

/** Returns the request that makes `after` of `before`. */
export function editRequest(form: EditForm, path: string, before: Members, after: Members, { force, dryRun }: EditOptions): Send {
  const query = new URLSearchParams();
  if (dryRun) query.set('dryRun', 'All');
  if (form === 'apply') {
    query.set('fieldManager', 'playground');
    if (force) query.set('force', 'true');
  }
  const target = query.size > 0 ? `${path}?${query}` : path;
  const send = (method: string, type: string, body: Json): Send => ({ method, target, headers: { 'content-type': type, accept: 'application/json' }, body: `${JSON.stringify(body, null, 2)}\n` });
  switch (form) {
    case 'replace':
      return send('PUT', 'application/json', after);
    case 'apply':
      return send('PATCH', 'application/apply-patch+yaml', configurationOf(after));
    case 'merge patch':
      return send('PATCH', 'application/merge-patch+json', mergePatch(before, withServersFields(after, before)) ?? {});
  }
}

/** Returns the object without what the server sets, as one would apply it. */
function configurationOf(object: Members): Members {
  const { status: _, ...rest } = object;
  const metadata = Object.fromEntries(Object.entries((object.metadata ?? {}) as Members).filter(([name]) => !kServers.includes(name)));
  return { ...rest, metadata };
}

/** Returns the object with the fields of the server that it lacks: leaving them out does not mean to remove them. */
function withServersFields(object: Members, from: Members): Members {
  const known = (from.metadata ?? {}) as Members;
  const given = Object.fromEntries(kServers.flatMap((name) => (name in known ? [[name, known[name]!]] : [])));
  return { ...object, metadata: { ...given, ...((object.metadata ?? {}) as Members) } };
}

const isMembers = (value: Json | undefined): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the JSON Merge Patch (RFC 7386); undefined if nothing differs. */
export function mergePatch(before: Json | undefined, after: Json): Json | undefined {
  if (!isMembers(before) || !isMembers(after)) return JSON.stringify(before) === JSON.stringify(after) ? undefined : after;
  const patch: Members = {};
  for (const [name, value] of Object.entries(after)) {
    const difference = mergePatch(before[name], value);
    if (difference !== undefined) patch[name] = difference;
  }
  for (const name of Object.keys(before)) if (!(name in after)) patch[name] = null;
  return Object.keys(patch).length === 0 ? undefined : patch;
}
