// What can come next on the command line.
import { kCommandNames } from './command';
import { kCreated } from './create';
import { kFilters } from './filters';
import { kFlagNames } from './flags';
import { allResources, findResource, type Known, pathOf } from './resources';
import { Caller, type Session, type Terminal } from './session';

const kSecond: Readonly<Record<string, readonly string[]>> = {
  set: ['env', 'image', 'resources', 'selector', 'serviceaccount'],
  rollout: ['status', 'history', 'undo', 'restart', 'pause', 'resume'],
  auth: ['can-i', 'whoami'],
  config: ['set-context', 'current-context', 'view'],
  create: ['-f', ...kCreated],
};
const kFormats = ['yaml', 'json', 'wide', 'name', 'jsonpath=', 'custom-columns='];
const kVerbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

/** Returns the words that can stand in place of the last one of `line`, sorted. */
export async function completions(line: string, session: Session): Promise<string[]> {
  const quiet: Terminal = { out() {}, err() {}, signal: AbortSignal.timeout(3000) };
  const caller = new Caller(session, quiet, '', []);
  const part = line.split('|').at(-1)!.trimStart();
  const all = part.split(/\s+/);
  const words = /^(kubectl|k)$/.test(all[0] ?? '') ? all.slice(1) : all;
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  try {
    const candidates = line.includes('|') ? kFilters : await candidatesFor(caller, before, last, session);
    return [...new Set(candidates)].filter((each) => each.startsWith(last) && each !== last).sort();
  } catch {
    return [];
  }
}

async function candidatesFor(caller: Caller, before: readonly string[], last: string, session: Session): Promise<readonly string[]> {
  const previous = before.at(-1) ?? '';
  if (previous === '-n' || previous === '--namespace') return names(caller, '/api/v1/namespaces');
  if (previous === '-o' || previous === '--output') return kFormats;
  if (previous === '-f' || previous === '--filename') return ['-', ...session.files.keys()];
  if (last.startsWith('-')) return kFlagNames;
  const plain = before.filter((word, index) => !word.startsWith('-') && !/^-\w$/.test(before[index - 1] ?? ''));
  const [command = '', ...rest] = plain;
  if (command === '') return kCommandNames;
  const place = before.indexOf('-n') >= 0 ? (before[before.indexOf('-n') + 1] ?? '') : session.namespace;
  const known = () => allResources(caller);
  if (command === 'auth' && rest[0] === 'can-i') return rest.length === 1 ? kVerbs : (await known()).map(({ name }) => name);
  const skip = command === 'rollout' || command === 'set' ? 1 : 0;
  if (kSecond[command] && rest.length === 0) return kSecond[command];
  if (/^(logs|exec|attach)$/.test(command) && !last.includes('/')) return names(caller, `/api/v1/namespaces/${place}/pods`);
  if (/^(un)?cordon$|^drain$/.test(command)) return names(caller, '/api/v1/nodes');
  const typed = rest.slice(skip);
  if (last.includes('/')) {
    const [type = ''] = last.split('/');
    return (await names(caller, listPath(await known(), type, place))).map((name) => `${type}/${name}`);
  }
  if (typed.length === 0) return (await known()).flatMap(({ name, shortNames }) => [name, ...shortNames]);
  return names(caller, listPath(await known(), typed[0]!, place));
}

const listPath = (all: readonly Known[], type: string, namespace: string) => pathOf(findResource(all, type), namespace);

async function names(caller: Caller, path: string): Promise<string[]> {
  const accept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
  const { items } = await caller.json<{ items: { metadata: { name: string } }[] | null }>('GET', `${path}?limit=500`, undefined, undefined, accept);
  return (items ?? []).map(({ metadata }) => metadata.name);
}
