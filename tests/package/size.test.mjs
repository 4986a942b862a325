// What a browser loads grows no further (bench/size.mjs).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kBudget, kExtensionsCeiling, shippedSize } from '../../bench/size.mjs';

test('with Brotli: core and glue, and extensions', async (context) => {
  const { brotli } = await shippedSize();
  const said = `${brotli.core} + ${brotli.glue} bytes, the budget is ${kBudget}; ${brotli.extensions}, the ceiling is ${kExtensionsCeiling}`;
  context.diagnostic(said);
  assert.ok(brotli.core + brotli.glue <= kBudget, said);
  assert.ok(brotli.extensions <= kExtensionsCeiling, said);
});
