// Tests the package as a user gets it: packed, installed in an empty folder, imported, type-checked, bundled, in a
// worker.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { build as esbuild } from 'esbuild';
import { build } from 'vite';

const top = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tabernetes-install-'));
after(() => rmSync(folder, { recursive: true }));
const execute = promisify(execFile);
const inFolder = (program, ...args) => execute(program, args, { cwd: folder });

const kProgram = `
import { createCluster } from 'tabernetes';
const cluster = await createCluster({ seed: 1, now: 0 });
const response = await cluster.fetch('/api/v1/namespaces/default');
const { metadata } = await response.json();
cluster.dispose();
`;

before(async () => {
  const { stdout } = await execute('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: top });
  const [{ filename, files }] = JSON.parse(stdout);
  const paths = files.map(({ path }) => path);
  for (const wanted of ['dist/index.js', 'dist/index.d.ts', 'dist/tabernetes.wasm', 'dist/tabernetes.wasm.d.ts', 'dist/openapi-texts.gz', 'dist/cli.js', 'LICENSE']) {
    assert.ok(paths.includes(wanted), wanted);
  }
  assert.deepEqual(paths.filter((path) => !/^(dist\/|package\.json|README|LICENSE|THIRD_PARTY|CHANGELOG|SECURITY)/.test(path)), []);
  writeFileSync(join(folder, 'package.json'), '{"name":"app","version":"1.0.0","type":"module"}');
  await inFolder('npm', 'install', '--offline', '--no-audit', '--no-fund', `./${filename}`);
});

test('it needs no other package at run time', () => {
  assert.deepEqual(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')), ['tabernetes']);
});

test('a plain import in Node', async () => {
  writeFileSync(join(folder, 'plain.mjs'), `${kProgram}console.log(metadata.name);`);
  assert.equal((await inFolder(process.execPath, 'plain.mjs')).stdout, 'default\n');
});

test('the command', async () => {
  assert.match((await inFolder('npx', 'tabernetes', 'version')).stdout, /^tabernetes \d/);
});

test('the module has an address of its own, by which it can be handed in', async () => {
  writeFileSync(
    join(folder, 'module.mjs'),
    `import { readFileSync } from 'node:fs';
     import { createCluster } from 'tabernetes';
     const wasm = new WebAssembly.Module(readFileSync(new URL(import.meta.resolve('tabernetes/tabernetes.wasm'))));
     const cluster = await createCluster({ wasm });
     console.log((await cluster.fetch('/version')).status);
     cluster.dispose();`,
  );
  assert.equal((await inFolder(process.execPath, 'module.mjs')).stdout, '200\n');
});

test('in a worker', async () => {
  const file = join(folder, 'worker.mjs');
  writeFileSync(file, `${kProgram}(await import('node:worker_threads')).parentPort.postMessage(metadata.name);`);
  const worker = new Worker(file);
  const name = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  await worker.terminate();
  assert.equal(name, 'default');
});

test('the types, as Node and as a bundler resolve them', async () => {
  copyFileSync(join(top, 'tests/package/sample.ts'), join(folder, 'sample.ts'));
  const tsc = join(top, 'node_modules/typescript/bin/tsc');
  const strict = ['--noEmit', '--strict', '--target', 'es2022'];
  for (const [module, resolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ]) {
    const flags = [...strict, '--module', module, '--moduleResolution', resolution, '--lib', 'es2022,dom,dom.iterable'];
    await inFolder(process.execPath, tsc, ...flags, 'sample.ts').catch(({ stdout }) => assert.fail(stdout));
  }
});

const kEntries = ['', '/websocket', '/msw', '/undici', '/node', '/playwright', '/cypress', '/vitest', '/jest', '/worker', '/service-worker', '/edge', '/tabernetes.wasm'];

test('the types of every entry, without the library of the DOM and without those of Node.js', async () => {
  const imports = kEntries.map((entry, i) => `import * as e${i} from 'tabernetes${entry}';\nvoid e${i};\n`);
  writeFileSync(join(folder, 'plain.ts'), `${imports.join('')}const cluster = await e0.createCluster({ nodes: 2 });\nconst version: string | undefined = (await cluster.apply({ kind: 'Pod' })).apiVersion;\nvoid version;\n`);
  const tsc = join(top, 'node_modules/typescript/bin/tsc');
  const flags = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022'];
  for (const resolution of [['nodenext', 'nodenext'], ['esnext', 'bundler']]) {
    await inFolder(process.execPath, tsc, ...flags, '--module', resolution[0], '--moduleResolution', resolution[1], 'plain.ts').catch(({ stdout }) => assert.fail(stdout));
  }
});

test('require, and the types that go with it', async () => {
  const cjs = join(folder, 'cjs');
  mkdirSync(cjs);
  writeFileSync(join(cjs, 'package.json'), '{"type":"commonjs"}');
  writeFileSync(join(cjs, 'main.ts'), `import { createCluster } from 'tabernetes';\nimport { listen } from 'tabernetes/node';\nvoid createCluster({}).then((cluster) => listen(cluster)).then(({ url }) => url.trim());\n`);
  const tsc = join(top, 'node_modules/typescript/bin/tsc');
  const flags = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022'];
  await inFolder(process.execPath, tsc, ...flags, 'cjs/main.ts').catch(({ stdout }) => assert.fail(stdout));
  writeFileSync(
    join(cjs, 'main.js'),
    `const { createCluster } = require('tabernetes');
     createCluster({ controllers: 'none', scheduler: false }).then(async (cluster) => {
       console.log((await cluster.fetch('/version')).status);
       cluster.dispose();
     });`,
  );
  assert.equal((await inFolder(process.execPath, 'cjs/main.js')).stdout, '200\n');
});

for (const format of ['iife', 'cjs']) {
  test(`bundled by esbuild as ${format}, where import.meta.url is missing`, async () => {
    writeFileSync(join(folder, `${format}.js`), `import { createCluster } from 'tabernetes';
      createCluster({ controllers: 'none', scheduler: false }).then(async (cluster) => {
        console.log((await cluster.fetch('/version')).status);
        cluster.dispose();
      });`);
    const outfile = join(folder, `out.${format}.cjs`);
    await esbuild({ entryPoints: [join(folder, `${format}.js`)], bundle: true, format, outfile, absWorkingDir: folder, logLevel: 'silent', external: ['tabernetes-embedded'] });
    assert.equal((await inFolder(process.execPath, outfile)).stdout, '200\n');
  });
}

test('bundled by Vite without configuration: the WebAssembly is an asset', async () => {
  writeFileSync(join(folder, 'index.html'), '<script type="module" src="./page.js"></script>');
  writeFileSync(join(folder, 'page.js'), `${kProgram}document.title = metadata.name;`);
  await build({ root: folder, configFile: false, logLevel: 'error', build: { target: 'es2022' } });
  const assets = readdirSync(join(folder, 'dist/assets'));
  for (const end of ['.wasm', '.gz']) assert.ok(assets.some((name) => name.endsWith(end)), assets.join());
  const main = assets.find((name) => /^index.*\.js$/.test(name));
  assert.ok(readFileSync(join(folder, 'dist/assets', main), 'utf8').length < 80_000, 'the embedded copy is apart');
});
