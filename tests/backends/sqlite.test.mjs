// The suite of backends on a file, through Node's SQLite, in a Node.js that has it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { newerNode } from '../tools/newer_node.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tabernetes-backends-'));
after(() => rmSync(folder, { recursive: true }));
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

test('the suite on node:sqlite', { timeout: 300_000 }, async () => {
  const store = join(folder, 'data-directory.mjs');
  await build({ entryPoints: [here('../../wasm/src/cli/data-directory.ts')], bundle: true, format: 'esm', outfile: store, platform: 'node', external: ['node:*'], logLevel: 'warning' });
  const program = join(folder, 'suite.mjs');
  writeFileSync(program, `
    import { rmSync } from 'node:fs';
    import { createCluster } from ${JSON.stringify(here('../../dist/index.js'))};
    import { runBackendTests } from ${JSON.stringify(here('backend_suite.mjs'))};
    import { openDataDirectory } from './data-directory.mjs';
    let count = 0;
    async function fresh() {
      let path = new URL('store-' + ++count, import.meta.url).pathname;
      let store;
      const close = async () => { store?.close(); store = undefined; };
      return {
        open: async () => (store = await openDataDirectory(path, () => {})).backend,
        close,
        clear: async () => { await close(); rmSync(path, { recursive: true, force: true }); },
      };
    }
    console.log(JSON.stringify(await runBackendTests(fresh, createCluster)));`);
  const { stdout, stderr } = await promisify(execFile)(await newerNode(), [program], { maxBuffer: 16 << 20 });
  assert.deepEqual([JSON.parse(stdout), stderr], [[], '']);
});
