/** Sends one message to one target of any kind. */
import { messageOf, systemCode } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { failure, type Message, type Outcome } from './outcome.ts';
import { postWebhook } from './post-webhook.ts';
import type { Target } from './rule.ts';
import { runCommand } from './run-command.ts';

export interface SenderOptions {
  clock: Clock;
  /** The part of the daemon's environment that a command gets. */
  environment: NodeJS.ProcessEnv;
  /** The daemon's version, sent to webhooks. */
  version: string;
}

export class AlertSender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Never throws; aborting `signal` ends the attempt at once. */
  async send(target: Target, message: Message, signal: AbortSignal): Promise<Outcome> {
    const { clock, environment, version } = this.#options;
    try {
      if (target.kind === 'command') {
        return await runCommand(target.argv, message, { clock, environment, signal });
      }
      const userAgent = `loopwatch/${version}`;
      return await postWebhook(target, message, { clock, userAgent, signal });
    } catch (error) {
      return failure(`cannot send it (${systemCode(error) ?? messageOf(error)})`);
    }
  }
}
