/* The page on which an undertaking is signed with a finger. Without it the page is read, printed and signed by hand. */
import { start } from "./js/signature.js";

for (const form of document.querySelectorAll("form[data-sign]")) start(form);
