// Tests what the binary does with frames of HTTP/2.
import { http2FramesOf } from './http2_frames.mjs';
import { binary } from './server.mjs';

http2FramesOf(binary, { native: true });
