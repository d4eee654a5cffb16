import type { Delivery, DeliveryReason } from '../schema/delivery.ts';

/** What each delivery means, behind the name of an input. */
export const DELIVERY_TEXT: Record<Delivery, string> = {
  held: 'held',
  delivering: 'being typed',
  delivered: 'delivered',
  typed: 'typed',
  failed: 'not delivered',
  unknown: 'may have been typed',
};

/** Why, in words a person can act on. */
export const DELIVERY_REASON_TEXT: Record<DeliveryReason, string> = {
  agent_starting: 'the agent is starting',
  agent_waiting: 'the agent asks something first',
  agent_busy: 'the agent is busy',
  agent_limited: 'the agent waits for its limit',
  agent_unknown: 'the screen is not understood',
  draft_in_box: 'a draft stands in the prompt box',
  person_typing: 'a person is typing in the terminal',
  after_others: 'earlier input comes first',
  program_changed:
    'the program it was meant for is no longer in front; send it again if you still want it',
  terminal_gone: 'the terminal is gone',
  line_too_long: 'the program in front would cut the line',
  cancelled: 'cancelled',
  nothing_to_send: 'an agent takes no empty input',
  enter_withheld: 'the screen changed before Enter was pressed; the text may be in the prompt box',
  not_confirmed: 'the agent did not confirm it; look at the terminal',
  no_change_seen: 'nothing changed after it was typed; look at the terminal',
  no_answer: 'the terminal gave no answer; look at it',
  daemon_restarted: 'the daemon ended meanwhile; look at the terminal',
  restored: 'it came with a backup and may have been typed since; look at the terminal',
};
