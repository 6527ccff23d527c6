/*
 * Photos that were being sent stay on this phone for a day (upload/storage.js). Any page deletes the older ones, so that they go
 * also where nobody opens an upload field again.
 */
export async function start() {
  try {
    const known = (await indexedDB.databases()).some(({ name }) => name === "saishi-uploads");
    if (known) await (await import("./upload/storage.js")).tidy();
  } catch {
    // a browser that keeps nothing, or does not say what: then the upload field does it
  }
}
