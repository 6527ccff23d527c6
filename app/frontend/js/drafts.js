/*
 * form[data-keep="key"]: what is typed survives a reload, a lost session and a closed browser.
 *
 * Never kept: fields marked data-private (ID numbers, phone numbers), passwords, files, hidden fields. A draft
 * is dropped once the form is sent and the next page is not the same form again, and after two weeks.
 */
import { keys, read, write } from "./store.js";
import { toast } from "./toast.js";

const PREFIX = "draft:";
const SENT = "draft-sent";
const KEPT_FOR = 14 * 24 * 3600 * 1000;

export function start() {
  forgetOld();
  dropSent();
  for (const form of document.querySelectorAll("form[data-keep]")) keep(form);
}

function keep(form) {
  const key = PREFIX + form.dataset.keep;
  const draft = read(key);
  // A form that came back with errors carries what was typed; the server's copy is the newer one.
  const returned = form.querySelector("[aria-invalid]") || document.querySelector("[data-focus]");
  if (draft && !returned && restore(form, draft.fields)) toast(document.body.dataset.textDraft);
  form.addEventListener("input", () => write(key, { at: Date.now(), fields: collect(form) }));
  form.addEventListener("submit", () => {
    write(key, { at: Date.now(), fields: collect(form) });
    sessionMark(key);
  });
}

function keepable(field) {
  return (
    field.name &&
    !field.disabled &&
    !field.closest("[data-private]") &&
    !["hidden", "password", "file", "submit", "button", "tel"].includes(field.type)
  );
}

function collect(form) {
  const fields = {};
  for (const field of form.elements) {
    if (!keepable(field)) continue;
    if (field.type === "radio") {
      if (field.checked) fields[field.name] = field.value;
    } else if (field.type === "checkbox") {
      fields[field.name] = field.checked;
    } else {
      fields[field.name] = field.value;
    }
  }
  return fields;
}

function restore(form, fields = {}) {
  let changed = false;
  for (const field of form.elements) {
    if (!keepable(field) || !(field.name in fields)) continue;
    const kept = fields[field.name];
    if (field.type === "radio" || field.type === "checkbox") {
      const checked = field.type === "radio" ? field.value === kept : kept === true;
      changed ||= field.checked !== checked;
      field.checked = checked;
    } else if (!field.value && kept) {
      // A value the server filled in is never overwritten by an older draft.
      field.value = kept;
      changed = true;
    }
  }
  return changed;
}

function sessionMark(key) {
  try {
    sessionStorage.setItem(SENT, key);
  } catch {
    // Without the mark the draft stays until it is too old, which loses nothing.
  }
}

function dropSent() {
  let key = null;
  try {
    key = sessionStorage.getItem(SENT);
    sessionStorage.removeItem(SENT);
  } catch {
    return;
  }
  if (!key) return;
  const again = [...document.querySelectorAll("form[data-keep]")].some((form) => PREFIX + form.dataset.keep === key);
  const refused = document.querySelector("[data-refusal], [aria-invalid], [data-focus]");
  if (!refused || (!again && !document.querySelector("[data-refusal]"))) write(key, null);
}

function forgetOld() {
  for (const key of keys(PREFIX)) {
    const draft = read(key);
    if (!draft || Date.now() - draft.at > KEPT_FOR) write(key, null);
  }
}
