import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// The page asks its own server, which passes everything below /k8s on to the API server.
const proxy = {
  '/k8s': {
    target: process.env.KUBERNETES_URL ?? 'http://127.0.0.1:8001',
    rewrite: (path: string) => path.replace(/^\/k8s/, ''),
    changeOrigin: true,
  },
};

export default defineConfig({
  plugins: [react()],
  server: { proxy },
  preview: { proxy },
  test: { environment: 'jsdom', include: ['test/*.test.tsx'], setupFiles: ['test/setup.ts'] },
});
