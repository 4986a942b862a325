// kubectl exec and attach: connections to containers, with a terminal if there is one.
import { attachTarget, endInput, execTarget, type Exit, readChannels, type, type Wish } from '../api/containers';
import type { Flags } from './flags';
import { podsOf } from './pods';
import { type Caller, CommandError, type KubeObject } from './session';

export async function exec(caller: Caller, flags: Flags, namespace: string, input?: string): Promise<number> {
  const [given = '', ...words] = flags.rest;
  const command = flags.after.length > 0 ? flags.after : words;
  if (command.length === 0) throw new CommandError('error: you must specify at least one command for the container');
  const wish = { stdin: flags.is('stdin'), tty: flags.is('tty') };
  const { path, container } = await placeOf(caller, flags, namespace, given);
  const { code, message } = await converse(caller, execTarget(path, container, command, wish), wish, input);
  if (message) throw new CommandError(`error: ${message}`);
  if (code !== 0) caller.terminal.err(`command terminated with exit code ${code}\n`);
  return code;
}

export async function attach(caller: Caller, flags: Flags, namespace: string, input?: string): Promise<number> {
  const [given = ''] = flags.rest;
  if (given === '') throw new CommandError('error: at least 1 argument is required for attach');
  const { path, container, spec } = await placeOf(caller, flags, namespace, given);
  const wish = { stdin: flags.is('stdin'), tty: flags.is('tty') && spec.tty === true };
  if (flags.is('tty') && !wish.tty) caller.terminal.err(`error: Unable to use a TTY - container ${spec.name} did not allocate one\n`);
  if (wish.stdin && wish.tty && !flags.is('quiet')) caller.terminal.err("If you don't see a command prompt, try pressing enter.\n");
  const { code, message } = await converse(caller, attachTarget(path, container, wish), wish, input);
  if (message) throw new CommandError(`error: ${message}`);
  return code;
}

async function placeOf(caller: Caller, flags: Flags, namespace: string, given: string) {
  if (Object.keys(caller.headers()).length > 0) throw new CommandError('error: a connection to a container is your own: --as has no place in it');
  const [pod] = await podsOf(caller, flags, namespace, given);
  if (!pod) throw new CommandError(`error: no pods of ${given}`);
  const container = flags.get('container');
  return { path: `/api/v1/namespaces/${namespace}/pods/${pod.metadata.name}`, container, spec: containerSpec(pod, container) };
}

function containerSpec({ spec = {} }: KubeObject, name: string): { name: string; tty?: boolean } {
  const all = [spec.containers, spec.initContainers, spec.ephemeralContainers].flatMap((list) => (list ?? []) as { name: string; tty?: boolean }[]);
  return all.find((each) => each.name === name) ?? all[0] ?? { name };
}

/** Runs a connection to its end. `input`: all that is typed, if it is known; otherwise the terminal takes it. */
async function converse(caller: Caller, target: string, { stdin = false, tty = false }: Wish, input?: string): Promise<Exit> {
  const { api } = caller.session;
  const { terminal } = caller;
  if (!api.connect) throw new CommandError('error: this cluster has no connections to containers');
  const typedHere = stdin && input === undefined;
  if (typedHere && !terminal.interact) throw new CommandError('error: there is no terminal to read from');
  const connection = await api.connect({ target, signal: terminal.signal });
  if (typedHere) return terminal.interact!(connection, tty);
  if (stdin) {
    type(connection, input!);
    endInput(connection);
  }
  return readChannels(connection, terminal);
}
