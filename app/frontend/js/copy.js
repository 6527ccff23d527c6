/* [data-copy="text"] or [data-copy-from="#id"] puts text on the clipboard, also where the page has no https. */
import { toast } from "./toast.js";

export function start() {
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy], [data-copy-from]");
    if (!button) return;
    event.preventDefault();
    const source = button.dataset.copyFrom && document.querySelector(button.dataset.copyFrom);
    const text = source ? (source.value ?? source.textContent).trim() : button.dataset.copy;
    if (await copy(text)) toast(document.body.dataset.textCopied);
  });
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The clipboard API exists only on https; a venue's own server often is not.
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "sr-only";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
