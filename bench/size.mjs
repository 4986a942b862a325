import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));

export const doc = 'what a browser loads of the npm package, with Brotli';
export const missing = () => (existsSync(`${dist}tabernetes.wasm`) ? undefined : 'dist/ is not built');

/** Bytes that a page may load. */
export const kBudget = 700_000;
/** What tests/package/size.test.mjs accepts: control loops, scheduler, kubelets, admission, access, answers of containers, aggregation and devices have brought the sum over the budget. */
export const kAllowed = 1_090_000;

const brotli = (bytes) =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  }).length;

/** Returns the JavaScript as a bundler ships it. tabernetes-embedded is only for bundles without the file. */
async function glue() {
  const { outputFiles } = await build({
    entryPoints: [`${dist}index.js`],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    external: ['tabernetes-embedded'],
    write: false,
  });
  return outputFiles[0].contents;
}

/** Returns the sizes in bytes, plain and with Brotli. */
export async function shippedSize() {
  const parts = { wasm: readFileSync(`${dist}tabernetes.wasm`), glue: await glue() };
  const sizes = (of) => Object.fromEntries(Object.entries(parts).map(([name, bytes]) => [name, of(bytes)]));
  return { plain: sizes((bytes) => bytes.length), brotli: sizes(brotli) };
}

export async function run() {
  const { plain, brotli } = await shippedSize();
  const kib = (bytes) => bytes / 1024;
  return [
    { measure: 'WASM + glue, Brotli', value: kib(brotli.wasm + brotli.glue), unit: 'KiB', budget: kib(kBudget) },
    { measure: 'WASM, Brotli', value: kib(brotli.wasm), unit: 'KiB' },
    { measure: 'glue, Brotli', value: kib(brotli.glue), unit: 'KiB' },
    { measure: 'WASM, as it is', value: kib(plain.wasm), unit: 'KiB' },
    { measure: 'glue, as it is', value: kib(plain.glue), unit: 'KiB' },
  ];
}
