// HTTP/2, frame by frame: what RFC 9113 asks of a server when a client breaks it, in the order of its sections.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { serve } from './server.mjs';
import { block, errors, flags, frame, get, Http2Wire, setting, types, word } from './http2_wire.mjs';

/** Defines the tests of `binary`, the path of a command; Node.js is milder, or stricter, in two cases. */
export function http2FramesOf(binary, { native = false } = {}) {
  let server;
  before(async () => (server = await serve(binary, '--nodes', '0', '--controllers', 'none')));
  after(async () => assert.equal(await server.stop(), 0));

  const goaway = (error) => `GOAWAY ${error}`;
  const reset = (error) => `RST_STREAM ${error}`;
  const headers = (stream, list = get(), bits = flags.endHeaders | flags.endStream) => frame(types.headers, bits, stream, block(list));
  const open = (stream) => headers(stream, get({ ':method': 'POST', ':path': '/api/v1/namespaces/default/configmaps' }), flags.endHeaders);

  /** What breaks the connection: [section, what, what is sent, the error]. */
  const kBreaksAll = [
    ['4.2', 'a frame that is too large', [frame(types.ping, 0, 0, Buffer.alloc(16_385))], errors.frameSize],
    ['4.3', 'a header block that refers to nothing', [frame(types.headers, flags.endHeaders | flags.endStream, 1, Buffer.from([0xff, 0xff, 0x03]))], errors.compression],
    ['4.3', 'another frame within a header block', [headers(1, get(), flags.endStream), frame(types.ping, 0, 0, Buffer.alloc(8))], errors.protocol],
    ['4.3', 'a header block continued on another stream', [headers(1, get(), flags.endStream), frame(types.continuation, flags.endHeaders, 3, block([['a', 'b']]))], errors.protocol],
    ['5.1', 'DATA of an idle stream', [frame(types.data, flags.endStream, 1, 'x')], errors.protocol],
    ['5.1', 'RST_STREAM of an idle stream', [frame(types.reset, 0, 1, word(8))], errors.protocol],
    ['5.1', 'WINDOW_UPDATE of an idle stream', [frame(types.window, 0, 1, word(100))], errors.protocol],
    ['5.1', 'CONTINUATION of an idle stream', [frame(types.continuation, flags.endHeaders, 1, block(get()))], errors.protocol],
    ['5.1.1', 'an even stream', [headers(2)], errors.protocol],
    ['6.1', 'DATA of the connection', [frame(types.data, 0, 0, 'x')], errors.protocol],
    ['6.1', 'more padding than there is', [open(1), frame(types.data, flags.padded | flags.endStream, 1, Buffer.from([6, 1, 2]))], errors.protocol],
    ['6.2', 'HEADERS of the connection', [headers(0)], errors.protocol],
    ['6.2', 'more padding than a header block', [frame(types.headers, flags.padded | flags.endHeaders | flags.endStream, 1, Buffer.concat([Buffer.from([200]), block(get())]))], errors.protocol],
    ['6.3', 'PRIORITY of the connection', [frame(types.priority, 0, 0, Buffer.alloc(5))], errors.protocol],
    ['6.4', 'RST_STREAM of the connection', [frame(types.reset, 0, 0, word(8))], errors.protocol],
    ['6.4', 'RST_STREAM of another size', [open(1), frame(types.reset, 0, 1, Buffer.alloc(3))], errors.frameSize],
    ['6.5', 'SETTINGS of a stream', [frame(types.settings, 0, 1)], errors.protocol],
    ['6.5', 'acknowledged SETTINGS with a payload', [frame(types.settings, flags.ack, 0, setting(1, 0))], errors.frameSize],
    ['6.5', 'half a setting', [frame(types.settings, 0, 0, Buffer.alloc(3))], errors.frameSize],
    ['6.5.2', 'SETTINGS_ENABLE_PUSH of 2', [frame(types.settings, 0, 0, setting(2, 2))], errors.protocol],
    ['6.5.2', 'SETTINGS_INITIAL_WINDOW_SIZE beyond 2^31-1', [frame(types.settings, 0, 0, setting(4, 0x80000000))], errors.flowControl],
    ['6.5.2', 'SETTINGS_MAX_FRAME_SIZE below 2^14', [frame(types.settings, 0, 0, setting(5, 16_383))], errors.protocol],
    ['6.5.2', 'SETTINGS_MAX_FRAME_SIZE beyond 2^24-1', [frame(types.settings, 0, 0, setting(5, 16_777_216))], errors.protocol],
    ['6.6', 'PUSH_PROMISE of a client', [headers(1), frame(types.push, flags.endHeaders, 1, Buffer.concat([word(2), block(get())]))], errors.protocol],
    ['6.7', 'PING of a stream', [frame(types.ping, 0, 1, Buffer.alloc(8))], errors.protocol],
    ['6.7', 'PING of another size', [frame(types.ping, 0, 0, Buffer.alloc(6))], errors.frameSize],
    ['6.8', 'GOAWAY of a stream', [frame(types.goaway, 0, 1, Buffer.alloc(8))], errors.protocol],
    ['6.9', 'a window of the connection that grows by nothing', [frame(types.window, 0, 0, word(0))], errors.protocol],
    ['6.9', 'WINDOW_UPDATE of another size', [frame(types.window, 0, 0, Buffer.alloc(3))], errors.frameSize],
    ['6.9.1', 'a window of the connection beyond 2^31-1', [frame(types.window, 0, 0, word(0x7fffffff)), frame(types.window, 0, 0, word(0x7fffffff))], errors.flowControl],
    ['6.10', 'CONTINUATION after the end of a header block', [headers(1), frame(types.continuation, flags.endHeaders, 1, block([['a', 'b']]))], errors.protocol],
  ];

  for (const [section, what, parts, error] of kBreaksAll) {
    test(`${section}: ${what} ends the connection`, async () => {
      const wire = new Http2Wire(server.port);
      wire.send(...parts);
      // A stream that was opened before may be answered meanwhile.
      const { payload } = await wire.until(types.goaway);
      assert.equal(goaway(payload.readUInt32BE(4)), goaway(error));
      wire.destroy();
    });
  }

  /** What breaks one request, and nothing else. */
  const kBreaksOne = [
    ['8.2', 'a name in upper case', get({}, [['X-Test', 'a']])],
    ['8.2', 'a line break in a value', get({}, [['x-test', 'a\r\nb']])],
    ['8.2.2', 'a header of connections', get({}, [['connection', 'keep-alive']])],
    ['8.2.2', 'TE other than trailers', get({}, [['te', 'gzip']])],
    ['8.3', 'an unknown pseudo-header', get({ ':test': 'a' })],
    ['8.3', 'a pseudo-header of answers', get({ ':status': '200' })],
    ['8.3', 'a pseudo-header after others', [['a', 'b'], ...get()]],
    ['8.3.1', 'no :method', get({ ':method': null })],
    ['8.3.1', 'no :scheme', get({ ':scheme': null })],
    ['8.3.1', 'no :path', get({ ':path': null })],
    ['8.3.1', 'an empty :path', get({ ':path': '' })],
    ['8.3.1', ':path twice', get({}, []).concat([[':path', '/api']]).sort(([a], [b]) => b.startsWith(':') - a.startsWith(':'))],
  ];

  for (const [section, what, list] of kBreaksOne) {
    test(`${section}: ${what} ends the request, and no other`, async () => {
      const wire = new Http2Wire(server.port);
      wire.request(1, list);
      // In Node.js a bad value is left out of the request.
      assert.equal(await wire.outcome(1), !native && what.includes('line break') ? 'end' : reset(errors.protocol));
      wire.request(3);
      assert.equal(await wire.outcome(3), 'end');
      wire.destroy();
    });
  }

  test('3.4: another preface closes the connection', async () => {
    const wire = new Http2Wire(server.port, { preface: 'PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n' });
    assert.match(await wire.outcome(), /^(closed|GOAWAY 1)$/);
  });

  test('3.4: the first frame must be SETTINGS', async () => {
    const wire = new Http2Wire(server.port, { settings: frame(types.ping, 0, 0, Buffer.alloc(8)) });
    assert.equal(await wire.outcome(), goaway(errors.protocol));
  });

  test('4.1: unknown frames and flags are ignored', async () => {
    const wire = new Http2Wire(server.port);
    wire.send(frame(0xee, 0xff, 0, 'anything'), frame(types.ping, 0xfe, 0, Buffer.alloc(8)));
    wire.request(1);
    assert.equal(await wire.outcome(1), 'end');
    wire.destroy();
  });

  test('5.1: what comes after the end of a stream concerns that stream alone', async () => {
    const wire = new Http2Wire(server.port);
    wire.request(1);
    assert.equal(await wire.outcome(1), 'end');
    wire.send(frame(types.window, 0, 1, word(10)), frame(types.priority, 0, 1, Buffer.from([0, 0, 0, 0, 16])), frame(types.reset, 0, 1, word(8)));
    wire.request(3);
    assert.equal(await wire.outcome(3), 'end');
    wire.destroy();
  });

  test('6.5.3: SETTINGS are acknowledged, unknown ones too', async () => {
    const wire = new Http2Wire(server.port, { settings: frame(types.settings, 0, 0, setting(0xff, 1)) });
    const isAck = ({ type, flags: bits }) => type === types.settings && bits === flags.ack;
    await wire.until(types.settings);
    wire.send(frame(types.ping, 0, 0, Buffer.from('a ping..')));
    await wire.until(types.ping);
    assert.ok(wire.frames.some(isAck));
    wire.destroy();
  });

  test('6.7: PING comes back with its data', async () => {
    const wire = new Http2Wire(server.port);
    wire.send(frame(types.ping, 0, 0, Buffer.from('12345678')));
    const { flags: bits, payload } = await wire.until(types.ping);
    assert.deepEqual([bits, payload.toString()], [flags.ack, '12345678']);
    wire.destroy();
  });

  test('6.9: nothing is sent beyond the window of a stream, and a window may become negative', async () => {
    const wire = new Http2Wire(server.port, { settings: frame(types.settings, 0, 0, setting(4, 10)) });
    wire.request(1);
    const sent = () => wire.frames.filter(({ type }) => type === types.data).reduce((sum, { payload }) => sum + payload.length, 0);
    await wire.until(types.data, 1);
    assert.equal(sent(), 10);
    wire.send(frame(types.settings, 0, 0, setting(4, 4)), frame(types.window, 0, 1, word(7)), frame(types.ping, 0, 0, Buffer.alloc(8)));
    await wire.until(types.ping);
    assert.ok(sent() <= 11, `${sent()} bytes`);
    wire.send(frame(types.window, 0, 1, word(100_000)));
    assert.equal(await wire.outcome(1), 'end');
    wire.destroy();
  });

  test('6.9: a window of a stream that grows too far ends the stream; one that grows by nothing may end the connection', async () => {
    const wire = new Http2Wire(server.port);
    wire.send(open(1), frame(types.window, 0, 1, word(0x7fffffff)), frame(types.window, 0, 1, word(0x7fffffff)));
    if (!native) return assert.match(await wire.outcome(1), /^(RST_STREAM|GOAWAY) 3$/); // Node.js ends the connection
    assert.equal(await wire.outcome(1), reset(errors.flowControl));
    wire.request(3);
    assert.equal(await wire.outcome(3), 'end');
    wire.send(open(5), frame(types.window, 0, 5, word(0)));
    assert.match(await wire.outcome(5), /^(RST_STREAM|GOAWAY) 1$/);
    wire.destroy();
  });

  test('8.1.1: a body of another length than content-length says ends the request', async () => {
    const post = get({ ':method': 'POST', ':path': '/api/v1/namespaces/default/configmaps' }, [['content-type', 'application/json'], ['content-length', '5']]);
    for (const body of ['{}', '{"a":1}']) {
      const wire = new Http2Wire(server.port);
      wire.send(headers(1, post, flags.endHeaders), frame(types.data, flags.endStream, 1, body));
      assert.equal(await wire.outcome(1), reset(errors.protocol));
      wire.destroy();
    }
  });

  test('8.1: trailers end a request; without END_STREAM they are none', async () => {
    const post = get({ ':method': 'POST', ':path': '/api/v1/namespaces/default/configmaps' }, [['content-type', 'application/json']]);
    const good = new Http2Wire(server.port);
    good.send(headers(1, post, flags.endHeaders), frame(types.data, 0, 1, '{"metadata":{"generateName":"a-"}}'), headers(1, [['x-checksum', '1']]));
    assert.equal(await good.outcome(1), 'end');
    good.destroy();
    const bad = new Http2Wire(server.port);
    bad.send(headers(1, post, flags.endHeaders), headers(1, [['x-checksum', '1']], flags.endHeaders));
    assert.match(await bad.outcome(1), /^(RST_STREAM|GOAWAY) 1$/);
    bad.destroy();
  });
}
