// Types of the platform, taken from the globals that a project declares: lib.dom, @types/node or others. A project that
// declares none gets `any`, so that these declarations compile everywhere.

/* eslint-disable @typescript-eslint/no-explicit-any */

/** The platform's `fetch`. */
export type PlatformFetch = typeof globalThis extends { fetch: infer Fetch } ? Fetch : (input: any, init?: any) => Promise<any>;
/** The platform's `Request`. */
export type PlatformRequest = typeof globalThis extends { Request: { prototype: infer Request } } ? Request : any;
/** The platform's `Response`. */
export type PlatformResponse = typeof globalThis extends { Response: { prototype: infer Response } } ? Response : any;
/** The platform's `URL`. */
export type PlatformUrl = typeof globalThis extends { URL: { prototype: infer Url } } ? Url : any;
/** The platform's `AbortSignal`. */
export type PlatformSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } } ? Signal : any;
/** The platform's `ReadableStream`. Its chunks are `Uint8Array<ArrayBuffer>`. */
export type PlatformStream = typeof globalThis extends { ReadableStream: { prototype: infer Stream } } ? Stream : any;
/** The platform's class `WebSocket`. */
export type PlatformWebSocket = typeof globalThis extends { WebSocket: infer Socket } ? Socket : any;
/** A compiled WebAssembly module. */
export type PlatformModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : object;
