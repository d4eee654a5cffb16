/** One mail to one address. */
import { createTransport } from 'nodemailer';
import { systemCode } from '../../lib/app-error.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure, type Outcome, success } from './outcome.ts';
import type { PlainMessage } from '../deliveries/plain-message.ts';
import type { Service } from '../rules/rule.ts';
import { messageText } from './service-request.ts';

const TIMEOUT_MS = 30_000;
/** nodemailer has timers of its own, on the system's clock; ours is shorter. */
const LIBRARY_TIMEOUT_MS = 60_000;
const IMPLICIT_TLS_PORT = 465;
const SUBMISSION_PORT = 587;

type MailTarget = Extract<Service, { kind: 'email' }>;

interface SendOptions {
  clock: Clock;
  signal: AbortSignal;
}

/**
 * Never throws; aborting `signal` ends it at once. A password is sent only over TLS, or to this
 * machine.
 */
export async function sendMail(
  { server, user, from, to, secret }: MailTarget,
  message: PlainMessage,
  id: string,
  { clock, signal }: SendOptions,
): Promise<Outcome> {
  const { protocol, hostname, port } = new URL(server);
  const secure = protocol === 'smtps:';
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  const isLocal = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/.test(host);
  const transport = createTransport({
    host,
    port: port === '' ? (secure ? IMPLICIT_TLS_PORT : SUBMISSION_PORT) : Number(port),
    secure,
    requireTLS: user !== '' && !isLocal,
    ...(user === '' ? {} : { auth: { user, pass: secret } }),
    connectionTimeout: LIBRARY_TIMEOUT_MS,
    greetingTimeout: LIBRARY_TIMEOUT_MS,
    socketTimeout: LIBRARY_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return new Promise((resolve) => {
    const end = (outcome: Outcome) => {
      timer.cancel();
      signal.removeEventListener('abort', abort);
      transport.close();
      resolve(outcome);
    };
    const abort = () => end(failure('the daemon stopped'));
    const timer = clock.after(TIMEOUT_MS, () =>
      end(failure(`no answer within ${TIMEOUT_MS / 1000} s`)),
    );
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) return abort();
    transport
      .sendMail({
        from,
        to,
        subject: message.title,
        text: messageText(message),
        // The same for every attempt, so that a mailbox shows a repeat once.
        messageId: `<${id}@loopwatch>`,
        date: new Date(clock.now()),
        headers: { 'auto-submitted': 'auto-generated' },
      })
      .then(
        ({ response }) => end(success(statusOf(response) ?? 250, response)),
        (error: unknown) => end(refusal(error)),
      );
  });
}

/** Says what the server answered as a code only: its words can quote what we sent. */
function refusal(error: unknown): Outcome {
  const { responseCode, response } = error as { responseCode?: unknown; response?: unknown };
  const output = typeof response === 'string' ? response : null;
  if (typeof responseCode !== 'number') {
    return failure(`no connection (${systemCode(error) ?? 'unknown cause'})`, { output });
  }
  return failure(`the mail server answered ${responseCode}`, { status: responseCode, output });
}

function statusOf(response: string): number | null {
  const [code] = /^\d{3}/.exec(response) ?? [];
  return code === undefined ? null : Number(code);
}
