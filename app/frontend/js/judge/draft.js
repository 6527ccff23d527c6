/* The cards tapped so far, for a page that is opened again: a phone that lost its network often loses the page as well. */
import { read, write } from "../store.js";

const KEPT_FOR = 24 * 3600 * 1000;
const LEFT_OUT = ["ask", "event", "press"];

export function keep(form, key) {
  const fields = [...new FormData(form)].filter(([name, value]) => value && !LEFT_OUT.includes(name));
  write(key, { at: Date.now(), fields });
}

export function forget(key) {
  write(key, null);
}

export function restore(form, key) {
  const kept = read(key);
  if (!kept || Date.now() - kept.at > KEPT_FOR) return;
  for (const [name, value] of kept.fields) {
    const control = form.elements[name];
    if (control) control.value = value; // of radio buttons: the one with this value
  }
}
