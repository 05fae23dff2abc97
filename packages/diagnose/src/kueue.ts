export { kueueChecks } from "./diagnosis/extensions/kueue/kueue.ts";
