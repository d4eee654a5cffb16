import { AppError } from '../lib/app-error.ts';
import type { ControlClient } from './control-client.ts';
import type { ControlClients } from './control-clients.ts';
import type { TapListener, TerminalIdentity, TerminalTap } from './terminal.ts';
import { parseScreen, pressCommand, screenCommands } from './tmux-commands.ts';

/** Bytes pressed by one command: four characters each, far below tmux's line limit. */
const PRESS_BYTES = 512;

/** Throws `terminal_failed`. */
export async function tapTmux(
  clients: ControlClients,
  name: string,
  identity: TerminalIdentity,
  listener: TapListener,
): Promise<TerminalTap> {
  const { client, line, leave } = await clients.join(name, identity, listener);
  return {
    snapshot: async () =>
      new Promise((resolve, reject) => {
        const atAnswer = (text: string) => {
          const { pen } = client;
          line.answer(() => {
            try {
              resolve({ ...parseScreen(text), pen });
            } catch (error) {
              reject(
                error instanceof AppError ? error : new AppError('terminal_failed', String(error)),
              );
            }
          });
        };
        client.ask(screenCommands(identity), atAnswer).catch(reject);
      }),
    write: (bytes) => press(client, identity, bytes),
    close: leave,
  };
}

function press(client: ControlClient, identity: TerminalIdentity, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length; from += PRESS_BYTES) {
    const command = pressCommand(identity, bytes.subarray(from, from + PRESS_BYTES));
    // Refused means another terminal, a failure a dead client: both are reported as the end.
    client.ask([command]).catch(() => undefined);
  }
}
