import assert from 'node:assert/strict';
import { test } from 'node:test';
import { citationsOf, faultsOf, sectionsOf } from '../check_citations.mjs';

const documents = new Map([['rest.md', sectionsOf('# REST\n\n# 1. Paths\n\n## 1.2 Long ones\n\n### 5.14 YAML\n')]]);

test('the sections of a document', () => assert.deepEqual([...documents.get('rest.md')], ['1', '1.2', '5.14']));

test('citations: lists, spans, and comments that go on in the next line', () => {
  const text = 'int a;\n// Source: spec/rest.md 1, 1.2 to\n// 5.14; upstream 1.36 x.go.\n  // spec/list-watch.md: all of it\n';
  assert.deepEqual(citationsOf(text), [
    { line: 2, file: 'rest.md', sections: ['1', '1.2', '5.14'] },
    { line: 4, file: 'list-watch.md', sections: [] },
  ]);
});

test('a document or a section that is not there is a fault', () => {
  assert.deepEqual(faultsOf('// spec/rest.md 1.2.\n', documents), []);
  assert.deepEqual(faultsOf('\n// spec/rest.md 1.2, 1.3.\n// spec/other.md 1\n', documents), [
    { line: 2, what: 'docs/spec/rest.md has no section 1.3' },
    { line: 3, what: 'there is no docs/spec/other.md' },
  ]);
});
