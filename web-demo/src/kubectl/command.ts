// Runs a line of the command line: kubectl commands, and filters behind pipes.
import { apply, replace } from './apply';
import { apiResources, apiVersions, auth, clusterInfo, version, wait } from './ask';
import { cordon, drain, edit, patch, remove, scale } from './change';
import { attach, exec } from './containers';
import { create } from './create';
import { describe } from './describe';
import { events } from './events';
import { explain } from './explain';
import { autoscale, expose } from './expose';
import { filtered } from './filters';
import { Flags } from './flags';
import { get } from './get';
import { logs } from './logs';
import { mark } from './marks';
import { rollout } from './rollout';
import { runPod } from './run';
import { Caller, CommandError, type Session, type Terminal } from './session';
import { set } from './set';
import { taint } from './taint';
import { top } from './top';
import { splitLine } from './words';

type Command = (caller: Caller, flags: Flags, namespace: string, input: string | undefined) => Promise<number>;

const kCommands: Readonly<Record<string, Command>> = {
  get,
  describe,
  apply,
  create,
  replace,
  delete: remove,
  edit: (caller, flags, namespace) => edit(caller, flags, namespace),
  logs,
  exec,
  attach,
  scale,
  set,
  expose,
  autoscale,
  taint: (caller, flags) => taint(caller, flags),
  events: (caller, flags, namespace) => events(caller, flags, namespace),
  rollout,
  label: (caller, flags, namespace) => mark(caller, flags, namespace, 'labels'),
  annotate: (caller, flags, namespace) => mark(caller, flags, namespace, 'annotations'),
  patch,
  explain: (caller, flags) => explain(caller, flags),
  auth,
  run: runPod,
  wait,
  top,
  'cluster-info': (caller) => clusterInfo(caller),
  cordon: (caller, flags) => cordon(caller, flags, true),
  uncordon: (caller, flags) => cordon(caller, flags, false),
  drain: (caller, flags) => drain(caller, flags),
  'api-resources': (caller, flags) => apiResources(caller, flags),
  'api-versions': (caller) => apiVersions(caller),
  version: (caller, flags) => version(caller, flags),
  config,
};

/** What these letters are for logs; everywhere else -f is --filename and -p is --patch. */
const kLogsShort: Readonly<Record<string, string>> = { '-f': '--follow', '-p': '--previous' };

export const kCommandNames = Object.keys(kCommands);

/** Runs a line, with or without `kubectl` before it. Resolves with the exit code; never rejects. */
export async function runLine(text: string, session: Session, terminal: Terminal): Promise<number> {
  try {
    const [first, ...filters] = splitLine(text);
    const words = /^(kubectl|k)$/.test(first!.words[0] ?? '') ? first!.words.slice(1) : first!.words;
    if (words.length === 0) return 0;
    let piped = '';
    const inner: Terminal = filters.length > 0 ? { ...terminal, interact: undefined, out: (part) => void (piped += part) } : terminal;
    const code = await runCommand(words, first!.input, session, inner);
    for (const filter of filters) piped = filtered(filter.words, piped);
    if (filters.length > 0) terminal.out(piped);
    return code;
  } catch (fault) {
    if (terminal.signal.aborted) return 130;
    terminal.err(`${(fault as Error).message}\n`);
    return fault instanceof CommandError ? fault.code : 1;
  }
}

async function runCommand(words: readonly string[], input: string | undefined, session: Session, terminal: Terminal): Promise<number> {
  // Flags may stand before the command.
  let flags: Flags;
  try {
    flags = new Flags(words[0] === 'logs' ? words.map((word) => kLogsShort[word] ?? word) : words);
  } catch (fault) {
    throw new CommandError(`Error: ${(fault as Error).message}\nSee 'kubectl ${words[0]} --help' for usage.`);
  }
  const [name = '', ...rest] = flags.rest;
  const command = kCommands[name];
  if (flags.is('help') || name === 'help' || name === '') {
    terminal.out(`Commands: ${kCommandNames.join(', ')}\nFlags as kubectl's; pipes to grep, head, tail, wc, sort, uniq; -f - with <<EOF and a manifest below, or the name of a dropped file.\n`);
    return 0;
  }
  if (!command) throw new CommandError(`error: unknown command "${name}" for "kubectl"`);
  flags.rest.splice(0, flags.rest.length, ...rest);
  const caller = new Caller(session, terminal, flags.get('as'), flags.all('as-group'));
  return command(caller, flags, flags.get('namespace') || session.namespace, input);
}

/** `config set-context --current --namespace=x` and what shows it. */
async function config({ session, terminal }: Caller, flags: Flags): Promise<number> {
  const [verb = ''] = flags.rest;
  if (verb === 'set-context' && flags.has('namespace')) {
    session.namespace = flags.get('namespace');
    terminal.out('Context "page" modified.\n');
  } else if (verb === 'current-context') terminal.out('page\n');
  else if (verb === 'view') terminal.out(`current-context: page\nnamespace: ${session.namespace}\n`);
  else throw new CommandError(`error: unknown command "${verb}" for "kubectl config"`);
  return 0;
}
