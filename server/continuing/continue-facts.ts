/** What decides whether a found session can be continued, as it is now. */
import type { FoundClient } from '../../shared/schema/agents/found.ts';
import { placeText } from '../../shared/words/sessions/found-text.ts';
import { configDirectory } from '../agents/records/config-directories.ts';
import { CONVERSATION_ID, TranscriptFiles } from '../agents/records/transcript-files.ts';
import type { BackgroundClient } from '../found/background-client.ts';
import type { ListedSession } from '../found/listed-session.ts';
import { liveClients } from '../found/live-clients.ts';
import { isSameProcess } from '../lib/processes/process-identity.ts';
import { isBelow, realDirectory } from '../lib/files/real-directory.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { AgentMonitor } from '../sessions/watching/agent-monitor.ts';
import type { ContinueFacts } from './decide-continuation.ts';

/** A found session that runs, or one that has ended. */
export interface Original {
  client: FoundClient;
  conversation: string | null;
  cwd: string;
  live: ListedSession | null;
}

interface ReaderOptions {
  background: Pick<BackgroundClient, 'unavailable'>;
  sessions: Pick<Sessions, 'openNames'>;
  monitor: Pick<AgentMonitor, 'program' | 'agent'>;
  roots: readonly string[];
  /** Of the terminals. */
  environment: NodeJS.ProcessEnv;
}

export class ContinueFactsReader {
  readonly #options: ReaderOptions;
  readonly #transcripts: TranscriptFiles;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#transcripts = new TranscriptFiles(options.environment);
  }

  /** `opened`: the session that was opened for its conversation, null without one. */
  async read(original: Original, opened: string | null): Promise<ContinueFacts> {
    const { client, conversation, cwd, live } = original;
    const isSafe = conversation !== null && CONVERSATION_ID.test(conversation);
    const isInBackground = live?.view().place === 'background';
    return {
      client,
      conversation: isSafe ? conversation : null,
      cwd,
      live: live && {
        agent: live.state,
        where: placeText(live.view()),
        isInBackground,
        job: live.job,
      },
      holder: isSafe ? await this.#holder(conversation, live, opened) : null,
      transcript: isSafe ? this.#transcriptOf(conversation) : 'missing',
      directory: this.#directory(cwd),
      noBackground: isInBackground ? await this.#options.background.unavailable() : null,
    };
  }

  async #holder(
    conversation: string,
    live: ListedSession | null,
    opened: string | null,
  ): Promise<ContinueFacts['holder']> {
    const { sessions, monitor, environment } = this.#options;
    const clients = await liveClients(environment);
    const holder = clients.find((client) => {
      const isIt = live !== null && isSameProcess(client.identity, live.identity);
      return client.conversation === conversation && !isIt;
    });
    if (holder === undefined) {
      // A client keeps no record in its first moments.
      const isOpen = opened !== null && monitor.agent(opened)?.state !== 'exited';
      return isOpen ? { pid: 0, session: opened } : null;
    }
    const { pid } = holder.identity;
    const isIn = (name: string) => monitor.program(name)?.program.pid === pid;
    return { pid, session: sessions.openNames().find(isIn) ?? null };
  }

  #transcriptOf(conversation: string): ContinueFacts['transcript'] {
    const path = this.#transcripts.find(conversation);
    if (path === null) return 'missing';
    if (path.startsWith(`${configDirectory(this.#options.environment)}/`)) return 'here';
    return { elsewhere: path.replace(/\/projects\/.*$/, '') };
  }

  #directory(cwd: string): ContinueFacts['directory'] {
    const directory = realDirectory(cwd);
    if (directory === null) return 'gone';
    return isBelow(directory.path, this.#options.roots) ? 'there' : 'outside_roots';
  }
}
