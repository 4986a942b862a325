// What a browser loads grows no further (bench/size.mjs).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kBudget, kCeiling, shippedSize } from '../../bench/size.mjs';

test('wasm and glue with Brotli', async (context) => {
  const { brotli } = await shippedSize();
  const said = `${brotli.wasm} + ${brotli.glue} bytes; the ceiling is ${kCeiling}, the budget ${kBudget}`;
  context.diagnostic(said);
  assert.ok(brotli.wasm + brotli.glue <= kCeiling, said);
});
