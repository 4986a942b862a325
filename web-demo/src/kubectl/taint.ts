// kubectl taint
import { choose, ended, pathTo } from './chosen';
import type { Flags } from './flags';
import { Printer } from './printer';
import { allResources, findResource } from './resources';
import { type Caller, CommandError, type KubeObject } from './session';

interface Taint {
  key: string;
  value?: string;
  /** Empty: of any effect, when it is to be removed. */
  effect: string;
}

const kEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** `k=v:Effect` taints, `k:Effect-` and `k-` remove. */
export async function taint(caller: Caller, flags: Flags): Promise<number> {
  const at = flags.rest.findIndex((word) => /[=:]|-$/.test(word));
  const first = at < 0 ? flags.rest.length : at;
  const [type = '', ...names] = flags.rest.slice(0, first);
  const words = flags.rest.slice(first);
  if (type === '') throw new CommandError('error: one or more resources must be specified as <resource> <name>');
  if (words.length === 0) throw new CommandError('error: at least one taint update is required');
  const late = words.find((word) => !/[=:]|-$/.test(word));
  if (late !== undefined) throw new CommandError(`error: all resources must be specified before taint changes: ${late}`);
  const added = words.filter((word) => !word.endsWith('-')).map((word) => taintOf(word, true));
  const removed = words.filter((word) => word.endsWith('-')).map((word) => taintOf(word.slice(0, -1), false));
  if (findResource(await allResources(caller), type).kind !== 'Node') throw new CommandError(`error: invalid resource type ${type.toLowerCase()}, only node types are supported`);
  const both = removed.filter((old) => added.some((each) => each.key === old.key && (old.effect === '' || old.effect === each.effect)));
  if (both.length > 0) throw new CommandError(`error: can not both modify and remove the following taint(s) in the same command: ${both.map(({ key, effect }) => `${key}=${effect}`).join(', ')}`);
  if (names.length === 0 && !flags.is('all') && !flags.has('selector')) throw new CommandError("error: at least one resource name must be specified since 'all' parameter is not set");
  const printer = new Printer(caller, flags);
  const { found, faults } = await choose(caller, flags, '', flags.is('all') || flags.has('selector') ? ['nodes'] : ['nodes', ...names]);
  for (const one of found) {
    const { said, taints } = changed(one.object, added, removed, flags.is('overwrite'));
    const now = printer.client ? { ...one.object, spec: { ...one.object.spec, taints } } : await caller.json('PATCH', printer.target(pathTo(one, ''), 'kubectl-taint'), { spec: { taints } }, 'application/merge-patch+json');
    printer.done({ ...one, object: now }, said, '');
  }
  return ended(caller, faults);
}

const usage = (text: string) => new CommandError(`error: ${text}\nSee 'kubectl taint -h' for help and examples`);

function taintOf(text: string, needsEffect: boolean): Taint {
  const [whole = '', effect = '', ...more] = text.split(':');
  const [key = '', value, ...rest] = whole.split('=');
  if (more.length > 0 || rest.length > 0) throw usage(`invalid taint spec: ${text}`);
  if (text.includes(':') && !kEffects.includes(effect)) throw usage(`invalid taint effect: ${effect}, unsupported taint effect`);
  if (effect === '' && value !== undefined) throw usage(`invalid taint spec: ${text}, ${kKeyFault}`);
  if (effect === '' && needsEffect) throw usage(`invalid taint spec: ${text}`);
  return { key, ...(value ? { value } : {}), effect };
}

const kKeyFault = `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`;

function changed(node: KubeObject, added: readonly Taint[], removed: readonly Taint[], overwrite: boolean): { said: string; taints: Taint[] } {
  const old = (node.spec?.taints ?? []) as Taint[];
  const alike = (a: Taint) => (b: Taint) => a.key === b.key && a.effect === b.effect;
  const clashes = added.filter((each) => old.some(alike(each)));
  if (clashes.length > 0 && !overwrite) throw new CommandError(`error: node ${node.metadata.name} already has ${clashes.map(({ key }) => key).join(',')} taint(s) with same effect(s) and --overwrite is false`);
  const all = [...added, ...old.filter((each) => !added.some(alike(each)))];
  const goes = (each: Taint) => (gone: Taint) => each.key === gone.key && (gone.effect === '' || gone.effect === each.effect);
  const missing = removed.filter((gone) => !all.some((each) => goes(each)(gone)));
  if (missing.length > 0) throw new CommandError(`error: ${missing.map(({ key, effect }) => `taint "${key}${effect === '' ? '' : `:${effect}`}" not found`).join(', ')}`);
  const grown = all.length !== old.length;
  return { said: (grown && removed.length > 0) || overwrite ? 'modified' : grown ? 'tainted' : 'untainted', taints: all.filter((each) => !removed.some(goes(each))) };
}
