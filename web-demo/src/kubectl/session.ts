// What a command works with: a cluster, a namespace, and a terminal.
import type { Send } from '../api/client';
import type { Exit } from '../api/containers';
import type { Connection } from '../api/transport';

/** The cluster. A Client is one. */
export interface Api {
  send(send: Send): Promise<{ status: number; text: string; warnings?: readonly string[] }>;
  /** Passes on each line of a stream until it ends. Rejects if there is none. */
  watch(send: Send, onLine: (line: string) => void): Promise<void>;
  /** Opens a connection to a container. */
  connect?(send: Pick<Send, 'target' | 'signal'>): Promise<Connection>;
}

export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Lets the user edit a text. Resolves with undefined if it is left as it is. */
  edit?(text: string): Promise<string | undefined>;
  /** Lets the user type into an open connection. `tty`: the other side is a terminal. Resolves with how it ended. */
  interact?(connection: Connection, tty: boolean): Promise<Exit>;
  /** Aborts when the user stops the command. */
  signal: AbortSignal;
}

/** Keeps the namespace from command to command. */
export class Session {
  namespace = 'default';

  constructor(
    readonly api: Api,
    /** Files by name, for `-f`. */
    readonly files: ReadonlyMap<string, string> = new Map(),
    readonly now: () => Date = () => new Date(),
  ) {}
}

/** A failure whose message is printed as it is. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly code = 1,
  ) {
    super(message);
  }
}

export interface Meta {
  name: string;
  namespace?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  resourceVersion?: string;
  creationTimestamp?: string;
  managedFields?: unknown;
  generation?: number;
  uid?: string;
  [field: string]: unknown;
}

export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: Meta;
  // Fields depend on the kind.
  [field: string]: any;
}

interface Status {
  kind?: string;
  reason?: string;
  message?: string;
  details?: { causes?: { field?: string; message?: string }[] };
}

/** Sends requests for one command, as its user. */
export class Caller {
  private readonly warned = new Set<string>();

  constructor(
    readonly session: Session,
    readonly terminal: Terminal,
    private readonly as: string,
    private readonly groups: readonly string[],
  ) {}

  headers(more: Record<string, string> = {}): Record<string, string> {
    const own: Record<string, string> = this.as === '' ? {} : { 'Impersonate-User': this.as };
    if (this.groups.length > 0) own['Impersonate-Group'] = this.groups.join(',');
    return { ...own, ...more };
  }

  async send(method: string, target: string, body?: unknown, contentType = 'application/json', accept = 'application/json'): Promise<string> {
    const headers = this.headers({ accept, ...(body === undefined ? {} : { 'content-type': contentType }) });
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await this.session.api.send({ method, target, headers, body: text, signal: this.terminal.signal });
    for (const warning of answer.warnings ?? []) this.warn(warning);
    if (answer.status === 0) throw new CommandError('Unable to connect to the server');
    if (answer.status >= 400) throw failureOf(answer);
    return answer.text;
  }

  /** Prints a warning, once. */
  warn(text: string): void {
    if (!this.warned.has(text)) this.terminal.err(`Warning: ${text}\n`);
    this.warned.add(text);
  }

  async json<T = KubeObject>(method: string, target: string, body?: unknown, contentType?: string, accept?: string): Promise<T> {
    return JSON.parse(await this.send(method, target, body, contentType, accept)) as T;
  }

  /** Resolves with undefined if there is no such object. */
  async find(target: string): Promise<KubeObject | undefined> {
    try {
      return await this.json('GET', target);
    } catch (fault) {
      if (fault instanceof ServerError && fault.reason === 'NotFound') return undefined;
      throw fault;
    }
  }
}

export class ServerError extends CommandError {
  constructor(
    message: string,
    readonly reason: string,
    /** The server's own words. */
    readonly said = message,
  ) {
    super(message);
  }
}

function failureOf({ status, text }: { status: number; text: string }): ServerError {
  let found: Status = {};
  try {
    found = JSON.parse(text) as Status;
  } catch {
    found = status === 404 ? { reason: 'NotFound', message: 'the server could not find the requested resource' } : { message: text.trim() };
  }
  const { reason = '', message = '' } = found;
  if (reason === 'Invalid') return new ServerError(invalidText(found), reason, message);
  return new ServerError(`Error from server${reason === '' ? '' : ` (${reason})`}: ${message || `the server answered ${status}`}`, reason, message);
}

/** `The Pod "x" is invalid: spec.a: …`, with a list if there are several causes. */
function invalidText({ message = '', details }: Status): string {
  const causes = details?.causes ?? [];
  const [, kind = '', name = ''] = /^(\S+) "([^"]*)" is invalid/.exec(message) ?? [];
  const head = kind === '' ? 'The request is invalid' : `The ${kind.split('.')[0]} "${name}" is invalid`;
  const lines = [...new Set(causes.map((cause) => (cause.field ? `${cause.field}: ${cause.message}` : `${cause.message}`)))];
  if (lines.length === 0) return `${head}: ${message}`;
  return lines.length === 1 ? `${head}: ${lines[0]}` : `${head}: \n${lines.map((line) => `* ${line}`).join('\n')}`;
}
