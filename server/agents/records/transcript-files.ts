/** Where a client keeps the transcripts of a conversation. */
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { markOf } from '../../lib/hostile-file.ts';

const CONVERSATION_ID = /^[A-Za-z0-9-]{1,64}$/;
/** The search stops after this many projects. */
const MAX_PROJECTS = 5_000;
/** Of one conversation; more are not read. */
const MAX_SUBAGENTS = 5_000;
const SUBAGENT_FILE = /^agent-[\w-]{1,100}\.jsonl$/;
/** Folders below the one of the subagents. */
const MAX_DEPTH = 2;

export class TranscriptFiles {
  readonly #projects: string;

  /** `environment` is that of the terminals. */
  constructor(environment: NodeJS.ProcessEnv) {
    const config = environment['CLAUDE_CONFIG_DIR'];
    this.#projects = join(config ?? join(environment['HOME'] ?? homedir(), '.claude'), 'projects');
  }

  /** Of the agent itself; null before its first turn. */
  find(conversation: string): string | null {
    if (!CONVERSATION_ID.test(conversation)) return null;
    try {
      const projects = readdirSync(this.#projects).slice(0, MAX_PROJECTS);
      const paths = projects.map((name) => join(this.#projects, name, `${conversation}.jsonl`));
      return paths.find((path) => markOf(path) !== null) ?? null;
    } catch {
      return null;
    }
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
