// Splits the bytes of a WebSocket server into messages: only what the native transport needs.

const kClose = 8;

/**
 * Pushes the payloads of all messages from `socket` to `stream`, and ends it with the connection.
 * @param {import('node:stream').Duplex} socket @param {Buffer} first bytes that came with the answer
 * @param {import('./events.mjs').ByteStream} stream
 */
export function readMessages(socket, first, stream) {
  let bytes = first;
  const take = () => {
    for (let frame = frameOf(bytes); frame; frame = frameOf(bytes)) {
      bytes = bytes.subarray(frame.end);
      if (frame.opcode < kClose) stream.push(frame.payload);
      if (frame.opcode === kClose) socket.end(Buffer.from([128 | kClose, 128, 0, 0, 0, 0])); // answers the close frame
    }
  };
  socket.on('data', (more) => {
    bytes = Buffer.concat([bytes, more]);
    take();
  });
  socket.on('close', () => stream.end());
  socket.on('error', () => {});
  take();
}

// Returns the frame at the start of `bytes`, or null if it is incomplete. Servers do not mask.
function frameOf(bytes) {
  if (bytes.length < 2) return null;
  const short = bytes[1] & 127;
  const head = { 126: 4, 127: 10 }[short] ?? 2;
  if (bytes.length < head) return null;
  const size = { 126: () => bytes.readUInt16BE(2), 127: () => Number(bytes.readBigUInt64BE(2)) }[short]?.() ?? short;
  const end = head + size;
  return bytes.length < end ? null : { opcode: bytes[0] & 15, payload: bytes.subarray(head, end), end };
}
