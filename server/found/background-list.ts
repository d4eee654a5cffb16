/** What `claude agents --json --all` lists: the sessions in the background, running and ended. */
import { z } from 'zod';
import { isAbsolute } from 'node:path';
import { CONVERSATION_ID } from '../agents/records/transcript-files.ts';
import { JOB_ID } from '../agents/records/status-record.ts';
import { parseJson } from '../lib/parse-json.ts';

export interface BackgroundJob {
  id: string;
  conversation: string | null;
  cwd: string;
  name: string | null;
  state: string;
  startedAtMs: number | null;
  isRunning: boolean;
}

const MAX_JOBS = 2_000;
const MAX_NAME = 200;
const MAX_STATE = 40;
const MAX_INSTANT = 8.64e15;

const Job = z.object({
  id: z.string().regex(JOB_ID),
  kind: z.literal('background'),
  cwd: z.string().max(4096).refine(isAbsolute),
  sessionId: z.string().regex(CONVERSATION_ID).nullish().catch(null),
  name: z.string().nullish().catch(null),
  state: z.string().nullish().catch(null),
  startedAt: z.number().nonnegative().max(MAX_INSTANT).nullish().catch(null),
  pid: z.int().nullish().catch(null),
});

/** Leaves out what is no background session; null for anything but a list. */
export function parseBackgroundList(text: string): BackgroundJob[] | null {
  const json = parseJson(text);
  if (!Array.isArray(json)) return null;
  return json.slice(0, MAX_JOBS).flatMap((entry: unknown) => {
    const { success, data: job } = Job.safeParse(entry);
    if (!success) return [];
    return {
      id: job.id,
      conversation: job.sessionId ?? null,
      cwd: job.cwd,
      name: job.name?.slice(0, MAX_NAME) ?? null,
      state: (job.state ?? 'ended').slice(0, MAX_STATE),
      startedAtMs: job.startedAt ?? null,
      isRunning: typeof job.pid === 'number',
    };
  });
}
