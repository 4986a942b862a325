// Tests that a browser loads no more than the budget (bench/size.mjs).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kBudget, shippedSize } from '../../bench/size.mjs';

test('with Brotli: WebAssembly and glue', async (context) => {
  const { brotli } = await shippedSize();
  const said = `${brotli.wasm} + ${brotli.glue} bytes, the budget is ${kBudget}`;
  context.diagnostic(said);
  assert.ok(brotli.wasm + brotli.glue <= kBudget, said);
});
