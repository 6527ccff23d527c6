/* What every page runs: htmx and the small enhancements. Each page works without any of it. */
import "htmx.org/dist/htmx.esm.js";
import { start as startCeremony } from "./js/ceremony.js";
import { start as startCopy } from "./js/copy.js";
import { start as startCountdown } from "./js/countdown.js";
import { start as startDialogs } from "./js/dialogs.js";
import { start as startDrafts } from "./js/drafts.js";
import { start as startLeftovers } from "./js/leftovers.js";
import { start as startNotices } from "./js/notices.js";
import { start as startOnce } from "./js/once.js";
import { start as startPrint } from "./js/print.js";
import { start as startReturning } from "./js/returning.js";
import { start as startStrip } from "./js/strip.js";
import { start as startTabs } from "./js/tabs.js";

document.documentElement.classList.remove("no-js");
startReturning();
startOnce();
startDrafts();
startDialogs();
startCopy();
startCountdown();
startNotices();
startPrint();
startCeremony();
startTabs();
startStrip();
startLeftovers();
