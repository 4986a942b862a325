// What callers see when a rule of faults closes the connection: the errors of Node's fetch.

/** The reason of a connection that the server has closed. */
export const connectionClosed = (): Error => Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });

/** There is no answer. */
export const lostAnswer = (): TypeError => new TypeError('fetch failed', { cause: connectionClosed() });
