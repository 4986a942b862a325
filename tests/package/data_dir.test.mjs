// Tests --data-dir of the package's command, in a Node.js that has SQLite: everything that the native server does, and that
// each opens the other's files.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { dataDirOf } from '../mock-server/data_dir.mjs';
import { binary, run, serve } from '../mock-server/server.mjs';
import { newerNode } from '../tools/newer_node.mjs';
import { configMap, dist, kConfigMaps } from './support.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tabernetes-data-of-node-'));
after(() => rmSync(folder, { recursive: true }));
const cli = join(dist, 'cli.js');

/** Writes a program that runs the command in `node`, as the shell's own process. */
function commandIn(node) {
  const program = join(folder, 'tabernetes');
  writeFileSync(program, `#!/bin/sh\nexec '${node}' '${cli}' "$@"\n`);
  chmodSync(program, 0o755);
  return program;
}

const program = commandIn(await newerNode());
dataDirOf(program);

test('the native server and the command open the same files, and one at a time has them', { skip: existsSync(binary) ? false : 'no native server' }, async () => {
  const dir = join(folder, 'shared');
  let items;
  for (const [i, [own, other]] of [[program, binary], [binary, program], [program, binary], [binary, program]].entries()) {
    const server = await serve(own, '--data-dir', dir);
    const found = (await (await fetch(server.url + kConfigMaps)).json()).items;
    if (items) assert.deepEqual(found, items);
    const words = `tabernetes: ${dir}: process ${server.pid} has this data directory\n`;
    assert.deepEqual(await run(other, ['serve', '--listen', '127.0.0.1:0', '--data-dir', dir]), { code: 1, stdout: '', stderr: words });
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(configMap(`of-${i}`)) };
    assert.equal((await fetch(server.url + kConfigMaps, post)).status, 201);
    if (i > 0) assert.equal((await fetch(`${server.url}${kConfigMaps}/of-${i - 1}`, { method: 'DELETE' })).status, 200);
    items = (await (await fetch(server.url + kConfigMaps)).json()).items;
    for (const each of [own, other]) {
      const checked = await run(each, ['check-data', dir]);
      assert.deepEqual([checked.code, checked.stderr], [0, '']);
    }
    assert.equal(await server.stop(), 0);
  }
});

test('a Node.js without SQLite refuses the flag and the commands in one line', { skip: Number(process.versions.node.split('.')[0]) >= 22 ? 'this one has it' : false }, async () => {
  const words = `Node.js 22.13 or newer is needed (or 22.5 with --experimental-sqlite), not ${process.version.slice(1)}`;
  assert.deepEqual(await run(cli, ['serve', '--data-dir', folder]), { code: 2, stdout: '', stderr: `tabernetes serve: --data-dir: ${words} (see tabernetes serve --help)\n` });
  assert.deepEqual(await run(cli, ['check-data', folder]), { code: 1, stdout: '', stderr: `tabernetes: ${words}\n` });
});
