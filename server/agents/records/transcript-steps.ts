/**
 * The calls of one conversation, read from its transcript by place: the newest, what is before a place,
 * what was appended after one. Keeps nothing between two questions, so it costs nothing without them.
 */
import type {
  ActivityQuery,
  SessionActivity,
} from '../../../shared/schema/agents/session-activity.ts';
import {
  type FilePosition,
  placeBefore,
  readAppendedLines,
} from '../../lib/files/appended-lines.ts';
import { parseStepLine, type StepFacts } from './step-line.ts';
import { subagentTranscript } from './subagent-transcript.ts';
import type { TranscriptFiles } from './transcript-files.ts';

/** Read at once. */
const CHUNK_BYTES = 256 * 1024;
/** Of one answer: results of tools can be long, and nothing of them is shown. */
const MAX_CHUNKS = 4;
/** With so many steps an answer needs no further chunk. */
const ENOUGH_STEPS = 40;

type Found = Omit<SessionActivity, 'conversation'>;

/** Of a conversation that cannot be read. */
export const NO_STEPS = { is_continued: true, steps: [], results: [], older: null, newer: null };

export class TranscriptSteps {
  readonly #files: Pick<TranscriptFiles, 'find'>;

  constructor(files: Pick<TranscriptFiles, 'find'>) {
    this.#files = files;
  }

  /** Of the conversation of an agent, if it is known. */
  activity(conversation: string | null, query: ActivityQuery): SessionActivity {
    if (conversation === null) return { ...NO_STEPS, conversation, status: 'no_conversation' };
    return { ...this.read(conversation, query), conversation };
  }

  read(conversation: string, { before, after, subagent }: ActivityQuery): Found {
    const own = this.#files.find(conversation);
    const isOwn = own === null || subagent === undefined;
    const path = isOwn ? own : subagentTranscript(own, subagent);
    const end = path === null ? null : placeBefore(path, 0);
    const asked = before ?? after;
    if (path === null || end === null) {
      return { ...NO_STEPS, status: asked === undefined ? 'no_transcript' : 'gone' };
    }
    const place = asked === undefined ? null : placeOf(asked);
    if (place?.identity !== end.identity || place.offset > end.offset) {
      return { ...newestBefore(path, end), is_continued: asked === undefined, status: 'shown' };
    }
    const found = before === undefined ? appendedTo(path, place) : newestBefore(path, place);
    return { ...found, is_continued: true, status: 'shown' };
  }
}

/** `newer` stays behind a line that is still being written. */
function newestBefore(path: string, { identity, offset }: FilePosition): Omit<Found, 'status'> {
  const facts: StepFacts = { steps: [], results: [] };
  let start = offset;
  let newer: string | null = null;
  for (let chunk = 0; chunk < MAX_CHUNKS && start > 0; chunk += 1) {
    const from = placeBefore(path, CHUNK_BYTES, start);
    if (from?.identity !== identity) break;
    const read = readAppendedLines(path, from, start - from.offset);
    if (read === null) break;
    newer ??= textOf(read.lines.length > 0 || from.offset === 0 ? read.place : cutAt(from, start));
    const earlier = factsOf(read.lines);
    facts.steps.unshift(...earlier.steps);
    facts.results.unshift(...earlier.results);
    // A line that is longer than a chunk has no beginning in it.
    start = read.lines.length === 0 ? from.offset : read.start;
    if (facts.steps.length >= ENOUGH_STEPS) break;
  }
  const place = { identity, offset: start, isInside: false };
  const older = start > 0 ? textOf(place) : null;
  return { is_continued: true, ...facts, older, newer: newer ?? textOf({ ...place, offset }) };
}

function appendedTo(path: string, from: FilePosition): Omit<Found, 'status'> {
  const facts: StepFacts = { steps: [], results: [] };
  let place = from;
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk += 1) {
    const read = readAppendedLines(path, place, CHUNK_BYTES);
    if (read === null) break;
    // It was rewritten meanwhile: reading began at its start again.
    if (read.place.identity !== from.identity || read.place.offset < place.offset) break;
    place = read.place;
    const later = factsOf(read.lines);
    facts.steps.push(...later.steps);
    facts.results.push(...later.results);
    if (read.isEnd) break;
  }
  return { is_continued: true, ...facts, older: null, newer: textOf(place) };
}

/** A line reaches over it. */
function cutAt(place: FilePosition, offset: number): FilePosition {
  return { ...place, offset, isInside: true };
}

function factsOf(lines: readonly string[]): StepFacts {
  const found = lines.flatMap((line) => parseStepLine(line) ?? []);
  return {
    steps: found.flatMap(({ steps }) => steps),
    results: found.flatMap(({ results }) => results),
  };
}

function textOf({ identity, offset, isInside }: FilePosition): string {
  return `${identity}@${offset}${isInside ? '+' : ''}`;
}

function placeOf(text: string): FilePosition {
  const [identity = '', offset = ''] = text.replace('+', '').split('@');
  return { identity, offset: Number(offset), isInside: text.endsWith('+') };
}
