export { connectionFromKubeConfig } from "./node/kube-config-connection.ts";
export { serveTextEndpoints, type TextResponse } from "./node/text-server.ts";
export { type WebhookHandler, WebhookServer } from "./node/webhook-server.ts";
