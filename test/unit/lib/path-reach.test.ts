import { mkdirSync, mkdtempSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PathReach } from '../../../server/lib/files/path-reach.ts';
import { identityOf } from '../../../server/lib/files/real-directory.ts';
import { turn } from '../../support/browser/ask-in.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';

const TICK_MS = 2_000;
const DISK = 1;
const SHARE = 2;

let home: string;
let paths: string[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'reach-'));
  paths = ['one', 'two', 'three'].map((name) => join(home, name));
  for (const path of paths) mkdirSync(path);
});
afterEach(() => rmSync(home, { recursive: true }));

/** A machine whose file systems answer until one of them hangs. */
function machine(deviceOf: (path: string) => number) {
  const clock = new ManualClock();
  const asked: string[] = [];
  const hung = new Set<number>();
  const reach = new PathReach(clock, async (path) => {
    asked.push(path);
    const dev = deviceOf(path);
    return hung.has(dev) ? new Promise(() => undefined) : Promise.resolve({ dev });
  });
  /** A tick in which all paths are wanted; which of them were reached. */
  const tick = async <Found>(want: (path: string) => Promise<Found>) => {
    asked.length = 0;
    clock.advance(TICK_MS);
    const found: (Found | 'hangs')[] = paths.map(() => 'hangs');
    for (const [index, path] of paths.entries()) {
      void want(path).then((each) => (found[index] = each));
    }
    for (let left = 10; left > 0; left -= 1) {
      await turn();
      clock.advance(1);
    }
    return found;
  };
  const reached = async () => tick(async (path) => reach.wait(path).then(() => 'reached'));
  return {
    asked,
    hung,
    reached,
    identities: async () => tick(async (path) => reach.identity(path)),
  };
}

test('UL10 paths on the same file systems share one question in each tick', async () => {
  const { asked, reached } = machine(() => DISK);
  await reached();
  for (let round = 0; round < 3; round += 1) {
    expect(await reached()).toEqual(['reached', 'reached', 'reached']);
    expect(asked).toHaveLength(1);
  }
});

test('UL10 while a file system hangs only the paths on it wait', async () => {
  const { hung, reached } = machine((path) => (path.endsWith('two') ? SHARE : DISK));
  await reached();
  hung.add(SHARE);
  expect(await reached()).toEqual(['reached', 'hangs', 'reached']);
});

test('UL10 a file system that hangs above a path holds it too', async () => {
  const { hung, reached } = machine((path) => (path === home ? SHARE : DISK));
  await reached();
  hung.add(DISK);
  expect(await reached()).toEqual(['hangs', 'hangs', 'hangs']);
});

test('UL10 a directory that is gone and one that is new are seen in the next tick', async () => {
  const { identities } = machine((path) => statSync(path).dev);
  const [one = ''] = paths;
  expect(await identities()).toEqual(paths.map(identityOf));
  rmdirSync(one);
  expect((await identities())[0]).toBeNull();
  mkdirSync(one);
  expect((await identities())[0]).toBe(identityOf(one));
});

test('UL10 where something was mounted the way is found out again', async () => {
  let isMounted = false;
  // The device that the system says next is another one than that of the first answers.
  const { asked, identities } = machine((path) => (isMounted ? statSync(path).dev : SHARE));
  await identities();
  isMounted = true;
  await identities();
  expect(asked).toEqual(expect.arrayContaining(paths));
  await identities();
  expect(asked).toHaveLength(1);
});
