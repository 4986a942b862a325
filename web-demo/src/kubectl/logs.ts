// kubectl logs
import { logTarget } from '../api/containers';
import type { Flags } from './flags';
import { podsOf } from './pods';
import { type Caller, CommandError, type KubeObject, ServerError } from './session';

const kUnits: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 };

/** `1h30m` in seconds; empty if nothing is given. */
function secondsOf(text: string): string {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)([hms])/g)];
  if (text === '') return '';
  if (parts.map(([part]) => part).join('') !== text) throw new CommandError(`error: invalid argument "${text}" for "--since" flag: time: invalid duration "${text}"`);
  return String(Math.ceil(parts.reduce((sum, [, count, unit]) => sum + Number(count) * kUnits[unit!]!, 0)));
}

export async function logs(caller: Caller, flags: Flags, namespace: string): Promise<number> {
  const [given = '', container = ''] = flags.rest;
  const selects = given === '' && flags.has('selector');
  if (given === '' && !selects) throw new CommandError("error: expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command\nSee 'kubectl logs -h' for help and examples");
  const found = await podsOf(caller, flags, namespace, given).catch((fault: unknown) => {
    if (!(fault instanceof ServerError) || fault.reason !== 'NotFound') throw fault;
    throw new CommandError(`${fault.message.replace(/^E/, 'error: e')} in namespace "${namespace}"`);
  });
  if (found.length === 0) caller.terminal.err(`No resources found in ${namespace} namespace.\n`);
  if (found.length > 1 && !selects) caller.terminal.err(`Found ${found.length} pods, using pod/${found[0]!.metadata.name}\n`);
  for (const pod of selects ? found : found.slice(0, 1)) await logsOf(caller, flags, pod, container, selects ? '10' : '');
  return 0;
}

interface Container {
  name: string;
  kind: 'init' | 'container' | 'ephem';
}

/** In kubectl's order for a list of them: those that run, then the others. */
function containersOf({ spec }: KubeObject): Container[] {
  const of = (list: { name: string }[] | undefined, kind: Container['kind']) => (list ?? []).map(({ name }) => ({ name, kind }));
  return [...of(spec?.containers, 'container'), ...of(spec?.initContainers, 'init'), ...of(spec?.ephemeralContainers, 'ephem')];
}

/** Prints the log of the wanted container, or of all. `lines`: how many, if the flags do not say. */
async function logsOf(caller: Caller, flags: Flags, pod: KubeObject, container: string, lines: string): Promise<void> {
  const all = containersOf(pod);
  if (flags.is('all-containers')) {
    const inOrder = [...all.filter(({ kind }) => kind === 'init'), ...all.filter(({ kind }) => kind !== 'init')];
    for (const { name } of inOrder) await logOf(caller, flags, pod, name, lines);
    return;
  }
  const wanted = flags.get('container') || container;
  if (wanted !== '' && !all.some(({ name }) => name === wanted)) throw new CommandError(`error: container ${wanted} is not valid for pod ${pod.metadata.name}`);
  if (wanted === '' && all.length > 1) {
    const marks = { container: '', init: ' (init)', ephem: ' (ephem)' };
    caller.terminal.err(`Defaulted container "${all[0]!.name}" out of: ${all.map(({ name, kind }) => name + marks[kind]).join(', ')}\n`);
  }
  await logOf(caller, flags, pod, wanted || all[0]?.name || '', lines);
}

async function logOf(caller: Caller, flags: Flags, { metadata }: KubeObject, container: string, lines: string): Promise<void> {
  const follow = flags.is('follow');
  const tail = flags.get('tail') || lines;
  const prefix = flags.is('prefix') ? `[pod/${metadata.name}/${container}] ` : '';
  const target = logTarget(`/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`, {
    container,
    follow,
    previous: flags.is('previous'),
    timestamps: flags.is('timestamps'),
    tailLines: tail === '-1' ? '' : tail,
    sinceSeconds: secondsOf(flags.get('since')),
    sinceTime: flags.get('since-time'),
  });
  if (follow) {
    await caller.session.api.watch({ target, headers: caller.headers({ accept: '*/*' }), signal: caller.terminal.signal }, (line) => caller.terminal.out(`${prefix}${line}\n`));
  } else caller.terminal.out((await caller.send('GET', target, undefined, undefined, '*/*')).replaceAll(/^(?=[^])/gm, (_, at: number, all: string) => (at < all.length ? prefix : '')));
}
