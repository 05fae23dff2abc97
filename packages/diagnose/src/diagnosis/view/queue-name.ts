/** The label with the name of Kueue's LocalQueue. */
export const QUEUE_NAME_KEY = "kueue.x-k8s.io/queue-name";
