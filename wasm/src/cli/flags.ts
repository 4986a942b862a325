// The command line of `tabernetes`. Its flags are described in flags/serve.json, for the native binary as well; here is
// what each means.
import { readFileSync } from 'node:fs';
import { checkOption } from '../option-faults.js';
import { type AccessFlags, addClaim, faultOfAccess, knowsCallers, kOidcTexts, noAccessFlags } from './access-flags.js';
import type { AuditFlags } from './audit-file.js';
import { type ConfigEntry, ConfigError, parseConfig, unknownFlag } from './config.js';
import { completionScript, completions } from './completion.js';
import { type DataCommand, kDataCommands } from './data-commands.js';
import kFlags, { type Flag } from './flag-table.js';
import type { RequestHeaders } from './client-certificate.js';
import { type ListenPlace, parseListenPlace } from './listen-address.js';
import type { LogFormat, LogLevel } from './log.js';
import { systemMessage } from './manifests.js';
import { sqliteLacks } from './sqlite.js';
import { servesTls, type TlsFlags } from './tls-files.js';
import { type KnownService, parseKnownService } from './webhook-target.js';

/** What `tabernetes serve` is asked to do. */
export interface ServeFlags {
  listen: ListenPlace[];
  /** Not only by default. */
  listenGiven: boolean;
  load: string[];
  kubeconfig: string;
  seed?: bigint;
  /** Stands still. */
  clock?: Date;
  nodes: number;
  /** A path; empty: none. */
  behaviour: string;
  admissionControlConfigFile: string;
  containers: string;
  faults: string;
  /** Names a file of all the others; read already. */
  config?: string;
  /** A list as ClusterOptions has it. */
  controllers: string;
  scheduler: boolean;
  /** `Name=true,Other=false` */
  featureGates: string;
  enableAdmissionPlugins: string[];
  disableAdmissionPlugins: string[];
  allowPrivileged: boolean;
  authorizationMode: string;
  authorizationPolicyFile: string;
  anonymousAuth: boolean;
  tls: TlsFlags;
  requestHeaders: RequestHeaders;
  audit: AuditFlags;
  access: AccessFlags;
  enableBootstrapTokenAuth: boolean;
  /** Paths; empty: none. */
  tokenAuthFile: string;
  serviceAccountSigningKeyFile: string;
  /** A path; empty: in memory. */
  dataDir: string;
  /** Milliseconds. */
  watchHistory: number;
  /** Milliseconds. */
  requestTimeout: number;
  priorityAndFairness: boolean;
  maxRequestsInflight: number;
  maxMutatingRequestsInflight: number;
  /** 0: as many as the limit of open files leaves. */
  maxConnections: number;
  webhookServices: KnownService[];
  allowedHosts: string[];
  /** Regular expressions; the pages of this machine if left out. */
  corsAllowedOrigins?: string[];
  admin: boolean;
  ui: boolean;
  log: LogLevel;
  logFormat: LogFormat;
}

/** A command line, read: `serve`, a command on data, or what to print and the exit code (help, version, mistakes). */
export interface CommandLine {
  serve?: ServeFlags;
  data?: DataCommand;
  /** The files of `check`. */
  check?: readonly string[];
  out: string;
  err: string;
  exitCode: number;
}

/** Reads one value of a flag; throws a text that says what is wrong with it. The `first` that is given takes the place of what is there. */
type Read = (value: string, flags: ServeFlags, flag: Flag, first: boolean) => void;

function onlyNative(): never {
  throw 'only the native server keeps a cluster in etcd; this one has --data-dir';
}

/** A flag that is a path. */
const tlsFile = (name: 'certFile' | 'keyFile' | 'certDir' | 'clientCaFile' | 'proxyCaFile'): Read => (value, { tls }) => void (tls[name] = value);

const tlsList = (name: 'names' | 'proxyNames'): Read => (value, { tls }) => void tls[name].push(...value.split(','));

/** Headers are compared without regard to case. */
const headerNames = (name: keyof RequestHeaders): Read => (value, { requestHeaders }) => {
  const names = value.toLowerCase().split(',');
  if (names.includes('')) throw `names of headers, none of them empty, not ${value}`;
  requestHeaders[name].push(...names);
};

/** Judges the value of a flag that has no effect here. */
const chosenOnly: Read = (value, _flags, flag) => void choice(value, flag);
const numberOnly: Read = (value, _flags, flag) => void wholeNumber(value, flag);

/** A flag of the issuer of tokens. */
const oidcText = (name: string): [string, Read] => [
  name,
  (value, { access }) => {
    access.oidcGiven = true;
    access.oidc[kOidcTexts[name]!] = value;
  },
];

/** Milliseconds. */
function time(value: string): number {
  const span = parseDuration(value);
  if (span === undefined) throw `a duration such as 90s, not ${value}`;
  return span;
}

const kReaders: Readonly<Record<string, Read>> = {
  config: (value, flags) => void (flags.config = value),
  listen(value, flags, { value: form }, first) {
    const address = parseListenPlace(value);
    if (!address) throw `${form} or [IPV6]:PORT, not ${value}`;
    if (first) flags.listen = [];
    flags.listen.push(address);
    flags.listenGiven = true;
  },
  load: (value, flags) => void flags.load.push(value),
  kubeconfig: (value, flags) => void (flags.kubeconfig = value),
  seed: (value, flags, flag) => void (flags.seed = wholeNumber(value, flag)),
  clock(value, flags) {
    const time = new Date(value);
    if (!kRfc3339.test(value) || Number.isNaN(time.getTime())) throw `a time such as 2026-01-01T00:00:00Z, not ${value}`;
    flags.clock = time;
  },
  controllers(value, flags, _, first) {
    flags.controllers = first ? value : `${flags.controllers},${value}`;
    checkOption('controllers', flags.controllers);
  },
  scheduler: (value, flags) => void (flags.scheduler = truth(value)),
  nodes: (value, flags, flag) => void (flags.nodes = Number(wholeNumber(value, flag))),
  behaviour: (value, flags) => void (flags.behaviour = value),
  containers: (value, flags) => void (flags.containers = value),
  faults: (value, flags) => void (flags.faults = value),
  'feature-gates'(value, flags) {
    checkOption('featureGateList', value);
    flags.featureGates += `${value},`;
  },
  'enable-admission-plugins': (value, flags) => void flags.enableAdmissionPlugins.push(...plugins(value)),
  'admission-control-config-file': (value, flags) => void (flags.admissionControlConfigFile = value),
  'disable-admission-plugins': (value, flags) => void flags.disableAdmissionPlugins.push(...plugins(value)),
  'allow-privileged': (value, flags) => void (flags.allowPrivileged = truth(value)),
  'authorization-mode'(value, flags, _, first) {
    flags.authorizationMode = first ? value : `${flags.authorizationMode},${value}`;
    checkOption('authorizationMode', flags.authorizationMode);
  },
  'authorization-policy-file': (value, flags) => void (flags.authorizationPolicyFile = value),
  'service-account-key-file'(value, _flags, flag) {
    if (value !== flag.default) throw 'only the native server has keys that verify and do not sign';
  },
  'authentication-config': (value, { access }) => void (access.authenticationConfig = value),
  'authorization-config': (value, { access }) => void (access.authorizationConfig = value),
  'authorization-webhook-config-file': (value, { access }) => void (access.authorization.file = value),
  'authorization-webhook-version': (value, { access }, flag) => void (access.authorization.version = choice(value, flag)),
  'authorization-webhook-cache-authorized-ttl': (value, { access }) => void (access.authorization.authorizedTtl = time(value)),
  'authorization-webhook-cache-unauthorized-ttl': (value, { access }) => void (access.authorization.unauthorizedTtl = time(value)),
  'authentication-token-webhook-config-file': (value, { access }) => void (access.authentication.file = value),
  'authentication-token-webhook-version': (value, { access }, flag) => void (access.authentication.version = choice(value, flag)),
  'authentication-token-webhook-cache-ttl': (value, { access }) => void (access.authentication.ttl = time(value)),
  ...Object.fromEntries(Object.keys(kOidcTexts).map(oidcText)),
  'oidc-required-claim'(value, { access }) {
    addClaim(value, access.oidc.requiredClaims);
    access.oidcGiven = true;
  },
  'oidc-signing-algs'(value, { access }, _, first) {
    access.oidc.signingAlgorithms = [...(first ? [] : access.oidc.signingAlgorithms), ...value.split(',')];
    access.oidcGiven = true;
  },
  'anonymous-auth': (value, flags) => void (flags.anonymousAuth = truth(value)),
  tls: (value, { tls }) => void (tls.on = truth(value)),
  'tls-cert-file': tlsFile('certFile'),
  'tls-private-key-file': tlsFile('keyFile'),
  'tls-sni-cert-key'(value, { tls }) {
    const [cert = '', key = '', ...more] = value.split(',');
    if (cert === '' || key === '' || more.length > 0) throw `CERTFILE,KEYFILE, not ${value}`;
    tls.forNames.push({ cert, key });
  },
  'tls-min-version': (value, { tls }, flag) => void (tls.minVersion = choice(value, flag)),
  'tls-san': tlsList('names'),
  'cert-dir': tlsFile('certDir'),
  'client-ca-file': tlsFile('clientCaFile'),
  'requestheader-client-ca-file': tlsFile('proxyCaFile'),
  'requestheader-allowed-names': tlsList('proxyNames'),
  'requestheader-username-headers': headerNames('usernames'),
  'requestheader-uid-headers': headerNames('uids'),
  'requestheader-group-headers': headerNames('groups'),
  'requestheader-extra-headers-prefix': headerNames('extraPrefixes'),
  'enable-bootstrap-token-auth': (value, flags) => void (flags.enableBootstrapTokenAuth = truth(value)),
  'token-auth-file': (value, flags) => void (flags.tokenAuthFile = value),
  'service-account-signing-key-file': (value, flags) => void (flags.serviceAccountSigningKeyFile = value),
  'audit-policy-file': (value, { audit }) => void (audit.policyFile = value),
  'audit-log-path': (value, { audit }) => void (audit.path = value),
  'audit-log-format': (value, { audit }, flag) => void (audit.format = choice(value, flag)),
  'audit-log-mode': chosenOnly,
  'audit-log-version': chosenOnly,
  'audit-log-maxage': numberOnly,
  'audit-log-maxbackup': numberOnly,
  'audit-log-maxsize': numberOnly,
  'audit-log-truncate-enabled': (value, { audit }) => void (audit.truncates = truth(value)),
  'audit-log-truncate-max-event-size': (value, { audit }) => void (audit.mostEventBytes = bytes(value)),
  'data-dir'(value, flags) {
    const lack = sqliteLacks();
    if (lack !== '') throw lack;
    flags.dataDir = value;
  },
  'etcd-servers': onlyNative,
  'etcd-cafile': onlyNative,
  'etcd-certfile': onlyNative,
  'etcd-keyfile': onlyNative,
  'etcd-prefix'(value, _flags, flag) {
    if (value !== flag.default) onlyNative();
  },
  'etcd-compaction-interval'(value, _flags, flag) {
    if (value !== flag.default) onlyNative();
  },
  'watch-history'(value, flags) {
    const span = parseDuration(value);
    if (span === undefined) throw `a duration such as 90s, not ${value}`;
    flags.watchHistory = span;
  },
  'request-timeout'(value, flags) {
    const span = parseDuration(value);
    if (!span) throw `a duration such as 90s, not ${value}`;
    flags.requestTimeout = span;
  },
  'enable-priority-and-fairness': (value, flags) => void (flags.priorityAndFairness = truth(value)),
  'max-requests-inflight': (value, flags, flag) => void (flags.maxRequestsInflight = Number(wholeNumber(value, flag))),
  'max-mutating-requests-inflight': (value, flags, flag) => void (flags.maxMutatingRequestsInflight = Number(wholeNumber(value, flag))),
  'max-connections': (value, flags, flag) => void (flags.maxConnections = Number(wholeNumber(value, flag))),
  'webhook-service'(value, flags) {
    const service = parseKnownService(value);
    if (!service) throw `NAME.NAMESPACE[:PORT]=HOST:PORT, not ${value}`;
    flags.webhookServices.push(service);
  },
  'allowed-hosts': (value, flags) => void flags.allowedHosts.push(...value.split(',')),
  'cors-allowed-origins'(value, flags, _, first) {
    const origins = value === '' ? [] : value.split(',');
    for (const origin of origins) checkOption('corsOrigin', origin);
    flags.corsAllowedOrigins = first ? origins : [...(flags.corsAllowedOrigins ?? []), ...origins];
  },
  admin: (value, flags) => void (flags.admin = truth(value)),
  ui: (value, flags) => void (flags.ui = truth(value)),
  log: (value, flags, flag) => void (flags.log = choice(value, flag)),
  'log-format': (value, flags, flag) => void (flags.logFormat = choice(value, flag)),
};

function readFlag(flag: Flag, value: string, flags: ServeFlags, first: boolean): void {
  kReaders[flag.name]!(value, flags, flag, first);
}

/** The flags where none is given. */
function usualFlags(): ServeFlags {
  const none = { load: [], kubeconfig: '', dataDir: '', featureGates: '', enableAdmissionPlugins: [], disableAdmissionPlugins: [] };
  const files = { tokenAuthFile: '', authorizationPolicyFile: '', serviceAccountSigningKeyFile: '', behaviour: '', containers: '', faults: '', admissionControlConfigFile: '', webhookServices: [], allowedHosts: [], maxConnections: 0 };
  const tls = { certFile: '', keyFile: '', forNames: [], names: [], certDir: '', clientCaFile: '', proxyCaFile: '', proxyNames: [] };
  const requestHeaders = { usernames: [], uids: [], groups: [], extraPrefixes: [] };
  const audit = { policyFile: '', path: '' };
  const flags = { ...none, ...files, tls, requestHeaders, audit, access: noAccessFlags() } as unknown as ServeFlags;
  for (const flag of kFlags) if (flag.default !== undefined) readFlag(flag, flag.default, flags, true);
  flags.access.oidcGiven = flags.listenGiven = false;
  return flags;
}

export function parseCommandLine(args: readonly string[]): CommandLine {
  const [command, ...rest] = args;
  if (command === '-h' || command === '--help') return answer(kHelp);
  if (command === undefined) return mistake('tabernetes', 'a command is needed: serve or version');
  if (command === 'version') return rest.length > 0 ? mistake('tabernetes version', extra(rest[0]!)) : answer(version());
  if (command === 'serve') return parseServe(rest);
  if (command === 'check') return parseCheck(rest);
  if (command === 'completion') return parseCompletion(rest);
  if (command === 'envtest') return mistake('tabernetes', 'envtest: only the native server stands in for kube-apiserver and etcd');
  if (command === '__complete') return answer(completions(rest, kCommands).map((word) => `${word}\n`).join(''));
  const onData = kDataCommands.find(({ name }) => name === command);
  return onData ? parseDataCommand(onData, rest) : mistake('tabernetes', extra(command));
}

const kCheckHelp = `Check manifests as a server would, without one

Usage: tabernetes check FILE...

Files or folders of YAML or JSON; - is standard input.
`;

function parseCheck(args: readonly string[]): CommandLine {
  if (args.some((arg) => arg === '-h' || arg === '--help')) return answer(kCheckHelp);
  const flag = args.find((arg) => arg !== '-' && arg.startsWith('-'));
  if (flag !== undefined) return mistake('tabernetes check', extra(flag));
  if (args.length === 0) return mistake('tabernetes check', 'FILE is required');
  return { check: args, out: '', err: '', exitCode: 0 };
}

function parseCompletion(args: readonly string[]): CommandLine {
  const command = 'tabernetes completion';
  const [shell] = args;
  if (shell === '-h' || shell === '--help') return answer(`Print a script for bash, fish or zsh\n\nUsage: ${command} SHELL\n`);
  if (shell === undefined) return mistake(command, 'SHELL is required');
  if (args.length > 1) return mistake(command, extra(args[1]!));
  const script = completionScript(shell);
  return script === undefined ? mistake(command, `SHELL: bash, fish or zsh, not ${shell}`) : answer(script);
}

function parseDataCommand({ name, operands, help }: (typeof kDataCommands)[number], args: readonly string[]): CommandLine {
  const command = `tabernetes ${name}`;
  if (args.some((arg) => arg === '-h' || arg === '--help')) return answer(`${help}\n\nUsage: ${command} ${operands.join(' ')}\n`);
  const flag = args.find((arg) => arg.startsWith('-'));
  if (flag !== undefined) return mistake(command, extra(flag));
  if (args.length < operands.length) return mistake(command, `${operands[args.length]} is required`);
  if (args.length > operands.length) return mistake(command, extra(args[operands.length]!));
  const [from, to = ''] = args;
  return { data: { name, from: from!, to }, out: '', err: '', exitCode: 0 };
}

function parseServe(args: readonly string[]): CommandLine {
  const flags = usualFlags();
  const seen = new Set<string>();
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg === '-h' || arg === '--help') return answer(serveHelp());
    const equals = arg.indexOf('=');
    const name = equals < 0 ? arg : arg.slice(0, equals);
    const flag = kFlags.find((known) => `--${known.name}` === name);
    if (!flag) return mistake('tabernetes serve', extra(arg));

    let value = equals < 0 ? undefined : arg.slice(equals + 1);
    const next = args[i + 1];
    const mayStandAlone = flag.value === 'BOOL' || flag.mayBeEmpty;
    if (value === undefined && next !== undefined && (!mayStandAlone || next === '-' || !next.startsWith('-'))) {
      value = next;
      i++;
    }
    if (value === undefined && flag.value === 'BOOL') value = 'true';
    if (value === undefined && flag.mayBeEmpty) value = '';
    if (value === undefined) return mistake('tabernetes serve', `${name}: a value is needed`);
    try {
      readFlag(flag, value, flags, !seen.has(flag.name));
    } catch (problem) {
      return mistake('tabernetes serve', `${name}: ${textOf(problem)}`);
    }
    seen.add(flag.name);
  }
  if (flags.config !== undefined) {
    const fault = readConfig(flags.config, flags, seen);
    if (fault) return fault;
  }
  const fault = faultTogether(flags);
  return fault === undefined ? { serve: flags, out: '', err: '', exitCode: 0 } : mistake('tabernetes serve', fault);
}

/** What is wrong with flags that are right one by one. */
function faultTogether(flags: ServeFlags): string | undefined {
  const modes = flags.authorizationMode.split(',').map((mode) => mode.trim());
  const byFile = flags.authorizationPolicyFile !== '';
  const accessFault = faultOfAccess(flags.access, modes);
  if (accessFault !== undefined) return accessFault;
  if (modes.includes('ABAC') && !byFile) return '--authorization-mode ABAC: --authorization-policy-file is needed';
  if (byFile && !modes.includes('ABAC')) return '--authorization-policy-file: --authorization-mode ABAC is needed';
  const knownOnly = modes.includes('RBAC') || modes.includes('Node');
  if (knownOnly && !byFile && !modes.includes('AlwaysAllow') && flags.tokenAuthFile === '' && !knowsCallers(flags.access) && !servesTls(flags.tls)) {
    return `--authorization-mode ${flags.authorizationMode}: --token-auth-file is needed, or nobody may do anything`;
  }
  const tlsFault = faultOfTls(flags.tls);
  if (tlsFault !== undefined) return tlsFault;
  if (flags.priorityAndFairness && flags.maxRequestsInflight + flags.maxMutatingRequestsInflight === 0) {
    return '--max-requests-inflight: invalid configuration: MaxRequestsInFlight=0 and MaxMutatingRequestsInFlight=0; they must add up to something positive';
  }
  try {
    checkOption('featureGates', flags.featureGates);
  } catch (problem) {
    return `--feature-gates: ${textOf(problem)}`;
  }
  return undefined;
}

function faultOfTls(tls: TlsFlags): string | undefined {
  if ((tls.certFile === '') !== (tls.keyFile === '')) return '--tls-cert-file and --tls-private-key-file: each needs the other';
  if (servesTls(tls)) return undefined;
  const given = [
    ['--tls-sni-cert-key', tls.forNames.length > 0],
    ['--tls-san', tls.names.length > 0],
    ['--cert-dir', tls.certDir !== ''],
    ['--client-ca-file', tls.clientCaFile !== ''],
    ['--requestheader-client-ca-file', tls.proxyCaFile !== ''],
  ] as const;
  const name = given.find(([, is]) => is)?.[0];
  return name && `${name}: --tls or --tls-cert-file is needed`;
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
  if (entry.flag === 'config') throw new ConfigError(entry.place, 'config: no file names another one');
  const flag = kFlags.find(({ name }) => name === entry.flag);
  if (!flag) {
    const known = kFlags.map(({ name }) => name).filter((name) => name !== 'config');
    throw new ConfigError(entry.place, unknownFlag(entry.flag, known));
  }
  if (entry.isList && !flag.repeats) throw new ConfigError(entry.place, `${entry.flag}: takes a single value, not a list`);
  const values = entry.values.length === 0 ? [{ text: '', place: entry.place }] : entry.values;
  // What the command line overrules has to be right, too.
  const target = seen.has(flag.name) ? structuredClone(flags) : flags;
  for (const [i, value] of values.entries()) {
    if (value.text === '' && !flag.mayBeEmpty) throw new ConfigError(value.place, `${entry.flag}: a value is needed`);
    try {
      readFlag(flag, value.text, target, i === 0);
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

function wholeNumber(value: string, { most = '0' }: Flag): bigint {
  if (!/^\d+$/.test(value) || BigInt(value) > BigInt(most)) throw `a whole number up to ${most}, not ${value}`;
  return BigInt(value);
}

function bytes(value: string): number {
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(Number(value)) || Number(value) === 0) throw `a number of bytes, not ${value}`;
  return Number(value);
}

/** The choices are those of `Choice`. */
function choice<Choice extends string>(value: string, { choices = [] }: Flag): Choice {
  if (!choices.includes(value)) throw `${choices.length > 1 ? `${choices.slice(0, -1).join(', ')} or ` : ''}${choices.at(-1)}, not ${value}`;
  return value as Choice;
}

function plugins(value: string): string[] {
  const names = value.split(',');
  for (const name of names) checkOption('admissionPlugin', name);
  return names;
}

function truth(value: string): boolean {
  if (value !== 'true' && value !== 'false') throw `true or false, not ${value}`;
  return value === 'true';
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

const kCommands = ['serve', 'version', 'check', ...kDataCommands.map(({ name }) => name), 'completion'];

const kHelp = `A Kubernetes API server in memory: the real API, without a cluster.

Usage: tabernetes COMMAND [FLAGS]

Commands:
  serve       Serve the API over HTTP
  version     Print the version
  check       Check manifests as a server would, without one
${kDataCommands.map(({ name, help }) => `  ${name.padEnd(12)}${help}\n`).join('')}  completion  Print a script for bash, fish or zsh

tabernetes COMMAND --help tells the flags.
`;

function serveHelp(): string {
  const rows = kFlags.map((flag): [string, string] => {
    const usual = flag.otherwise ?? flag.default;
    return [`  --${flag.name} ${flag.value}`, usual === undefined ? flag.help : `${flag.help} (${usual})`];
  });
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
