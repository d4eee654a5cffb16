/** Registers a suite for one network engine; where it cannot be loaded, as skipped, with the reason. */
import { describe } from 'vitest';
import { messageOf } from '../../server/lib/app-error.ts';
import { loadUws } from '../../server/transport/uws/engine.ts';
import type { TransportName } from '../../shared/transport-name.ts';

/** Takes the engine and the function that registers the tests for it. */
export async function onEngine(
  engine: TransportName,
  register: (engine: TransportName) => void,
): Promise<void> {
  const missing = engine === 'uws' ? await whyNoUws() : null;
  if (missing === null) describe(`engine ${engine}`, () => register(engine));
  else describe.skip(`engine ${engine}: ${missing}`, () => register(engine));
}

async function whyNoUws(): Promise<string | null> {
  return loadUws().then(() => null, messageOf);
}
