/**
 * What the service worker uses of its scope. The types of workers cannot be loaded next to those of
 * pages.
 */
import type { NotificationData, PushNotification } from './push-notification.ts';

export interface WorkerClient {
  url: string;
  visibilityState: string;
  focus: () => Promise<unknown>;
  postMessage: (message: WorkerMessage) => void;
}

/** From the worker to its pages. */
export type WorkerMessage =
  /** Show that path. */
  | { kind: 'open'; path: string }
  /** A notification with that tag is shown. */
  | { kind: 'shown'; tag: string };

interface WorkerEvent {
  waitUntil: (work: Promise<unknown>) => void;
}

export interface WorkerEvents {
  install: WorkerEvent;
  activate: WorkerEvent;
  push: WorkerEvent & { data: { json: () => unknown } | null };
  notificationclick: WorkerEvent & {
    /** Empty: the notification itself. */
    action: string;
    notification: { close: () => void; data: NotificationData };
  };
}

export interface WorkerScope {
  addEventListener: <Name extends keyof WorkerEvents>(
    name: Name,
    listener: (event: WorkerEvents[Name]) => void,
  ) => void;
  skipWaiting: () => Promise<void>;
  location: { origin: string };
  navigator: { setAppBadge?: (count: number) => Promise<void> };
  clients: {
    matchAll: (options: { type: 'window'; includeUncontrolled: true }) => Promise<WorkerClient[]>;
    openWindow: (path: string) => Promise<unknown>;
  };
  registration: {
    showNotification: (title: string, options: PushNotification['options']) => Promise<void>;
  };
}
