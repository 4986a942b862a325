// The page in Chromium, its requests answered by a cluster in the test's process.
import { defineConfig } from '@playwright/test';
import { browser, page, port } from './e2e/settings';

export default defineConfig({
  testDir: 'e2e',
  testMatch: 'pages.spec.ts',
  reporter: 'list',
  use: { baseURL: `http://localhost:${port}`, launchOptions: browser },
  webServer: page(),
});
