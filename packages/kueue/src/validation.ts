export { type KueueValidation, validateKueueCreate, validateKueueUpdate } from "./webhooks/validate.ts";
export { type DefaultedJobSet, defaultOnCreate } from "./webhooks/default-on-create.ts";
export { kueueAncestor } from "./webhooks/ancestor.ts";
