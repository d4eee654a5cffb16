/** Reads the transcripts of one conversation: what was appended since the last time, once. */
import { subagentTranscripts, type TranscriptFiles } from '../agents/records/transcript-files.ts';
import { type MessageUsage, parseUsageLine } from '../agents/records/usage-line.ts';
import type { Database } from '../db/database.ts';
import { readAppendedLines } from '../lib/files/appended-lines.ts';
import { markOf } from '../lib/files/hostile-file.ts';
import type { ConversationStore, FollowedConversation } from './conversation-store.ts';
import type { LedgerWriter } from './ledger-writer.ts';

export interface ReaderOptions {
  database: Database;
  conversations: ConversationStore;
  writer: LedgerWriter;
  files: TranscriptFiles;
  /** Read in one step; a longer line is skipped. */
  chunkBytes?: number | undefined;
}

export class ConversationReader {
  readonly #options: ReaderOptions;
  /** By conversation and path: files as they were when they were last read to their end. */
  readonly #marks = new Map<string, Map<string, string>>();

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /**
   * Reads on to the end, a bounded part in each step; each is one transaction. Files that did not
   * change are not opened.
   */
  *steps(id: string): Generator<void, void> {
    const { files } = this.#options;
    const transcript = files.find(id);
    const paths = transcript === null ? [] : [transcript, ...subagentTranscripts(transcript)];
    const marks = this.#marks.get(id) ?? new Map<string, string>();
    this.#marks.set(id, marks);
    for (const path of paths) {
      const mark = markOf(path);
      if (mark === null || mark === marks.get(path)) continue;
      while (!this.#readPart(id, path)) yield;
      marks.set(path, mark);
      yield;
    }
  }

  /** Of a conversation that is not read any more. */
  forget(id: string): void {
    this.#marks.delete(id);
  }

  /** True at the end of the file. */
  #readPart(id: string, path: string): boolean {
    const { database, conversations, chunkBytes } = this.#options;
    return database.transaction(() => {
      // Each time: a turn may have begun in between.
      const conversation = conversations.get(id);
      if (conversation === null || !isRead(conversation)) return true;
      const from = conversations.place(path);
      const read = readAppendedLines(path, from, chunkBytes);
      if (read === null) return true;
      for (const line of read.lines) {
        const message = parseUsageLine(line);
        if (message !== null) this.#take(message, conversation);
      }
      const { place } = read;
      const isSame = from?.identity === place.identity && from.offset === place.offset;
      if (!isSame) conversations.savePlace(path, place);
      return read.isEnd;
    });
  }

  #take(message: MessageUsage, { work, sinceMs, reading }: FollowedConversation): void {
    const { writer } = this.#options;
    // A person may have continued the conversation of a turn in a terminal.
    if (reading === 'covered' && message.entry !== 'terminal') writer.claimMessage(message, work);
    else if (message.atMs === null || message.atMs >= sinceMs) writer.addMessage(message, work);
  }
}

export function isRead({ reading }: FollowedConversation): boolean {
  return reading !== 'held' && reading !== 'closed';
}
