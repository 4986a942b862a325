// How long clients may take and how many there may be, and what became of them, as in the native server
// (mock-server/connection_limits.h).
import { readdirSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** Times are milliseconds. */
export interface ConnectionLimits {
  /** For a TLS handshake; for the head of a request. */
  head: number;
  /** Between requests. */
  idle: number;
  /** Without a byte of a body that is not complete. */
  body: number;
  wholeBody: number;
  /** Without a byte that the client takes. */
  write: number;
  /** At a time; more wait until one ends. 0: any number. */
  connections: number;
}

export const kUsualLimits: ConnectionLimits = { head: 32_000, idle: 90_000, body: 60_000, wholeBody: 180_000, write: 600_000, connections: 0 };

/** What a client took too long for. */
export type Slow = 'handshake' | 'head' | 'idle' | 'body' | 'write';

/** Descriptors for files and connections to other servers. */
const kOwnDescriptors = 128;

/** The limit of open files; 0: there is none, or the system does not tell. */
function fileLimit(): number {
  try {
    return Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Returns the number of connections that the limit of open files leaves; 0: any number. */
export function mostConnections(): number {
  const files = fileLimit();
  return files && Math.max(files - Math.min(kOwnDescriptors, files >> 1), 1);
}

function openFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}

/** The connections of all listeners of a server. */
export class Connections {
  readonly #waiting = new Map<Socket, () => void>();
  readonly #slow: Record<Slow, number> = { handshake: 0, head: 0, idle: 0, body: 0, write: 0 };
  #open = 0;
  #accepted = 0;
  #told = false;
  failedHandshakes = 0;

  constructor(
    readonly limits = kUsualLimits,
    private readonly warn: (line: string) => void = () => {},
  ) {}

  /** Calls `begin` when there is a place for the connection, which it has until it closes. Node.js has accepted it already. */
  enter(socket: Socket, begin: () => void): void {
    const { connections } = this.limits;
    const take = () => {
      this.#open++;
      this.#accepted++;
      socket.once('close', () => {
        this.#open--;
        for (const [, next] of this.#waiting) return next();
      });
      begin();
    };
    if (connections === 0 || this.#open < connections) return take();
    if (!this.#told) this.warn(`there are ${connections} connections; more wait until one ends (see --max-connections)`);
    this.#told = true;
    const leave = () => (this.#waiting.delete(socket), socket.off('close', leave).off('error', leave));
    socket.on('close', leave).on('error', leave);
    this.#waiting.set(socket, () => (leave(), take()));
  }

  /** Counts a client that was dropped. */
  drop(slow: Slow): void {
    this.#slow[slow]++;
  }

  /** All of it in Prometheus' text, with the descriptors of this process. */
  metrics(): string {
    const families: [name: string, type: string, help: string, samples: Record<string, number>][] = [
      ['apiserver_tls_handshake_errors_total', 'counter', '[ALPHA] TLS handshakes that failed.', { '': this.failedHandshakes }],
      ['process_max_fds', 'gauge', 'The limit of open files.', { '': fileLimit() }],
      ['process_open_fds', 'gauge', 'Open files.', { '': openFiles() }],
      ['tabernetes_connections', 'gauge', 'Connections of clients that are open.', { '': this.#open }],
      ['tabernetes_connections_accepted_total', 'counter', 'Connections of clients.', { '': this.#accepted }],
      [
        'tabernetes_connections_dropped_total',
        'counter',
        'Connections and streams of clients that took too long, by what they did.',
        Object.fromEntries(Object.entries(this.#slow).map(([slow, count]) => [`{reason="${slow}_timeout"}`, count])),
      ],
      ['tabernetes_connections_limit', 'gauge', 'How many may be open, 0 for any number; more wait.', { '': this.limits.connections }],
      // Node.js closes them without telling.
      ['tabernetes_failed_accepts_total', 'counter', 'Connections that could not be accepted, for lack of descriptors or memory.', { '': 0 }],
    ];
    return families
      .map(([name, type, help, samples]) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${Object.entries(samples).map(([labels, value]) => `${name}${labels} ${value}\n`).join('')}`)
      .join('');
  }
}
