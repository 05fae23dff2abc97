export { controlPlaneChecks } from "./diagnosis/extensions/control-plane/control-plane.ts";
