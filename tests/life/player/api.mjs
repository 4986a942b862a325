// Requests to a server, and streams of its watches.

import http from 'node:http';
import https from 'node:https';

const kPatience = 30_000;

/** Calls `each` for every line of a stream, in order. */
function readLines(response, each) {
  let rest = '';
  response.setEncoding('utf8');
  response.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) if (line.trim()) each(line);
  });
}

export class Api {
  #base;
  #module;
  #agent;
  #headers;

  constructor(url, token) {
    this.#base = new URL(url);
    this.#module = this.#base.protocol === 'https:' ? https : http;
    this.#agent = new this.#module.Agent({ keepAlive: true });
    this.#headers = { accept: 'application/json', 'user-agent': 'client/1.0', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  }

  get url() {
    return this.#base.origin;
  }

  /**
   * Returns { code, json }, or { code: 0, error } if there was no answer.
   * @param {{body?: object, type?: string, agent?: string}} how the content type and the User-Agent
   */
  request(method, path, { body, type = 'application/json', agent } = {}) {
    const data = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const headers = {
      ...this.#headers,
      ...(data ? { 'content-type': type, 'content-length': data.length } : {}),
      ...(agent ? { 'user-agent': agent } : {}),
    };
    return new Promise((resolve) => {
      const fail = (error) => resolve({ code: 0, error: error.message });
      const options = { method, agent: this.#agent, rejectUnauthorized: false, headers };
      const request = this.#module.request(new URL(path, this.#base), options, (response) => {
        const parts = [];
        response.on('data', (part) => parts.push(part));
        response.on('error', fail);
        response.on('end', () => resolve({ code: response.statusCode, json: parsed(Buffer.concat(parts)) }));
      });
      request.setTimeout(kPatience, () => request.destroy(new Error('timed out')));
      request.on('error', fail);
      request.end(data);
    });
  }

  get(path) {
    return this.request('GET', path);
  }

  patch(path, body, type, agent) {
    return this.request('PATCH', path, { body, type, agent });
  }

  /** Deletes an object at once; `preconditions` as of DeleteOptions. */
  deleteNow(path, preconditions, agent) {
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, ...(preconditions ? { preconditions } : {}) };
    return this.request('DELETE', path, { body, agent });
  }

  /**
   * Opens a watch and calls `each` with every event of it.
   * @returns {{opened: Promise<number>, ended: Promise<void>, close: () => void}} `opened` is the status of the answer
   */
  watch(path, each) {
    let request;
    let end;
    const ended = new Promise((resolve) => (end = resolve));
    const opened = new Promise((resolve) => {
      const failed = () => {
        resolve(0);
        end();
      };
      const options = { agent: false, rejectUnauthorized: false, headers: this.#headers };
      request = this.#module.request(new URL(path, this.#base), options, (response) => {
        resolve(response.statusCode);
        readLines(response, (line) => each(JSON.parse(line)));
        for (const how of ['end', 'error', 'close']) response.on(how, end);
      });
      request.on('error', failed);
      request.end();
    });
    return { opened, ended, close: () => request.destroy() };
  }

  close() {
    this.#agent.destroy();
  }
}

function parsed(bytes) {
  try {
    return JSON.parse(bytes);
  } catch {
    return undefined; // not JSON
  }
}
