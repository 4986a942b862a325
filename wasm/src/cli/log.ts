// What the command writes to stderr: a line each, as text or as one JSON object with the names of kube-apiserver's log
// (apiserver/pkg/server/httplog, 1.36).
//
//   GET /api/v1/pods 200 1532 bytes 0.4 ms
//   {"ts":1767225600000.25,"msg":"HTTP","v":0,"verb":"LIST","URI":"/api/v1/pods",…,"resp":200}
import { callShared } from '../shared.js';

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';
export type LogFormat = 'text' | 'json';

/** A request and its answer. */
export interface LoggedRequest {
  method: string;
  target: string;
  /** Of headers; may be empty. */
  contentType: string;
  userAgent: string;
  auditId: string;
  /** `ADDRESS:PORT`. */
  peer: string;
  /** 101: the connection goes on as a WebSocket. */
  status: number;
  /** Written, head and body. */
  bytes: number;
  /** Milliseconds. */
  took: number;
}

export class Log {
  constructor(
    private readonly level: LogLevel,
    private readonly format: LogFormat,
  ) {}

  /** Whether requests are written. */
  get requests(): boolean {
    return this.level === 'info' || this.level === 'debug';
  }

  request(request: LoggedRequest): void {
    if (this.requests) process.stderr.write(requestLine(this.format, request, sinceEpoch()));
  }

  /** Something that whoever runs the server should know; `message` is one line. */
  warn(message: string): void {
    if (this.level === 'error') return;
    const line = this.format === 'json' ? jsonLine(sinceEpoch(), message, {}) : `tabernetes: ${message}\n`;
    process.stderr.write(line);
  }
}

/** Milliseconds, with fractions. */
const sinceEpoch = () => performance.timeOrigin + performance.now();

function requestLine(format: LogFormat, request: LoggedRequest, now: number): string {
  const { method, target, status, bytes, took } = request;
  if (format === 'text') return `${method} ${target} ${status} ${bytes} bytes ${took.toFixed(1)} ms\n`;
  const { verb, resource } = callShared(({ core }) => core.summarizeRequest(method, target, request.contentType));
  return jsonLine(now, 'HTTP', {
    verb,
    URI: target,
    latency: goDuration(took),
    userAgent: request.userAgent,
    'audit-ID': request.auditId,
    srcIP: request.peer,
    ...(resource === '' ? {} : { resource }),
    bytes,
    ...(status === 101 ? { hijacked: true } : { resp: status }),
  });
}

/** Begins as each line of klog's JSON does. */
function jsonLine(now: number, msg: string, more: Record<string, unknown>): string {
  return `${JSON.stringify({ ts: now, msg, v: 0, ...more })}\n`;
}

/** A span as Go prints it: `1m30s`, `1.5ms`. Milliseconds are taken to the microsecond. */
function goDuration(span: number): string {
  const microseconds = Math.round(span * 1000);
  if (microseconds === 0) return '0s';
  if (microseconds < 1000) return `${microseconds}µs`;
  if (microseconds < 1e6) return `${microseconds / 1000}ms`;
  const minutes = Math.floor(microseconds / 60e6);
  const seconds = `${(microseconds % 60e6) / 1e6}s`;
  if (minutes === 0) return seconds;
  return minutes < 60 ? `${minutes}m${seconds}` : `${Math.floor(minutes / 60)}h${minutes % 60}m${seconds}`;
}
