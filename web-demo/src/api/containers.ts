// What stands behind the containers of a pod: logs, commands and ports.
import type { Client } from './client';
import { ApiFailure } from './client';
import type { Connection } from './transport';
import type { Status } from './types';

export interface Container {
  name: string;
  kind: 'container' | 'init' | 'ephemeral';
  /** True if its process takes input. */
  stdin: boolean;
  /** True if its process has a terminal. */
  tty: boolean;
  ports: readonly { containerPort: number; protocol?: string; name?: string }[];
}

interface PodLike {
  spec?: Partial<Record<'containers' | 'initContainers' | 'ephemeralContainers', { name: string; stdin?: boolean; tty?: boolean; ports?: Container['ports'] }[]>>;
}

/** Returns the containers of a pod, as `kubectl logs` would choose among them. */
export function containersOf({ spec = {} }: PodLike): Container[] {
  const all = { container: spec.containers, init: spec.initContainers, ephemeral: spec.ephemeralContainers };
  return Object.entries(all).flatMap(([kind, list = []]) =>
    list.map(({ name, stdin = false, tty = false, ports = [] }) => ({ name, kind: kind as Container['kind'], stdin, tty, ports })),
  );
}

/** Parameters of a log; empty texts and `false` are left out. */
export interface LogOptions {
  container: string;
  follow?: boolean;
  previous?: boolean;
  timestamps?: boolean;
  tailLines?: string;
  sinceSeconds?: string;
  sinceTime?: string;
}

/** `pod`: the path of the pod. */
export function logTarget(pod: string, options: LogOptions): string {
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== '' && value !== false);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return `${pod}/log${query.size > 0 ? `?${query}` : ''}`;
}

/** Passes each line of a log to `onLine`, until it ends or `signal` aborts. Rejects with an ApiFailure if it is refused. */
export async function readLog(client: Pick<Client, 'send' | 'watch'>, pod: string, options: LogOptions, signal: AbortSignal, onLine: (line: string) => void): Promise<void> {
  const send = { target: logTarget(pod, options), headers: { accept: '*/*' }, signal };
  if (options.follow) return client.watch(send, onLine);
  const { status, text, failure } = await client.send(send);
  if (status !== 200) throw new ApiFailure(status, failure);
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  lines.forEach(onLine);
}

/** Where the output goes. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}

/** How a command ended. `message`: why it did not run, if so. */
export interface Exit {
  code: number;
  message?: string;
}

// The numbers of channels; 255 stands before one that the client closes.
const kIn = 0;
const kErr = 2;
const kStatus = 3;
const kResize = 4;
const kClose = 255;

/** What a connection has. With `tty`, both outputs come as one. */
export interface Wish {
  stdin?: boolean;
  tty?: boolean;
}

export function execTarget(pod: string, container: string, command: readonly string[], wish: Wish = {}): string {
  return `${pod}/exec?${channelQuery(command.map((word) => ['command', word]), container, wish)}`;
}

export function attachTarget(pod: string, container: string, wish: Wish): string {
  return `${pod}/attach?${channelQuery([], container, wish)}`;
}

function channelQuery(before: string[][], container: string, { stdin, tty }: Wish): URLSearchParams {
  const query = new URLSearchParams(before);
  if (container !== '') query.set('container', container);
  if (stdin) query.set('stdin', 'true');
  query.set('stdout', 'true');
  if (tty) query.set('tty', 'true');
  else query.set('stderr', 'true');
  return query;
}

/** Reads a connection to its end. Resolves with how it ended. */
export async function readChannels({ messages }: Connection, output: Output): Promise<Exit> {
  const decoders = [new TextDecoder(), new TextDecoder(), new TextDecoder(), new TextDecoder()];
  let status = '';
  const reader = messages.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const channel = part.value[0]!;
    const text = decoders[channel]?.decode(part.value.subarray(1), { stream: true }) ?? '';
    if (channel === kStatus) status += text;
    else if (text !== '') (channel === kErr ? output.err : output.out)(text);
  }
  return exitOf(status);
}

/** Runs a command in a container. Rejects with an ApiFailure if it is refused. */
export async function runIn(client: Pick<Client, 'connect'>, pod: string, container: string, command: readonly string[], output: Output, signal?: AbortSignal): Promise<Exit> {
  const connection = await client.connect({ target: execTarget(pod, container, command), signal });
  return readChannels(connection, output);
}

/** Types a text into what is connected. */
export function type({ send }: Connection, text: string): void {
  send(Uint8Array.of(kIn, ...new TextEncoder().encode(text)));
}

/** Says how large the terminal is, in characters. */
export function resize({ send }: Connection, columns: number, rows: number): void {
  send(Uint8Array.of(kResize, ...new TextEncoder().encode(JSON.stringify({ Width: columns, Height: rows }))));
}

/** Ends the input of what is connected. */
export function endInput({ send }: Connection): void {
  send(Uint8Array.of(kClose, kIn));
}

/** Reads the Status that ends a connection. */
function exitOf(text: string): Exit {
  if (text === '') return { code: 0, message: 'The connection ended without a status.' };
  const { status, message, reason, details } = JSON.parse(text) as Status;
  if (status === 'Success') return { code: 0 };
  const code = reason === 'NonZeroExitCode' ? Number(details?.causes?.find((cause) => cause.reason === 'ExitCode')?.message) : Number.NaN;
  return Number.isInteger(code) ? { code } : { code: 1, message };
}

/** Returns the path at which the server passes requests on to a port of a pod. */
export const portTarget = (pod: string, port: number, path: string): string => `${pod}:${port}/proxy/${path.replace(/^\//, '')}`;
