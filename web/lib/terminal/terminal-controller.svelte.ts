/** The tools of a live terminal apart from typing: copying, pasting, links, searching. */
import type { Rest } from '$lib/client/rest.ts';
import { writeClipboard } from '$lib/ui/text/write-clipboard.ts';
import { type BarKey, Emulator } from './emulator.ts';
import { LiveTerminal } from './live-terminal.svelte.ts';
import { decidePaste } from './terminal-policies.ts';
import type { TerminalMode } from './terminal-link.ts';

/** An action that a person must confirm. */
export type Question =
  | { kind: 'paste'; text: string; lines: number; isBracketed: boolean }
  | { kind: 'link'; address: string };

export interface FindOptions {
  caseSensitive: boolean;
  back: boolean;
  /** The text changed: start at the current match. */
  isNew: boolean;
}

export interface TerminalControllerOptions {
  rest: Rest;
  socketUrl: string;
  session: string;
  mode: TerminalMode;
  onLeave: () => void;
}

const FONT_SIZE_KEY = 'loopwatch.terminal-font-size';
/** In CSS pixels. */
const FONT_SIZE = { smallest: 9, normal: 13, largest: 24 };

const REFUSED = {
  viewing: 'Not typed: you are view-only. Take control to type.',
  away: 'Not typed: not connected to the terminal.',
};

export class TerminalController {
  live = $state.raw<LiveTerminal | null>(null);
  question = $state.raw<Question | null>(null);
  matches = $state.raw({ index: -1, count: 0 });

  /** The result of the last action, as text. */
  readonly message = $derived.by(() => {
    const refusal = this.live?.refusal ?? null;
    return refusal === null ? this.#message : REFUSED[refusal];
  });

  readonly #options: TerminalControllerOptions;
  #message = $state('');
  #emulator: Emulator | null = null;
  #fontSize = boundedFontSize(Number(localStorage.getItem(FONT_SIZE_KEY) ?? FONT_SIZE.normal));

  constructor(options: TerminalControllerOptions) {
    this.#options = options;
  }

  /** Opens the terminal in an element that has a size; call the result to close it. */
  readonly mount = (host: HTMLElement): (() => void) => {
    const { session } = this.#options;
    const label = `Keyboard in ${session}. Control right bracket, then d, leaves it.`;
    const emulator = new Emulator(host, label, this.#fontSize, {
      onKeys: (bytes) => this.#type(bytes),
      onRefusedKey: () => this.live?.refuse(),
      onPaste: (text) => this.#takePaste(text),
      onLink: (address, isDirect) => this.#takeLink(address, isDirect),
      onMatches: (matches) => (this.matches = matches),
    });
    this.#emulator = emulator;
    const live = new LiveTerminal({ ...this.#options, emulator });
    const stop = live.start();
    const observer = new ResizeObserver(() => live.layOut());
    observer.observe(host);
    this.live = live;
    return () => {
      observer.disconnect();
      stop();
      emulator.dispose();
    };
  };

  /** Makes the text larger or smaller; the size is kept in this browser. */
  resizeFont(by: number): void {
    this.#fontSize = boundedFontSize(this.#fontSize + by);
    localStorage.setItem(FONT_SIZE_KEY, String(this.#fontSize));
    if (this.#emulator !== null) this.#emulator.fontSize = this.#fontSize;
    this.live?.layOut();
  }

  focus(): void {
    this.#emulator?.focus();
  }

  press(key: BarKey): void {
    this.#emulator?.press(key);
  }

  find(text: string, options: FindOptions): void {
    this.#emulator?.find(text, options);
  }

  /** Copies the selection, else the screen. */
  async copy(): Promise<void> {
    const selection = this.#emulator?.selection ?? '';
    const text = selection === '' ? (this.#emulator?.screenText ?? '') : selection;
    if (await writeClipboard(text)) {
      this.#message = selection === '' ? 'Screen copied.' : 'Selection copied.';
    } else {
      this.#message =
        'The browser blocked copying. Select the text and use the browser’s copy shortcut.';
    }
  }

  async pasteClipboard(): Promise<void> {
    try {
      this.#takePaste(await navigator.clipboard.readText());
    } catch {
      this.#message = 'The browser blocked access to the clipboard.';
    }
  }

  /** Pastes confirmed text. */
  paste(text: string): void {
    if (this.live?.link.controls === true) this.#emulator?.paste(text);
    else this.live?.refuse();
  }

  /** The question was answered, either way. */
  answered(): void {
    this.question = null;
  }

  #type(bytes: Uint8Array<ArrayBuffer>): void {
    this.#message = '';
    this.live?.type(bytes);
  }

  #takePaste(clipboard: string): void {
    if (this.live?.link.controls !== true) {
      this.live?.refuse();
      return;
    }
    const decision = decidePaste(clipboard);
    this.#message = decision.kind === 'refuse' ? decision.why : '';
    if (decision.kind === 'type') this.paste(decision.text);
    if (decision.kind !== 'ask') return;
    const isBracketed = this.#emulator?.knowsPaste === true;
    this.question = { ...decision, kind: 'paste', isBracketed };
  }

  #takeLink(address: string, isDirect: boolean): void {
    if (isDirect) openAddress(address);
    else this.question = { kind: 'link', address };
  }
}

/** Opens an allowed address without access to this page. */
export function openAddress(address: string): void {
  window.open(address, '_blank', 'noopener,noreferrer');
}

function boundedFontSize(size: number): number {
  const { smallest, normal, largest } = FONT_SIZE;
  return Number.isFinite(size) ? Math.min(largest, Math.max(smallest, Math.round(size))) : normal;
}
