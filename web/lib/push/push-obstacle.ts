/** Why a browser cannot be notified, and what to do. Pure. */

export interface PushFacts {
  /** Served over https or from this machine. */
  isSecure: boolean;
  hasWorkers: boolean;
  hasPush: boolean;
  /** Undefined where there are no notifications. */
  permission: 'granted' | 'denied' | 'default' | undefined;
  /** iPhone or iPad. */
  isHandheldApple: boolean;
}

export interface PushObstacle {
  kind: 'unsupported' | 'blocked';
  text: string;
}

export function pushObstacle(facts: PushFacts): PushObstacle | null {
  const unsupported = (text: string): PushObstacle => ({ kind: 'unsupported', text });
  if (!facts.isSecure) {
    return unsupported(
      'Browsers allow Web Push only over https or on localhost. Put Loopwatch behind a TLS proxy, then open it there.',
    );
  }
  const isMissing = !facts.hasWorkers || !facts.hasPush || facts.permission === undefined;
  if (isMissing && facts.isHandheldApple) {
    return unsupported(
      'On iPhone and iPad, add Loopwatch to the Home Screen first (Share, Add to Home Screen), then open it from there.',
    );
  }
  if (isMissing) {
    return unsupported('This browser has no Web Push, or has it turned off in a private window.');
  }
  if (facts.permission === 'denied') {
    const text =
      'This browser blocks notifications from Loopwatch. Allow them in its site settings (left of the address), then turn this on.';
    return { kind: 'blocked', text };
  }
  return null;
}
