/** Rules for unanswered questions, connected to what can be answered and stopped. */
import type { Attention } from '../attention/attention.ts';
import type { Subject } from '../../shared/schema/events/subject.ts';
import type { Clock } from '../lib/clock.ts';
import type { Scope } from '../lib/scope.ts';
import { QuestionRuleStore } from '../questions/question-rule-store.ts';
import { QuestionRules } from '../questions/question-rules.ts';
import { Unanswered } from '../questions/unanswered.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { openHeadlessWork } from './open-headless-work.ts';
import type { Store } from './open-store.ts';

interface Work extends Pick<Awaited<ReturnType<typeof openHeadlessWork>>, 'tasks' | 'phased'> {
  attention: Attention;
  sessions: Sessions;
  clock: Clock;
}

export function openQuestions(
  { database, log, logger }: Store,
  { attention, sessions, clock, tasks, phased }: Work,
  scope: Scope,
): QuestionRules {
  const projectOf = ({ kind, id }: Subject): string => {
    if (kind === 'session') return sessions.has(id) ? sessions.get(id).cwd : '';
    if (kind === 'run') return phased.board.find(id)?.record.request.directory ?? '';
    const task = tasks.scheduler.records().find(({ name }) => kind === 'task' && name === id);
    return task?.plan.rootFolder ?? '';
  };
  const store = new QuestionRuleStore(database);
  const rules = new QuestionRules({ store, attention, log, clock, projectOf });
  const unanswered = new Unanswered({
    rules,
    attention,
    log,
    clock,
    logger,
    say: ({ kind, id }, text, by) => {
      if (kind === 'run') phased.work.say(id, { input: text, interrupt: false }, by);
      else tasks.talk.say(id, { input: text, interrupt: false }, by);
    },
    park: ({ kind, id }, by) => {
      if (kind === 'run') phased.runs.stop(id, null, by);
      else
        void tasks.tasks.stop(id, by).catch((err: unknown) => logger.warn({ err }, 'not parked'));
    },
  });
  scope.own(() => unanswered.dispose());
  unanswered.start();
  return rules;
}
