// What both configurations of Playwright share. The environment may say which ports and programs are used.
const { PORT = '4173', API_PORT = '8001', CHROMIUM, TABERNETES = 'npx tabernetes' } = process.env;

export const port = Number(PORT);
export const apiUrl = `http://127.0.0.1:${API_PORT}`;

/** A browser of this machine in place of Playwright's own. */
export const browser = CHROMIUM ? { executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] } : {};

/** The built page and its server. */
export const page = (env: Record<string, string> = {}) => ({
  command: `npx vite build && npx vite preview --port ${port} --strictPort`,
  url: `http://localhost:${port}`,
  env,
});

/** The API server: the package's command, or the native binary. */
export const api = () => ({
  command: `${TABERNETES} serve --listen 127.0.0.1:${API_PORT} --load manifests --controllers none --scheduler=false`,
  url: `${apiUrl}/readyz`,
});
