/** What a module's files say, when they are read, and how often the log says so. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../server/lib/clock.ts';
import { PathReach } from '../../../server/lib/files/path-reach.ts';
import { readModuleState, moduleId } from '../../../server/modules/watching/module-state.ts';
import { DueModules } from '../../../server/modules/watching/due-modules.ts';
import { EventPace } from '../../../server/modules/watching/event-pace.ts';
import { ModuleTree } from '../../../server/modules/watching/module-tree.ts';
import { countSteps } from '../../../server/modules/watching/plan-steps.ts';
import { PublishedModules } from '../../../server/modules/watching/published-modules.ts';
import { watchedDirectories } from '../../../server/modules/watching/watched-directories.ts';
import type { EventDraft } from '../../../shared/schema/events/events.ts';
import type { ModuleFacts } from '../../../shared/schema/modules/module-facts.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { moduleDirectory } from '../../support/git/module-directory.ts';
import { indexText } from '../../support/git/module-tree.ts';

const FACTS: ModuleFacts = {
  module: 'one-1',
  path: '/srv/one',
  title: 'One',
  status: 'draft',
  phase: '',
  completed_steps: 0,
  steps: null,
  problem: null,
  revision: 'a',
};

describe('steps of a plan', () => {
  it.each([
    [
      'numbered lines below Steps',
      '# Plan\n## Steps\n1. a\n2) b\n   1. inner\n- note\n## Risks\n1. x',
      2,
    ],
    ['headings', '## Steps\n### Step 1: a\n1. x\n### Step 2\ntext', 2],
    [
      'a section within the steps',
      '## Steps\n### First part\n1. a\n### Second\n2. b\n## Out\n3. c',
      2,
    ],
    ['bold words', '## **Steps**\n1. a', 1],
    ['numbers elsewhere', '# Plan\n1. a\n2. b', null],
    ['numbers in code', '## Steps\n```\n1. a\n```\n', null],
    ['nothing', '', null],
    ['a hundred thousand lines', `## Steps\n${'1. a\n'.repeat(100_000)}`, 10_000],
  ])('MO1 from %s', (_, plan, steps) => {
    expect(countSteps(plan)).toBe(steps);
  });
});

const WALK = {
  isWorktree: () => false,
  reach: new PathReach(systemClock),
  now: () => Date.now(),
};

it('MO9 an id is made of the path: the same for the same, safe in a URL, different for others', () => {
  expect(moduleId('/srv/app/Fix Login!')).toMatch(/^fix-login-[0-9a-f]{10}$/);
  expect(moduleId('/srv/app/Fix Login!')).toBe(moduleId('/srv/app/Fix Login!'));
  expect(moduleId('/srv/one/fix')).not.toBe(moduleId('/srv/two/fix'));
  expect(moduleId('/srv/修复')).toMatch(/^[0-9a-f]{10}$/);
  expect(moduleId(`/srv/${'x'.repeat(255)}`).length).toBeLessThan(60);
});

it('MO2 a module is read again only after one of its files was touched, in place too', () => {
  const directory = moduleDirectory({ '.index.json': indexText({ title: 'One' }) });
  const first = readModuleState(directory, null);
  expect(readModuleState(directory, first)).toBe(first);
  mkdirSync(join(directory, '.test'));
  writeFileSync(join(directory, '.test/result'), 'failed');
  const second = readModuleState(directory, first);
  expect(second?.facts.revision).not.toBe(first?.facts.revision);
  writeFileSync(join(directory, '.test/result'), 'passed');
  const third = readModuleState(directory, second);
  expect(third?.facts.revision).not.toBe(second?.facts.revision);
  rmSync(join(directory, '.index.json'));
  expect(readModuleState(directory, third)).toBeNull();
});

it('MO5 an index of another program makes no module, one that is being written stays one', () => {
  const directory = moduleDirectory({ '.index.json': { pages: [] } });
  expect(readModuleState(directory, null)).toBeNull();
  writeFileSync(join(directory, '.index.json'), indexText({ status: 'executing' }));
  const known = readModuleState(directory, null);
  writeFileSync(join(directory, '.index.json'), '{"status": "exec');
  const torn = readModuleState(directory, known);
  expect(torn?.facts).toMatchObject({ status: null, problem: '.index.json is not valid JSON' });
});

it('MO3 a walk that meets a link, a file in place of a directory or nothing continues', async () => {
  const root = moduleDirectory();
  mkdirSync(join(root, 'a/b'), { recursive: true });
  writeFileSync(join(root, 'a/b/.target.md'), 'x');
  symlinkSync(root, join(root, 'a/circle'));
  const options = { ...WALK, home: null };
  const tree = new ModuleTree({ ...options, roots: [root, join(root, 'a'), '/nowhere'] });
  const go = () => false;
  expect(await tree.walk(go)).toEqual({ candidates: [join(root, 'a/b')], cut: false });
  rmSync(join(root, 'a/b'), { recursive: true });
  writeFileSync(join(root, 'a/b'), 'a file now');
  expect((await tree.walk(go)).candidates).toEqual([]);
  expect(await tree.childrenOf(join(root, 'nowhere'))).toEqual([]);
});

it('MO3 the home of the daemon is not entered', async () => {
  const root = moduleDirectory();
  const home = join(root, 'home');
  mkdirSync(join(home, 'demo'), { recursive: true });
  writeFileSync(join(home, 'demo/.target.md'), 'x');
  const options = { ...WALK, roots: [root] };
  expect((await new ModuleTree({ ...options, home }).walk(() => false)).candidates).toEqual([]);
  const all = await new ModuleTree({ ...options, home: null }).walk(() => false);
  expect(all.candidates).toEqual([join(home, 'demo')]);
});

it('MO6 ten thousand hints cause two readings: one soon, and one more', () => {
  const clock = new ManualClock();
  const read: { at: number; paths: string[] }[] = [];
  const due = new DueModules({
    clock,
    act: (paths) => void read.push({ at: clock.monotonic(), paths }),
  });
  for (let n = 0; n < 10_000; n += 1) due.hint('/srv/one');
  clock.advance(60_000);
  expect(read.map(({ at }) => at)).toEqual([200, 2_200]);
  // While hints arrive, it is read every two seconds.
  for (let n = 0; n < 100; n += 1) {
    due.hint('/srv/one');
    clock.advance(100);
  }
  expect(read.length).toBeLessThanOrEqual(2 + 7);
  expect(read.every(({ paths }) => paths.join() === '/srv/one')).toBe(true);
  const before = read.length;
  clock.advance(60_000);
  expect(read.length).toBeGreaterThan(before);
  due.dispose();
});

it('MO6 a directory too busy to watch is read at each poll until the next scan', () => {
  const clock = new ManualClock();
  let reads = 0;
  const due = new DueModules({ clock, act: () => void (reads += 1) });
  due.poll('/srv/one');
  due.pollNow();
  clock.advance(10_000);
  expect(reads).toBe(2);
  due.calm();
  due.pollNow();
  clock.advance(10_000);
  expect(reads).toBe(2);
});

it('MO6 changes of files alone are reported at once, then less and less often', () => {
  const pace = new EventPace();
  const due: number[] = [];
  for (let at = 0; at <= 120_000; at += 1_000) if (pace.waitMs('/srv/one', at) === 0) due.push(at);
  expect(due.slice(0, 6)).toEqual([0, 2_000, 6_000, 14_000, 30_000, 46_000]);
  expect(pace.waitMs('/srv/two', 500)).toBe(0);
  expect(pace.waitMs('/srv/one', 121_000)).toBeGreaterThan(0);
  pace.prune(1_000_000);
  expect(pace.waitMs('/srv/one', 1_000_000)).toBe(0);
  expect(pace.waitMs('/srv/one', 1_002_000)).toBe(0);
});

it('MO2 what could not be stored is news until it is, and a person is named once', () => {
  const written: EventDraft[] = [];
  let isFull = true;
  const published = new PublishedModules({
    newestOfKind: () => [],
    write: (act) => {
      if (isFull) throw new Error('full');
      return act((draft) => written.push(draft));
    },
  });
  expect(published.newsIn(FACTS)).toBe('state');
  expect(() => published.write([FACTS], [])).toThrow('full');
  expect(published.newsIn(FACTS)).toBe('state');
  isFull = false;
  published.write([FACTS], [], 'Mia');
  expect(published.newsIn(FACTS)).toBeNull();
  expect(published.newsIn({ ...FACTS, revision: 'b' })).toBe('files');
  expect(published.newsIn({ ...FACTS, completed_steps: 1 })).toBe('state');
  published.write([{ ...FACTS, revision: 'b' }], ['/srv/unknown']);
  published.write([], [FACTS.path]);
  expect(written.map(({ type, data }) => [type, 'author' in data ? data.author : null])).toEqual([
    ['module.appeared', 'Mia'],
    ['module.changed', null],
    ['module.removed', null],
  ]);
});

it('MO10 modules are watched before the directories they are in, and no large one', () => {
  const entries = (path: string) => (path === '/srv/big' ? 501 : 3);
  expect(watchedDirectories(['/srv/a/one', '/srv/a/two', '/srv/big/one'], entries)).toEqual([
    '/srv/a/one',
    '/srv/a/two',
    '/srv/big/one',
    '/srv/a',
  ]);
});
