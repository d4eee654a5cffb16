/** Registers a suite for one network engine; where it cannot be loaded, as skipped, with the reason. */
import { describe } from 'vitest';
import { messageOf } from '../../server/lib/app-error.ts';
import { loadUws } from '../../server/transport/uws/engine.ts';
import type { TransportName } from '../../shared/schema/transport-name.ts';

/** What an engine does otherwise than the first one; decision 20 says why. */
export interface Gaps {
  /** A request without a Host does not come to the gate. */
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

/** Takes the engine and the function that registers the tests for it. */
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
