// A proxy that records every exchange between a client and the native server.
import http from 'node:http';

/**
 * Starts a proxy to `target` and returns { url, exchanges, close }. An exchange is { method, path, headers, body,
 * status, answerType, answer }.
 */
export async function recordingProxy(target) {
  const { hostname, port } = new URL(target);
  const exchanges = [];
  const server = http.createServer(async (request, response) => {
    const sent = [];
    for await (const chunk of request) sent.push(chunk);
    const { method, url: path, headers } = request;
    const exchange = { method, path, headers, body: Buffer.concat(sent) };
    exchanges.push(exchange);
    const forward = http.request({ hostname, port, method, path, headers: { ...headers, host: `${hostname}:${port}` } });
    forward.on('error', () => response.destroy());
    response.on('close', () => forward.destroy());
    forward.on('response', async (answer) => {
      exchange.status = answer.statusCode;
      exchange.answerType = answer.headers['content-type'];
      response.writeHead(answer.statusCode, answer.headers);
      response.flushHeaders(); // a watch may be silent for long
      const got = [];
      try {
        for await (const chunk of answer) {
          got.push(chunk);
          response.write(chunk);
        }
      } catch {
        response.destroy(); // as the server did
      }
      exchange.answer = Buffer.concat(got);
      response.end();
    });
    forward.end(exchange.body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, exchanges, close };
}
