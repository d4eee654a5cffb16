/** What a rule may be narrowed to: the reasons of everything, and those that only respawn has. */
import type { AlertReason } from '$shared/schema/alerts/alerts.ts';
import { REASON_TEXT } from '$shared/words/reason-text.ts';
import { RESPAWN_BLOCK_TEXT } from '$shared/words/work/respawn-text.ts';

export const ALERT_REASON_LABELS: Record<AlertReason, string> = {
  ...labels(RESPAWN_BLOCK_TEXT, 'Respawn: '),
  ...labels(REASON_TEXT, ''),
};

function labels<Code extends string>(
  texts: Record<Code, { label: string }>,
  prefix: string,
): Record<Code, string> {
  const named = Object.entries<{ label: string }>(texts);
  return Object.fromEntries(
    named.map(([code, { label }]) => [code, `${prefix}${label}`]),
  ) as Record<Code, string>;
}
