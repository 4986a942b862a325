// Tests that a wrong option is refused, and never ignored.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCluster } from './support.mjs';

test('an unknown option is refused, with the name that is nearest', async () => {
  for (const [options, message] of [
    [{ nods: 3 }, 'tabernetes: there is no option "nods", did you mean "nodes"?'],
    [{ controller: 'none' }, 'tabernetes: there is no option "controller", did you mean "controllers"?'],
    [{ featuregates: {} }, 'tabernetes: there is no option "featuregates", did you mean "featureGates"?'],
    [{ kubernetesVersion: '1.30' }, 'tabernetes: there is no option "kubernetesVersion"'],
  ]) {
    await assert.rejects(createCluster(options), { name: 'TypeError', message });
  }
});

test('options that are no object are refused', async () => {
  await assert.rejects(createCluster(null), TypeError);
  await assert.rejects(createCluster('none'), TypeError);
});
