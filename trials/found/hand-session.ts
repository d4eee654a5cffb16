/** A session that a person starts, uses and ends by hand, without Loopwatch. */
export interface HandSession {
  name: string;
  /** Of the client. */
  pid: number;
  /** When the person started it, and when its client had written its record. */
  startedAtMs: number;
  recordedAtMs: number;
  /** Submits a line at its prompt; does nothing where no one can type. */
  submit(text: string): Promise<void>;
  /** Leaves its dialog. */
  escape(): Promise<void>;
  /** The window is closed, or a background session is stopped. */
  close(): Promise<void>;
  /** Of its terminal, as the person sees it; empty without one. */
  screen(): Promise<string>;
  /** What must not change while it is only watched. */
  facts(): Promise<Map<string, string>>;
}

export type Place = 'tmux' | 'terminal' | 'background' | 'print';
