/*
 * What can be done on a sheet, and what each act needs before it is sent. Pure: no page, no network.
 *
 *   deal      one deal, recorded or corrected (deal.js, match.js)
 *   absences  forfeits and lateness of 二打一 · terms, end: the same of 升级, with time's up; only both levels
 *   penalty, lift  one penalty more, one taken back · remove  the last deal taken out
 *   board     the result of a board, which also hands it in · hand_in  handing in, checked by the players
 *
 * What each replaces is compared with the server's (was, `reconcile` in sheet.js); a penalty replaces nothing, and is known
 * again by its key.
 */
export const ENDS = ["board", "hand_in"];
const COMPARED = ["board", "absences", "terms", "end"];
const WITHOUT = ["csrf_token", "base_revision", "idempotency_key", "client_time"];

/* What a form says: {name: text}, without what is not said. */
export function read(form) {
  const said = [...new FormData(form)].filter(([name, value]) => !WITHOUT.includes(name) && String(value).trim() !== "");
  return Object.fromEntries(said.map(([name, value]) => [name, String(value).trim()]));
}

export function same(one, other) {
  const [a, b] = [one ?? {}, other ?? {}];
  return Object.keys({ ...a, ...b }).every((name) => said(a[name]) === said(b[name]));
}

/* A count of nothing is not said. */
function said(value) {
  return value === undefined || value === "0" ? "" : value;
}

export function isCompared({ act }) {
  return COMPARED.includes(act);
}

/* Whether an entry may be sent now; `before` are those that wait in front of it. */
export function mayGo(entry, before, sheet) {
  const known = sheet.deals.length;
  switch (entry.act) {
    case "deal":
      return entry.deal_number <= known + 1;
    case "penalty":
      return Number(entry.fields.deal || 0) <= known;
    case "remove":
      return !before.some(({ act }) => act === "deal");
    case "board":
    case "hand_in":
      return before.length === 0;
    default:
      return true;
  }
}

/* The fields of an entry as they are posted. */
export function bodyOf(entry, sheet) {
  const fields = entry.act === "deal" ? { ...sheet.game.sent(entry.fields), deal_number: entry.deal_number } : sheet.forms.sent(entry);
  return {
    ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== "")),
    base_revision: sheet.revision,
    idempotency_key: entry.key,
    client_time: entry.at,
    csrf_token: sheet.csrf,
  };
}
