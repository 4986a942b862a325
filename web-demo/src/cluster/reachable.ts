// Whether this page may ask a server, and why not.
import { authorizationOf, type Credentials } from '../api/kubeconfig';

export interface Found {
  /** Its version, such as v1.36.1; empty if it does not tell. */
  version: string;
  /** True if `/-/tabernetes/` answers. */
  admin: boolean;
}

/** What stands in the way, and what helps; commands stand alone. */
export interface Obstacle {
  title: string;
  advice: readonly string[];
}

/** Returns the URL of an address that a user has typed; its path ends with a slash. Throws an Error that says what is wrong. */
export function serverUrl(typed: string): URL {
  const text = typed.trim();
  let url: URL;
  try {
    url = new URL(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`);
  } catch {
    throw new Error('This is no address.');
  }
  if (!/^https?:$/.test(url.protocol)) throw new Error('An address begins with https:// or http://.');
  if (url.username !== '' || url.password !== '') throw new Error('Credentials have fields of their own.');
  return new URL(url.origin + url.pathname.replace(/\/?$/, '/'));
}

/** Asks the server for its version. Resolves with what stands in the way if there is no answer. */
export async function reach(base: URL, credentials: Credentials): Promise<Found | Obstacle> {
  const authorization = authorizationOf(credentials);
  const ask = (path: string) => fetch(new URL(path, base), { headers: authorization === '' ? {} : { authorization }, cache: 'no-store', signal: AbortSignal.timeout(kPatience) });
  if (location.protocol === 'https:' && base.protocol === 'http:' && !isLocal(base.hostname)) return kMixed;
  let answer: Response;
  try {
    answer = await ask('version');
  } catch {
    return (await answersAtAll(base)) ? notForPages(base) : silent(base);
  }
  if (answer.status === 401) return { title: '401 Unauthorized: the server does not know these credentials.', advice: ['A token may be over: kubectl create token SERVICEACCOUNT makes one.'] };
  const { gitVersion = '' } = (await answer.json().catch(() => ({}))) as { gitVersion?: string };
  const admin = await ask('-/tabernetes/faults').then(
    ({ ok }) => ok,
    () => false,
  );
  return { version: gitVersion, admin };
}

const kPatience = 10_000;

const isLocal = (host: string) => host === 'localhost' || host.endsWith('.localhost') || /^127\./.test(host) || host === '[::1]';

const kMixed: Obstacle = {
  title: 'This page came by https, and browsers let such a page ask no http server of another machine.',
  advice: ['Give an https address, or bring the server to this machine:', 'kubectl proxy --port=8001'],
};

/** Without CORS a page learns nothing of an answer, but still whether there is one. */
async function answersAtAll(base: URL): Promise<boolean> {
  try {
    await fetch(new URL('version', base), { mode: 'no-cors', cache: 'no-store', signal: AbortSignal.timeout(kPatience) });
    return true;
  } catch {
    return false;
  }
}

function notForPages(base: URL): Obstacle {
  const origin = location.origin.replace(/[.]/g, '\\.');
  return {
    title: `${base.host} answers, but not to pages of ${location.origin}.`,
    advice: [
      'Browsers show a page only answers that allow its origin (CORS). The server allows it with this flag, kube-apiserver and tabernetes alike:',
      `--cors-allowed-origins='^${origin}$'`,
      'A tabernetes server also refuses names of hosts that it does not know, as a guard against DNS rebinding. It knows this one with:',
      `--allowed-hosts=${base.hostname}`,
      'Or let one address serve the files of this page and the API, with your kubeconfig’s credentials; open /static/ there, and give that address here:',
      'kubectl proxy --www=FOLDER',
    ],
  };
}

function silent(base: URL): Obstacle {
  const advice = [`Either nothing listens at ${base.host}, or a firewall is in between.`];
  if (base.protocol === 'https:') advice.push('Or the browser does not trust its certificate. Open the address in a tab and look; a page cannot bring an authority of its own:', `${base.href}version`);
  return { title: `${base.host} does not answer.`, advice };
}
