/** A step is over: what the files say then, and where a loop continues from them alone. */
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { finishStep } from '../../../server/modules/finish-step.ts';
import { firstStep, isSubstantive } from '../../../server/modules/first-step.ts';
import { readTaskModule } from '../../../server/modules/task-module.ts';
import { AutoSignal } from '../../../shared/schema/loops/auto-signal.ts';
import { moduleDirectory } from '../../support/git/module-directory.ts';

const AT = '2026-01-01T00:00:00.000Z';
const TARGET = { '.target.md': 'Write hello world.\n' };

function report(
  step: string,
  result: string,
  checkpoint = '',
  completedSteps: number | null = null,
) {
  return { step, result, checkpoint, completedSteps };
}

function finish(directory: string, run: string | null, ...words: Parameters<typeof report>) {
  const done = finishStep(directory, report(...words), AT, run);
  if (!('signal' in done)) throw new Error(JSON.stringify(done));
  return done.signal;
}

function entry(directory: string, run: string | null = null) {
  const read = readTaskModule(directory);
  if (read.kind !== 'module') throw new Error(read.kind);
  return firstStep(directory, read.module, run);
}

function signalIn(directory: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(directory, '.auto-signal'), 'utf8')) as Record<
    string,
    unknown
  >;
}

it('LS5, LS6, LS16 a whole loop: each step is counted, routed, and moves the status', () => {
  const directory = moduleDirectory({ '.index.json': { status: 'draft' }, ...TARGET });
  const steps: [string, string, string?][] = [
    ['plan', '(generated)'],
    ['check', 'NEEDS_REVISION', 'post-plan'],
    ['plan', '(annotations)'],
    ['check', 'PASS', 'post-plan'],
    ['exec', '(step-2)'],
    ['check', 'CONTINUE', 'mid-exec'],
    ['exec', '(done)'],
    ['check', 'REPLAN', 'post-exec'],
    ['plan', '(generated)'],
    ['check', 'PASS', 'post-plan'],
    ['exec', '(done)'],
    ['check', 'ACCEPT', 'post-exec'],
    ['merge', 'success'],
    ['report', '(generated)'],
  ];
  const seen = steps.map(([step, result, checkpoint]) => {
    const before = entry(directory);
    const signal = finish(directory, null, step, result, checkpoint);
    expect(before).toMatchObject({ next: step, iteration: (signal.iteration ?? 0) - 1 });
    expect(AutoSignal.parse(signalIn(directory))).toEqual(signal);
    const after = readTaskModule(directory);
    return `${step} ${result}: ${after.kind === 'module' ? `${after.module.status} ${after.module.phase} ${after.module.completed_steps}` : ''}`;
  });
  expect(seen).toEqual([
    'plan (generated): planning  0',
    'check NEEDS_REVISION: planning  0',
    'plan (annotations): planning  0',
    'check PASS: review  0',
    'exec (step-2): executing  2',
    'check CONTINUE: executing  2',
    'exec (done): executing  2',
    'check REPLAN: re-planning needs-plan 2',
    'plan (generated): re-planning needs-check 0',
    'check PASS: review  0',
    'exec (done): executing  0',
    'check ACCEPT: executing  0',
    'merge success: complete  0',
    'report (generated): complete  0',
  ]);
  expect(signalIn(directory)).toEqual({
    step: 'report',
    result: '(generated)',
    next: '(stop)',
    checkpoint: '',
    iteration: 14,
    timestamp: AT,
  });
});

it('LS15 what the table does not allow writes nothing', () => {
  const directory = moduleDirectory({ '.index.json': { status: 'planning' } });
  const index = readFileSync(join(directory, '.index.json'), 'utf8');
  for (const words of [
    ['check', 'ACCEPT', 'post-plan'],
    ['plan', 'DONE'],
    ['merge', 'PASS'],
    ['deploy', 'PASS'],
    ['check', 'PASS', 'verify'],
  ] as Parameters<typeof report>[]) {
    expect(finishStep(directory, report(...words), AT, null)).toHaveProperty('refused');
  }
  expect(readdirSync(directory)).toEqual(['.index.json']);
  expect(readFileSync(join(directory, '.index.json'), 'utf8')).toBe(index);
});

it('LS14, LS15 an index that cannot be read is refused before anything is written', () => {
  const directory = moduleDirectory({ '.index.json': '{"status":' });
  const done = finishStep(directory, report('plan', '(generated)'), AT, null);
  expect(done).toEqual({ unreadable: '.index.json is not valid JSON' });
  expect(readdirSync(directory)).toEqual(['.index.json']);
});

it('LS16 a directory without an index is counted too, and gets none', () => {
  const directory = moduleDirectory();
  finish(directory, null, 'plan', '(generated)');
  expect(finish(directory, null, 'check', 'PASS', 'post-plan').iteration).toBe(2);
  expect(readdirSync(directory)).toEqual(['.auto-signal']);
});

it('LS16 a signal of a run carries it, and another run counts from the start', () => {
  const directory = moduleDirectory({ '.index.json': { status: 'draft' }, ...TARGET });
  finish(directory, 'one', 'plan', '(generated)');
  expect(finish(directory, 'one', 'check', 'PASS').iteration).toBe(2);
  expect(signalIn(directory)['run_id']).toBe('one');
  expect(entry(directory, 'one')).toMatchObject({ next: 'exec', iteration: 2 });
  expect(entry(directory, 'two')).toMatchObject({ next: 'exec', iteration: 0 });
  expect(finish(directory, 'two', 'exec', '(done)').iteration).toBe(1);
});

it('LS16 after (stop) the next loop counts from the start', () => {
  const directory = moduleDirectory();
  finish(directory, null, 'merge', 'success');
  expect(finish(directory, null, 'report', '(done)').iteration).toBe(2);
  expect(finish(directory, null, 'plan', '(generated)').iteration).toBe(1);
});

it('LS14 a signal file that is a link is replaced, never followed', () => {
  const directory = moduleDirectory({ elsewhere: 'kept' });
  symlinkSync(join(directory, 'elsewhere'), join(directory, '.auto-signal'));
  expect(finish(directory, null, 'plan', '(generated)').iteration).toBe(1);
  expect(readFileSync(join(directory, 'elsewhere'), 'utf8')).toBe('kept');
});

it('LS6 the last signal says where to continue while the status is one it leads to', () => {
  const directory = moduleDirectory({ '.index.json': { status: 'review' } });
  finish(directory, null, 'exec', '(mid-exec)');
  expect(entry(directory)).toMatchObject({ next: 'check', checkpoint: 'mid-exec', iteration: 1 });
  finish(directory, null, 'check', 'NEEDS_FIX', 'mid-exec');
  expect(entry(directory)).toMatchObject({ next: 'exec', checkpoint: 'mid-exec', iteration: 2 });
  // A person says otherwise.
  writeFileSync(join(directory, '.index.json'), '{"status":"planning"}');
  expect(entry(directory)).toMatchObject({ next: 'check', checkpoint: 'post-plan', iteration: 2 });
  writeFileSync(join(directory, '.index.json'), '{"status":"complete"}');
  expect(entry(directory)).toMatchObject({ next: 'report' });
});

it.each([
  ['draft', '', 'plan', ''],
  ['planning', '', 'check', 'post-plan'],
  ['review', '', 'exec', ''],
  ['executing', '', 'check', 'post-exec'],
  ['re-planning', 'needs-plan', 'plan', ''],
  ['re-planning', 'needs-check', 'check', 'post-plan'],
  ['re-planning', '', 'plan', ''],
  ['complete', '', 'report', ''],
  ['blocked', '', '(stop)', ''],
  ['cancelled', '', '(stop)', ''],
])('LS6 a module in %s %s enters at %s %s', (status, phase, next, checkpoint) => {
  const directory = moduleDirectory({ '.index.json': { status, phase }, ...TARGET });
  expect(entry(directory)).toMatchObject({ next, checkpoint, iteration: 0 });
  // A signal that cannot be read changes nothing.
  writeFileSync(join(directory, '.auto-signal'), '{"step":"merge"');
  expect(entry(directory)).toMatchObject({ next, checkpoint, iteration: 0 });
});

it.each([
  ['nothing', '', false],
  ['blanks', ' \n\t\n', false],
  ['a template', '# Target\n\n<!-- what? -->\n\n## Requirements\n\n- \n- [ ]\n1.\n', false],
  ['a comment that never ends', '# T\n<!-- all of it\nis a comment', false],
  ['a placeholder', '# T\n- TODO\n\n> TBD.\n', false],
  ['a sentence', '# T\n\nWrite hello world.\n', true],
  ['a list', '- [ ] a test\n', true],
  ['another script', '认证重构\n', true],
  ['words behind a comment', '<!-- a --> b', true],
])('LS17 a target of %s', (_, text, says) => {
  expect(isSubstantive(text)).toBe(says);
  const directory = moduleDirectory({ '.index.json': { status: 'draft' }, '.target.md': text });
  expect('refused' in entry(directory)).toBe(!says);
});

it('LS17 a draft without a target, or with a link in its place, does not start', () => {
  const directory = moduleDirectory({ '.index.json': { status: 'draft' }, real: 'Write it.' });
  expect(entry(directory)).toHaveProperty('refused');
  symlinkSync(join(directory, 'real'), join(directory, '.target.md'));
  expect(entry(directory)).toHaveProperty('refused');
  expect(existsSync(join(directory, '.auto-signal'))).toBe(false);
});
