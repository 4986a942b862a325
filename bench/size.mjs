import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));

export const doc = 'what a browser loads of the npm package, with Brotli';
export const missing = () => (existsSync(`${dist}core.wasm`) ? undefined : 'dist/ is not built');

/** Bytes: what the design allows a page to load. tests/package/size.test.mjs holds the sum to it. */
export const kBudget = 400_000;

/** Bytes of what is loaded when something needs it: what there is today and a little. It goes down. */
export const kExtensionsCeiling = 225_000;

const brotli = (bytes) =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  }).length;

/** The JavaScript as a bundler ships it. The embedded copy of the WebAssembly is only for where the file is missing. */
async function glue() {
  const { outputFiles } = await build({
    entryPoints: [`${dist}index.js`],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    external: ['*/embedded.js'],
    write: false,
  });
  return outputFiles[0].contents;
}

/** Bytes as they are, and with Brotli: of what every page loads, and of what it loads when something needs it. */
export async function shippedSize() {
  const parts = { core: readFileSync(`${dist}core.wasm`), glue: await glue(), extensions: readFileSync(`${dist}extensions.wasm`) };
  const sizes = (of) => Object.fromEntries(Object.entries(parts).map(([name, bytes]) => [name, of(bytes)]));
  return { plain: sizes((bytes) => bytes.length), brotli: sizes(brotli) };
}

export async function run() {
  const { plain, brotli } = await shippedSize();
  const kib = (bytes) => bytes / 1024;
  return [
    { measure: 'core + glue, Brotli', value: kib(brotli.core + brotli.glue), unit: 'KiB', budget: kib(kBudget) },
    { measure: 'core, Brotli', value: kib(brotli.core), unit: 'KiB' },
    { measure: 'glue, Brotli', value: kib(brotli.glue), unit: 'KiB' },
    { measure: 'extensions, when needed, Brotli', value: kib(brotli.extensions), unit: 'KiB' },
    { measure: 'core, as it is', value: kib(plain.core), unit: 'KiB' },
    { measure: 'glue, as it is', value: kib(plain.glue), unit: 'KiB' },
    { measure: 'extensions, as it is', value: kib(plain.extensions), unit: 'KiB' },
  ];
}
