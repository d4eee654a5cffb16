/** A finger that drags a card to one side, and what it does on release. Pure. */

export type SwipeSide = 'left' | 'right';

export type SwipeState =
  | { phase: 'idle' }
  | { phase: 'pressed'; x: number; y: number }
  /** `offset` in pixels, negative to the left; `isArmed`: on release it acts. */
  | { phase: 'dragging'; x: number; offset: number; side: SwipeSide; isArmed: boolean };

export type SwipeInput =
  { type: 'down' | 'move'; x: number; y: number } | { type: 'up' } | { type: 'cancel' };

interface SwipeLimits {
  /** Sides with an action. */
  sides: readonly SwipeSide[];
  /** Of the card and of the window, in pixels. */
  width: number;
  windowWidth: number;
}

export const IDLE: SwipeState = { phase: 'idle' };

/** At the edges of the window the system has its own gestures. In pixels. */
const EDGE = 24;
/** Less is a tap. In pixels. */
const SLOP = 12;
/** How much more sideways than up or down: what is between scrolls. */
const SIDEWAYS = 1.5;
/** The share of the width that arms it; a flick, however fast, does not. */
const ARMED_FROM = 0.4;

/** Returns the next state, and the side whose action is due. */
export function swipe(
  state: SwipeState,
  input: SwipeInput,
  limits: SwipeLimits,
): { state: SwipeState; due: SwipeSide | null } {
  if (input.type === 'down') return { state: pressed(input, limits), due: null };
  if (input.type === 'move') return { state: moved(state, input, limits), due: null };
  const isDue = input.type === 'up' && state.phase === 'dragging' && state.isArmed;
  return { state: IDLE, due: isDue ? state.side : null };
}

function pressed({ x, y }: { x: number; y: number }, { windowWidth }: SwipeLimits): SwipeState {
  return x < EDGE || x > windowWidth - EDGE ? IDLE : { phase: 'pressed', x, y };
}

function moved(
  state: SwipeState,
  { x, y }: { x: number; y: number },
  { sides, width }: SwipeLimits,
): SwipeState {
  if (state.phase === 'idle') return state;
  const offset = x - state.x;
  const side = offset < 0 ? 'left' : 'right';
  if (state.phase === 'pressed') {
    const across = Math.abs(y - state.y);
    if (Math.max(Math.abs(offset), across) < SLOP) return state;
    // Decided once: a drag that began as scrolling stays scrolling.
    if (Math.abs(offset) < SIDEWAYS * across || !sides.includes(side)) return IDLE;
  }
  const allowed = sides.includes(side) ? offset : 0;
  const isArmed = Math.abs(allowed) >= ARMED_FROM * width;
  return { phase: 'dragging', x: state.x, offset: allowed, side, isArmed };
}
