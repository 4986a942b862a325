// Tests what `tabernetes serve` in Node does on the wire as the native server does.
import { join } from 'node:path';
import { describe } from 'node:test';
import { faultsOf } from '../mock-server/faults.mjs';
import { http2FramesOf } from '../mock-server/http2_frames.mjs';
import { http2WebSocketsOf } from '../mock-server/http2_websocket.mjs';
import { dist } from './support.mjs';

const cli = join(dist, 'cli.js');

describe('faults', () => faultsOf(cli));
describe('frames of HTTP/2', () => http2FramesOf(cli));
describe('WebSockets of HTTP/2', () => http2WebSocketsOf(cli));
