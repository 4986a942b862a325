// Tests WebSockets in streams of HTTP/2 of the binary.
import { http2WebSocketsOf } from './http2_websocket.mjs';
import { binary } from './server.mjs';

http2WebSocketsOf(binary);
