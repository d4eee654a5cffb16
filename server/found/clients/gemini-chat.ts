/** The files in which Gemini CLI keeps the chats of a project, and how they are known. */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readAppendedLines } from '../../lib/files/appended-lines.ts';
import { readHostileFile } from '../../lib/files/hostile-file.ts';
import { parseJson } from '../../lib/parse-json.ts';

export interface GeminiChat {
  path: string;
  conversation: string;
}

const FILE = /^session-[\dT-]{10,20}-[\w-]{1,8}\.jsonl?$/;
const SHORT_NAME = /^[a-z0-9-]{1,255}$/;
const MAX_REGISTRY = 1024 * 1024;
const MAX_ROOT = 4096;
/** Of a chat, from its beginning. */
const MAX_HEAD = 16 * 1024;
/** Of one project; more are not read. */
const MAX_CHATS = 2_000;
/** The start of a process is exact to a second. */
const TOLERANCE_MS = 1_500;

const Registry = z.object({ projects: z.record(z.string(), z.string().regex(SHORT_NAME)) });

const Head = z.object({
  sessionId: z.string().regex(/^[\w-]{1,64}$/),
  projectHash: z.string(),
  kind: z.unknown().optional(),
});
type ChatHead = z.infer<typeof Head>;

/**
 * Where the chats of a project are; `base`: the client's own directory. Newer versions name it in a
 * registry, older ones by the hash of the project's path. Null without one.
 */
export function chatsOf(base: string, project: string): string | null {
  const registry = readHostileFile(join(base, 'projects.json'), MAX_REGISTRY);
  const { data } = Registry.safeParse(registry.kind === 'text' ? parseJson(registry.text) : null);
  const name =
    data !== undefined && Object.hasOwn(data.projects, project)
      ? data.projects[project]
      : undefined;
  if (name === undefined) return join(base, 'tmp', hashOf(project), 'chats');
  const root = readHostileFile(join(base, 'tmp', name, '.project_root'), MAX_ROOT);
  const isIts = root.kind === 'text' && root.text.trim() === project;
  return isIts ? join(base, 'tmp', name, 'chats') : null;
}

/** The chat of that project that was written last, and after the process started; null without one. */
export function newestChat(directory: string, project: string, startMs: number): GeminiChat | null {
  const written = namesIn(directory)
    .map((name) => join(directory, name))
    .map((path) => ({ path, atMs: writtenAtMs(path) }))
    .filter(({ atMs }) => atMs >= startMs - TOLERANCE_MS)
    .sort((one, other) => other.atMs - one.atMs);
  for (const { path } of written) {
    const head = readHead(path);
    if (head?.projectHash === hashOf(project) && head.kind !== 'subagent') {
      return { path, conversation: head.sessionId };
    }
  }
  return null;
}

function namesIn(directory: string): string[] {
  try {
    // A link in place of the directory leads out of it.
    if (!lstatSync(directory).isDirectory()) return [];
    return readdirSync(directory)
      .filter((name) => FILE.test(name))
      .sort()
      .slice(-MAX_CHATS);
  } catch {
    return [];
  }
}

function writtenAtMs(path: string): number {
  try {
    return lstatSync(path).mtimeMs;
  } catch {
    return -Infinity;
  }
}

function readHead(path: string): ChatHead | null {
  return parseChatHead(readAppendedLines(path, null, MAX_HEAD)?.lines ?? []);
}

/**
 * `lines`: the first ones. Newer versions write lines, the first of which says whose they are; older
 * ones one object in several lines, whose messages come last.
 */
export function parseChatHead(lines: readonly string[]): ChatHead | null {
  const [first = ''] = lines;
  if (first !== '{') return Head.safeParse(parseJson(first)).data ?? null;
  const messages = lines.findIndex((line) => line.startsWith('  "messages":'));
  const fields = lines.slice(0, messages).join('').replace(/,\s*$/, '');
  return messages === -1 ? null : (Head.safeParse(parseJson(`${fields}}`)).data ?? null);
}

function hashOf(project: string): string {
  return createHash('sha256').update(project).digest('hex');
}
