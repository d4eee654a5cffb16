import type { Card } from '$lib/state/list-cards.ts';
import { DEMO_SESSION, DEMO_TASK } from '$shared/rules/demo.ts';

/** Whether the demo runs in the card's session, or ran there last. */
export function isDemo({ name, session, reading }: Card): boolean {
  if (reading !== null) return reading.loop.agent === 'stand-in';
  return name === DEMO_SESSION && (session?.cwd.endsWith(`/${DEMO_TASK}`) ?? false);
}
