export { ownerChecks } from "./diagnosis/extensions/owners/owners.ts";
