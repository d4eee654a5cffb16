import type { Wait } from '../../shared/schema/model.ts';
import { reasonText } from '../../shared/words/reason-text.ts';

/** Why queued work cannot get its claim now. */
export interface ClaimHold {
  reason: 'claimed' | 'fleet_unreachable';
  detail: string;
}

export interface ClaimWait extends ClaimHold {
  since: string;
}

/** As clients read it. */
export function waitForClaim({ reason, since, detail }: ClaimWait): Wait {
  const next = `${detail} ${reasonText(reason).next}`;
  return { reason, since, until: null, next, evidence: [] };
}
