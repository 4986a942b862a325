// What a page can use of a kubeconfig: an address and credentials that can be sent by fetch.

/** How the page says who asks. */
export interface Credentials {
  token?: string;
  basic?: { user: string; password: string };
}

export interface Context {
  name: string;
  server: string;
  namespace: string;
  credentials: Credentials;
  /** What of it a page cannot use, and what helps. */
  notes: readonly string[];
}

export interface Kubeconfig {
  contexts: readonly Context[];
  /** Name of the current context. */
  current: string;
}

interface Named<T> {
  name?: string;
  cluster?: T;
  user?: T;
  context?: T;
}
interface Cluster {
  server?: string;
  'certificate-authority'?: string;
  'certificate-authority-data'?: string;
  'insecure-skip-tls-verify'?: boolean;
  'proxy-url'?: string;
}
interface User {
  token?: string;
  tokenFile?: string;
  username?: string;
  password?: string;
  'client-certificate'?: string;
  'client-certificate-data'?: string;
  exec?: { command?: string; args?: string[] | null };
  'auth-provider'?: { name?: string };
}
interface Config {
  'current-context'?: string;
  clusters?: Named<Cluster>[] | null;
  users?: Named<User>[] | null;
  contexts?: Named<{ cluster?: string; user?: string; namespace?: string }>[] | null;
}

/** Reads a kubeconfig, in YAML or JSON. Throws an Error that says what is wrong. */
export async function readKubeconfig(text: string): Promise<Kubeconfig> {
  const { parse } = await import('yaml');
  const config = parse(text) as Config | null;
  if (typeof config !== 'object' || config === null || !config.clusters) throw new Error('This is no kubeconfig: it has no clusters.');
  const contexts = (config.contexts ?? []).map(({ name = '', context = {} }) => contextOf(config, name, context));
  const usable = contexts.filter(({ server }) => server !== '');
  if (usable.length === 0) throw new Error('No context of this kubeconfig leads to a cluster with a server.');
  const current = config['current-context'] ?? '';
  return { contexts: usable, current: usable.some(({ name }) => name === current) ? current : usable[0]!.name };
}

function contextOf(config: Config, name: string, context: { cluster?: string; user?: string; namespace?: string }): Context {
  const cluster = config.clusters?.find((each) => each.name === context.cluster)?.cluster ?? {};
  const user = config.users?.find((each) => each.name === context.user)?.user ?? {};
  const basic = user.username ? { user: user.username, password: user.password ?? '' } : undefined;
  const credentials: Credentials = user.token ? { token: user.token } : basic ? { basic } : {};
  return { name, server: cluster.server ?? '', namespace: context.namespace ?? '', credentials, notes: [...clusterNotes(cluster), ...userNotes(user)] };
}

function clusterNotes(cluster: Cluster): string[] {
  const notes: string[] = [];
  if (cluster['certificate-authority'] || cluster['certificate-authority-data'] || cluster['insecure-skip-tls-verify']) {
    notes.push('It names the authority that signed the server’s certificate. A page cannot use it: the browser itself must trust that certificate, by its own settings or after you have opened the address in a tab.');
  }
  if (cluster['proxy-url']) notes.push(`The proxy ${cluster['proxy-url']} is for kubectl; the browser uses its own.`);
  return notes;
}

function userNotes(user: User): string[] {
  if (user.token || user.username) return [];
  if (user.exec) return [`Its credentials come from a program, which a page cannot run. Run it and paste the token of its output: ${[user.exec.command, ...(user.exec.args ?? [])].join(' ')}`];
  if (user.tokenFile) return [`Its token is in the file ${user.tokenFile}, which a page cannot read: paste it.`];
  if (user['client-certificate'] || user['client-certificate-data']) {
    return ['Its user has a client certificate, which a page cannot present. Make a token: kubectl create token SERVICEACCOUNT'];
  }
  if (user['auth-provider']) return ['Its credentials come from a provider that a page does not have. Paste a token.'];
  return ['Its user has no credentials: the page asks as nobody.'];
}

/** Returns the value of the header Authorization; empty without credentials. */
export function authorizationOf({ token, basic }: Credentials): string {
  if (token) return `Bearer ${token}`;
  if (!basic) return '';
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${basic.user}:${basic.password}`)))}`;
}
