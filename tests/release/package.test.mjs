// Tests the npm packages as their users get them: installed without the network, compilers or this checkout.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { publint } from 'publint';
import { build as viteBuild } from 'vite';
import webpack from 'webpack';
import { execute, file, newFolder, projectWith, start, version } from './support.mjs';

const kMain = `tabernetes-${version}.tgz`;
const kPlayground = `tabernetes-playground-${version}.tgz`;
const kEmbedded = `tabernetes-embedded-${version}.tgz`;
const top = fileURLToPath(new URL('../..', import.meta.url));

const kProgram = `
import { createCluster } from 'tabernetes';
const cluster = await createCluster({ seed: 1, now: 0 });
const response = await cluster.fetch('/api/v1/namespaces/default');
const { metadata } = await response.json();
cluster.dispose();
`;
const kSaid = `${kProgram}console.log(metadata.name);`;

async function listed(name) {
  const { stdout } = await execute('tar', ['-tzf', file(name)]);
  return stdout.trim().split('\n').map((path) => path.replace(/^package\//, '')).sort();
}

test('tabernetes: under 2 MB, the WebAssembly once, no page, licences, nothing that is not for users', async () => {
  const { size } = statSync(file(kMain));
  assert.ok(size < 2_000_000, `${size} bytes`);
  const paths = await listed(kMain);
  assert.deepEqual(paths.filter((path) => /\.wasm$|embedded|^dist\/ui/.test(path)), ['dist/tabernetes.wasm']);
  assert.deepEqual(paths.filter((path) => !path.startsWith('dist/')), ['LICENSE', 'README.md', 'SECURITY.md', 'THIRD_PARTY.md', 'package.json']);
});

for (const name of [kPlayground, kEmbedded]) {
  test(`${name}: licences are in it`, async () => {
    const paths = await listed(name);
    assert.deepEqual(paths.filter((path) => /^[A-Z]/.test(path)), ['LICENSE', 'README.md', 'THIRD_PARTY.md']);
  });
}

test('no package runs a script when it is installed, or needs another', async () => {
  for (const name of [kMain, kPlayground, kEmbedded]) {
    const { stdout } = await execute('tar', ['-xzOf', file(name), 'package/package.json']);
    const { scripts = {}, dependencies = {}, optionalDependencies = {} } = JSON.parse(stdout);
    assert.deepEqual(Object.keys(scripts).filter((script) => /install|prepare|prepublish|^pre|^post/.test(script)), []);
    assert.deepEqual({ ...dependencies, ...optionalDependencies }, {});
  }
});

test('publint has nothing to say', async () => {
  for (const name of [kMain, kPlayground, kEmbedded]) {
    const bytes = readFileSync(file(name));
    const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const { messages } = await publint({ pack: { tarball }, strict: true });
    assert.deepEqual(messages, [], name);
  }
});

test('are the types wrong? No', async () => {
  const attw = join(top, 'node_modules/@arethetypeswrong/cli/dist/index.js');
  // The packages are ESM only, so attw's findings about `require` in Node 20 and TypeScript's old resolution are
  // intended.
  const kMeant = ['node10', 'node16-cjs'];
  for (const name of [kMain, kEmbedded]) {
    // Into a file: attw exits before a pipe has taken all of its 300 KB.
    const report = join(newFolder(), 'report.json');
    await execute('sh', ['-c', '"$0" "$1" "$2" --format json > "$3"', process.execPath, attw, file(name), report]).catch(() => {});
    const { analysis, problems } = JSON.parse(readFileSync(report, 'utf8'));
    assert.equal(analysis.types.kind, 'included');
    assert.deepEqual(Object.values(problems).flat().filter(({ resolutionKind }) => !kMeant.includes(resolutionKind)), [], name);
  }
});

test('tabernetes in an empty project: an import, the command, the address of the module', async () => {
  const { folder, run } = await projectWith(kMain);
  assert.deepEqual(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')), ['tabernetes']);
  writeFileSync(join(folder, 'plain.js'), kSaid);
  assert.equal((await run('node', 'plain.js')).stdout, 'default\n');
  assert.match((await run('npx', '--offline', 'tabernetes', 'version')).stdout, /^tabernetes \d/);
  writeFileSync(
    join(folder, 'module.js'),
    `import { readFileSync } from 'node:fs';
     const bytes = readFileSync(new URL(import.meta.resolve('tabernetes/tabernetes.wasm')));
     console.log(WebAssembly.validate(bytes));`,
  );
  assert.equal((await run('node', 'module.js')).stdout, 'true\n');
});

test('npx tabernetes serve: the API, and the page if the playground is beside', async () => {
  for (const [tarballs, status] of [[[kMain], 404], [[kMain, kPlayground], 200]]) {
    const { folder, env } = await projectWith(...tarballs);
    const server = await start(join(folder, 'node_modules/.bin/tabernetes'), ['serve', '--listen', '127.0.0.1:0'], { cwd: folder, env });
    assert.equal((await fetch(`${server.url}/api/v1/namespaces/default`)).status, 200);
    assert.equal((await fetch(`${server.url}/ui/`)).status, status);
    assert.equal(await server.stop(), 0);
  }
});

/** Moves a bundle to a folder without packages and runs it there. */
async function runElsewhere(outputs) {
  const folder = newFolder();
  for (const [name, bytes] of outputs) writeFileSync(join(folder, name), bytes);
  return execute(process.execPath, [join(folder, outputs[0][0])]);
}

const esbuildOf = (folder, entry) =>
  esbuild.build({ entryPoints: [join(folder, entry)], bundle: true, format: 'esm', outdir: join(folder, 'out'), outExtension: { '.js': '.mjs' }, absWorkingDir: folder, logLevel: 'silent' });

test('bundled by esbuild: in a project it finds the file of the package', async () => {
  const { folder, run } = await projectWith(kMain);
  writeFileSync(join(folder, 'entry.js'), kSaid);
  const { warnings } = await esbuildOf(folder, 'entry.js');
  assert.deepEqual(warnings, []);
  assert.equal((await run('node', 'out/entry.mjs')).stdout, 'default\n');
  const failed = await runElsewhere([['entry.mjs', readFileSync(join(folder, 'out/entry.mjs'))]]).catch((error) => error);
  assert.match(failed.stderr, /tabernetes\.wasm is not beside this code: copy it there, pass it as createCluster\(\{ wasm \}\), or install tabernetes-embedded/);
});

test('bundled by esbuild with tabernetes-embedded installed: all is in one file', async () => {
  const { folder } = await projectWith(kMain, kEmbedded);
  writeFileSync(join(folder, 'entry.js'), kSaid);
  await esbuildOf(folder, 'entry.js');
  assert.equal((await runElsewhere([['entry.mjs', readFileSync(join(folder, 'out/entry.mjs'))]])).stdout, 'default\n');
});

test('bundled by webpack without configuration: the WebAssembly is an asset', async () => {
  const { folder } = await projectWith(kMain);
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/index.js'), kSaid);
  const output = { path: join(folder, 'dist') }; // webpack's default, for a user in that folder
  const stats = await new Promise((resolve, reject) =>
    webpack({ context: folder, mode: 'production', target: 'web', output }).run((error, result) => (error ? reject(error) : resolve(result))),
  );
  const { errors, warnings, assets } = stats.toJson();
  assert.deepEqual([errors, warnings.filter(({ message }) => !/size limit|performance/.test(message))], [[], []]);
  assert.equal(assets.filter(({ name }) => name.endsWith('.wasm')).length, 1);
});

test('bundled by Vite without configuration: the WebAssembly is an asset', async () => {
  const { folder } = await projectWith(kMain);
  writeFileSync(join(folder, 'index.html'), '<script type="module" src="./page.js"></script>');
  writeFileSync(join(folder, 'page.js'), `${kProgram}document.title = metadata.name;`);
  await viteBuild({ root: folder, configFile: false, logLevel: 'error', build: { target: 'es2022' } });
  const assets = readdirSync(join(folder, 'dist/assets'));
  assert.equal(assets.filter((name) => name.endsWith('.wasm')).length, 1, assets.join());
});
