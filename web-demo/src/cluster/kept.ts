// The cluster of this page as this browser keeps it: one snapshot, in IndexedDB.

const kStore = 'clusters';
const kKey = 'page';

/** Returns the kept snapshot; undefined if there is none or the browser keeps nothing. */
export async function readKept(): Promise<Uint8Array<ArrayBuffer> | undefined> {
  return run<Uint8Array<ArrayBuffer> | undefined>('readonly', (store) => store.get(kKey)).catch(() => undefined);
}

export async function writeKept(snapshot: Uint8Array<ArrayBuffer>): Promise<void> {
  await run('readwrite', (store) => store.put(snapshot, kKey));
}

export async function forgetKept(): Promise<void> {
  await run('readwrite', (store) => store.delete(kKey)).catch(() => {}); // nothing is kept where this fails
}

async function run<Result>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest): Promise<Result> {
  const database = await open();
  try {
    const transaction = database.transaction(kStore, mode);
    const request = work(transaction.objectStore(kStore));
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('the browser keeps nothing'));
    });
    return request.result as Result;
  } finally {
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('tabernetes-playground', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(kStore);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the browser keeps nothing'));
  });
}
