// The playground: static files under /ui/.
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire as requireFrom } from 'node:module';
import { dirname, extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface StaticAnswer {
  status: number;
  headers: [string, string][];
  body: Uint8Array | string;
}

const kContentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.yaml': 'application/yaml',
};

/**
 * Returns the folder of the playground: in a checkout the one beside dist/cli.js, which contains this code; otherwise
 * that of the package tabernetes-playground, if it is installed beside this one. Returns '' if there is none.
 */
export function findUiFolder(): string {
  const folders = [fileURLToPath(new URL('./ui', import.meta.url)), playgroundFolder()];
  const found = folders.find((folder) => folder !== '' && existsSync(join(folder, 'index.html')));
  return found === undefined ? '' : realpathSync(found);
}

function playgroundFolder(): string {
  try {
    return join(dirname(requireFrom(import.meta.url).resolve('tabernetes-playground/package.json')), 'ui');
  } catch {
    return ''; // not installed
  }
}

/**
 * Facts about this server that the page reads at /ui/host.json. On a plain web server that is a file of the page
 * itself, which says `{"server":false}`.
 */
export interface PageHost {
  /** True if /-/tabernetes/ answers. */
  admin: boolean;
  /** True if time only moves by `advance`. */
  clockStandsStill: boolean;
}

/**
 * Returns the answer to a request for a path below /ui/, or to a browser's request for `/`. Returns undefined for all
 * others, which go to the API.
 */
export function staticAnswer(root: string, host: PageHost, method: string, target: string, accept: string): StaticAnswer | undefined {
  if (root === '') return undefined;
  const path = target.split('?')[0]!;
  const reads = method === 'GET' || method === 'HEAD';
  if (path === '/ui' || (path === '/' && reads && prefersHtml(accept))) {
    return { status: 302, headers: [['Location', '/ui/']], body: '' };
  }
  if (!path.startsWith('/ui/')) return undefined;
  if (!reads) return plain(405, '405 method not allowed\n');
  if (path === '/ui/host.json') return hostFacts(host);
  const file = findFile(root, path.slice('/ui/'.length));
  if (!file) return plain(404, '404 page not found\n');
  const headers: [string, string][] = [
    ['Content-Type', kContentTypes[extname(file)] ?? 'application/octet-stream'],
    ['Cache-Control', 'no-cache'],
    ['Content-Security-Policy', "frame-ancestors 'none'"],
    ['X-Content-Type-Options', 'nosniff'],
  ];
  return { status: 200, headers, body: readFileSync(file) };
}

function hostFacts({ admin, clockStandsStill }: PageHost): StaticAnswer {
  const headers: [string, string][] = [
    ['Content-Type', 'application/json'],
    ['Cache-Control', 'no-store'],
    ['X-Content-Type-Options', 'nosniff'],
  ];
  return { status: 200, headers, body: `${JSON.stringify({ server: true, admin, clock: clockStandsStill ? 'stands' : 'runs' })}\n` };
}

/** Returns the path of the file inside `root`, or undefined. A link that leads outside of `root` is refused. */
function findFile(root: string, encoded: string): string | undefined {
  try {
    let file = realpathSync(join(root, decodeURIComponent(encoded)));
    if (file !== root && !file.startsWith(root + sep)) return undefined;
    if (statSync(file).isDirectory()) file = join(file, 'index.html');
    return statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}

function plain(status: number, body: string): StaticAnswer {
  const headers: [string, string][] = [
    ['Content-Type', 'text/plain; charset=utf-8'],
    ['X-Content-Type-Options', 'nosniff'],
  ];
  return { status, headers, body };
}

/** Returns true if an Accept header asks for a page, as browsers do, rather than for an API answer. */
function prefersHtml(accept: string): boolean {
  const at = (type: string) => (accept.includes(type) ? accept.indexOf(type) : Infinity);
  return at('text/html') < Math.min(at('application/json'), at('application/yaml'));
}
