// Tests that the private apt finds the entries of this release in any format.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownEntries } from '../lib/apt.mjs';

const cases = [
  { name: 'one line', file: 'sources.list', text: 'deb http://a.example/debian bookworm main contrib\n', want: [{ uri: 'http://a.example/debian', signedBy: undefined }] },
  { name: 'one line with options', file: 'sources.list.d/x.list', text: 'deb [arch=amd64 signed-by=/k.gpg] http://a.example/d bookworm main\n', want: [{ uri: 'http://a.example/d', signedBy: '/k.gpg' }] },
  { name: 'another suite', file: 'sources.list', text: 'deb http://a.example/debian bookworm-updates main\n', want: [] },
  { name: 'a comment', file: 'sources.list', text: '# deb http://a.example/debian bookworm main\n', want: [] },
  { name: 'deb822', file: 'sources.list.d/x.sources', text: 'Types: deb\n# note\nURIs: http://a.example/d\nSuites: bookworm bookworm-updates\nComponents: main\nSigned-By: /k.gpg\n', want: [{ uri: 'http://a.example/d', signedBy: '/k.gpg' }] },
  { name: 'deb822, switched off', file: 'sources.list.d/x.sources', text: 'Enabled: no\nTypes: deb\nURIs: http://a.example/d\nSuites: bookworm\nComponents: main\n', want: [] },
  { name: "somebody else's archive", file: 'sources.list.d/x.sources', text: 'Types: deb\nURIs: http://b.example/node\nSuites: nodistro\nComponents: main\n', want: [] },
];

for (const { name, file, text, want } of cases) {
  test(`entries: ${name}`, () => {
    const root = mkdtempSync(join(tmpdir(), 'apt-'));
    try {
      mkdirSync(join(root, 'sources.list.d'));
      writeFileSync(join(root, file), text);
      assert.deepEqual(ownEntries('bookworm', root), want);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
}
