export { connectionOf } from "./node/kube-config-connection.ts";
export { serveText, type TextAnswer } from "./node/text-server.ts";
export { type WebhookHandler, WebhookServer } from "./node/webhook-server.ts";
