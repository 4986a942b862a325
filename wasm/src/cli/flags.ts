// The command line of `tabernetes`: one table of flags, which reading and --help both use.
import { readFileSync } from 'node:fs';
import { parseControllers } from '../controllers.js';
import { checkFeatureGates } from '../feature-gates.js';
import { checkOption } from '../named-options.js';
import { callShared, throwFault } from '../shared.js';
import { type ConfigEntry, ConfigError, parseConfig, unknownFlag } from './config.js';
import { type ListenAddress, parseListenAddress } from './listen-address.js';
import { kLogFormats, kLogLevels, type LogFormat, type LogLevel } from './log.js';
import { systemMessage } from './manifests.js';
import { type KnownService, parseKnownService } from './webhook-target.js';

/** What `tabernetes serve` is asked to do. */
export interface ServeFlags {
  listen: ListenAddress[];
  load: string[];
  kubeconfig: string;
  seed?: bigint;
  /** Stands still. */
  clock?: Date;
  nodes: number;
  /** A list for parseControllers; all if undefined. */
  controllers?: string;
  featureGates: Record<string, boolean>;
  enableAdmissionPlugins: string[];
  disableAdmissionPlugins: string[];
  allowPrivileged: boolean;
  authorizationMode: (typeof kAuthorizationModes)[number];
  anonymousAuth: boolean;
  /** Paths; empty: none. */
  tokenAuthFile: string;
  serviceAccountSigningKeyFile: string;
  /** Milliseconds. */
  watchHistory?: number;
  webhookServices: KnownService[];
  allowedHosts: string[];
  /** Regular expressions; the pages of this machine if left out. */
  corsAllowedOrigins?: string[];
  admin: boolean;
  ui: boolean;
  log: LogLevel;
  logFormat: LogFormat;
}

/** A command line, read: either `serve`, or what to print and the exit code (help, version, mistakes). */
export interface CommandLine {
  serve?: ServeFlags;
  out: string;
  err: string;
  exitCode: number;
}

interface Flag {
  name: string;
  type: string;
  help: string;
  /** May stand more than once. */
  list?: true;
  /** May stand for "none". */
  mayBeEmpty?: true;
  /** Reads one value; throws a text that says what would have been right. */
  read(value: string, flags: ServeFlags, first: boolean): void;
}

const kAuthorizationModes = ['AlwaysAllow', 'RBAC'] as const;

/** Names a file of all the others, so it is none of them. */
const kConfigFlag = {
  name: '--config',
  type: 'FILE',
  help: 'YAML: every flag by its name without dashes; the command line wins',
} as const;

const kFlags: readonly Flag[] = [
  {
    name: '--listen',
    list: true,
    type: 'HOST:PORT',
    help: 'Address to serve on; port 0 picks a free one; repeatable (127.0.0.1:8001)',
    read(value, flags, first) {
      const address = parseListenAddress(value);
      if (!address) throw `HOST:PORT or [IPV6]:PORT, not ${value}`;
      if (first) flags.listen = [];
      flags.listen.push(address);
    },
  },
  {
    name: '--load',
    list: true,
    type: 'FILE',
    help: 'Manifests at start: a file, a folder or - for stdin; YAML or JSON; repeatable',
    read: (value, flags) => void flags.load.push(value),
  },
  {
    name: '--kubeconfig',
    type: 'FILE',
    help: 'Write a kubeconfig that reaches this server to FILE',
    read: (value, flags) => void (flags.kubeconfig = value),
  },
  {
    name: '--seed',
    type: 'N',
    help: 'Make uids and generated names reproducible',
    read: (value, flags) => void (flags.seed = wholeNumber(value, (1n << 64n) - 1n)),
  },
  {
    name: '--clock',
    type: 'TIME',
    help: "The cluster's time; stands still until advanced (the real time, running)",
    read(value, flags) {
      const time = new Date(value);
      if (!kRfc3339.test(value) || Number.isNaN(time.getTime())) throw `a time such as 2026-01-01T00:00:00Z, not ${value}`;
      flags.clock = time;
    },
  },
  {
    name: '--controllers',
    list: true,
    type: 'LIST',
    help: 'Control loops to run: all, none, or names, -name takes one away (all)',
    read(value, flags) {
      parseControllers(value);
      flags.controllers = flags.controllers === undefined ? value : `${flags.controllers},${value}`;
    },
  },
  {
    name: '--nodes',
    type: 'N',
    help: 'Simulated nodes (1)',
    read: (value, flags) => void (flags.nodes = Number(wholeNumber(value, 10_000n))),
  },
  {
    name: '--feature-gates',
    list: true,
    type: 'LIST',
    help: "Kubernetes' feature gates: Name=true,Other=false",
    read: (value, flags) => void Object.assign(flags.featureGates, parseFeatureGates(value)),
  },
  {
    name: '--enable-admission-plugins',
    list: true,
    type: 'LIST',
    help: 'Admission plugins to run beside those that are on',
    read: (value, flags) => void flags.enableAdmissionPlugins.push(...plugins(value)),
  },
  {
    name: '--disable-admission-plugins',
    list: true,
    type: 'LIST',
    help: 'Admission plugins not to run',
    read: (value, flags) => void flags.disableAdmissionPlugins.push(...plugins(value)),
  },
  {
    name: '--allow-privileged',
    type: 'BOOL',
    help: 'Let containers be as powerful as their node (false)',
    read: (value, flags) => void (flags.allowPrivileged = truth(value)),
  },
  {
    name: '--authorization-mode',
    type: 'MODE',
    help: 'Who may do what: AlwaysAllow, or RBAC as roles and bindings say (AlwaysAllow)',
    read(value, flags) {
      const mode = kAuthorizationModes.find((known) => known === value);
      if (!mode) throw `AlwaysAllow or RBAC, not ${value}`;
      flags.authorizationMode = mode;
    },
  },
  {
    name: '--anonymous-auth',
    type: 'BOOL',
    help: 'Answer callers without a token, as system:anonymous (true)',
    read: (value, flags) => void (flags.anonymousAuth = truth(value)),
  },
  {
    name: '--token-auth-file',
    type: 'FILE',
    help: 'Tokens that callers may show: token,user,uid,"group1,group2" a line; others are then refused',
    read: (value, flags) => void (flags.tokenAuthFile = value),
  },
  {
    name: '--service-account-signing-key-file',
    type: 'FILE',
    help: 'RSA key (PEM) that signs the tokens of service accounts (one that everybody knows)',
    read: (value, flags) => void (flags.serviceAccountSigningKeyFile = value),
  },
  {
    name: '--watch-history',
    type: 'DURATION',
    help: 'How long old versions can be read and watched from (5m)',
    read(value, flags) {
      const span = parseDuration(value);
      if (span === undefined) throw `a duration such as 90s, not ${value}`;
      flags.watchHistory = span;
    },
  },
  {
    name: '--webhook-service',
    list: true,
    type: 'SERVICE',
    help: 'Where to call webhooks of this service: NAME.NAMESPACE[:PORT]=HOST:PORT; repeatable (as the Service says)',
    read(value, flags) {
      const service = parseKnownService(value);
      if (!service) throw `NAME.NAMESPACE[:PORT]=HOST:PORT, not ${value}`;
      flags.webhookServices.push(service);
    },
  },
  {
    name: '--allowed-hosts',
    list: true,
    type: 'LIST',
    help:
      'Host names answered: a guard against DNS rebinding; .example.com for all below it, * for any ' +
      '(loopback names and the listen addresses)',
    read: (value, flags) => void flags.allowedHosts.push(...value.split(',')),
  },
  {
    name: '--cors-allowed-origins',
    list: true,
    mayBeEmpty: true,
    type: 'LIST',
    help: 'Origins whose pages may read answers: regular expressions; empty for none (those of this machine)',
    read(value, flags, first) {
      if (first || !flags.corsAllowedOrigins) flags.corsAllowedOrigins = [];
      if (value === '') return;
      for (const origin of value.split(',')) {
        checkCorsOrigin(origin);
        flags.corsAllowedOrigins.push(origin);
      }
    },
  },
  {
    name: '--admin',
    type: 'BOOL',
    help: 'Serve the /-/tabernetes/ endpoints (true)',
    read: (value, flags) => void (flags.admin = truth(value)),
  },
  {
    name: '--ui',
    type: 'BOOL',
    help: 'Serve the playground under /ui/ (true)',
    read: (value, flags) => void (flags.ui = truth(value)),
  },
  {
    name: '--log',
    type: 'LEVEL',
    help: 'What to write to stderr: error, warn, info (a line a request) or debug (warn)',
    read(value, flags) {
      const level = kLogLevels.find((known) => known === value);
      if (!level) throw `error, warn, info or debug, not ${value}`;
      flags.log = level;
    },
  },
  {
    name: '--log-format',
    type: 'FORMAT',
    help: "How to write it: text, or json with the names of kube-apiserver's log (text)",
    read(value, flags) {
      const format = kLogFormats.find((known) => known === value);
      if (!format) throw `text or json, not ${value}`;
      flags.logFormat = format;
    },
  },
];

export function parseCommandLine(args: readonly string[]): CommandLine {
  const [command, ...rest] = args;
  if (command === '-h' || command === '--help') return answer(kHelp);
  if (command === undefined) return mistake('tabernetes', 'a command is needed: serve or version');
  if (command === 'version') return rest.length > 0 ? mistake('tabernetes version', extra(rest[0]!)) : answer(version());
  if (command === 'serve') return parseServe(rest);
  return mistake('tabernetes', extra(command));
}

function parseServe(args: readonly string[]): CommandLine {
  const flags: ServeFlags = {
    listen: [{ host: '127.0.0.1', port: 8001 }],
    load: [],
    kubeconfig: '',
    nodes: 1,
    featureGates: {},
    enableAdmissionPlugins: [],
    disableAdmissionPlugins: [],
    allowPrivileged: false,
    authorizationMode: 'AlwaysAllow',
    anonymousAuth: true,
    tokenAuthFile: '',
    serviceAccountSigningKeyFile: '',
    webhookServices: [],
    allowedHosts: [],
    admin: true,
    ui: true,
    log: 'warn',
    logFormat: 'text',
  };
  const seen = new Set<string>();
  let config: string | undefined;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg === '-h' || arg === '--help') return answer(serveHelp());
    const equals = arg.indexOf('=');
    const name = equals < 0 ? arg : arg.slice(0, equals);
    const flag = name === kConfigFlag.name ? kConfigFlag : kFlags.find((known) => known.name === name);
    if (!flag) return mistake('tabernetes serve', extra(arg));

    let value = equals < 0 ? undefined : arg.slice(equals + 1);
    const next = args[i + 1];
    if (value === undefined && next !== undefined && (next === '-' || !next.startsWith('-'))) {
      value = next;
      i++;
    }
    if (value === undefined && flag.type !== 'BOOL') return mistake('tabernetes serve', `${name}: a value is needed`);
    try {
      if ('read' in flag) flag.read(value ?? 'true', flags, !seen.has(name));
      else config = value;
    } catch (problem) {
      return mistake('tabernetes serve', `${name}: ${textOf(problem)}`);
    }
    seen.add(name);
  }
  if (config !== undefined) {
    const fault = readConfig(config, flags, seen);
    if (fault) return fault;
  }
  if (flags.authorizationMode === 'RBAC' && flags.tokenAuthFile === '') {
    return mistake('tabernetes serve', '--authorization-mode RBAC: --token-auth-file is needed, or nobody may do anything');
  }
  return { serve: flags, out: '', err: '', exitCode: 0 };
}

const textOf = (problem: unknown) => (problem instanceof Error ? problem.message : String(problem));

/** Reads what the file at `path` says and the command line, which has `seen`, did not. Gives what is wrong with it. */
function readConfig(path: string, flags: ServeFlags, seen: ReadonlySet<string>): CommandLine | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return { out: '', err: `tabernetes: ${path}: ${systemMessage(error)}\n`, exitCode: 1 };
  }
  try {
    for (const entry of parseConfig(text)) applyEntry(entry, flags, seen);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return mistake('tabernetes serve', `${path}:${error.place.line}:${error.place.column}: ${error.message}`);
  }
  return undefined;
}

function applyEntry(entry: ConfigEntry, flags: ServeFlags, seen: ReadonlySet<string>): void {
  const name = `--${entry.flag}`;
  if (name === kConfigFlag.name) throw new ConfigError(entry.place, 'config: no file names another one');
  const flag = kFlags.find((known) => known.name === name);
  if (!flag) throw new ConfigError(entry.place, unknownFlag(entry.flag, kFlags.map((known) => known.name.slice(2))));
  if (entry.isList && !flag.list) throw new ConfigError(entry.place, `${entry.flag}: takes a single value, not a list`);
  const values = entry.values.length === 0 ? [{ text: '', place: entry.place }] : entry.values;
  // What the command line overrules has to be right, too.
  const target = seen.has(name) ? structuredClone(flags) : flags;
  for (const [i, value] of values.entries()) {
    if (value.text === '' && !flag.mayBeEmpty) throw new ConfigError(value.place, `${entry.flag}: a value is needed`);
    try {
      flag.read(value.text, target, i === 0);
    } catch (problem) {
      throw new ConfigError(value.place, `${entry.flag}: ${textOf(problem)}`);
    }
  }
}

const answer = (out: string): CommandLine => ({ out, err: '', exitCode: 0 });

function mistake(command: string, message: string): CommandLine {
  const line = message.replaceAll('\n', ' ');
  return { out: '', err: `${command}: ${line} (see ${command} --help)\n`, exitCode: 2 };
}

function extra(arg: string): string {
  return arg.startsWith('-') ? `unknown flag ${arg.split('=')[0]}` : `unexpected argument ${arg}`;
}

const kRfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function wholeNumber(value: string, most: bigint): bigint {
  if (!/^\d+$/.test(value) || BigInt(value) > most) throw `a whole number up to ${most}, not ${value}`;
  return BigInt(value);
}

function plugins(value: string): string[] {
  const names = value.split(',');
  for (const name of names) checkOption('plugin', name);
  return names;
}

function truth(value: string): boolean {
  if (value !== 'true' && value !== 'false') throw `true or false, not ${value}`;
  return value === 'true';
}

/** Throws what is wrong with it. */
function checkCorsOrigin(pattern: string): void {
  throwFault(callShared(({ core }) => core.corsOriginFault(pattern)));
}

const kMilliseconds: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  'µs': 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Milliseconds of a span as Go writes it: `1h30m`, `90s`. */
function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  if (!/^\+?((\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, number, unit] of text.matchAll(/([\d.]+)([a-zµ]+)/g)) sum += Number(number) * kMilliseconds[unit!]!;
  return sum;
}

function parseFeatureGates(list: string): Record<string, boolean> {
  const gates: Record<string, boolean> = {};
  for (const item of list.split(',').filter((text) => text !== '')) {
    const [name, value] = item.split(/=(.*)/s) as [string, string | undefined];
    if (value === undefined) throw `missing bool value for ${item}`;
    if (value !== 'true' && value !== 'false') throw `invalid value of ${name}: ${value} (true or false)`;
    gates[name] = value === 'true';
  }
  checkFeatureGates(gates);
  return gates;
}

const kHelp = `A Kubernetes API server in memory: the real API, without a cluster.

Usage: tabernetes COMMAND [FLAGS]

Commands:
  serve     Serve the API over HTTP
  version   Print the version

tabernetes COMMAND --help tells the flags.
`;

function serveHelp(): string {
  const rows = kFlags.map(({ name, type, help }) => [`  ${name} ${type}`, help] as const);
  rows.unshift([`  ${kConfigFlag.name} ${kConfigFlag.type}`, kConfigFlag.help]);
  rows.push(['  -h, --help', 'Print this help']);
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return `Serve the API over HTTP\n\nUsage: tabernetes serve [FLAGS]\n\nFlags:\n${rows
    .map(([left, right]) => `${left.padEnd(width)}${right}\n`)
    .join('')}`;
}

function version(): string {
  const file = new URL('../package.json', import.meta.url); // from dist/cli.js, which all of this becomes
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return `tabernetes ${manifest.version} (Kubernetes 1.36)\n`;
}
