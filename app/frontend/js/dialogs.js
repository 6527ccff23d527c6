/* [data-dialog="id"] opens <dialog id="id">; [data-close] and a tap beside the dialog close it. */
export function start() {
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
