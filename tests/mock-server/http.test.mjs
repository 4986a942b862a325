// Tests the host's HTTP around a fake core: everything that a peer may do to a connection.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Wire, fakeBinary, serve, waitFor } from './server.mjs';

let server;
before(async () => (server = await serve(fakeBinary, '--log', 'error')));
after(async () => assert.equal(await server.stop(), 0));

const text = async (path, init) => (await fetch(server.url + path, init)).text();
const streams = async () => Number((await text('/counters')).split(' ')[0]);
const get = (path, ...headers) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers.map((h) => `${h}\r\n`).join('')}\r\n`;
const alive = async () => assert.match(await text('/alive'), /^GET \/alive\n/);

test('requests follow each other on one connection', async () => {
  const wire = new Wire(server.port);
  wire.send(get('/1'));
  await wire.until(/GET \/1\n/);
  wire.send(get('/2'));
  await wire.until(/GET \/2\n/);
  wire.destroy();
});

test('pipelined requests are answered in their order, also behind a body', async () => {
  const wire = new Wire(server.port);
  wire.send(get('/1') + 'POST /2 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello' + get('/3') + get('/4'));
  const all = await wire.until(/GET \/4\n[^]*body 0\n/);
  assert.deepEqual(all.match(/(GET|POST) \/\d/g), ['GET /1', 'POST /2', 'GET /3', 'GET /4']);
  assert.match(all, /body 5\n/);
  wire.destroy();
});

test('a request that arrives byte by byte is understood', async () => {
  const wire = new Wire(server.port);
  for (const byte of 'POST /slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nok') {
    wire.send(byte);
    await new Promise(setImmediate);
  }
  await wire.until(/POST \/slow\n[^]*body 2\n/);
  wire.destroy();
});

test('a chunked request body is put together', async () => {
  const wire = new Wire(server.port);
  wire.send('POST /c HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n');
  await wire.until(/POST \/c\n[^]*body 5\n/);
  wire.destroy();
});

test('trailers of a chunked body are not headers', async () => {
  const wire = new Wire(server.port);
  wire.send('POST /t HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nImpersonate-User: root\r\n\r\n');
  assert.doesNotMatch(await wire.until(/body 1\n/), /root/);
  wire.destroy();
});

test('methods, targets and headers arrive as they were sent', async () => {
  for (const [method, target] of [['TRACE', '/a'], ['INVENTED', '/b'], ['OPTIONS', '*'], ['GET', '//x/../y%2f%00?a=b&&c'],
    ['GET', '/ä"<>|'], ['DELETE', '/?']]) {
    const wire = new Wire(server.port);
    wire.send(Buffer.from(`${method} ${target} HTTP/1.1\r\nhOsT: localhost\r\nX-Twice: 1\r\nx-twice: 2\r\n\r\n`, 'latin1'));
    const answer = await wire.until(/body 0\n/);
    assert.ok(answer.includes(`${method} ${target}\nhost: localhost\nx-twice: 1\nx-twice: 2\n`), answer);
    wire.destroy();
  }
});

test('the absolute form is taken for the path that it names', async () => {
  const wire = new Wire(server.port);
  wire.send('GET http://localhost:1/api?x HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await wire.until(/GET \/api\?x\n/);
  wire.destroy();
});

const numbers = (most) => {
  let lines = '';
  for (let at = 0; at < most; at += 7) lines += `${at * 31}\n`;
  return lines;
};
/** Returns the bodies of the received bytes: heads removed, chunks joined. */
const unchunked = (all) => {
  const bytes = Buffer.from(all.slice(all.indexOf('\r\n\r\n') + 4), 'latin1');
  const parts = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at);
    const size = parseInt(bytes.toString('latin1', at, end), 16);
    if (size === 0) return Buffer.concat(parts);
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + size + 4;
  }
};

test('a body to be compressed goes out in chunks, and the next request is answered', async () => {
  for (const most of [0, 7, 1000, 3_000_000]) {
    const wire = new Wire(server.port);
    wire.send(get(`/gzip?${most}`));
    const all = await wire.until(/\r\n0\r\n\r\n$/);
    assert.match(all, /^HTTP\/1.1 200 OK\r\nDate: .* GMT\r\nTransfer-Encoding: chunked\r\n\r\n/);
    assert.equal(gunzipSync(unchunked(all)).toString(), numbers(most));
    wire.send(get('/next'));
    await wire.until(/GET \/next\n/);
    wire.destroy();
  }
});

test('a compressed body ends an HTTP/1.0 connection', async () => {
  const wire = new Wire(server.port);
  wire.send('GET /gzip?700000 HTTP/1.0\r\n\r\n');
  const all = await wire.untilEnded();
  assert.match(all, /^HTTP\/1.0 200 OK\r\nDate: .* GMT\r\nConnection: close\r\n\r\n/);
  assert.equal(gunzipSync(Buffer.from(all.slice(all.indexOf('\r\n\r\n') + 4), 'latin1')).toString(), numbers(700000));
});

test('HEAD of what would be compressed has no length', async () => {
  const wire = new Wire(server.port);
  wire.send('HEAD /gzip?700000 HTTP/1.1\r\nHost: localhost\r\n\r\n' + get('/next'));
  assert.match(await wire.until(/GET \/next\n/), /^HTTP\/1.1 200 OK\r\nDate: .* GMT\r\n\r\nHTTP\/1.1 200/);
  wire.destroy();
});

test('a stream is compressed to its end', async () => {
  const wire = new Wire(server.port);
  wire.send(get('/gzip-stream?1000'));
  const lines = gunzipSync(unchunked(await wire.until(/\r\n0\r\n\r\n$/))).toString().split('\n');
  assert.equal(lines.length, 1001);
  assert.equal(lines[0], '{"line":999}');
  assert.equal(await streams(), 0);
  wire.destroy();
});

test('peers that leave during a compressed body disturb nobody', async () => {
  for (let i = 0; i < 20; i++) {
    const wire = new Wire(server.port);
    wire.send(get('/gzip?2000000'));
    await wire.until(/200 OK/);
    wire.destroy();
  }
  await alive();
});

test('HEAD has the length of the body and no body', async () => {
  const wire = new Wire(server.port);
  wire.send('HEAD /large?12345 HTTP/1.1\r\nHost: localhost\r\n\r\n' + get('/next'));
  const all = await wire.until(/GET \/next\n/);
  assert.match(all, /^HTTP\/1\.1 200 OK\r\nDate: .* GMT\r\nContent-Length: 12345\r\n\r\nHTTP\/1\.1 200/);
  wire.destroy();
});

test('HEAD of a stream ends at its head', async () => {
  const wire = new Wire(server.port);
  wire.send('HEAD /idle HTTP/1.1\r\nHost: localhost\r\n\r\n' + get('/next'));
  await wire.until(/GET \/next\n/);
  assert.equal(await streams(), 0);
  wire.destroy();
});

test('a body of many slices arrives whole', async () => {
  const body = await text('/large?20000000');
  assert.equal(body.length, 20_000_000);
});

test('HTTP/1.0 closes, or keeps alive when asked; its streams end with the connection', async () => {
  const wire = new Wire(server.port);
  wire.send('GET /old HTTP/1.0\r\nConnection: keep-alive\r\n\r\n');
  await wire.until(/^HTTP\/1\.0 200 OK\r\n[^]*Connection: keep-alive\r\n[^]*body 0\n/);
  wire.send('GET /stream?2 HTTP/1.0\r\n\r\n');
  assert.match(await wire.untilEnded(), /Connection: close\r\n\r\n\{"line":1\}\n\{"line":0\}\n$/);
});

test('Connection: close is obeyed', async () => {
  const wire = new Wire(server.port);
  wire.send(get('/bye', 'Connection: close'));
  assert.match(await wire.untilEnded(), /\r\nConnection: close\r\n[^]*body 0\n$/);
});

test('Expect: 100-continue is answered before the body', async () => {
  const wire = new Wire(server.port);
  wire.send('POST /e HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n');
  await wire.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
  wire.send('body' + get('/next'));
  await wire.until(/HTTP\/1\.1 200 OK[^]*body 4\n[^]*GET \/next\n/);
  wire.destroy();
});

test('who does not wait for 100-continue gets none', async () => {
  const wire = new Wire(server.port);
  wire.send('POST /e HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\nbody');
  assert.match(await wire.until(/body 4\n/), /^HTTP\/1\.1 200 OK/);
  wire.destroy();
});

test('a POST that a foreign page can send unasked is refused before its body is read', async () => {
  const post = (...lines) => `POST /x HTTP/1.1\r\nHost: localhost\r\n${lines.map((l) => `${l}\r\n`).join('')}Content-Length: 4\r\n\r\nbody`;
  for (const [lines, page] of [
    [['Origin: https://evil.example'], 'https://evil.example'],
    [['Origin: null', 'Content-Type: text/plain'], 'null'],
    [['Sec-Fetch-Site: cross-site'], 'other sites'],
  ]) {
    const answer = await new Wire(server.port).send(post(...lines)).untilEnded();
    assert.match(answer, /^HTTP\/1\.1 403 Forbidden\r\n/);
    assert.ok(answer.endsWith(`\r\n\r\n403 Forbidden: pages of ${page} may not write here (see --cors-allowed-origins)\n`), answer);
  }
  for (const line of ['Origin: http://localhost:5173', 'Sec-Fetch-Site: same-origin', 'Content-Type: application/json', 'Accept: */*']) {
    const wire = new Wire(server.port).send(post(line));
    await wire.until(/^HTTP\/1\.1 200 OK[^]*POST \/x\n[^]*body 4\n/);
    wire.destroy();
  }
});

test('the core sees of a large body one byte more than it takes, and the connection lives on', async () => {
  const wire = new Wire(server.port);
  wire.send(`POST /b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000000\r\n\r\n${'x'.repeat(5_000_000)}${get('/next')}`);
  await wire.until(/body 3145729\n[^]*GET \/next\n/);
  wire.destroy();
});

test('a monstrous body is not read to its end', async () => {
  const wire = new Wire(server.port);
  wire.send(`POST /b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n`);
  const megabyte = 'x'.repeat(1_000_000);
  for (let i = 0; i < 70; ++i) wire.send(megabyte);
  await wire.until(/\r\nConnection: close\r\n[^]*body 3145729\n/);
  wire.destroy();
  await alive();
});

test('half a head, half a body, and gone: the server does not mind', async () => {
  for (const half of ['', 'G', 'GET / HTTP/1.1\r\nHost: loc', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf',
    'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhalf']) {
    for (const leave of ['end', 'destroy', 'resetAndDestroy']) {
      const wire = new Wire(server.port);
      wire.send(half);
      await new Promise((resolve) => wire.socket.once('connect', resolve));
      wire.socket[leave]();
      if (leave === 'end') assert.equal(await wire.untilEnded(), '');
    }
  }
  await alive();
});

test('what is not HTTP gets 400 and the end', async () => {
  for (const bad of ['\x16\x03\x01\x02\x00\x01\x00', 'hello\r\n\r\n', 'GET /\r\n\r\n', 'GET / HTTP/1.1\r\nno colon\r\n\r\n',
    'GET / HTTP/2.0\r\nHost: localhost\r\n\r\n', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n', 'GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n']) {
    const wire = new Wire(server.port);
    wire.send(bad);
    assert.match(await wire.untilEnded(), /^HTTP\/1\.1 400 Bad Request\r\n/, JSON.stringify(bad));
    wire.destroy();
  }
  await alive();
});

test('a head beyond all measure gets 431; a large one is read', async () => {
  const fits = new Wire(server.port);
  fits.send(get('/fits', `X-Long: ${'x'.repeat(200_000)}`));
  await fits.until(/GET \/fits\n/);
  fits.destroy();
  const wire = new Wire(server.port);
  wire.send(`GET / HTTP/1.1\r\nHost: localhost\r\n`);
  for (let i = 0; i < 30; ++i) wire.send(`X-${i}: ${'x'.repeat(50_000)}\r\n`);
  assert.match(await wire.untilEnded(), /^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
  wire.destroy();
});

test('names that are not ours get 403, before their body is read', async () => {
  for (const head of ['Host: evil.example', 'Host: evil.example:8001', 'Host: 127.0.0.1.evil.example']) {
    const wire = new Wire(server.port);
    wire.send(`POST /x HTTP/1.1\r\n${head}\r\nContent-Length: 10\r\n\r\n`);
    assert.match(await wire.until(/allowed-hosts/), /^HTTP\/1\.1 403 Forbidden\r\nContent-Type: text\/plain/);
    wire.destroy();
  }
  const absolute = new Wire(server.port);
  absolute.send('GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await absolute.until(/^HTTP\/1\.1 403/);
  absolute.destroy();
});

test('a stream: head at once, one chunk a unit, then the connection goes on', async () => {
  const idle = new Wire(server.port);
  idle.send(get('/idle'));
  await idle.until(/^HTTP\/1\.1 200 OK\r\nDate: .*\r\nTransfer-Encoding: chunked\r\n\r\n$/);
  idle.destroy();
  const wire = new Wire(server.port);
  wire.send(get('/stream?2') + get('/next'));
  const all = await wire.until(/GET \/next\n/);
  assert.ok(all.includes('\r\n\r\nb\r\n{"line":1}\n\r\nb\r\n{"line":0}\n\r\n0\r\n\r\nHTTP/1.1 200 OK'), all);
  wire.destroy();
});

test('a long list is sent piece by piece, and the connection goes on', async () => {
  const wire = new Wire(server.port);
  wire.send(get('/list?20') + get('/next'));
  const all = await wire.until(/GET \/next\n/);
  const [head, body] = all.split('\r\n\r\n', 2);
  assert.match(head, /Transfer-Encoding: chunked/);
  assert.equal(body, Array(20).fill(`10000\r\n${'l'.repeat(65536)}\r\n`).join('') + '0');
  assert.equal(await streams(), 0);
  wire.destroy();
});

test('the stream ends with its peer, however that leaves', async () => {
  for (const leave of ['end', 'destroy', 'resetAndDestroy']) {
    const wire = new Wire(server.port);
    wire.send(get('/idle'));
    await wire.until(/\r\n\r\n/);
    assert.equal(await streams(), 1);
    wire.socket[leave]();
    await waitFor(async () => (await streams()) === 0, 2000, () => `the stream to end after ${leave}`);
  }
});

test('a late answer comes, and not at all to a peer that has left', async () => {
  const [patient, gone] = [new Wire(server.port), new Wire(server.port)];
  patient.send(get('/late'));
  gone.send(get('/late'));
  await new Promise((resolve) => setTimeout(resolve, 50));
  gone.destroy();
  await patient.until(/late\n$/);
  patient.destroy();
  await alive();
});

test('what is asked behind a late answer waits for it; other connections do not', async () => {
  const wire = new Wire(server.port);
  wire.send(get('/late') + get('/behind') + get('/view'));
  const others = Array.from({ length: 8 }, () => new Wire(server.port).send(get('/other')));
  await Promise.all(others.map((other) => other.until(/GET \/other\n/, 400)));
  assert.equal(wire.received, '');
  assert.match(await wire.until(/view\n/), /^HTTP\/1\.1 200[^]*\r\nlate\nHTTP\/1\.1 200[^]*GET \/behind\n[^]*\r\nview\n$/);
  for (const each of [wire, ...others]) each.destroy();
});

test('what the view answers does not go to the core', async () => {
  assert.equal(await text('/view'), 'view\n');
  const wires = Array.from({ length: 8 }, () => new Wire(server.port).send(get('/view').repeat(100)));
  await Promise.all(wires.map((wire) => waitFor(() => wire.received.match(/\r\nview\n/g)?.length === 100)));
  for (const wire of wires) wire.destroy();
});

test('late answers hold no thread, and find their connections', async () => {
  const wires = Array.from({ length: 200 }, () => new Wire(server.port).send(get('/late')));
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (const wire of wires.filter((_, i) => i % 3 === 0)) wire.socket.resetAndDestroy();
  await alive();
  await Promise.all(wires.filter((_, i) => i % 3).map((wire) => wire.until(/\r\n\r\nlate\n$/)));
  for (const wire of wires) wire.destroy();
  await alive();
});

test('many connections ask at once, each gets its own answers in its own order', async () => {
  const wires = Array.from({ length: 32 }, () => new Wire(server.port));
  for (let n = 0; n < 50; ++n) for (const [i, wire] of wires.entries()) wire.send(get(`/${i}/${n}`));
  const expected = (i) => Array.from({ length: 50 }, (_, n) => `GET /${i}/${n}`);
  await Promise.all(wires.map((wire, i) => wire.until(new RegExp(`GET /${i}/49\n`))));
  for (const [i, wire] of wires.entries()) {
    assert.deepEqual(wire.received.match(/GET \/\d+\/\d+/g), expected(i));
    wire.destroy();
  }
});

test('streams that come and go by the hundred leave nothing behind', async () => {
  for (let round = 0; round < 3; ++round) {
    const wires = Array.from({ length: 200 }, (_, i) => new Wire(server.port).send(get(i % 2 ? '/flood' : '/idle')));
    await Promise.all(wires.map((wire) => wire.until(/chunked\r\n\r\n/)));
    for (const [i, wire] of wires.entries()) wire.socket[i % 3 ? 'resetAndDestroy' : 'destroy']();
    await alive();
  }
  await waitFor(async () => (await streams()) === 0);
});

test('a reader that stops is not read ahead of, and the others are served', async () => {
  const given = async () => Number((await text('/counters')).split(' ')[1]);
  const first = await given();
  const wire = new Wire(server.port);
  wire.socket.pause();
  wire.send(get('/flood'));
  let before = -1;
  // The system's socket buffers fill up, then nothing moves any more.
  await waitFor(async () => {
    const now = await given();
    const still = now === before && now > first;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return still;
  }, 10_000);
  assert.ok(before - first < 32 * 1024 * 1024, `${before - first} bytes were read from the stream`);
  await alive();
  wire.destroy();
  await waitFor(async () => (await streams()) === 0);
});

test('a thousand idle streams cost no threads, and the server answers', async () => {
  const wires = Array.from({ length: 1000 }, () => new Wire(server.port).send(get('/idle')));
  await Promise.all(wires.map((wire) => wire.until(/chunked\r\n\r\n/, 20_000)));
  const threads = Number(readFileSync(`/proc/${server.pid}/status`, 'utf8').match(/Threads:\s+(\d+)/)[1]);
  assert.ok(threads < 20, `${threads} threads`);
  assert.equal(await streams(), 1000);
  await alive();
  for (const wire of wires) wire.destroy();
  await waitFor(async () => (await streams()) === 0);
});

test('SIGTERM ends streams with their last chunk and drops idle connections', async () => {
  const own = await serve(fakeBinary);
  const [idle, kept, slow] = [new Wire(own.port), new Wire(own.port), new Wire(own.port)];
  idle.send(get('/idle'));
  kept.send(get('/1'));
  slow.send(get('/late'));
  await Promise.all([idle.until(/\r\n\r\n$/), kept.until(/body 0/)]);
  const stopped = own.stop();
  assert.match(await idle.untilEnded(), /\r\n\r\n0\r\n\r\n$/);
  await kept.untilEnded();
  await slow.untilEnded();
  assert.equal(await stopped, 0);
});

test('SIGTERM ends the streams of every thread', async () => {
  const own = await serve(fakeBinary);
  const idle = Array.from({ length: 40 }, () => new Wire(own.port).send(get('/idle')));
  const late = Array.from({ length: 40 }, () => new Wire(own.port).send(get('/late')));
  const busy = Array.from({ length: 4 }, () => new Wire(own.port).send(get('/flood')));
  await Promise.all([...idle, ...busy].map((wire) => wire.until(/chunked\r\n\r\n/)));
  const stopped = own.stop();
  for (const wire of idle) assert.match(await wire.untilEnded(), /\r\n\r\n0\r\n\r\n$/);
  for (const wire of busy) assert.match((await wire.untilEnded()).slice(-9), /\r\n0\r\n\r\n$/);
  for (const wire of late) assert.match(await wire.untilEnded(), /Connection: close\r\n\r\nlate\n$/);
  assert.equal(await stopped, 0);
});

test('what is never answered holds the end up for some seconds only', async () => {
  const own = await serve(fakeBinary);
  const wires = Array.from({ length: 8 }, () => new Wire(own.port).send(get('/never')));
  const gone = Array.from({ length: 8 }, () => new Wire(own.port).send(get('/never')));
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (const wire of gone) wire.socket.resetAndDestroy();
  const start = Date.now();
  const code = await own.stop();
  assert.equal(code, 0, own.output.stderr);
  assert.ok(Date.now() - start < 6000);
  for (const wire of wires) assert.equal(await wire.untilEnded(), '');
});

test('SIGINT does the same, and a stuck reader holds the end up for some seconds only', async () => {
  const own = await serve(fakeBinary);
  const stuck = new Wire(own.port);
  stuck.socket.pause();
  stuck.send(get('/flood'));
  await new Promise((resolve) => setTimeout(resolve, 200));
  const start = Date.now();
  assert.equal(await own.stop('SIGINT'), 0);
  assert.ok(Date.now() - start < 6000);
  stuck.destroy();
});
