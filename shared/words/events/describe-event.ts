/** One sentence for each event: the same in the shell and on the page. */
import { decidedText, questionRuleText } from '../question-text.ts';
import { CLIENT_TEST_TEXT } from '../sessions/client-version-text.ts';
import { reserveSetText } from '../usage/reserve-text.ts';
import { budgetRaisedText, budgetRemovedText, budgetSetText } from '../usage/budget-text.ts';
import type { EventRecord } from '../../schema/events/events.ts';
import type { Owner } from '../../schema/owner.ts';
import type { Reason } from '../../schema/reasons.ts';
import { AGENT_TONE, agentText } from '../sessions/agent-text.ts';
import { OUTCOME_TEXT } from '../attention-text.ts';
import { describeFoundEvent } from './describe-found-event.ts';
import { closedText } from '../sessions/closed-text.ts';
import { deliveryReasonText, DELIVERY_TEXT } from '../sessions/delivery-text.ts';
import { describeLoopEvent } from './describe-loop-event.ts';
import { describeModuleEvent } from './describe-module-event.ts';
import { describeRespawnEvent } from './describe-respawn-event.ts';
import { describeRunEvent } from './describe-run-event.ts';
import { describeTaskEvent } from './describe-task-event.ts';
import { because, byAuthor, type EventText, sentence } from './event-sentence.ts';
import { reasonText } from '../reason-text.ts';

const CONTINUED_TEXT = {
  resume: 'Continues a conversation that began without Loopwatch',
  stop: 'Continues a conversation that was stopped in the background',
  attach: 'Shows a session in the background',
} as const;
const OWNER: Record<Owner, string> = { auto: 'a loop', respawn: 'respawn' };

/** An event of a newer host that this version has no words for is described by its type. */
export function describeEvent(
  event: EventRecord,
  timeText = (iso: string) => `${iso.slice(0, 16).replace('T', ' ')} UTC`,
): EventText {
  try {
    const text = describeKnown(event, timeText) as EventText | undefined;
    if (text !== undefined) return text;
  } catch {
    // Of a known type, with a value that is not known.
  }
  return sentence(event.type);
}

function describeKnown(event: EventRecord, timeText: (iso: string) => string): EventText {
  if (isOf('auto', event)) return describeLoopEvent(event, timeText);
  if (isOf('respawn', event)) return describeRespawnEvent(event, timeText);
  if (isOf('task', event)) return describeTaskEvent(event);
  if (isOf('run', event)) return describeRunEvent(event);
  if (isOf('found', event)) return describeFoundEvent(event);
  if (isOf('module', event)) return describeModuleEvent(event);
  switch (event.type) {
    case 'daemon.started':
      return sentence(
        `Daemon ${event.data.version} started${event.data.restored === true ? ' on a restored backup' : ''}`,
      );
    case 'daemon.stopping':
      return sentence('Daemon is stopping', 'wait');
    case 'session.created':
      return sentence(
        `Session ${event.data.reopened ? 'reopened' : 'opened'} in ${event.data.cwd}${byAuthor(event.data)}`,
      );
    case 'session.continued':
      return sentence(`${CONTINUED_TEXT[event.data.how]}${byAuthor(event.data)}`);
    case 'session.closed':
      return sentence(`Session closed${byAuthor(event.data)}: ${closedText(event.data)}`);
    case 'session.agent_changed': {
      const { agent } = event.data;
      if (agent === null) return sentence('Agent no longer in the foreground');
      const { state, cause, detail } = agent;
      return sentence(agentText(state, cause) + because(detail), AGENT_TONE[state]);
    }
    case 'session.input': {
      const { id, delivery, reason: why } = event.data;
      const whose = event.data.author === undefined ? '' : ` from ${event.data.author}`;
      const text = `Input #${id}${whose} ${DELIVERY_TEXT[delivery]}`;
      const isThere = delivery === 'delivered' || delivery === 'typed';
      const more = why === null ? '' : `: ${deliveryReasonText(why)}`;
      return sentence(text + more, isThere ? 'idle' : 'wait');
    }
    case 'session.interrupted':
      return event.data.what === 'limit_dialog'
        ? sentence('Left the agent’s dialog about its usage limit', 'idle')
        : sentence(`Agent interrupted by ${event.data.by}`, 'wait');
    case 'attention.raised':
      return sentence(
        `${ofTask(event.data)}${reason(event.data.reason)}: ${event.data.title}`,
        'wait',
      );
    case 'attention.cleared': {
      const { by, answer, outcome } = event.data;
      const who = by === null ? '' : ` by ${by}`;
      const what = `${ofTask(event.data)}${reason(event.data.reason)}`;
      return sentence(`${what} ${OUTCOME_TEXT[outcome]}${who}${because(answer)}`);
    }
    case 'budget.set':
      return sentence(`${budgetSetText(event.data)}${byAuthor(event.data)}`);
    case 'budget.raised':
      return sentence(`${budgetRaisedText(event.data)}${byAuthor(event.data)}`);
    case 'question.answered':
      return sentence(`Answered ${decidedText(event.data)}${because(event.data.answer)}`);
    case 'question.parked':
      return sentence(`Stopped ${decidedText(event.data)}`, 'wait');
    case 'question.escalated':
      return sentence(`Escalated ${decidedText(event.data)}`, 'wait');
    case 'question.rule_set':
      return sentence(`Rule set. ${questionRuleText(event.data)}${byAuthor(event.data)}`);
    case 'question.rule_switched':
    case 'question.rule_removed': {
      const { rule_id: rule, scope } = event.data;
      const isOn = 'is_on' in event.data ? event.data.is_on : null;
      const how = isOn === null ? 'removed' : isOn ? 'switched on' : 'switched off';
      return sentence(`Question rule ${rule} for ${scope} ${how}${byAuthor(event.data)}`);
    }
    case 'client.trusted':
      return sentence(`Claude Code ${event.data.version} trusted${byAuthor(event.data)}`);
    case 'client.tested': {
      const { version, failed } = event.data;
      if (failed === null)
        return sentence(`Test of Claude Code ${version}: all read right`, 'good');
      const step = CLIENT_TEST_TEXT[failed];
      return sentence(`Test of Claude Code ${version}: ${step} was not read right`, 'fail');
    }
    case 'client.distrusted':
      return sentence(
        `Claude Code ${event.data.version} no longer trusted${byAuthor(event.data)}`,
        'wait',
      );
    case 'project.setup_set':
      return sentence(`Setup of ${event.data.project} set${byAuthor(event.data)}`);
    case 'project.setup_removed':
      return sentence(`Setup of ${event.data.project} removed${byAuthor(event.data)}`);
    case 'reserve.set':
      return sentence(`${reserveSetText(event.data)}${byAuthor(event.data)}`);
    case 'reserve.removed':
      return sentence(`Reserve removed${byAuthor(event.data)}`);
    case 'budget.removed':
      return sentence(`${budgetRemovedText(event.data)}${byAuthor(event.data)}`);
    case 'fleet.connected':
      return sentence('Connected to the fleet', 'good');
    case 'fleet.disconnected':
      return sentence(`No connection to the fleet${because(event.data.message)}`, 'wait');
    case 'fleet.host_lost':
      return sentence(
        `Host ${event.data.name} cannot be reached; last heard of at ${timeText(event.data.since)}`,
        'fail',
      );
    case 'fleet.host_found':
      return sentence(`Host ${event.data.name} can be reached`, 'good');
    case 'claim.lost': {
      const { holder } = event.data;
      const now = holder === null ? '' : `; ${holder} has it now`;
      return sentence(`The claim on its branch was released: stopped${now}`, 'fail');
    }
    case 'claim.released':
      return sentence(
        `Claim of ${event.data.host} released: ${event.data.work}${byAuthor(event.data)}`,
        'wait',
      );
    case 'people.invited':
      return sentence(`${event.data.name} invited as ${event.data.role}${byAuthor(event.data)}`);
    case 'people.joined':
      return sentence(`${event.data.name} logged in with a link as ${event.data.role}`);
    case 'people.link_made':
      return sentence(`New link for ${event.data.name} created${byAuthor(event.data)}`);
    case 'people.role_changed': {
      const { name, role, before } = event.data;
      return sentence(`Role of ${name} changed from ${before} to ${role}${byAuthor(event.data)}`);
    }
    case 'people.renamed':
      return sentence(`${event.data.before} renamed to ${event.data.name}${byAuthor(event.data)}`);
    case 'people.removed':
      return sentence(`${event.data.name} removed${byAuthor(event.data)}`);
    case 'alert.sent':
      return sentence(`Alert “${event.data.name}” sent: ${event.data.type}`);
    case 'alert.failed': {
      const { name, type, attempt, error, next_try_at } = event.data;
      const text = `Alert “${name}” not sent: ${type}, attempt ${attempt}, ${error}`;
      if (next_try_at === null) return sentence(`${text}; no further attempt`, 'fail');
      return sentence(`${text}; next attempt at ${next_try_at}`, 'wait');
    }
    case 'alert.escalated': {
      const { name, step, steps, type } = event.data;
      return sentence(`Alert “${name}” escalated to step ${step} of ${steps}: ${type}`, 'wait');
    }
    case 'alert.acknowledged': {
      const { name, by, type } = event.data;
      return sentence(`Alert “${name}” acknowledged by ${by}: ${type}`);
    }
    case 'session.owner_changed':
      return sentence(
        event.data.owner === null
          ? 'No longer supervised'
          : `Supervised by ${OWNER[event.data.owner]}`,
      );
  }
}

/** An event's line already shows its session, but not its task. */
function ofTask({ task }: { task?: string | undefined }): string {
  return task === undefined ? '' : `Task ${task}: `;
}

function reason(value: Reason): string {
  return reasonText(value).label;
}

function isOf<Kind extends string>(
  kind: Kind,
  event: EventRecord,
): event is Extract<EventRecord, { type: `${Kind}.${string}` }> {
  return event.type.startsWith(`${kind}.`);
}
