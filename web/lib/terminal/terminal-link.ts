/**
 * How a page hangs on a terminal: what it asks for, whether it has it, who types. Pure; the effects
 * are carried out by `LiveTerminal`.
 */
import type { DetachReason, FrameError } from '$shared/schema/protocol.ts';

export type Wish = 'view' | 'control';

export type EndReason = Exclude<DetachReason, 'requested'> | 'session_unknown' | 'refused';

export interface TerminalLink {
  /** `waiting`: the connection was lost and is made anew; `ended`: only a person tries again. */
  readonly phase: 'connecting' | 'attaching' | 'attached' | 'waiting' | 'ended';
  readonly wish: Wish;
  /** Asks for control even though somebody has it; a person said so. */
  readonly take: boolean;
  readonly controls: boolean;
  /** Who else types, as the daemon names them; null when nobody does. */
  readonly other: string | null;
  /** Who has the control that this page asked for; `took`: it had it before. */
  readonly rival: { readonly name: string; readonly took: boolean } | null;
  /** Connections that failed in a row. */
  readonly failures: number;
  readonly end: EndReason | null;
}

export type LinkInput =
  | { type: 'welcome' }
  | { type: 'attached'; control: boolean }
  | { type: 'control'; control: boolean; by: string | null }
  | { type: 'detached'; reason: DetachReason }
  | { type: 'error'; code: FrameError }
  | { type: 'closed'; code: number }
  | { type: 'retry' }
  /** A person wants to watch, or to type. */
  | { type: 'ask'; wish: Wish; take: boolean }
  /** The picture is incomplete: a new one is needed. */
  | { type: 'redraw' };

export type LinkEffect =
  | { do: 'connect' }
  | { do: 'disconnect' }
  | { do: 'attach'; control: boolean; take: boolean }
  | { do: 'wait'; failures: number };

export interface LinkStep {
  link: TerminalLink;
  effects: readonly LinkEffect[];
}

/** Close codes from here to 4499 say: not again with the same request. */
const HOPELESS_FROM = 4400;
const HOPELESS_TO = 4499;

/** Takes what a person wants first; gives the link and what makes it. */
export function openLink(wish: Wish): LinkStep {
  const link: TerminalLink = {
    phase: 'connecting',
    wish,
    take: false,
    controls: false,
    other: null,
    rival: null,
    failures: 0,
    end: null,
  };
  return { link, effects: [{ do: 'connect' }] };
}

/** Takes a link and what happened; gives the link from now on and what is to be done. */
export function stepLink(link: TerminalLink, input: LinkInput): LinkStep {
  switch (input.type) {
    case 'welcome':
      return attach(link);
    case 'attached':
      return stay(attached(link, input.control));
    case 'control':
      return stay(controlled(link, input));
    case 'detached':
      return detached(link, input.reason);
    case 'error':
      return refused(link, input.code);
    case 'closed':
      return closed(link, input.code);
    case 'retry':
      return link.phase === 'waiting' ? connect(link) : stay(link);
    case 'ask':
      return ask(link, input);
    case 'redraw':
      return link.phase === 'attached' ? attach(link) : stay(link);
  }
}

/** Tells whether what is shown is what the terminal shows now. */
export function isLive(link: TerminalLink): boolean {
  return link.phase === 'attached';
}

function stay(link: TerminalLink): LinkStep {
  return { link, effects: [] };
}

function connect(link: TerminalLink): LinkStep {
  return { link: { ...link, phase: 'connecting', end: null }, effects: [{ do: 'connect' }] };
}

function attach(link: TerminalLink): LinkStep {
  const { wish, take } = link;
  return {
    link: { ...link, phase: 'attaching', controls: false },
    effects: [{ do: 'attach', control: wish === 'control', take }],
  };
}

/** Control that was asked for and not given belongs to somebody else. */
function attached(link: TerminalLink, control: boolean): TerminalLink {
  const shown = {
    ...link,
    phase: 'attached',
    take: false,
    failures: 0,
    controls: control,
  } as const;
  if (control) return { ...shown, other: null, rival: null };
  if (link.wish === 'view') return shown;
  const rival = link.other === null ? null : { name: link.other, took: false };
  return { ...shown, wish: 'view', rival };
}

/** Control is never taken back by itself: the other person is typing. */
function controlled(
  link: TerminalLink,
  { control, by }: { control: boolean; by: string | null },
): TerminalLink {
  if (control) return { ...link, controls: true, other: null, rival: null };
  const rival = by === null ? null : { name: by, took: link.controls || link.rival?.took === true };
  if (link.controls) return { ...link, wish: 'view', controls: false, other: by, rival };
  return { ...link, other: by, rival: link.rival === null ? null : rival };
}

function detached(link: TerminalLink, reason: DetachReason): LinkStep {
  // The first is the answer to asking again, the second is followed by the end of the connection.
  if (reason === 'requested' || reason === 'daemon_stopping') return stay(link);
  return end(link, reason);
}

function refused(link: TerminalLink, code: FrameError): LinkStep {
  if (code === 'session_unknown') return end(link, code);
  if (code === 'role_too_low') return attach({ ...link, wish: 'view', take: false });
  return stay(link);
}

function end(link: TerminalLink, reason: EndReason): LinkStep {
  return {
    link: { ...link, phase: 'ended', controls: false, take: false, other: null, end: reason },
    effects: [{ do: 'disconnect' }],
  };
}

function closed(link: TerminalLink, code: number): LinkStep {
  if (link.phase === 'ended' || link.phase === 'waiting') return stay(link);
  if (code >= HOPELESS_FROM && code <= HOPELESS_TO) return end(link, 'refused');
  const failures = link.failures + 1;
  return {
    link: { ...link, phase: 'waiting', controls: false, take: false, other: null, failures },
    effects: [{ do: 'wait', failures }],
  };
}

/** What a person says of another's control holds for now, not for a connection that comes later. */
function ask(link: TerminalLink, { wish, take }: { wish: Wish; take: boolean }): LinkStep {
  const asked = { ...link, wish, rival: null };
  if (link.phase === 'attached' || link.phase === 'attaching') return attach({ ...asked, take });
  return link.phase === 'ended' ? connect({ ...asked, failures: 0 }) : stay(asked);
}
