// What a browser loads stays within its budget (bench/size.mjs).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kBudget, shippedSize } from '../../bench/size.mjs';

test('wasm and glue with Brotli', async (context) => {
  const { brotli } = await shippedSize();
  const said = `${brotli.wasm} + ${brotli.glue} bytes, ${kBudget} are allowed`;
  context.diagnostic(said);
  assert.ok(brotli.wasm + brotli.glue <= kBudget, said);
});
