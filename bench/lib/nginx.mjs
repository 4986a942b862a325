// nginx, which sends one file: the peer of benchmarks over HTTP.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { which } from './native.mjs';

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function accepts(port) {
  for (let i = 0; i < 100; ++i) {
    const socket = connect(port, '127.0.0.1');
    const open = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error').then(() => false)]).catch(() => false);
    socket.destroy();
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * Serves `body` at /body.json with sendfile; over TLS and HTTP/2 with `tls`, the paths { cert, key }, and with that many
 * workers. Returns { port, stop }, or undefined without nginx.
 */
export async function nginx(body, { tls, workers = 1 } = {}) {
  const program = which('nginx');
  if (!program) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'tabernetes-bench-'));
  const port = await freePort();
  const secured = tls ? `ssl_certificate ${tls.cert}; ssl_certificate_key ${tls.key};` : '';
  writeFileSync(join(folder, 'body.json'), body);
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes ${workers}; pid ${folder}/pid; error_log stderr crit; ${process.getuid() === 0 ? 'user root;' : ''}
     events { worker_connections 256; }
     http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; types { application/json json; }
       client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
       server { listen 127.0.0.1:${port}${tls ? ' ssl http2' : ''}; ${secured} root ${folder}; } }\n`,
  );
  const child = spawn(program, ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'inherit' });
  await accepts(port);
  return {
    port,
    async stop() {
      child.kill();
      await once(child, 'close');
      rmSync(folder, { recursive: true });
    },
  };
}
