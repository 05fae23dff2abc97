export { historyLaws } from "./laws/history-laws.ts";
