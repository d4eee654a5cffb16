/** The one terminal a connection is attached to: its keys in, its bytes out. */
import type { ClientFrame, FrameError, ServerFrame } from '../../shared/schema/events/protocol.ts';
import type {
  AttachedViewer,
  Attachment,
  Attachments,
  KeysOutcome,
} from '../sessions/showing/attachments.ts';
import type { TerminalSize } from '../sessions/session-terminals.ts';
import type { Peer } from '../transport/transport.ts';

export interface Refusal {
  code: FrameError;
  message: string;
}

const REFUSALS: Record<KeysOutcome, Refusal | null> = {
  typed: null,
  not_attached: { code: 'not_attached', message: 'no terminal is attached; nothing was typed' },
  not_controller: {
    code: 'not_controller',
    message: 'another client has control; nothing was typed',
  },
};

export class AttachedTerminal {
  readonly #peer: Peer;
  readonly #attachments: Attachments;
  readonly #name: string;
  #attachment: Attachment | null = null;

  /** `name` is shown to others when this one types. */
  constructor(peer: Peer, attachments: Attachments, name: string) {
    this.#peer = peer;
    this.#attachments = attachments;
    this.#name = name;
  }

  /** Replaces what was attached before. */
  attach(frame: Extract<ClientFrame, { type: 'attach' }>): void {
    this.detach();
    const { session, ...request } = frame;
    this.#attachment = this.#attachments.attach(session, request, this.#viewer(session));
  }

  /** Returns why the keys were not typed. */
  type(bytes: Uint8Array): Refusal | null {
    return REFUSALS[this.#attachment?.type(bytes) ?? 'not_attached'];
  }

  resize({ cols, rows }: TerminalSize): Refusal | null {
    return REFUSALS[this.#attachment?.resize({ cols, rows }) ?? 'not_attached'];
  }

  detach(): void {
    this.#attachment?.detach();
    this.#attachment = null;
  }

  drained(): void {
    this.#attachment?.drained();
  }

  #viewer(session: string): AttachedViewer {
    const peer = this.#peer;
    const send = (frame: ServerFrame) => peer.send([JSON.stringify(frame)]);
    return {
      name: this.#name,
      get bufferedBytes() {
        return peer.bufferedBytes;
      },
      attached: (state) => send({ type: 'attached', session, ...state }),
      controlled: (state) => send({ type: 'control', session, ...state }),
      bytes: (bytes) => peer.sendBytes(bytes),
      detached: (reason) => send({ type: 'detached', session, reason }),
    };
  }
}
