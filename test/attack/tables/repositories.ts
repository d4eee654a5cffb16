/** Repositories that name programs, lead elsewhere, or contain what git reads without end. */
import { readdirSync } from 'node:fs';
import { expect } from 'vitest';
import type { Attack, Table, Target } from '../attack.ts';
import { arm, asPerson, liveThrough, type Plant, type Repositories } from '../repository.ts';
import { LEFT, PLACES } from './repository-places.ts';
import { PROGRAMS, setting } from './repository-programs.ts';

export const openRepositories = (target: Target): Promise<Repositories> =>
  Promise.resolve(Object.assign(target, { made: 0 }));

const nothing = () => undefined;

/** Unhardened git springs the trap, which proves that the traps of the rows work. */
function spring(scene: Repositories) {
  const [, plant] = setting('core', 'fsmonitor', 'fsmonitor');
  const { repository, traces } = arm(scene, plant);
  asPerson(repository, ['status']);
  return { ran: readdirSync(traces), isMade: true, odd: [], isLeaked: false };
}

const rowsOf = (
  rule: string,
  name: (what: string) => string,
  rows: [string, Plant, (path: string) => void][],
  isMade: unknown,
): Attack<Repositories>[] =>
  rows.map(([what, plant, spoil]) => ({
    rule,
    name: name(what),
    attack: async (scene) => liveThrough(scene, plant, spoil),
    holds: { ran: [], isMade, odd: [], isLeaked: false },
  }));

export const REPOSITORY_TABLE: Table<Repositories> = {
  title: 'repositories',
  twin: spring,
  passes: { ran: ['fsmonitor'], isMade: true, odd: [], isLeaked: false },
  rows: [
    ...rowsOf(
      'WT15',
      (what) => `a repository that names ${what} has a task, and nothing of it is run`,
      PROGRAMS.map(([what, plant]) => [what, plant, nothing]),
      true,
    ),
    ...rowsOf(
      'WT20',
      (what) => `a repository with ${what} is worked in or refused, and holds up nothing`,
      PLACES.map(([what, plant]) => [what, plant, nothing]),
      expect.any(Boolean),
    ),
    ...rowsOf(
      'WT20',
      (what) => `a worktree with ${what} is looked at, and holds up nothing`,
      LEFT.map(([what, spoil]) => [what, nothing, spoil]),
      true,
    ),
  ],
};
