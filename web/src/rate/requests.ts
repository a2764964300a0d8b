// The requests of ratings, kept in this browser under the ids of their jobs: so that one that was stopped can go on, also
// after a reload.
import type { RateGamesRequest } from '../lib/types';

export interface KeptRequest {
  id: string;
  /** What is rated, in a few words. */
  title: string;
  started: number;
  /** Whether it was stopped by the person. */
  stopped: boolean;
  request: RateGamesRequest;
}

/** So many are kept, the newest. */
const KEPT = 12;

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('errare-rate', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('requests', { keyPath: 'id' });
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error ?? new Error('the browser keeps nothing'));
  });
}

async function run<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open();
  try {
    return await new Promise<T>((resolve, reject) => {
      const asked = act(database.transaction('requests', mode).objectStore('requests'));
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error ?? new Error('the browser keeps nothing'));
    });
  } finally {
    database.close();
  }
}

/** Keeps a request. In a browser that keeps nothing it is lost with the page. */
export async function keep(kept: KeptRequest): Promise<void> {
  try {
    await run('readwrite', (store) => store.put(kept));
    const all = await list();
    for (const old of all.slice(KEPT)) await run('readwrite', (store) => store.delete(old.id));
  } catch {
    // A private window, or no room left.
  }
}

export async function find(id: string): Promise<KeptRequest | null> {
  try {
    return (await run<KeptRequest | undefined>('readonly', (store) => store.get(id) as IDBRequest<KeptRequest | undefined>)) ?? null;
  } catch {
    return null;
  }
}

export async function forget(id: string): Promise<void> {
  try {
    await run('readwrite', (store) => store.delete(id));
  } catch {
    // There is nothing to forget.
  }
}

/** All that are kept, the newest first. */
export async function list(): Promise<KeptRequest[]> {
  try {
    const all = await run<KeptRequest[]>('readonly', (store) => store.getAll() as IDBRequest<KeptRequest[]>);
    return all.sort((a, b) => b.started - a.started);
  } catch {
    return [];
  }
}
