/**
 * The plan of a run on disk, where a person may edit it and the agent ticks its items. It has a
 * directory of its own, because the agent gets access to it and to nothing else of the session.
 */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openSession, sessionDirectory } from '../checkpoints/session-directory.ts';
import { writeFileAtomic } from '../lib/files/atomic-file.ts';
import { readHostileFile } from '../lib/files/hostile-file.ts';

const PLAN_FILE = 'plan.md';
const AGENT_FILE = 'plan.agent.md';
const MAX_PLAN_BYTES = 1024 * 1024;

export function planDirectory(home: string, id: string): string {
  return join(sessionDirectory(home, id), 'plan');
}

export function planPath(home: string, id: string): string {
  return join(planDirectory(home, id), PLAN_FILE);
}

/** Both versions, the agent's last: once it is there, both are. Throws the system's error. */
export function writePlan(home: string, id: string, plan: string, agentPlan: string): void {
  openSession(home, id);
  const directory = planDirectory(home, id);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileAtomic(directory, PLAN_FILE, plan, 0o600);
  writeFileAtomic(directory, AGENT_FILE, agentPlan, 0o600);
}

/** Null where it is absent, no plain file, or too large: anyone may have put it there. */
export function readPlan(home: string, id: string): string | null {
  return textOf(planPath(home, id));
}

/** The agent's version that the file of the plan began as; null as `readPlan`. */
export function readAgentPlan(home: string, id: string): string | null {
  return textOf(join(planDirectory(home, id), AGENT_FILE));
}

function textOf(path: string): string | null {
  const file = readHostileFile(path, MAX_PLAN_BYTES);
  return file.kind === 'text' ? file.text : null;
}

/** Names one version of the text. */
export function planHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
