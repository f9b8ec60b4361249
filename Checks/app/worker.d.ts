// App/sw.js is a service worker. TypeScript knows what all kinds of workers have.

interface WorkerGlobalScope {
  readonly clients: Clients;
  readonly registration: ServiceWorkerRegistration;
  readonly AbortSignal: { timeout(ms: number): AbortSignal };
  /** Safari has no such number. */
  readonly Notification: { readonly maxActions?: number };
  skipWaiting(): Promise<void>;
  addEventListener(type: "message", listener: (event: ExtendableMessageEvent) => void): void;
}
interface WorkerGlobalScopeEventMap {
  install: ExtendableEvent;
  activate: ExtendableEvent;
  fetch: FetchEvent;
  push: PushEvent;
  pushsubscriptionchange: ExtendableEvent;
  notificationclick: NotificationEvent;
}

interface Clients {
  matchAll(options: { type: "window" }): Promise<readonly WindowClient[]>;
}
