// A proxy that adds a bearer token for clients that send tokens over TLS only.
import http from 'node:http';

/** Starts the proxy on a free port and returns { url, close() }. */
export async function tokenProxy(upstream, token) {
  const target = new URL(upstream);
  const server = http.createServer((request, response) => {
    const headers = { ...request.headers, host: target.host, authorization: `Bearer ${token}` };
    const { method, url: path } = request;
    const forward = http.request({ host: target.hostname, port: target.port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.rawHeaders);
      answer.pipe(response);
    });
    forward.on('error', () => response.destroy());
    request.pipe(forward);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, close };
}
