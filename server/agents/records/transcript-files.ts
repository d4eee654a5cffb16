/** Where a client keeps the transcripts of a conversation. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { markOf } from '../../lib/files/hostile-file.ts';
import { configDirectories } from './config-directories.ts';

/** Also safe to type: inert in any shell, and no option. */
export const CONVERSATION_ID = /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/;
/** The search stops after this many projects. */
const MAX_PROJECTS = 5_000;
/** Of one conversation; more are not read. */
const MAX_SUBAGENTS = 5_000;
const SUBAGENT_FILE = /^agent-[\w-]{1,100}\.jsonl$/;
/** Folders below the one of the subagents. */
const MAX_DEPTH = 2;

export class TranscriptFiles {
  readonly #directories: readonly string[];

  /** `environment` is that of the terminals. */
  constructor(environment: NodeJS.ProcessEnv) {
    this.#directories = configDirectories(environment).map((path) => join(path, 'projects'));
  }

  /** Of the agent itself; null before its first turn. */
  find(conversation: string): string | null {
    if (!CONVERSATION_ID.test(conversation)) return null;
    const file = `${conversation}.jsonl`;
    for (const directory of this.#directories) {
      const paths = namesIn(directory).map((name) => join(directory, name, file));
      const path = paths.find((each) => markOf(each) !== null);
      if (path !== undefined) return path;
    }
    return null;
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).slice(0, MAX_PROJECTS);
  } catch {
    return [];
  }
}

/** Those of the subagents of a conversation, by the path of its own. */
export function subagentTranscripts(transcript: string): string[] {
  const folder = join(transcript.replace(/\.jsonl$/, ''), 'subagents');
  return filesIn(folder, MAX_DEPTH).slice(0, MAX_SUBAGENTS);
}

function filesIn(folder: string, depth: number): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .slice(0, MAX_SUBAGENTS)
      .flatMap((entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return depth === 0 ? [] : filesIn(path, depth - 1);
        return SUBAGENT_FILE.test(entry.name) ? [path] : [];
      });
  } catch {
    return [];
  }
}
