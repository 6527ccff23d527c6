/* The reviewers' desk: the picture, the keys, and the sign of life that keeps a claim. The page works without it. */
import { start as startKeys } from "./js/desk/keys.js";
import { start as startRenewing } from "./js/desk/renew.js";
import { start as startViewer } from "./js/desk/viewer.js";

const viewer = startViewer(document.querySelector("[data-viewer]"));
startKeys(viewer);
startRenewing(document.querySelector("[data-renew]"));
