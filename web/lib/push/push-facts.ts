import type { PushFacts } from './push-obstacle.ts';

/** As this browser is now. */
export function pushFacts(): PushFacts {
  return {
    isSecure: isSecureContext,
    hasWorkers: 'serviceWorker' in navigator,
    hasPush: 'PushManager' in globalThis,
    permission: 'Notification' in globalThis ? Notification.permission : undefined,
    isHandheldApple: /\b(?:iPhone|iPad)\b/.test(navigator.userAgent),
  };
}
