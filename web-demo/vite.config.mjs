import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

// The content policy of the built page: it may run its own files and WebAssembly, and ask the server that the user names.
// (The development server needs more.)
const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self' http: https: ws: wss:",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const contentSecurityPolicy = {
  name: 'content-security-policy',
  apply: 'build',
  transformIndexHtml: () => [
    { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: policy }, injectTo: 'head-prepend' },
  ],
};

/** Writes licenses.txt: the third-party code in the bundle with its licences. */
const licences = {
  name: 'licences',
  apply: 'build',
  generateBundle() {
    const folders = new Set([...this.getModuleIds()].map((id) => id.match(kPackageFolder)?.[0]).filter(Boolean));
    const texts = [...folders].sort().map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
      if (!file) throw new Error(`${name} has no licence file`);
      return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
    });
    this.emitFile({ type: 'asset', fileName: 'licenses.txt', source: texts.join(`\n${'-'.repeat(80)}\n\n`) });
  },
};
const kPackageFolder = /^.*\/node_modules\/(@[^/]+\/)?[^/]+/;

/** Writes build.json: says if the build contains a cluster, for a page that waits for one. */
const buildFacts = (cluster) => ({
  name: 'build-facts',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'build.json', source: `${JSON.stringify({ cluster })}\n` });
  },
});

/** Writes offline.js, the service worker of this build (src/offline/worker.js). */
const offline = {
  name: 'offline',
  apply: 'build',
  enforce: 'post', // Vite has by then removed scripts that only stood for a style sheet
  generateBundle(_, bundle) {
    const files = Object.keys(bundle).filter((name) => name.startsWith('assets/')).sort();
    const build = createHash('sha256').update(files.join()).digest('hex').slice(0, 12);
    const source = readFileSync(at('src/offline/worker.js'), 'utf8');
    const facts = `const FILES = ${JSON.stringify([...files, 'favicon.svg', 'manifest.webmanifest'])};\nconst BUILD = '${build}';\n`;
    this.emitFile({ type: 'asset', fileName: 'offline.js', source: facts + source });
  },
};

// The mode `server-only` contains nothing of `tabernetes`: the code that imports it is never loaded
// (src/cluster/late.ts).
export default defineConfig(({ mode }) => ({
  root: at('.'),
  base: './',
  plugins: [contentSecurityPolicy, licences, buildFacts(mode !== 'server-only'), ...(mode === 'server-only' ? [] : [offline])],
  define: { __CLUSTER_BUILT__: mode !== 'server-only' },
  resolve: { alias: mode === 'server-only' ? {} : { tabernetes: at('../dist/index.js') } },
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  server: { fs: { allow: [at('..')] } },
  build: {
    outDir: at('../dist/ui'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    // tabernetes-embedded is for bundlers that copy no files; this one copies them.
    rollupOptions: { external: ['tabernetes-embedded', ...(mode === 'server-only' ? ['tabernetes'] : [])] },
  },
}));
