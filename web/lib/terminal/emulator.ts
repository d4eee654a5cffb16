/**
 * The terminal emulator. It is larger than the rest of the page: `SessionTerminal` loads it on
 * demand, and nothing loaded with a page imports this file. Its input is not trusted: it answers no
 * queries, sets no titles, and its links go through `openableAddress`.
 */
import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { Terminal } from '@xterm/xterm';
import { fittingFontSize, type TerminalSize } from './fitting-font.ts';
import { keepRowsToPolicy, policyDocument } from './keep-to-policy.ts';
import { isTyped, silenceEmulator } from './silence-emulator.ts';
import { openableAddress } from './terminal-policies.ts';
import { readTerminalTheme, type TerminalTheme } from './terminal-theme.ts';

const SCROLLBACK_ROWS = 5_000;
// eslint-disable-next-line no-control-regex -- what a cursor key types
const CURSOR_KEY = /^\x1b\[([A-D])$/;

/** A key that a phone's keyboard lacks, with what it types. */
export interface BarKey {
  label: string;
  /** Accessible name when the label is a symbol. */
  name?: string;
  bytes: string;
}

export interface EmulatorEvents {
  /** Keys and mouse movements of a person. */
  onKeys: (bytes: Uint8Array<ArrayBuffer>) => void;
  /** A key was pressed while typing is not possible. */
  onRefusedKey: () => void;
  onPaste: (text: string) => void;
  /** An openable link was clicked; `isDirect`: with Ctrl or Cmd held. */
  onLink: (address: string, isDirect: boolean) => void;
  /** Search results; `index` counts from 0 and is -1 when there are too many to count. */
  onMatches: (matches: { index: number; count: number }) => void;
}

export class Emulator {
  readonly #host: HTMLElement;
  readonly #events: EmulatorEvents;
  readonly #terminal: Terminal;
  readonly #theme: TerminalTheme;
  readonly #fit = new FitAddon();
  readonly #search = new SearchAddon();
  readonly #listeners = new AbortController();
  #fontSize: number;

  /** `host` must be empty and have a size; `fontSize` in CSS pixels. */
  constructor(host: HTMLElement, label: string, fontSize: number, events: EmulatorEvents) {
    this.#host = host;
    this.#events = events;
    this.#fontSize = fontSize;
    this.#theme = readTerminalTheme(host);
    this.#terminal = this.#create();
    this.#terminal.open(host);
    keepRowsToPolicy(this.#terminal);
    this.#terminal.textarea?.setAttribute('aria-label', label);
    this.#listen();
  }

  /** `done` is called after drawing. */
  write(bytes: Uint8Array | string, done?: () => void): void {
    this.#terminal.write(bytes, done);
  }

  reset(): void {
    this.#terminal.reset();
  }

  resize({ cols, rows }: TerminalSize): void {
    if (this.#terminal.cols === cols && this.#terminal.rows === rows) return;
    this.#terminal.resize(cols, rows);
  }

  set mayType(mayType: boolean) {
    this.#terminal.options.disableStdin = !mayType;
  }

  set fontSize(fontSize: number) {
    this.#fontSize = fontSize;
  }

  /** Uses the person's font size; returns the terminal size that fills the element. */
  fit(): TerminalSize | null {
    this.#terminal.options.fontSize = this.#fontSize;
    const { cols, rows } = this.#fit.proposeDimensions() ?? { cols: NaN, rows: NaN };
    return Number.isNaN(cols) || Number.isNaN(rows) ? null : { cols, rows };
  }

  /** Shows a terminal of another person's size as large as the element allows. */
  scale(): void {
    const { cols, rows, options } = this.#terminal;
    const screen = this.#host.querySelector('.xterm-screen');
    if (screen === null || options.fontSize === undefined) return;
    const room = {
      width: this.#host.clientWidth,
      height: this.#host.clientHeight,
      cellWidth: screen.clientWidth / cols / options.fontSize,
      cellHeight: screen.clientHeight / rows / options.fontSize,
    };
    options.fontSize = fittingFontSize(room, { cols, rows }, this.#fontSize);
  }

  focus(): void {
    this.#terminal.focus();
  }

  press({ bytes }: BarKey): void {
    const { applicationCursorKeysMode } = this.#terminal.modes;
    this.#terminal.input(
      applicationCursorKeysMode ? bytes.replace(CURSOR_KEY, '\u001bO$1') : bytes,
    );
  }

  /** Whether the program enabled bracketed paste while this was attached. */
  get knowsPaste(): boolean {
    return this.#terminal.modes.bracketedPasteMode;
  }

  /** Sends the text as one paste, bracketed if the program enabled that. */
  paste(text: string): void {
    this.#terminal.paste(text);
  }

  /** Searches the screen and the scrollback, forward from the last match or back. */
  find(text: string, options: { caseSensitive: boolean; back: boolean; isNew: boolean }): void {
    if (text === '') {
      this.#search.clearDecorations();
      this.#terminal.clearSelection();
      this.#events.onMatches({ index: -1, count: 0 });
      return;
    }
    // The addon searches again only for another text, not when case sensitivity changes.
    if (options.isNew) this.#search.clearDecorations();
    const { match, activeMatch } = this.#theme;
    const search = {
      caseSensitive: options.caseSensitive,
      incremental: options.isNew,
      decorations: {
        matchBackground: match,
        matchOverviewRuler: match,
        activeMatchBackground: activeMatch,
        activeMatchColorOverviewRuler: activeMatch,
      },
    };
    if (options.back) this.#search.findPrevious(text, search);
    else this.#search.findNext(text, search);
  }

  get selection(): string {
    return this.#terminal.getSelection();
  }

  /** The visible rows, without trailing blanks. */
  get screenText(): string {
    const { active } = this.#terminal.buffer;
    const rows = Array.from({ length: this.#terminal.rows }, (_, row) =>
      active.getLine(active.viewportY + row)?.translateToString(true),
    );
    return rows.join('\n').trimEnd();
  }

  dispose(): void {
    this.#listeners.abort();
    this.#terminal.dispose();
  }

  #create(): Terminal {
    const activate = (event: MouseEvent, text: string) => this.#activate(event, text);
    const terminal = new Terminal({
      allowProposedApi: true,
      allowTransparency: false,
      disableStdin: true,
      documentOverride: policyDocument(document),
      fontFamily: this.#theme.family,
      fontSize: this.#fontSize,
      linkHandler: { activate, allowNonHttpProtocols: false },
      logLevel: 'off',
      scrollback: SCROLLBACK_ROWS,
      theme: this.#theme.colors,
    });
    silenceEmulator(terminal.parser);
    terminal.loadAddon(this.#fit);
    terminal.loadAddon(this.#search);
    terminal.loadAddon(new WebLinksAddon(activate));
    return terminal;
  }

  #listen(): void {
    const { signal } = this.#listeners;
    const encoder = new TextEncoder();
    this.#terminal.onData((data) => {
      if (isTyped(data)) this.#events.onKeys(encoder.encode(data));
    });
    // Mouse reports in the oldest format are bytes, not text.
    this.#terminal.onBinary((data) => {
      this.#events.onKeys(Uint8Array.from(data, (character) => character.charCodeAt(0)));
    });
    this.#terminal.attachCustomKeyEventHandler((event) => this.#takesKey(event));
    this.#search.onDidChangeResults(({ resultIndex, resultCount }) => {
      this.#events.onMatches({ index: resultIndex, count: resultCount });
    });
    const paste = (event: ClipboardEvent) => {
      event.preventDefault();
      event.stopPropagation();
      this.#events.onPaste(event.clipboardData?.getData('text/plain') ?? '');
    };
    this.#host.addEventListener('paste', paste, { capture: true, signal });
  }

  /** Without control Tab moves the focus, and no key is swallowed silently. */
  #takesKey(event: KeyboardEvent): boolean {
    if (this.#terminal.options.disableStdin !== true) return true;
    const isMarked = event.ctrlKey || event.metaKey || event.altKey;
    const isText = event.key.length === 1 && !isMarked;
    if (isText || event.key === 'Enter' || event.key === 'Backspace') {
      event.preventDefault();
      if (event.type === 'keydown') this.#events.onRefusedKey();
    }
    return event.shiftKey && event.key.startsWith('Page');
  }

  #activate(event: MouseEvent, text: string): void {
    const address = openableAddress(text);
    if (address !== null) this.#events.onLink(address, event.ctrlKey || event.metaKey);
  }
}
