// What the core answers only with its extensions (wasm/extensions.txt): these are loaded before it is asked. What this
// misses is answered as well, but the extensions are then loaded while everything waits. The conformance suite in
// Chromium fails if that happens.
import type { CoreOptions } from './options.js';
import type { RawRequest } from './raw.js';

/** Groups whose objects the extensions check, or that they act by. */
const kGroups =
  '(?:(?:admissionregistration|apiextensions|authentication|authorization|certificates|node|resource)\\.k8s\\.io|autoscaling|policy)/v';
const kKinds = 'CSI\\w+|IPAddress|LimitRange|PersistentVolume|ResourceQuota|VolumeAtt\\w+';
const kPaths = '(?:attach|binding|bindings|componentstatuses|eviction|exec|log|portforward|proxy|token|\\w+reviews)';
/** The server's own pages but for those that everybody asks for. */
const kPages = '^/(?!apis?(?:/|$)|openapi/|version|healthz|livez|readyz|$)';

const kRead = new RegExp(`${kPages}|^/apis/autoscaling/|/${kPaths}(?:/|$)`);
const kWritten = new RegExp(`${kRead.source}|^/apis/(?:apiregistration\\.k8s\\.io|${kGroups})|/(?:${kKinds.toLowerCase()})(?:s|es)?(?:/|$)`);
/** Fields, labels and options that only the extensions know how to treat. */
const kContents = 'BreakingPotential|iscsi|timeZone|TZ=|[wW]indowsOptions|pod-security\\.kubernetes\\.io|kubernetes\\.io/tls';
const kBodies = new RegExp(kContents);
const kObjects = new RegExp(`apiVersion["']?\\s*:\\s*["']?${kGroups}|kind["']?\\s*:\\s*["']?(?:${kKinds})\\b|${kContents}`);
/** A token of three parts, or one in a name of a WebSocket's protocol. */
const kToken = /\..*\.|bearer\./;

export function requestNeedsExtensions({ method = 'GET', target, headers = [], body }: RawRequest): boolean {
  const [path] = target.split('?', 1) as [string];
  if (/^PATCH$/i.test(method)) return true;
  if (/^(?:GET|HEAD)$/i.test(method) ? kRead.test(path) : kWritten.test(path) || kBodies.test(target + textOf(body ?? ''))) return true;
  const pairs = Symbol.iterator in headers ? (headers as Iterable<readonly [string, string]>) : Object.entries(headers);
  for (const [name, value] of pairs) {
    if (/^impersonate-/i.test(name)) return true;
    if (/^(?:authorization|sec-websocket-protocol)$/i.test(name) && kToken.test(value)) return true;
  }
  return false;
}

/** Of a manifest or a snapshot. Every snapshot has the server's own APIServices, which need nothing. */
export function documentNeedsExtensions(document: Uint8Array | string): boolean {
  return kObjects.test(textOf(document));
}

export function optionsNeedExtensions({ authorizationMode, corsAllowedOrigins, enableAdmissionPlugins }: CoreOptions): boolean {
  return authorizationMode === 'RBAC' || corsAllowedOrigins.length > 0 || enableAdmissionPlugins.includes('ServiceAccount');
}

function textOf(document: Uint8Array | ArrayBuffer | string): string {
  return typeof document === 'string' ? document : new TextDecoder().decode(document);
}
