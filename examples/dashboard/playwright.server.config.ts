// The page in Chromium, its requests passed by the page's server to a `tabernetes` server, as to a real one.
import { defineConfig } from '@playwright/test';
import { api, apiUrl, browser, page, port } from './e2e/settings';

export default defineConfig({
  testDir: 'e2e',
  testMatch: 'server.spec.ts',
  reporter: 'list',
  workers: 1, // all tests share the server
  use: { baseURL: `http://localhost:${port}`, launchOptions: browser },
  webServer: [api(), page({ KUBERNETES_URL: apiUrl })],
});
