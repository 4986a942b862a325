// What a browser loads stays within its budget (bench/size.mjs).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kBudget, shippedSize } from '../../bench/size.mjs';

test('wasm and glue with Brotli', async () => {
  const { brotli } = await shippedSize();
  assert.ok(brotli.wasm + brotli.glue <= kBudget, `${brotli.wasm} + ${brotli.glue} bytes, ${kBudget} are allowed`);
});
