/** The subscription of this browser, at its push service. */

const WORKER = '/service-worker.js';
const ID_DIGITS = 20;

/** Not yet among the types of a page. */
interface TrustedTypes {
  createPolicy: (name: string, rules: PolicyRules) => PolicyRules;
}
interface PolicyRules {
  /** In the browser an object that it accepts in place of text. */
  createScriptURL: (address: string) => string;
}

/** The page's policy accepts the address of a worker only from here. */
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
const workerPolicy = trustedTypes?.createPolicy('loopwatch-service-worker', {
  createScriptURL: () => WORKER,
});

/** Null without one. */
export async function ownSubscription(): Promise<PushSubscription | null> {
  if (!('serviceWorker' in navigator) || !('PushManager' in globalThis)) return null;
  const registration = await navigator.serviceWorker.getRegistration('/');
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** A new one when the browser has none for this key. Throws what the browser says. */
export async function subscribe(publicKey: string): Promise<PushSubscription> {
  const address = workerPolicy?.createScriptURL(WORKER) ?? WORKER;
  await navigator.serviceWorker.register(address, { scope: '/' });
  const { pushManager } = await navigator.serviceWorker.ready;
  const key = bytesOf(publicKey);
  const known = await pushManager.getSubscription();
  if (known !== null && isFor(known, key)) return known;
  // Of a daemon that had another key.
  await known?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** The id the daemon gives it. */
export async function idOf({ endpoint }: Pick<PushSubscription, 'endpoint'>): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'));
  return hex.join('').slice(0, ID_DIGITS);
}

function isFor({ options }: PushSubscription, key: Uint8Array): boolean {
  const own = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return own.length === key.length && own.every((byte, at) => byte === key[at]);
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
