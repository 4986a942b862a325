// The objects that a command is about.
import type { Flags } from './flags';
import { objectsOf } from './get';
import { readManifests } from './manifests';
import type { Found } from './output';
import { allResources, pathOf, resourceOfKind, targetsOf } from './resources';
import { type Caller, CommandError, ServerError } from './session';

export interface Choice {
  found: Found[];
  /** Why others were not found. */
  faults: ServerError[];
}

/** Finds objects by names, a selector, `--all` or `-f`. `every`: a type alone means all of it. */
export async function choose(caller: Caller, flags: Flags, namespace: string, words: readonly string[], input?: string, every = false): Promise<Choice> {
  const all = await allResources(caller);
  if (flags.has('filename')) {
    const found = readManifests(caller, flags, input).map((object) => ({ resource: resourceOfKind(all, object), object: { ...object, metadata: { ...object.metadata, namespace: object.metadata.namespace ?? namespace } } }));
    return { found, faults: [] };
  }
  const targets = targetsOf(all, words);
  const query = new URLSearchParams(flags.has('selector') ? { labelSelector: flags.get('selector') } : {});
  if (flags.has('field-selector')) query.set('fieldSelector', flags.get('field-selector'));
  const whole = targets.some(({ name }) => name === '');
  if (whole && query.size === 0 && !flags.is('all') && !every) throw new CommandError('error: resource(s) were provided, but no name was specified');
  const choice: Choice = { found: [], faults: [] };
  for (const target of targets) {
    try {
      choice.found.push(...(await objectsOf(caller, target, { namespace: flags.is('all-namespaces') ? '' : namespace, query })));
    } catch (fault) {
      if (!(fault instanceof ServerError)) throw fault;
      choice.faults.push(fault);
    }
  }
  return choice;
}

/** As choose(); throws if one is not found. */
export async function chosen(caller: Caller, flags: Flags, namespace: string, words: readonly string[], input?: string, every = false): Promise<Found[]> {
  const { found, faults } = await choose(caller, flags, namespace, words, input, every);
  if (faults.length > 0) throw faults[0]!;
  return found;
}

/** Prints why objects were not found or not changed. Returns the exit code. */
export function ended(caller: Caller, faults: readonly Error[]): number {
  for (const { message } of faults) caller.terminal.err(`${message}\n`);
  return faults.length > 0 ? 1 : 0;
}

export const pathTo = ({ resource, object }: Found, namespace: string) => pathOf(resource, object.metadata.namespace ?? namespace, object.metadata.name);
