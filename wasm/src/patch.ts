// Applies patches and computes field ownership, without a server.
import { type KubernetesObject, type Status, StatusError } from './encoding.js';
import type { Instance } from './instance.js';
import { checkNames } from './option-names.js';
import { timeOf } from './options.js';
import { callShared } from './shared.js';

/**
 * The format of a patch: a list of operations (RFC 6902), a part of the object (RFC 7386), or a part with directives
 * and lists that merge by the keys of their items (strategic merge patch).
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
 * Options of `applyPatch`.
 *
 * ```ts
 * applyPatch(pod, patch, { contentType: 'application/strategic-merge-patch+json', manager: 'me' });
 * ```
 */
export interface PatchOptions {
  contentType: PatchMediaType;
  /**
   * The manager that patches. Fields that change become its own in `metadata.managedFields`, if the object has any. If
   * left out, managedFields are patched like any other field.
   */
  manager?: string;
  /** The patched subresource, such as `status`. The object itself if left out. */
  subresource?: string;
  /** The time in managedFields. The present time if left out. */
  now?: Date | string | number;
  /**
   * Treatment of unknown and duplicate fields of a built-in kind: `Ignore` drops them, `Warn` also calls `onWarning`,
   * `Strict` throws.
   */
  fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
  /** Called with each text that the server would send in a Warning header. */
  onWarning?: (text: string) => void;
}

/**
 * Returns the patched object, as the server computes it: in the form of its kind, without further defaults or
 * validation. The patch is a value, or a text as in a request. Neither argument is changed. Only built-in kinds have
 * strategic merge patches. Throws a StatusError where the server would refuse.
 *
 * ```ts
 * const scaled = applyPatch(deployment, { spec: { replicas: 3 } }, { contentType: 'application/merge-patch+json' });
 * ```
 */
export function applyPatch<T extends object = KubernetesObject>(object: T, patch: unknown, options: PatchOptions): T {
  checkNames('applyPatch', options, ['contentType', 'manager', 'subresource', 'now', 'fieldValidation', 'onWarning']);
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
 * An owner of fields: an entry of `metadata.managedFields`.
 *
 * ```ts
 * const kubectl: FieldManager = { manager: 'kubectl', operation: 'Apply', apiVersion: 'apps/v1' };
 * ```
 */
export interface FieldManager {
  manager: string;
  operation: 'Apply' | 'Update';
  apiVersion: string;
  /** The subresource through which the manager wrote, such as `status`. Missing for the object itself. */
  subresource?: string;
  time?: string;
}

/**
 * Options of `serverSideApply`.
 *
 * ```ts
 * serverSideApply(live, manifest, { manager: 'me', force: true });
 * ```
 */
export interface ApplyOptions {
  /** The manager that applies. */
  manager: string;
  /** Takes fields that others own, instead of reporting a conflict. */
  force?: boolean;
  /** The applied subresource, such as `status`. The object itself if left out. */
  subresource?: string;
  /** The time in managedFields. The present time if left out. */
  now?: Date | string | number;
}

/**
 * Fields that the applied configuration sets and another manager owns.
 *
 * ```ts
 * for (const { manager, fields } of result.conflicts) console.log(manager.manager, fields);
 * ```
 */
export interface ApplyConflict {
  manager: FieldManager;
  /** Paths as in `OwnedField.path`. */
  fields: string[];
  /** `conflict with "kubectl" using apps/v1` */
  message: string;
}

/**
 * The resulting object, or the conflicts.
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
      /** True if it differs from the live object in more than `managedFields`. */
      changed: boolean;
      conflicts: [];
      status?: undefined;
    }
  | { object?: undefined; changed: false; conflicts: ApplyConflict[]; /** With code 409. */ status: Status };

/**
 * Applies `config` to the live object (`null` if there is none yet) by server-side apply. Returns the object with its
 * owners in `metadata.managedFields`, or the conflicts with other managers. `config` is an object, or JSON or YAML, of
 * a built-in kind. Nothing is defaulted, or validated beyond the schema, and neither argument is changed. Throws a
 * StatusError for a configuration that cannot be applied at all.
 *
 * ```ts
 * const { object, conflicts } = serverSideApply(live, manifest, { manager: 'me' });
 * ```
 */
export function serverSideApply<T extends object = KubernetesObject>(live: T | null, config: object | string, options: ApplyOptions): ApplyResult<T> {
  checkNames('serverSideApply', options, ['manager', 'force', 'subresource', 'now']);
  const given = {
    manager: options.manager,
    subresource: options.subresource ?? '',
    force: options.force ?? false,
    now: timeNow(options.now),
  };
  const texts = [(live ?? null) === null ? '' : JSON.stringify(live), textOf(config)];
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
 * A field and its owners.
 *
 * ```ts
 * const replicas: OwnedField = { path: '.spec.replicas', pointer: '/spec/replicas', managers: [kubectl] };
 * ```
 */
export interface OwnedField {
  /** The path as in conflicts: `.spec.containers[name="c"].image`. */
  path: string;
  /** The path as in a JSON Patch: `/spec/containers/0/image`. Missing if the object does not have the field. */
  pointer?: string;
  managers: FieldManager[];
}

/**
 * Returns the owned fields of an object, from its `metadata.managedFields`, in the order of the object's tree; a
 * container comes before its content. Throws a StatusError if managedFields cannot be read.
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

/** Writes both as input of the next call. Returns their sizes. */
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
