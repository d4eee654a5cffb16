/** The colours of the emulator, from the page's CSS tokens. */
import type { ITheme } from '@xterm/xterm';

const ANSI = [
  'black',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
  'brightBlack',
  'brightRed',
  'brightGreen',
  'brightYellow',
  'brightBlue',
  'brightMagenta',
  'brightCyan',
  'brightWhite',
] as const;

export interface TerminalTheme {
  colors: ITheme;
  match: string;
  activeMatch: string;
  family: string;
}

export function readTerminalTheme(element: Element): TerminalTheme {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const ground = token('terminal-ground');
  const colors: ITheme = {
    background: ground,
    foreground: token('terminal-text'),
    cursor: token('terminal-cursor'),
    cursorAccent: ground,
    selectionBackground: token('terminal-selection'),
    scrollbarSliderBackground: token('terminal-scrollbar'),
    scrollbarSliderHoverBackground: token('terminal-dim'),
    scrollbarSliderActiveBackground: token('terminal-dim'),
    ...Object.fromEntries(ANSI.map((name, index) => [name, token(`terminal-${index}`)])),
  };
  return {
    colors,
    match: token('terminal-match'),
    activeMatch: token('terminal-match-active'),
    family: token('family-code'),
  };
}
