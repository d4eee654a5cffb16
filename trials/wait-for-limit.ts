import { isLimitDialog } from '../shared/rules/limit-dialog.ts';
import { pressKey } from './press-key.ts';
import type { Stage } from './stage.ts';

/** Waits until the daemon shows a limit. Older clients first ask what to do about it, which a person leaves. */
export async function waitForLimit(stage: Stage): Promise<void> {
  const shown = await stage.until('a limit', async () => {
    const agent = await stage.agent().catch(() => null);
    if (agent?.state === 'limited') return 'limit';
    return agent !== null && isLimitDialog(agent) ? 'dialog' : null;
  });
  if (shown === 'limit') return;
  stage.truth.isUnknown();
  await pressKey(stage, 'Escape');
  await stage.shows('limited');
  stage.truth.isTrue('limited');
}
