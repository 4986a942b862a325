// `tabernetes serve`: from the flags to a running server and its end.
import { closeSync, openSync } from 'node:fs';
import type { Cluster } from '../cluster.js';
import type { Certificate } from '../certificates.js';
import type { CoreCluster } from '../core-cluster.js';
import type { ClusterOptions, CoreOptions } from '../options.js';
import { type HostOptions, startCluster } from '../start.js';
import { readAccessFiles } from './access-files.js';
import { AuditFile } from './audit-file.js';
import { firstToken, readCheckedFile } from './checked-files.js';
import { type DataStore, openDataDirectory } from './data-directory.js';
import type { ServeFlags } from './flags.js';
import { type Clusters, HttpHost } from './http-host.js';
import { type KubeconfigWish, writeKubeconfig } from './kubeconfig.js';
import { type ListenPlace, placeText } from './listen-address.js';
import { Log } from './log.js';
import { loadManifests, readManifests, systemMessage } from './manifests.js';
import { prepareTls, servesTls, type TlsFiles } from './tls-files.js';
import { WebhookCaller } from './webhooks.js';

/** Serves until SIGINT or SIGTERM. If it cannot start, writes the reasons to stderr and sets the exit code 1. */
export async function serve(flags: ServeFlags): Promise<void> {
  const problems: string[] = [];
  const manifests = readManifests(flags.load, problems);
  const tokenFile = readCheckedFile(flags.tokenAuthFile, 'tokenFile', problems);
  const authorizationPolicy = readCheckedFile(flags.authorizationPolicyFile, 'authorizationPolicy', problems);
  const serviceAccountKey = readCheckedFile(flags.serviceAccountSigningKeyFile, 'serviceAccountKey', problems);
  const behaviour = readCheckedFile(flags.behaviour, 'behaviour', problems);
  const containers = readCheckedFile(flags.containers, 'containers', problems);
  const faults = readCheckedFile(flags.faults, 'faults', problems);
  const access = readAccessFiles(flags, problems);
  const tls = await tlsFiles(flags).catch((error: Error) => void problems.push(error.message));
  let audit: AuditFile | undefined;
  try {
    audit = AuditFile.open(flags.audit);
  } catch (error) {
    problems.push((error as Error).message);
  }
  const signCertificate = tls ? await signerOf(tls.made) : undefined;
  if (problems.length > 0) return fail(problems);

  const { promise: started, resolve: start } = withResolvers<Clusters>();
  const log = new Log(flags.log, flags.logFormat);
  let host: HttpHost | undefined;
  try {
    host = new HttpHost(flags, started, log, tls?.settings);
    await host.listen();
  } catch (error) {
    host?.close();
    return fail([(error as Error).message]);
  }
  let data: DataStore | undefined;
  let cluster: Cluster;
  const webhooks = new WebhookCaller(flags.webhookServices, (line) => log.warn(line), tls?.frontProxy);
  try {
    if (flags.dataDir !== '') data = await openDataDirectory(flags.dataDir, (line) => log.warn(line));
    const options = { ...clusterOptions(flags, { tokenFile, serviceAccountKey, behaviour, containers, faults, authorizationPolicy }), ...access.options, fetchWebhook: webhooks.fetch, backend: data?.backend };
    const fill = async (empty: Cluster) => void problems.push(...(await loadManifests(empty, manifests)));
    cluster = await startCluster(options, { ...hostOptions(flags, host.address), ...access.host, rootCertificate: tls?.authority ?? '', frontProxyAuthority: tls?.frontProxyAuthority ?? '', userAuthority: tls?.settings.userAuthorities ?? '', signCertificate, fill });
    audit?.follow(cluster, log);
  } catch (error) {
    host.close();
    return fail([(error as Error).message]);
  }
  if (problems.length === 0 && flags.kubeconfig !== '') {
    try {
      writeKubeconfig(flags.kubeconfig, kubeconfigWish(host, firstToken(tokenFile), tls ?? undefined));
    } catch (error) {
      problems.push(`cannot write the kubeconfig ${flags.kubeconfig}: ${systemMessage(error)}`);
    }
  }
  if (problems.length > 0) {
    host.close();
    return fail(problems);
  }
  const makeRefusing = async () => {
    const refusing = await startCluster(kRefusing, { ...hostOptions(flags, host.address), beside: cluster });
    audit?.follow(refusing, log);
    return refusing;
  };
  start({ cluster, refusing: lazily(makeRefusing) });
  const end = async () => {
    await cluster.stored().catch(() => {}); // its fault is in the answers
    cluster.dispose(); // ends the watches; their connections then close
    data?.close();
    webhooks.close();
    audit?.close();
    host.close();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end());
  onHangup(() => void renew(flags, host, cluster, log, tls ?? undefined).catch(() => {}), () => void end());
  for (const place of host.places) process.stdout.write(`tabernetes ready ${urlOf(place, tls !== undefined)}\n`);
}

/** SIGHUP asks to `renew`; it also tells that the terminal is closed, which is to `end` the server. */
function onHangup(renew: () => void, end: () => void): void {
  const had = hasTerminal();
  const listener = () => {
    if (!had || hasTerminal()) return renew();
    process.off('SIGHUP', listener);
    end();
  };
  process.on('SIGHUP', listener);
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

/** Reads certificates and tokens anew; what cannot be used is told, and the old ones stay. `tls`: of the start. */
async function renew(flags: ServeFlags, host: HttpHost, cluster: Cluster, log: Log, tls: TlsFiles | undefined): Promise<void> {
  try {
    if (tls) host.renewTls((await tlsFiles(flags, tls))!.settings);
  } catch (error) {
    log.warn(`SIGHUP: ${(error as Error).message}; the certificates stay`);
  }
  if (flags.tokenAuthFile === '') return;
  const problems: string[] = [];
  const tokens = readCheckedFile(flags.tokenAuthFile, 'tokenFile', problems);
  for (const problem of problems) log.warn(`SIGHUP: ${problem}; the tokens stay`);
  if (problems.length === 0) (cluster as CoreCluster).useTokenFile(tokens);
}

/** Returns what signs for an authority. */
async function signerOf(authority: Certificate): Promise<CoreOptions['signCertificate']> {
  const { signOrder } = await import('../certificates.js');
  return (order) => {
    try {
      return { certificate: signOrder(authority, order), fault: '' };
    } catch (error) {
      return { certificate: '', fault: (error as Error).message };
    }
  };
}

/** Undefined: connections are plain. */
async function tlsFiles({ tls, listen, authorizationMode, controllers }: ServeFlags, before?: TlsFiles): Promise<TlsFiles | undefined> {
  const hosts = listen.flatMap((place) => ('host' in place ? [place.host] : []));
  return servesTls(tls) ? prepareTls(tls, { hosts, withAdmin: authorizationMode !== 'AlwaysAllow', signs: signsCertificates(controllers), known: before?.made }) : undefined;
}

/** Returns true if `controllers` turns on the loop that signs certificates. */
function signsCertificates(controllers: string): boolean {
  const items = controllers.split(',');
  return items.some((item) => kSigningOn.has(item)) && !items.some((item) => item.startsWith('-') && kSigning.has(item.slice(1)));
}

const kSigning = new Set(['csrsigning', 'certificatesigningrequest-signing-controller']);
const kSigningOn = new Set(['*', 'all', ...kSigning]);

function kubeconfigWish(host: HttpHost, token: string | undefined, tls: TlsFiles | undefined): KubeconfigWish {
  const place = host.places.find((each) => 'host' in each);
  if (!place) throw new Error('a Unix socket has no address for it: --listen HOST:PORT is needed');
  const serverUrl = urlOf(place, tls !== undefined);
  return { serverUrl, authority: tls?.authority, certificate: tls?.admin, token: tls?.admin ? undefined : token };
}

/** Knows nobody. */
const kRefusing: ClusterOptions = { anonymousAuth: false, controllers: 'none', scheduler: false, nodes: 0 };

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/** `texts`: those of files that flags name. */
function clusterOptions(flags: ServeFlags, texts: Pick<ClusterOptions, 'tokenFile' | 'serviceAccountKey' | 'behaviour' | 'containers' | 'faults' | 'authorizationPolicy'>): ClusterOptions {
  const { seed, clock: now, controllers, scheduler, nodes, disableAdmissionPlugins, allowPrivileged, anonymousAuth, enableBootstrapTokenAuth, watchHistory } = flags;
  const { requestTimeout, priorityAndFairness, maxRequestsInflight, maxMutatingRequestsInflight } = flags;
  const limits = { requestTimeout, priorityAndFairness, maxRequestsInflight, maxMutatingRequestsInflight };
  return { seed, now, controllers, scheduler, nodes, disableAdmissionPlugins, allowPrivileged, anonymousAuth, enableBootstrapTokenAuth, watchHistory, ...limits, ...texts };
}

function hostOptions(flags: ServeFlags, serverAddress: string): HostOptions {
  return {
    serverAddress,
    admin: flags.admin,
    featureGates: flags.featureGates,
    corsAllowedOrigins: flags.corsAllowedOrigins ?? 'local',
    // A restarted server must not take the versions of its earlier life for future ones. No server writes once a
    // microsecond.
    firstVersion: flags.seed === undefined ? 1000 * Date.now() : 1,
  };
}

/** Returns the URL under which this machine reaches the server. */
function urlOf(place: ListenPlace, tls: boolean): string {
  if ('path' in place) return placeText(place);
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[place.host] ?? place.host;
  return `${tls ? 'https' : 'http'}://${placeText({ host, port: place.port })}`;
}

function fail(problems: readonly string[]): void {
  for (const problem of problems) process.stderr.write(`tabernetes: ${problem}\n`);
  process.exitCode = 1;
}

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}
