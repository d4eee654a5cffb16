import { z } from 'zod';
import { EVENT_TYPES, eventDataSchema, type EventType } from '../shared/schema/events/events.ts';
import { code, table } from './table.ts';

const MEANINGS: Record<EventType, string> = {
  'daemon.started': 'The daemon started. `lost_events` names events the database no longer has.',
  'daemon.stopping': 'The daemon is stopping; sessions keep running.',
  'session.created': 'A session was opened, or its terminal was opened again.',
  'session.closed': 'A session ended. `left`: processes that could not be ended.',
  'session.continued':
    'The session was opened to continue one that Loopwatch did not start, or to show one in the background.',
  'session.agent_changed': 'The state of its agent changed; null without an agent.',
  'session.input': 'An input was settled: delivered, typed, failed or unknown.',
  'session.interrupted':
    'A person interrupted the turn of its agent, or Loopwatch left its dialog about a limit.',
  'session.owner_changed': 'A loop took or released the session.',
  'auto.started': 'A loop started.',
  'auto.signal': 'The agent reported a step.',
  'auto.signal_rejected': 'A signal file was rejected.',
  'auto.limits_changed': 'The limits of a loop changed.',
  'auto.stall_suspected': 'Several snapshots were identical.',
  'auto.recovery_tried': 'A nudge is about to be typed.',
  'auto.recovered': 'The agent works again.',
  'auto.recovery_failed': 'A nudge was not possible or had no effect.',
  'auto.quota_entered': 'A usage limit is in force; the time limit is paused.',
  'auto.quota_left': 'The wait for the quota ended.',
  'auto.stop_requested': 'A person or a limit requested a stop.',
  'auto.stop_escalated': 'The agent did not stop: it is interrupted or killed.',
  'auto.restart_scheduled': 'The agent crashed; a restart is scheduled.',
  'auto.restarted': 'The agent runs again.',
  'auto.check_started': 'The agent reported the end; the host runs the checks of the task.',
  'auto.checked': 'The checks have ended. `commit` is what was checked out, null without git.',
  'auto.sent_back': 'The checks failed, and their result is about to be typed to the agent.',
  'auto.failed': 'The loop failed and stays listed.',
  'auto.ended': 'The loop ended. `unproven`: as completed, and the checks did not confirm it.',
  'respawn.state': 'Respawn entered a state; `trigger` says what led there.',
  'respawn.blocked': 'An agent is idle, and no cycle begins: the reason.',
  'respawn.paused': 'A person paused or resumed respawn.',
  'respawn.configured': 'A person changed the configuration of respawn.',
  'respawn.step_sent': 'The text of a step was delivered.',
  'respawn.step_done': 'A step is done, and the evidence for it.',
  'respawn.check': 'A model was asked, or answered, whether an agent is idle or shows a plan.',
  'respawn.auto_accepted': 'A plan was accepted.',
  'respawn.cycle_done': 'A cycle ended, and what it changed.',
  'found.appeared': 'A session that Loopwatch did not start was found.',
  'found.changed':
    'Its state, conversation, directory or branch changed. An event without a `client` is of Claude Code.',
  'found.ended':
    'It ended. `killed`: it left its record behind. `ignored`: it runs, and is left alone.',
  'found.ignore_set':
    'Found sessions in and below a directory are ignored from now on, or shown again.',
  'module.appeared': 'A task module was found below the roots, or is there again.',
  'module.changed':
    'Its status, progress or one of its files changed; `revision` names its files as they are.',
  'module.removed': 'Its directory or files are gone.',
  'attention.raised': 'Something needs a person: a new inbox item.',
  'attention.cleared': 'An inbox item was answered, resolved, dismissed, or no longer applies.',
  'budget.set': 'A budget was set. `before`: its limit until then.',
  'budget.raised': 'A person raised a budget; what waited for it continues. `used`: at that time.',
  'budget.removed': 'A budget was removed.',
  'client.trusted': 'A person trusts a version of Claude Code that is newer than tested.',
  'client.tested':
    'A version of Claude Code was tested in a scratch directory. `failed`: the step whose state was not read right.',
  'client.distrusted': 'A version of Claude Code is trusted no longer: nothing is typed into it.',
  'project.setup_set': 'A person set what new worktrees of a project get.',
  'project.setup_removed': 'New worktrees of a project get nothing more than git gives them.',
  'reserve.set': 'A person set what is kept of the plan’s windows.',
  'question.answered': 'A rule answered a question that no person had answered in time.',
  'question.parked': 'A rule stopped work whose question no person had answered in time.',
  'question.escalated': 'A rule raised the priority of a question. An alert rule can select it.',
  'question.rule_set': 'A person set a rule for unanswered questions. It is off.',
  'question.rule_switched': 'A person switched a rule on or off.',
  'question.rule_removed': 'A person removed a rule.',
  'reserve.removed': 'Nothing is kept of the plan’s windows any more.',
  'fleet.connected': 'This host reached its fleet.',
  'fleet.disconnected': 'This host lost its fleet; its own work continues.',
  'fleet.host_lost': 'Another host has not been heard of for 30 seconds.',
  'fleet.host_found': 'Another host is there, or is there again.',
  'claim.lost':
    'The claim of a task or run on a remote branch was released while this host was cut off: it was stopped.',
  'claim.released': 'An admin said that a host is dead and released its claim on a remote branch.',
  'people.invited': 'A person was invited.',
  'people.joined': 'A person used a link.',
  'people.link_made': 'A new link was created for a person.',
  'people.role_changed': 'A person has another role.',
  'people.renamed': 'A person has another name.',
  'people.removed': 'A person was removed.',
  'task.created': 'A task was created.',
  'task.status': 'The status of a task changed.',
  'task.changed': 'A person changed a task: description, limits, priority.',
  'task.held':
    'A queued task cannot begin yet: another host, task or run works on its branch, or the fleet cannot be reached.',
  'task.deleted': 'A task was deleted. `kept`: refs that hold its work.',
  'task.worktree': 'A worktree was created, removed or rolled back.',
  'task.merged': 'The work of a task was merged into a branch.',
  'task.interaction': 'A message or tool call was added to the conversation.',
  'task.context':
    'Its context was so full, in `percent`: the conversation was compacted, or a new one takes over (`fresh`).',
  'task.input_queued': 'A person said something to the task.',
  'task.input_delivered': 'The delivery state of such input changed.',
  'task.criteria': 'A verdict on the criteria, or on a claim to be done.',
  'task.tests': 'The state of a test or gate changed.',
  'run.created': 'A run was created.',
  'run.phase': 'It entered a phase.',
  'run.status': 'Its status changed.',
  'run.held':
    'Queued, it cannot begin yet: another host, task or run works on its branch, or the fleet cannot be reached.',
  'run.checkpoint': 'Its checkpoint was saved.',
  'run.plan': 'Its plan was written, edited or accepted.',
  'run.check': 'A check by the host began or ended.',
  'run.review': 'The reviewer gave a verdict.',
  'run.interaction': 'A line of its conversation. `index` counts from 0 in each phase.',
  'run.context': 'The same for the conversation of its phase.',
  'run.input_queued': 'A person wrote to it.',
  'run.input_delivered': 'What happened to that input.',
  'run.worktree': 'A worktree was created or removed.',
  'run.stopped': 'A person requested a stop.',
  'run.resumed': 'It continues after its end, or where another daemon left it.',
  'run.done': 'It has ended.',
  'run.merged': 'Its work was merged into a branch.',
  'run.not_merged': 'It is complete and was not merged as requested: why.',
  'run.deleted': 'It was deleted. `kept`: where its work is.',
  'alert.sent': 'An alert was delivered.',
  'alert.failed': 'An attempt failed. `next_try_at` is null after the last one.',
  'alert.escalated': 'It was not acknowledged in time: the target of this step gets it.',
  'alert.acknowledged': 'A person took it on. `via`: `person`, `link` or `inbox`.',
};

export function eventsPage(): string[] {
  const rows = EVENT_TYPES.map((type) => [code(type), MEANINGS[type], fieldsOf(type).join(', ')]);
  return [
    '# Event types',
    '',
    'Every event has `seq`, `at` (ISO 8601), `type`, `subject` (`{kind, id}`), `data`, and `session` where there is one. Fields with `?` may be absent. The schema of each field is in `/api/asyncapi.json`. [How to follow events](api.md#follow-events).',
    '',
    ...table(['type', 'meaning', 'data'], rows),
  ];
}

function fieldsOf(type: EventType): string[] {
  const schema = eventDataSchema(type);
  if (!(schema instanceof z.ZodObject)) return [];
  const shape: Record<string, z.ZodType> = schema.shape;
  return Object.entries(shape).map(([name, field]) =>
    code(field.safeParse(undefined).success ? `${name}?` : name),
  );
}
