/** Sends one message to one target of any kind. */
import { messageOf, systemCode } from '../../lib/app-error.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure, type Message, type Outcome } from './outcome.ts';
import { type Links, plainMessage } from '../deliveries/plain-message.ts';
import type { Target } from '../rules/rule.ts';
import { runCommand } from './run-command.ts';
import { sendRequest } from './send-request.ts';
import { type HttpRequest, type HttpService, serviceRequest } from './service-request.ts';
import { signWebhook } from './sign-webhook.ts';
import { HIDDEN } from './target-from.ts';

export interface SenderOptions {
  clock: Clock;
  /** The part of the daemon's environment that a command gets. */
  environment: NodeJS.ProcessEnv;
  /** The daemon's version, sent to webhooks. */
  version: string;
  /** To the browsers of a target of kind push. */
  push: (to: string, message: Message, links: Links, signal: AbortSignal) => Promise<Outcome>;
}

export class AlertSender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Never throws; aborting `signal` ends the attempt at once. */
  async send(
    target: Target,
    message: Message,
    links: Links,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { clock, environment, push } = this.#options;
    try {
      if (target.kind === 'command') {
        return await runCommand(target.argv, message, { clock, environment, signal });
      }
      if (target.kind === 'push') return await push(target.to, message, links, signal);
      const { secret } = target;
      const outcome = await this.#deliver(target, message, links, signal);
      return { ...outcome, output: withoutSecret(outcome.output, secret) };
    } catch (error) {
      return failure(`cannot send it (${systemCode(error) ?? messageOf(error)})`);
    }
  }

  async #deliver(
    target: HttpService | Extract<Target, { kind: 'webhook' | 'email' }>,
    message: Message,
    links: Links,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { clock, version } = this.#options;
    if (target.kind === 'email') {
      // Loaded with the first mail: its library is large, and most daemons never send one.
      const { sendMail } = await import('./send-mail.ts');
      return sendMail(target, plainMessage(message.body, links), message.id, { clock, signal });
    }
    const userAgent = `loopwatch/${version}`;
    const request = httpRequest(target, message, links, clock.now());
    return sendRequest(request, { clock, userAgent, signal });
  }
}

/** `nowMs`: the time of this attempt. */
export function httpRequest(
  target: HttpService | Extract<Target, { kind: 'webhook' }>,
  message: Pick<Message, 'id' | 'body'>,
  links: Links,
  nowMs: number,
): HttpRequest {
  if (target.kind !== 'webhook') {
    return serviceRequest(target, plainMessage(message.body, links), message.id);
  }
  const signature = signWebhook(target.secret, message, nowMs);
  const headers = { 'content-type': 'application/json', ...signature };
  return { method: 'POST', url: target.url, headers, body: message.body };
}

/** A receiver may quote what it got: of a webhook URL, also only its path. */
function withoutSecret(output: string | null, secret: string): string | null {
  if (output === null || secret === '') return output;
  const parts = URL.canParse(secret) ? [secret, new URL(secret).pathname] : [secret];
  return parts.reduce((text, part) => text.replaceAll(part, HIDDEN), output);
}
