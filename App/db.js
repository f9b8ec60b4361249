// SPDX-License-Identifier: Apache-2.0
// The copy in IndexedDB: what the server has told, the place in its feed, and the key.

export const NAME = "martlet";

/** @type {Promise<IDBDatabase | undefined> | undefined} */
let opened;

/** Without a database (private windows of some browsers) the app works from memory. */
export function open() {
  opened ??= new Promise((resolve) => {
    try {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("items", { keyPath: "key" });
        request.result.createObjectStore("values");
      };
      request.onsuccess = () => {
        // Another tab signs out.
        request.result.onversionchange = () => {
          request.result.close();
          opened = undefined;
        };
        resolve(request.result);
      };
      request.onerror = () => resolve(undefined);
    } catch {
      resolve(undefined);
    }
  });
  return opened;
}

/**
 * @param {string | string[]} stores @param {IDBTransactionMode} mode
 * @param {(transaction: IDBTransaction) => any} work what may return a request
 * @returns {Promise<any>} its result
 */
async function transact(stores, mode, work) {
  const database = await open();
  if (!database) return undefined;
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(stores, mode);
    const request = work(transaction);
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

/** @returns {Promise<any[]>} */
export const allItems = async () =>
  await transact("items", "readonly", (t) => t.objectStore("items").getAll()) ?? [];

/** @param {string} name @returns {Promise<any>} */
export const value = (name) =>
  transact("values", "readonly", (t) => t.objectStore("values").get(name));

/** @param {string} name @param {any} value */
export const setValue = (name, value) => transact("values", "readwrite", (t) => {
  const values = t.objectStore("values");
  if (value === undefined) values.delete(name);
  else values.put(value, name);
});

/**
 * Applies a page of the feed together with its token, so that both are stored or none. After one
 * that could not be stored the others are not: the next start goes on from there.
 * @param {import("./store.js").Page} page @param {string} [since] the token that it follows
 */
export const applyPage = ({ items, next }, since) =>
  transact(["items", "values"], "readwrite", (t) => {
    const store = t.objectStore("items"), values = t.objectStore("values");
    const token = values.get("token");
    token.onsuccess = () => {
      if (token.result !== since) return;
      for (const { kind, id, item } of items) {
        const key = `${kind} ${id}`;
        if (item) store.put({ key, kind, id, item });
        else store.delete(key);
      }
      values.put(next, "token");
    };
  });

/** For a copy that begins anew. */
export const clearItems = () => transact(["items", "values"], "readwrite", (t) => {
  t.objectStore("items").clear();
  t.objectStore("values").delete("token");
});

/** Everything that was kept on this device. */
export async function deleteAll() {
  (await open())?.close();
  opened = undefined;
  await new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(NAME);
    request.onsuccess = request.onerror = request.onblocked = resolve;
  });
}

const SESSION = "martlet.key";
/** @param {string} [text] the key of this tab; an empty one forgets it */
export function sessionKey(text) {
  // It may be denied.
  try {
    if (text !== undefined) sessionStorage.setItem(SESSION, text);
    return sessionStorage.getItem(SESSION) || undefined;
  } catch {}
}

/** @returns {Promise<any>} the key of this tab, or the one that was kept, or `null` for neither */
export const storedKey = async () => sessionKey() ?? await value("key");
