/*
 * [data-dialog="id"] opens <dialog id="id">; [data-close] and a tap beside the dialog close it. One that came back
 * from the server with something to correct (data-open) opens by itself, at the field.
 */
export function start() {
  const returned = document.querySelector("dialog[data-open]");
  if (returned?.showModal) {
    returned.showModal();
    returned.querySelector("[aria-invalid]")?.focus();
  }
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-dialog]");
    if (opener) {
      const dialog = document.getElementById(opener.dataset.dialog);
      if (dialog?.showModal && !dialog.open) {
        event.preventDefault();
        dialog.showModal();
      }
      return;
    }
    const dialog = event.target.closest("dialog");
    if (dialog && (event.target === dialog || event.target.closest("[data-close]"))) {
      event.preventDefault();
      dialog.close();
    }
  });
}
