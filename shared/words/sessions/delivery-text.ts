import { codeWords } from '../../rules/text/code-words.ts';
import type { Delivery, DeliveryReason } from '../../schema/attention/delivery.ts';

/** Follows the name of an input. */
export const DELIVERY_TEXT: Record<Delivery, string> = {
  held: 'held',
  delivering: 'being typed',
  delivered: 'delivered',
  typed: 'typed',
  failed: 'not delivered',
  unknown: 'may have been typed',
};

const DELIVERY_REASON_TEXT: Record<DeliveryReason, string> = {
  agent_starting: 'the agent is starting',
  agent_waiting: 'the agent is waiting for an answer',
  agent_busy: 'the agent is busy',
  agent_limited: 'the agent is waiting for its usage limit',
  agent_unknown: 'the screen is not recognized',
  agent_untested: 'the client is newer than the newest tested; trust its version to type into it',
  draft_in_box: 'the prompt box contains a draft',
  person_typing: 'a person is typing in the terminal',
  after_others: 'earlier input goes first',
  program_changed:
    'the program it was meant for is no longer in the foreground; send it again if you still want it',
  terminal_gone: 'the terminal has ended',
  line_too_long: 'the foreground program would truncate the line',
  cancelled: 'cancelled',
  nothing_to_send: 'agents do not accept empty input',
  agent_command: 'agents confirm prompts, not their own commands; check the terminal',
  enter_withheld: 'the screen changed before Enter was pressed; the text may be in the prompt box',
  withdrawn: 'withdrawn before Enter was pressed; the text may be in the prompt box',
  not_confirmed: 'the agent did not confirm it; check the terminal',
  no_change_seen: 'nothing changed after it was typed; check the terminal',
  no_answer: 'the terminal did not respond; check it',
  daemon_restarted: 'the daemon stopped meanwhile; check the terminal',
  restored: 'it came from a backup and may have been typed since; check the terminal',
};

/** A reason of a newer host is named by its code. */
export function deliveryReasonText(reason: DeliveryReason): string {
  const known: Partial<Record<DeliveryReason, string>> = DELIVERY_REASON_TEXT;
  return known[reason] ?? codeWords(reason);
}
