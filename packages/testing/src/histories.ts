export { everyHistoryLaw, historyLaws } from "./laws/history-laws.ts";
