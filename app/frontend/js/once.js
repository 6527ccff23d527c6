/*
 * Double taps do nothing twice: a form that was submitted ignores a second submit and shows that it works.
 * The server's idempotency keys are the real guard; this one is for the eye.
 *
 * The button is marked aria-disabled, not disabled: a disabled button would drop its name=value from the body.
 */
import { toast } from "./toast.js";

const SENT = "data-sent";
const SLOW = 12000;

export function start() {
  // The listener stands on the window, so that a module that takes a submit over itself is heard first.
  window.addEventListener("submit", guard);
  // Coming back through the browser's history shows the page as it was left: with its buttons asleep.
  window.addEventListener("pageshow", () => document.querySelectorAll(`form[${SENT}]`).forEach(release));
}

function guard(event) {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post") return;
  if (form.hasAttribute(SENT)) {
    event.preventDefault();
    return;
  }
  form.setAttribute(SENT, "");
  const button = event.submitter ?? form.querySelector("[type=submit]");
  if (button) {
    button.setAttribute("aria-disabled", "true");
    button.classList.add("is-busy");
    if (button.dataset.busy) {
      button.dataset.label = button.textContent;
      button.textContent = button.dataset.busy;
    }
  }
  setTimeout(() => {
    if (form.hasAttribute(SENT)) toast(document.body.dataset.textBusy, 5);
  }, 1000);
  // A download, or a network that swallowed the request, leaves the page standing: let the person try again.
  setTimeout(() => release(form), SLOW);
}

export function release(form) {
  form.removeAttribute(SENT);
  for (const button of form.querySelectorAll("[aria-disabled]")) {
    button.removeAttribute("aria-disabled");
    button.classList.remove("is-busy");
    if (button.dataset.label) {
      button.textContent = button.dataset.label;
      delete button.dataset.label;
    }
  }
}
