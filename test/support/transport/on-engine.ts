/** Registers a suite for one network engine; skipped, with the reason, where it cannot be loaded. */
import { describe } from 'vitest';
import { messageOf } from '../../../server/lib/app-error.ts';
import { loadUws } from '../../../server/transport/uws/engine.ts';
import type { TransportName } from '../../../shared/schema/transport-name.ts';

/** Differences of an engine from the first one; decision 20 explains them. */
export interface Gaps {
  /** A request without a Host does not reach the gate. */
  noHost: 'refused' | null;
  /** A WebSocket frame against the protocol. */
  brokenFrame: 'cut' | null;
  /** A second request before the first was answered. */
  pipelining: 'cut' | null;
}

const GAPS: Record<TransportName, Gaps> = {
  ws: { noHost: null, brokenFrame: null, pipelining: null },
  uws: { noHost: 'refused', brokenFrame: 'cut', pipelining: 'cut' },
};

/** `register` adds the tests for the engine. */
export async function onEngine(
  engine: TransportName,
  register: (engine: TransportName, gaps: Gaps) => void,
): Promise<void> {
  const missing = engine === 'uws' ? await whyNoUws() : null;
  if (missing === null) describe(`engine ${engine}`, () => register(engine, GAPS[engine]));
  else describe.skip(`engine ${engine}: ${missing}`, () => register(engine, GAPS[engine]));
}

async function whyNoUws(): Promise<string | null> {
  return loadUws().then(() => null, messageOf);
}
