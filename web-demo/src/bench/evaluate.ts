// Evaluates a trial on the patch bench: from texts to the server's result.
import {
  applyPatch,
  decode,
  fieldOwners,
  serverSideApply,
  StatusError,
  type ApplyConflict,
  type KubernetesObject,
  type OwnedField,
  type PatchMediaType,
} from 'tabernetes';
import type { PatchKind } from './examples';

export interface Trial {
  /** The live object as YAML; empty if there is none yet. */
  live: string;
  /** Its managedFields, if they are not in the text. */
  managedFields?: unknown;
  patch: string;
  kind: PatchKind;
  manager: string;
  force: boolean;
}

/** An error instead of a result. */
export interface Refusal {
  /** The text that is wrong. */
  of: 'live object' | 'patch';
  title: string;
  text: string;
}

export interface Verdict {
  before?: KubernetesObject;
  /** The patched object; with conflicts, the object that `force` would give. */
  after?: KubernetesObject;
  conflicts: readonly ApplyConflict[];
  warnings: readonly string[];
  /** Owners of the fields of `after`. */
  owners: readonly OwnedField[];
  refusal?: Refusal;
}

const kMediaTypes: Readonly<Record<Exclude<PatchKind, 'apply'>, PatchMediaType>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};

export function evaluate(trial: Trial): Verdict {
  const none = { conflicts: [], warnings: [], owners: [] };
  let before: KubernetesObject | undefined;
  try {
    before = trial.live.trim() === '' ? undefined : withOwners(decode(trial.live, 'application/yaml'), trial.managedFields);
  } catch (error) {
    return { ...none, refusal: refusalOf('live object', error) };
  }
  try {
    return trial.kind === 'apply' ? apply(before, trial) : patch(before, trial.kind, trial);
  } catch (error) {
    return { ...none, before, refusal: refusalOf('patch', error) };
  }
}

function apply(before: KubernetesObject | undefined, { patch: config, manager, force }: Trial): Verdict {
  const result = serverSideApply(before ?? null, config, { manager, force });
  const after = result.object ?? serverSideApply(before ?? null, config, { manager, force: true }).object!;
  return { before, after, conflicts: result.conflicts, warnings: [], owners: fieldOwners(after) };
}

function patch(before: KubernetesObject | undefined, kind: keyof typeof kMediaTypes, trial: Trial): Verdict {
  if (!before) throw new Error('There is no object to patch; only an apply creates one.');
  const warnings: string[] = [];
  const after = applyPatch(before, valueOf(trial.patch), {
    contentType: kMediaTypes[kind],
    manager: trial.manager,
    onWarning: (text) => warnings.push(text),
  });
  return { before, after, conflicts: [], warnings, owners: fieldOwners(after) };
}

/** Returns a patch as JSON. Patches are sent as JSON but may be written as YAML. */
function valueOf(text: string): unknown {
  if (/^\s*[[{"]/.test(text)) return text;
  const indented = text.replace(/^/gm, ' ');
  try {
    return decode<{ patch: unknown }>(`apiVersion: bench/v1\nkind: Patch\npatch:\n${indented}`, 'application/yaml').patch ?? null;
  } catch (error) {
    // Subtracts the lines of the wrapper, which the user does not see.
    throw new Error((error as Error).message.replace(/line (\d+)/g, (_, line: string) => `line ${Number(line) - 3}`));
  }
}

function refusalOf(of: Refusal['of'], error: unknown): Refusal {
  if (error instanceof StatusError) {
    const { code, reason, message } = error.status;
    return { of, title: `${code} ${reason ?? ''}`.trim(), text: message ?? '' };
  }
  return { of, title: 'Not readable', text: (error as Error).message };
}

/** Returns the object with these managedFields, unless it has its own. */
export function withOwners(object: KubernetesObject, managedFields: unknown): KubernetesObject {
  const metadata = (object.metadata ?? {}) as { managedFields?: unknown };
  return { ...object, metadata: { ...metadata, managedFields: metadata.managedFields ?? managedFields } };
}

/** Returns the object without its managedFields, and the managedFields. */
export function splitOwners(object: KubernetesObject): [KubernetesObject, unknown] {
  const { managedFields, ...metadata } = (object.metadata ?? {}) as { managedFields?: unknown };
  return [{ ...object, metadata }, managedFields];
}
