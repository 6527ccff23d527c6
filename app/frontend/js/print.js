/* [data-print] prints the page. */
export function start() {
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-print]")) window.print();
  });
}
