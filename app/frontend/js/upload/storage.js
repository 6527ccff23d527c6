/*
 * What is being sent, kept on this phone until the server has it: the picture, the name and the upload's token.
 *
 * IndexedDB, because localStorage holds no pictures. Where it is missing (a private window, a full phone) everything
 * works, but does not outlive the page. A record is {key, place, order, name, blob, token, fresh, mark, at}; `blob` is
 * dropped once the server has every byte, the record once a form has the file or the person deleted it. What is
 * older than the server keeps an upload is deleted, whoever it belonged to.
 */
const NAME = "saishi-uploads";
const STORE = "files";
const KEPT_MS = 24 * 3600 * 1000;

let opening = null;

function database() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "key" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("blocked"));
  });
  return opening;
}

async function act(mode, work) {
  try {
    const open = await database();
    return await new Promise((resolve, reject) => {
      const change = open.transaction(STORE, mode);
      const request = work(change.objectStore(STORE));
      change.oncomplete = () => resolve(request.result);
      change.onerror = change.onabort = () => reject(change.error);
    });
  } catch {
    return undefined; // not kept: see above
  }
}

export function put(record) {
  return act("readwrite", (files) => files.put({ ...record, at: Date.now() }));
}

export function drop(key) {
  return act("readwrite", (files) => files.delete(key));
}

/* The records of a field, in order. */
export async function of(place) {
  return (await tidy()).filter((record) => record.place === place).sort((a, b) => a.order - b.order);
}

/* Deletes what is too old; gives what is left. */
export async function tidy() {
  const all = (await act("readonly", (files) => files.getAll())) ?? [];
  const old = all.filter((record) => Date.now() - record.at > KEPT_MS);
  for (const record of old) await drop(record.key);
  return all.filter((record) => !old.includes(record));
}
