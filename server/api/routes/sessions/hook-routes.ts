import { isAnySession } from '../../../agents/hooks/hook-capability.ts';
import type { HookReceiver } from '../../../attention/hook-receiver.ts';
import { AppError } from '../../../lib/app-error.ts';
import { linkSignals } from '../../../lib/link-signals.ts';
import type { Handlers } from '../../endpoint-handler.ts';

/** What agents report. A request stays open while a person thinks about the answer. */
export function hookRoutes({
  receiver,
  stopped,
}: {
  receiver: HookReceiver;
  stopped: AbortSignal;
}): Handlers<'receiveHook'> {
  return {
    receiveHook: async ({ body, run, request }) => {
      if (run === null)
        throw new AppError('role_too_low', 'the capability must belong to this run');
      using closed = linkSignals(request.signal, stopped);
      const decision = await Promise.race([
        isAnySession(run)
          ? receiver.receiveFound(pidIn(request), body, closed.signal)
          : receiver.receive(run.session, run.runId, body, closed.signal),
        endOf(closed.signal),
      ]);
      return { status: 200, body: { ...decision } };
    },
  };
}

/** Of the relay, where it names one. */
function pidIn({ headers }: Request): number | null {
  const text = headers.get('loopwatch-pid') ?? '';
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null;
}

/** Rejects when the request is closed; the hook then asks the next daemon. */
async function endOf(closed: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new AppError('shutting_down', 'the daemon is stopping; retry'));
    if (closed.aborted) stop();
    else closed.addEventListener('abort', stop, { once: true });
  });
}
