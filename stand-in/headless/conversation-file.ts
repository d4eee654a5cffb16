/** What the stand-in remembers of a conversation, one file each. */
import { mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { writeAtomically } from '../files/write-atomically.ts';

const Conversation = z.object({
  session_id: z.string(),
  /** Turns that began. */
  turns: z.int(),
  first_message: z.string(),
  /** Of all turns. */
  cost_usd: z.number(),
});
export type Conversation = z.infer<typeof Conversation>;

const DIRECTORY = 'stand-in-conversations';

/** The directory of everything a client keeps. */
export function clientHome(environment: NodeJS.ProcessEnv): string {
  return environment.CLAUDE_CONFIG_DIR || path.join(homedir(), '.claude');
}

/** Null unless the id is a UUID of a kept conversation. */
export function readConversation(home: string, sessionId: string): Conversation | null {
  try {
    const file = path.join(home, DIRECTORY, `${sessionId}.json`);
    return Conversation.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

/** Replaces what was kept of it. */
export function keepConversation(home: string, conversation: Conversation): void {
  const directory = path.join(home, DIRECTORY);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = path.join(directory, `${conversation.session_id}.json`);
  writeAtomically(file, JSON.stringify(conversation), `${file}.${process.pid}.tmp`);
}
