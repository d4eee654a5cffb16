/**
 * The bodies of hooks on their way into memory. They are large and agents send them at will, so
 * their bytes are bounded, per session and in total, and they are parsed one at a time with other
 * work in between. What does not fit waits unread, in order; a session at its bound blocks no
 * other.
 */
import { AppError } from '../lib/app-error.ts';
import { Serial } from '../lib/serial.ts';

export const MAX_BYTES = 8 * 1024 * 1024;
export const MAX_SESSION_BYTES = 2 * 1024 * 1024;
export const MAX_SESSION_WAITING = 32;
/** For a body of unknown length: as much as the endpoint takes. */
const UNKNOWN_BYTES = 1024 * 1024;

interface Waiting {
  session: string;
  bytes: number;
  admit: () => void;
}

export class HookBodies {
  readonly #bytes = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  readonly #parsing = new Serial();

  /** Being read or parsed. */
  get bytes(): number {
    return [...this.#bytes.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Loads the text of a session's hook once there is room for it, and parses it. Throws
   * `hooks_busy` when too many of the session wait already, and what `load` and `parse` throw.
   */
  async read<Value>(
    session: string,
    request: Pick<Request, 'headers' | 'signal'>,
    load: () => Promise<string>,
    parse: (text: string) => Value,
  ): Promise<Value> {
    const length = Number(request.headers.get('content-length') ?? UNKNOWN_BYTES);
    const bytes = Math.min(length, UNKNOWN_BYTES);
    if (this.#waiting.size > 0 || !this.#fits(session, bytes)) {
      await this.#wait(session, bytes, request.signal);
    } else this.#count(session, bytes);
    try {
      const text = await load();
      return await this.#parsing.run('parse', async () => {
        await nextTurn();
        return parse(text);
      });
    } finally {
      this.#count(session, -bytes);
      this.#admitWaiting();
    }
  }

  async #wait(session: string, bytes: number, signal: AbortSignal): Promise<void> {
    const others = [...this.#waiting].filter((each) => each.session === session);
    if (others.length >= MAX_SESSION_WAITING) {
      throw new AppError('hooks_busy', 'too many pending hooks for this session; retry later');
    }
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiting);
        reject(new AppError('hooks_busy', 'the hook disconnected before it was processed'));
        // It may have been what the ones behind it waited for.
        this.#admitWaiting();
      };
      const admit = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const waiting = { session, bytes, admit };
      this.#waiting.add(waiting);
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
      else this.#admitWaiting();
    });
  }

  /** In order, passing over sessions at their bound. */
  #admitWaiting(): void {
    const full = new Set<string>();
    for (const waiting of this.#waiting) {
      const { session, bytes, admit } = waiting;
      if (full.has(session)) continue;
      if (this.bytes + bytes > MAX_BYTES) return;
      if (this.#fits(session, bytes)) {
        this.#waiting.delete(waiting);
        this.#count(session, bytes);
        admit();
      } else full.add(session);
    }
  }

  #fits(session: string, bytes: number): boolean {
    const own = this.#bytes.get(session) ?? 0;
    return own + bytes <= MAX_SESSION_BYTES && this.bytes + bytes <= MAX_BYTES;
  }

  #count(session: string, bytes: number): void {
    const sum = (this.#bytes.get(session) ?? 0) + bytes;
    if (sum === 0) this.#bytes.delete(session);
    else this.#bytes.set(session, sum);
  }
}

async function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
