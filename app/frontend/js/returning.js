/*
 * An answer to a form that was sent, such as the form with what is wrong in it, cannot be gone back to: browsers keep none and show an
 * error of their own. Its place in the history becomes the page of the form, which fills in what this device kept (drafts.js).
 */
export function start() {
  const page = document.body.dataset.formPage;
  if (page) history.replaceState(history.state, "", page + location.hash);
}
