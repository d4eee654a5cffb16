/**
 * People at the terminals: any number watch, at most one types. Keys reach the exact terminal that
 * was attached, in order and at most once, or nothing.
 */
import type { DetachReason } from '../../../shared/schema/events/protocol.ts';
import { AppError } from '../../lib/app-error.ts';
import type { Clock } from '../../lib/clock.ts';
import { Serial } from '../../lib/serial.ts';
import type { Display, Displays } from './displays.ts';
import type { DisplayViewer } from './display-stream.ts';
import type { SessionTerminals, TerminalSize } from '../session-terminals.ts';

/** A person who attaches, as the connection sees them. */
export interface AttachedViewer {
  /** Shown to the others when this one types. */
  readonly name: string;
  readonly bufferedBytes: number;
  /** Before the first bytes, and before those in a new size. */
  attached(state: TerminalSize & { control: boolean }): void;
  /**
   * Another person types, or no one any more (`by` is null); also sent to a viewer who joins later.
   */
  controlled(state: { control: boolean; by: string | null }): void;
  bytes(bytes: Uint8Array): void;
  detached(reason: DetachReason): void;
}

export type KeysOutcome = 'typed' | 'not_attached' | 'not_controller';

export interface AttachRequest extends TerminalSize {
  /** Requests control; granted to the first. */
  control: boolean;
  /** Control passes on from its current holder. */
  take: boolean;
}

export interface Attachment {
  type(bytes: Uint8Array): KeysOutcome;
  resize(size: TerminalSize): KeysOutcome;
  drained(): void;
  detach(): void;
}

interface Attached {
  session: string;
  viewer: AttachedViewer;
  display: Display | null;
  over: boolean;
}

type Terminals = Pick<SessionTerminals, 'resize'>;

export class Attachments {
  readonly #displays: Pick<Displays, 'open'>;
  readonly #terminals: Terminals;
  readonly #clock: Clock;
  readonly #attached = new Set<Attached>();
  readonly #controllers = new Map<string, Attached>();
  readonly #typedAt = new Map<string, number>();
  readonly #sizes = new Serial();

  constructor(options: { displays: Pick<Displays, 'open'>; terminals: Terminals; clock: Clock }) {
    this.#displays = options.displays;
    this.#terminals = options.terminals;
    this.#clock = options.clock;
  }

  /** Viewers that are attached. */
  get attached(): number {
    return this.#attached.size;
  }

  /** Attaches to a session that exists. The viewer is notified once its first redraw is on its way. */
  attach(session: string, request: AttachRequest, viewer: AttachedViewer): Attachment {
    const attached: Attached = { session, viewer, display: null, over: false };
    this.#attached.add(attached);
    const controls = request.control && (request.take || !this.#controllers.has(session));
    if (controls) this.#giveControl(attached);
    else this.#reportController(attached);
    void this.#begin(attached, controls ? request : null);
    return {
      type: (bytes) => this.#type(attached, bytes),
      resize: (size) => this.#resize(attached, size),
      drained: () => attached.display?.drained(),
      detach: () => {
        attached.display?.close();
        this.#leave(attached, 'requested');
      },
    };
  }

  /** The person who has the keys of the terminal; null without one. */
  controllerOf(session: string): string | null {
    return this.#controllers.get(session)?.viewer.name ?? null;
  }

  /** Nothing else starts to type there. Throws `session_busy` with the name of who has the keys. */
  requireFree(session: string): void {
    const typist = this.controllerOf(session);
    if (typist === null) return;
    throw new AppError('session_busy', `${typist} is typing in ${session}; detach first`);
  }

  /** Milliseconds since a person last typed into the session by hand; null: never. */
  sinceTypedMs(session: string): number | null {
    const typedAt = this.#typedAt.get(session);
    return typedAt === undefined ? null : this.#clock.monotonic() - typedAt;
  }

  /** The session has ended. */
  forget(session: string): void {
    this.#typedAt.delete(session);
  }

  async #begin(attached: Attached, size: TerminalSize | null): Promise<void> {
    // The size first: the redraw that follows already has it.
    if (size !== null) await this.#apply(attached, size);
    if (attached.over) return;
    const { session, viewer } = attached;
    const shown: DisplayViewer = {
      get bufferedBytes() {
        return viewer.bufferedBytes;
      },
      size: (now) => viewer.attached({ ...now, control: this.#controls(attached) }),
      bytes: (bytes) => viewer.bytes(bytes),
      ended: (reason) => this.#leave(attached, reason),
    };
    attached.display = this.#displays.open(session, shown);
  }

  #type(attached: Attached, bytes: Uint8Array): KeysOutcome {
    if (attached.over || attached.display === null) return 'not_attached';
    if (!this.#controls(attached)) return 'not_controller';
    if (!attached.display.write(bytes)) return 'not_attached';
    this.#typedAt.set(attached.session, this.#clock.monotonic());
    return 'typed';
  }

  #resize(attached: Attached, size: TerminalSize): KeysOutcome {
    if (attached.over) return 'not_attached';
    if (!this.#controls(attached)) return 'not_controller';
    void this.#apply(attached, size);
    return 'typed';
  }

  async #apply({ session }: Attached, { cols, rows }: TerminalSize): Promise<void> {
    // A terminal that refuses the size is shown in its current one.
    const resize = async () => this.#terminals.resize(session, { cols, rows });
    await this.#sizes.run(session, resize).catch(() => undefined);
  }

  #controls(attached: Attached): boolean {
    return this.#controllers.get(attached.session) === attached;
  }

  #giveControl(attached: Attached): void {
    this.#controllers.set(attached.session, attached);
    this.#notifyOthers(attached, attached.viewer.name);
  }

  #reportController(attached: Attached): void {
    const by = this.#controllers.get(attached.session)?.viewer.name;
    if (by !== undefined) attached.viewer.controlled({ control: false, by });
  }

  #notifyOthers(attached: Attached, by: string | null): void {
    for (const other of [...this.#attached]) {
      if (other === attached || other.session !== attached.session) continue;
      other.viewer.controlled({ control: false, by });
    }
  }

  #leave(attached: Attached, reason: DetachReason): void {
    if (attached.over) return;
    attached.over = true;
    this.#attached.delete(attached);
    const controlled = this.#controls(attached);
    if (controlled) this.#controllers.delete(attached.session);
    attached.viewer.detached(reason);
    if (controlled) this.#notifyOthers(attached, null);
  }
}
