/**
 * Shows what the daemon sends to this browser, also when no page is open, and answers from there.
 * It keeps no copy of a page: without the daemon there is nothing to show.
 */
import { pushNotification } from './lib/push/push-notification.ts';
import type { WorkerClient, WorkerMessage, WorkerScope } from './lib/push/worker-scope.ts';
import type { PushPayload } from '../shared/rules/push-payload.ts';

const worker = self as unknown as WorkerScope;

/** Browsers forbid to open a page when the press is longer ago. */
const ANSWER_TIMEOUT_MS = 4_000;

// A new version takes over at once: it holds nothing that a page depends on.
worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));

worker.addEventListener('push', (event) => event.waitUntil(show(event.data)));

worker.addEventListener('notificationclick', (event) => {
  const { action, notification } = event;
  notification.close();
  const { path, acknowledge, ticket } = notification.data;
  if (action === 'acknowledge' && acknowledge !== null) {
    event.waitUntil(worker.clients.openWindow(acknowledge));
  } else if ((action === 'allow' || action === 'deny') && ticket !== null) {
    event.waitUntil(answer(ticket, action, path));
  } else event.waitUntil(open(path));
});

async function show(data: { json: () => unknown } | null): Promise<void> {
  // Browsers revoke the permission of a worker that shows nothing.
  const { title, options } = pushNotification(readPayload(data));
  await worker.registration.showNotification(title, options);
  const { open: count, tag } = readPayload(data);
  await worker.navigator.setAppBadge?.(count).catch(() => undefined);
  for (const page of await pages()) page.postMessage({ kind: 'shown', tag });
}

/** What cannot be read, such as the message of another version, leads to the inbox. */
function readPayload(data: { json: () => unknown } | null): PushPayload {
  const plain: PushPayload = {
    title: 'Loopwatch',
    text: 'Open the inbox to see what happened.',
    path: '/inbox',
    tag: 'unread',
    at: Date.now(),
    open: 0,
    acknowledge: null,
    answers: [],
    ticket: null,
  };
  try {
    return { ...plain, ...(data?.json() as Partial<PushPayload>) };
  } catch {
    return plain;
  }
}

/** What cannot be answered from here is shown on the page, with the reason. */
async function answer(ticket: string, decision: string, path: string): Promise<void> {
  try {
    const response = await fetch('/api/push/answers', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ticket, decision }),
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    if (response.ok) return;
  } catch {
    // The daemon is away, or this browser is offline.
  }
  await open(path);
}

/** In a page that is open, so that none is loaded twice. */
async function open(path: string): Promise<void> {
  const all = await pages();
  const page = all.find(({ visibilityState }) => visibilityState === 'visible') ?? all[0];
  if (page === undefined) {
    await worker.clients.openWindow(path);
    return;
  }
  // Too long after the press it may not come to the front, but shows the right page.
  await page.focus().catch(() => undefined);
  page.postMessage({ kind: 'open', path } satisfies WorkerMessage);
}

/** Except the one that acknowledges, which shows nothing else, and those of other hosts. */
async function pages(): Promise<WorkerClient[]> {
  const all = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return all.filter(({ url }) => !/^\/(?:acknowledge$|hosts\/)/.test(new URL(url).pathname));
}
