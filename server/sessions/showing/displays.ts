/** One stream per terminal that is followed byte by byte, shared by its viewers. */
import type { Clock } from '../../lib/clock.ts';
import type { TerminalIdentity } from '../../terminals/terminal.ts';
import { DisplayStream, type DisplayViewer } from './display-stream.ts';
import type { SessionTerminals } from '../session-terminals.ts';

/** A viewer's handle on the stream it follows. */
export interface Display {
  /** False when the terminal cannot receive keys, or is no longer the one shown. */
  write(bytes: Uint8Array): boolean;
  drained(): void;
  close(): void;
}

type Terminals = Pick<SessionTerminals, 'tap' | 'identityOf' | 'onResized'>;

export class Displays {
  readonly #terminals: Terminals;
  readonly #clock: Clock;
  readonly #streams = new Map<string, { stream: DisplayStream; identity: string }>();
  readonly #ignoreSizes: () => void;

  constructor(options: { terminals: Terminals; clock: Clock }) {
    this.#terminals = options.terminals;
    this.#clock = options.clock;
    this.#ignoreSizes = options.terminals.onResized((name) => {
      this.#streams.get(name)?.stream.redraw();
    });
  }

  /** Shows the terminal of a session until it ends or the display is closed. */
  open(session: string, viewer: DisplayViewer): Display {
    const stream = this.#streamOf(session);
    stream.add(viewer);
    return {
      write: (bytes) => this.#isShown(session, stream) && stream.write(bytes),
      drained: () => stream.drained(viewer),
      close: () => stream.remove(viewer),
    };
  }

  /** Ends every stream with reason `daemon_stopping`. */
  dispose(): void {
    this.#ignoreSizes();
    for (const { stream } of [...this.#streams.values()]) stream.end('daemon_stopping');
  }

  #streamOf(session: string): DisplayStream {
    const known = this.#streams.get(session);
    if (known !== undefined && this.#isShown(session, known.stream)) return known.stream;
    const stream: DisplayStream = new DisplayStream({
      open: async (listener) => this.#terminals.tap(session, listener),
      clock: this.#clock,
      onEnd: () => {
        if (this.#streams.get(session)?.stream === stream) this.#streams.delete(session);
      },
    });
    const identity = keyOf(this.#terminals.identityOf(session));
    this.#streams.set(session, { stream, identity });
    return stream;
  }

  /** Ends the stream of a terminal that was replaced by another. */
  #isShown(session: string, stream: DisplayStream): boolean {
    const known = this.#streams.get(session);
    if (known?.stream !== stream) return false;
    const identity = keyOf(this.#terminals.identityOf(session));
    // Asked for while its terminal was being opened: its tap waits for that one.
    if (known.identity === NONE) known.identity = identity;
    if (known.identity === identity) return true;
    stream.end('terminal_replaced');
    return false;
  }
}

const NONE = keyOf(null);

function keyOf(identity: TerminalIdentity | null): string {
  return JSON.stringify(identity);
}
