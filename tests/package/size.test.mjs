// Tests that a browser loads no more than is allowed (bench/size.mjs).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kAllowed, kBudget, shippedSize } from '../../bench/size.mjs';

test('with Brotli: WebAssembly and glue', async (context) => {
  const { brotli } = await shippedSize();
  const said = `${brotli.wasm} + ${brotli.glue} bytes, the budget is ${kBudget}, allowed are ${kAllowed}`;
  context.diagnostic(said);
  assert.ok(brotli.wasm + brotli.glue <= kAllowed, said);
});
