export { connectionOf, type KubeConfigLike } from "./node/kube-config-connection.ts";
export { serveText, type TextAnswer } from "./node/text-server.ts";
export { type ClientPatience, type WebhookHandler, WebhookServer } from "./node/webhook-server.ts";
