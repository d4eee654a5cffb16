/**
 * Which transcript of its own a subagent has. Its client writes next to each which call started it;
 * the id of a call never becomes part of a path.
 */
import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { readHostileFile } from '../../lib/files/hostile-file.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { subagentTranscripts } from './transcript-files.ts';

const MAX_META_BYTES = 64 * 1024;
const Meta = z.object({ toolUseId: z.string() });

/** Of the one that a call started, in the conversation with that transcript; null without one. */
export function subagentTranscript(transcript: string, call: string): string | null {
  if (!isFolder(transcript.replace(/\.jsonl$/, ''))) return null;
  const path = subagentTranscripts(transcript).find((each) => callOf(each) === call);
  return path !== undefined && isFolder(dirname(path)) ? path : null;
}

function callOf(path: string): string | null {
  const file = readHostileFile(path.replace(/\.jsonl$/, '.meta.json'), MAX_META_BYTES);
  if (file.kind !== 'text') return null;
  return Meta.safeParse(parseJson(file.text)).data?.toolUseId ?? null;
}

/** Not a link to one. */
function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
