// kubectl label and annotate
import { choose, ended, pathTo } from './chosen';
import type { Flags } from './flags';
import type { Found } from './output';
import { Printer } from './printer';
import { type Caller, CommandError } from './session';

type Field = 'labels' | 'annotations';

const kValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const kValueFault = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`;

/** What is to be set; null removes. */
type Changes = Readonly<Record<string, string | null>>;

/** `k=v` sets, `k-` removes; `--list` prints. */
export async function mark(caller: Caller, flags: Flags, namespace: string, field: Field): Promise<number> {
  const isChange = (word: string) => /^[^=/]+(\/[^=]+)?=|[^/]-$/.test(word) && (word.includes('=') || word.endsWith('-'));
  const words = flags.rest.filter((word) => !isChange(word));
  const changes = changesOf(flags.rest.filter(isChange), field);
  const lists = flags.is('list');
  if (Object.keys(changes).length === 0 && !lists) throw new CommandError(`error: at least one ${field === 'labels' ? 'label' : 'annotation'} update is required`);
  const { found, faults } = await choose(caller, flags, namespace, words);
  const failures: Error[] = [...faults];
  const printer = new Printer(caller, flags);
  for (const one of found) {
    try {
      if (lists) list(caller, one, field, found.length > 1);
      else await change(caller, flags, printer, one, field, changes, pathTo(one, namespace));
    } catch (fault) {
      if (!(fault instanceof CommandError)) throw fault;
      failures.push(fault);
    }
  }
  return ended(caller, failures);
}

function changesOf(words: readonly string[], field: Field): Changes {
  const set = words.filter((word) => word.includes('=')).map((word): [string, string] => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);
  const removed = words.filter((word) => !word.includes('=')).map((word) => word.slice(0, -1));
  if (field === 'labels') {
    for (const [key, value] of set) {
      if (value.includes('=')) throw new CommandError(`error: invalid label spec: ${key}=${value}`);
      const faults = [...(kValue.test(value) ? [] : [kValueFault]), ...(value.length > 63 ? ['must be no more than 63 bytes'] : [])].reverse();
      if (faults.length > 0) throw new CommandError(`error: invalid label value: "${key}=${value}": ${faults.join(';')}`);
    }
  }
  const both = removed.filter((key) => set.some(([each]) => each === key));
  if (both.length > 0) throw new CommandError(field === 'labels' ? 'error: can not both modify and remove a label in the same command' : `error: can not both modify and remove the following annotation(s) in the same command: ${both.join(', ')}`);
  return { ...Object.fromEntries(set), ...Object.fromEntries(removed.map((key) => [key, null])) };
}

function list(caller: Caller, { object }: Found, field: Field, several: boolean): void {
  const group = object.apiVersion.includes('/') ? object.apiVersion.split('/')[0] : '';
  if (several) caller.terminal.out(`Listing ${field} for ${object.kind}.${group}/${object.metadata.name}:\n`);
  for (const [key, value] of Object.entries(object.metadata[field] ?? {})) caller.terminal.out(`${several ? ' ' : ''}${key}=${value}\n`);
}

async function change(caller: Caller, flags: Flags, printer: Printer, { resource, object }: Found, field: Field, changes: Changes, path: string): Promise<void> {
  const present = object.metadata[field] ?? {};
  if (field === 'labels') for (const key of Object.keys(changes)) if (changes[key] === null && !(key in present)) caller.terminal.out(`label "${key}" not found.\n`);
  const clashes = Object.entries(changes).filter(([key, value]) => value !== null && key in present && present[key] !== value && !flags.is('overwrite'));
  if (clashes.length > 0) {
    const said = clashes.map(([key]) => `'${key}' already has a value (${present[key]})`);
    if (field === 'annotations') throw new CommandError(`error: --overwrite is false but found the following declared annotation(s): ${said.join('; ')}`);
    const each = said.map((text) => `${text}, and --overwrite is false`);
    throw new CommandError(`error: ${each.length > 1 ? `[${each.join(', ')}]` : each[0]}`);
  }
  const kept = Object.fromEntries(Object.entries({ ...present, ...changes }).filter((entry): entry is [string, string] => entry[1] !== null));
  const now = { ...object, metadata: { ...object.metadata, [field]: kept } };
  const changed = Object.entries(changes).some(([key, value]) => (value === null ? key in present : present[key] !== value));
  if (changed && !printer.client) {
    const answer = await caller.json('PATCH', printer.target(path, `kubectl-${field === 'labels' ? 'label' : 'annotate'}`), { metadata: { [field]: changes } }, 'application/merge-patch+json');
    // The object as it was changed here is what `label -o` prints; annotate prints the server's.
    if (field === 'annotations') return printer.done({ resource, object: answer }, 'annotated');
  }
  const shorter = !flags.is('overwrite') && JSON.stringify(kept).length < JSON.stringify(present).length;
  printer.done({ resource, object: now }, field === 'annotations' ? 'annotated' : !changed ? 'not labeled' : shorter ? 'unlabeled' : 'labeled');
}
