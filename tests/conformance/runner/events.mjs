// Splits the bytes of a watch into events, by the media type of the answer.

import { concat, fromUtf8, toUtf8 } from './bytes.mjs';
import { decodeCborSequence } from './cbor.mjs';
import { parseJsonSequence } from './ordered_json.mjs';
import { splitFrames } from './protobuf.mjs';

/**
 * @typedef {{json?: any, text?: string, bytes?: Uint8Array}} WatchEvent
 * json: the tree, for CBOR too; bytes: those of a CBOR item or a protobuf frame
 */

/**
 * @param {Uint8Array} bytes all that came @param {string} contentType
 * @returns {{events: WatchEvent[], rest: Uint8Array}} rest: an incomplete event
 */
export function splitEvents(bytes, contentType) {
  if (contentType.startsWith('application/cbor-seq')) return cborEvents(bytes);
  if (contentType.startsWith('application/vnd.kubernetes.protobuf')) return protobufEvents(bytes);
  return jsonEvents(bytes);
}

function cborEvents(bytes) {
  const { values, rest } = decodeCborSequence(bytes);
  return { events: values.map(({ value, bytes: own }) => ({ json: value, bytes: own })), rest };
}

function protobufEvents(bytes) {
  const { frames, rest } = splitFrames(bytes);
  return { events: frames.map((frame) => ({ bytes: frame })), rest };
}

function jsonEvents(bytes) {
  const text = fromUtf8(bytes);
  if (text === null) return { events: [], rest: bytes };
  const { values, rest } = parseJsonSequence(text);
  return { events: values.map((json) => ({ json })), rest: toUtf8(rest) };
}

/** The bytes of a watch as they arrive, and a way to wait for more. */
export class ByteStream {
  #parts = [];
  #waiters = new Set();
  ended = false;

  /** @param {Uint8Array} bytes */
  push(bytes) {
    this.#parts.push(bytes);
    this.#wake();
  }

  end() {
    this.ended = true;
    this.#wake();
  }

  bytes() {
    this.#parts = [concat(this.#parts)];
    return this.#parts[0];
  }

  /** Resolves when bytes arrive, the stream ends, or the time is over. @param {number} ms */
  changed(ms) {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiters.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#waiters.add(done);
    });
  }

  #wake() {
    for (const waiter of [...this.#waiters]) waiter();
  }
}
