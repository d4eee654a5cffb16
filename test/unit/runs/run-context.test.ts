/** A context that is nearly full: what a run does about it in each phase. */
import { expect, it } from 'vitest';
import { checked, failed, replied, reviewed, RunLife } from '../../support/runs/run-life.ts';

function repliedAt(percent: number | null, isCompacted = false) {
  const question = { kind: 'reply', text: 'the second one' } as const;
  return { ...replied({ question }), context: { percent, isCompacted } };
}

function contextEvents(life: RunLife): unknown[] {
  return life.events.flatMap(({ type, data }) => (type === 'run.context' ? [data] : []));
}

it('CX9, CX3 the conversation of a phase is compacted, and the answer that was planned follows', () => {
  const life = RunLife.in('execute').happen(repliedAt(70));
  expect(life.message).toEqual({ kind: 'compact', inputId: null });
  life.hear().happen(repliedAt(4, true));
  expect(life.message).toEqual({ kind: 'reply', inputId: null, text: 'the second one' });
  const [event] = contextEvents(life);
  expect(event).toMatchObject({ phase: 'execute', step: 'compact', percent: 70 });
});

it('CX9, CX4 a new conversation takes over, with the answer that was planned', () => {
  const life = RunLife.in('execute').happen(repliedAt(90));
  const digest = { kind: 'digest', inputId: null, text: 'the second one' };
  expect([life.message, life.last]).toEqual([digest, ['send']]);
  expect(life.state.conversations.execute).toBeNull();
  expect(contextEvents(life)).toMatchObject([{ step: 'fresh', percent: 90 }]);
});

it('CX9, CX4 a compaction that failed is followed by a new conversation, in which nothing repeats', () => {
  const life = RunLife.in('execute').happen(repliedAt(75)).hear().happen(failed('crashed'));
  expect(life.message).toMatchObject({ kind: 'digest', text: 'the second one' });
  life.happen(failed('not_started', 'not_heard'));
  life.happen({ kind: 'granted' }).happen({ kind: 'prepared' });
  expect(life.message).toMatchObject({ kind: 'digest', text: 'the second one' });
  expect(contextEvents(life)).toHaveLength(1);
});

it('CX9 a visit of a phase opens in a new conversation, in full', () => {
  const life = RunLife.in('review');
  const full = { ...reviewed('fail'), context: { percent: 95, isCompacted: false } };
  life.happen(full).hear().happen(replied()).happen(checked());
  expect(life.state).toMatchObject({ phase: 'review', conversations: { review: null } });
  expect(life.message).toEqual({ kind: 'open', inputId: null });
  expect(contextEvents(life)).toMatchObject([{ phase: 'review', step: 'fresh', percent: 95 }]);
});

it('CX9 the request for the verdict alone needs nothing', () => {
  const life = RunLife.in('review');
  const full = { ...reviewed('unclear'), context: { percent: 95, isCompacted: false } };
  life.happen(full);
  expect(life.message).toEqual({ kind: 'verdict', inputId: null });
});

it('CX9, CX5 a person does not wait for a compaction', () => {
  const life = RunLife.in('execute').say('hint').happen(repliedAt(75));
  expect(life.message).toEqual({ kind: 'input', inputId: 'hint' });
});
