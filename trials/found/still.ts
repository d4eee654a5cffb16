/** What of the user's sessions must not change: files, tmux, terminals, screens. */
import { setTimeout as pause } from 'node:timers/promises';
import { differences, fileFacts } from './file-facts.ts';
import type { FoundStage } from './found-stage.ts';

/** Clients still write a moment after their turn. */
const QUIET_MS = 5_000;
const MOST_TRIES = 6;

export type Facts = Map<string, string>;

export async function factsOf(stage: FoundStage): Promise<Facts> {
  const parts = await Promise.all([
    stage.tmux.facts(),
    ...stage.sessions.map(async (session) => session.facts()),
  ]);
  const facts: Facts = new Map(parts.flatMap((part) => [...part]));
  for (const [path, fact] of fileFacts(stage.user, stage.work)) facts.set(path, fact);
  return facts;
}

/**
 * Waits until nothing changes by itself. `unsteady`: what still does, which proves nothing of the
 * daemon.
 */
export async function quietFacts(
  stage: FoundStage,
): Promise<{ facts: Facts; unsteady: ReadonlySet<string> }> {
  let before = await factsOf(stage);
  let changed: string[] = [];
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    await pause(QUIET_MS);
    const now = await factsOf(stage);
    changed = differences(before, now);
    before = now;
    if (changed.length === 0) break;
  }
  return { facts: before, unsteady: new Set(changed) };
}
