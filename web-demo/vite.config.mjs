import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

// What the built page may do: run its own files and WebAssembly. (The development server needs more.)
const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
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

export default defineConfig({
  root: at('.'),
  base: './',
  plugins: [contentSecurityPolicy],
  resolve: { alias: { tabernetes: at('../dist/index.js') } },
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  server: { fs: { allow: [at('..')] } },
  build: {
    outDir: at('../dist/ui'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
  },
});
