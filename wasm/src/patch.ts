// What patches make of objects, and who owns their fields, without a server.
import { type KubernetesObject, type Status, StatusError } from './encoding.js';
import type { Instance } from './instance.js';
import { timeOf } from './options.js';
import { callShared } from './shared.js';

/**
 * How a patch is written: a list of operations (RFC 6902), a part of the object (RFC 7386), or that part with
 * directives and lists that merge by their items' keys.
 *
 * ```ts
 * const contentType: PatchMediaType = 'application/merge-patch+json';
 * ```
 */
export type PatchMediaType =
  | 'application/json-patch+json'
  | 'application/merge-patch+json'
  | 'application/strategic-merge-patch+json';

/**
 * ```ts
 * applyPatch(pod, patch, { contentType: 'application/strategic-merge-patch+json', manager: 'me' });
 * ```
 */
export interface PatchOptions {
  contentType: PatchMediaType;
  /**
   * Who patches: changed fields become this manager's in `metadata.managedFields`, if the object has any. Without one
   * managedFields are a field like all others.
   */
  manager?: string;
  /** Whose endpoint is patched, such as `status`. None: the object's own. */
  subresource?: string;
  /** The time in managedFields. None: the clock's. */
  now?: Date | string | number;
  /** Fields that a built-in kind does not have, and those that stand twice: `Warn` tells `onWarning`, `Strict` throws. */
  fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
  /** Called with each text that the server would have put into a Warning header. */
  onWarning?: (text: string) => void;
}

/**
 * What a patch makes of an object, as the server computes it: the object in its kind's form, nothing defaulted or
 * validated beyond that. The patch is a value, or a text as a request has it. Neither argument is changed. Kinds that
 * are not built in have no strategic merge patch. Throws a StatusError where the server would refuse.
 *
 * ```ts
 * const scaled = applyPatch(deployment, { spec: { replicas: 3 } }, { contentType: 'application/merge-patch+json' });
 * ```
 */
export function applyPatch<T extends object = KubernetesObject>(object: T, patch: unknown, options: PatchOptions): T {
  const given = {
    contentType: String(options.contentType),
    manager: options.manager ?? '',
    subresource: options.subresource ?? '',
    strict: options.fieldValidation === 'Strict',
    now: timeNow(options.now),
  };
  const texts = [JSON.stringify(object), textOf(patch)];
  const { failure, warnings, output } = callShared((instance) => {
    const [objectSize, patchSize] = writeBoth(instance, texts);
    return { ...instance.core.applyPatch(objectSize, patchSize, given), output: instance.takeOutputText() };
  });
  if (failure !== '') throw new StatusError(JSON.parse(failure) as Status);
  if (options.fieldValidation !== 'Ignore') for (const warning of warnings) options.onWarning?.(warning);
  return JSON.parse(output) as T;
}

/**
 * Who has set a field: an entry of `metadata.managedFields`.
 *
 * ```ts
 * const kubectl: FieldManager = { manager: 'kubectl', operation: 'Apply', apiVersion: 'apps/v1' };
 * ```
 */
export interface FieldManager {
  manager: string;
  operation: 'Apply' | 'Update';
  apiVersion: string;
  /** Through which endpoint, such as `status`; none: the object's own. */
  subresource?: string;
  time?: string;
}

/**
 * ```ts
 * serverSideApply(live, manifest, { manager: 'me', force: true });
 * ```
 */
export interface ApplyOptions {
  /** Who applies. */
  manager: string;
  /** Takes the fields that others own, instead of a conflict. */
  force?: boolean;
  /** Through whose endpoint, such as `status`. None: the object's own. */
  subresource?: string;
  /** The time in managedFields. None: the clock's. */
  now?: Date | string | number;
}

/**
 * What the applied object sets and another manager owns.
 *
 * ```ts
 * for (const { manager, fields } of result.conflicts) console.log(manager.manager, fields);
 * ```
 */
export interface ApplyConflict {
  manager: FieldManager;
  /** As in `OwnedField.path`. */
  fields: string[];
  /** `conflict with "kubectl" using apps/v1` */
  message: string;
}

/**
 * The object that comes of it, or what stands in the way.
 *
 * ```ts
 * const result: ApplyResult = serverSideApply(live, manifest, { manager: 'me' });
 * if (result.object) console.log(fieldOwners(result.object));
 * else console.log(result.status.message);
 * ```
 */
export type ApplyResult<T extends object = KubernetesObject> =
  | {
      object: T;
      /** Whether it differs from the live object in more than `managedFields`. */
      changed: boolean;
      conflicts: [];
      status?: undefined;
    }
  | { object?: undefined; changed: false; conflicts: ApplyConflict[]; /** With code 409. */ status: Status };

/**
 * What server-side apply makes of the live object (`null`: there is none yet), with `metadata.managedFields` telling
 * who owns what; or the conflicts with other managers. `config` is an object, or JSON or YAML, of a built-in kind.
 * Nothing is defaulted or validated beyond the schema, and neither argument is changed. What cannot be applied at all
 * is thrown as a StatusError.
 *
 * ```ts
 * const { object, conflicts } = serverSideApply(live, manifest, { manager: 'me' });
 * ```
 */
export function serverSideApply<T extends object = KubernetesObject>(live: T | null, config: object | string, options: ApplyOptions): ApplyResult<T> {
  const given = {
    manager: options.manager,
    subresource: options.subresource ?? '',
    force: options.force ?? false,
    now: timeNow(options.now),
  };
  const texts = [live === null ? '' : JSON.stringify(live), textOf(config)];
  const { failure, changed, conflicts, output } = callShared((instance) => {
    const [liveSize, configSize] = writeBoth(instance, texts);
    return { ...instance.core.serverSideApply(liveSize, configSize, given), output: instance.takeOutputText() };
  });
  if (failure === '') return { object: JSON.parse(output) as T, changed, conflicts: [] };
  const status = JSON.parse(failure) as Status;
  if (conflicts.length === 0) throw new StatusError(status);
  return { changed: false, conflicts: conflicts as ApplyConflict[], status };
}

/**
 * A field and those who own it.
 *
 * ```ts
 * const replicas: OwnedField = { path: '.spec.replicas', pointer: '/spec/replicas', managers: [kubectl] };
 * ```
 */
export interface OwnedField {
  /** As conflicts name it: `.spec.containers[name="c"].image`. */
  path: string;
  /** Where it stands, as in a JSON Patch: `/spec/containers/0/image`; none if the object does not have it. */
  pointer?: string;
  managers: FieldManager[];
}

/**
 * The fields of an object that somebody owns, by its `metadata.managedFields`: one after the other as in the object's
 * tree, a container before what is in it. Throws a StatusError if managedFields cannot be read.
 *
 * ```ts
 * for (const { path, managers } of fieldOwners(deployment)) console.log(path, managers.map((m) => m.manager));
 * ```
 */
export function fieldOwners(object: object): OwnedField[] {
  const text = JSON.stringify(object);
  const { failure, fields } = callShared((instance) => instance.core.fieldOwners(instance.write(text)));
  if (failure !== '') throw new StatusError(JSON.parse(failure) as Status);
  return fields as OwnedField[];
}

/** Puts both where the next call reads them; gives their sizes. */
function writeBoth(instance: Instance, [first, second]: string[]): [number, number] {
  const size = instance.write(first!);
  return [size, instance.write(second!, size)];
}

function textOf(patch: unknown): string {
  return typeof patch === 'string' ? patch : JSON.stringify(patch);
}

function timeNow(now: Date | string | number | undefined): number {
  return now === undefined ? Date.now() : timeOf(now);
}
