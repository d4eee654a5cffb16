/** A swipe as values. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  IDLE,
  swipe,
  type SwipeInput,
  type SwipeSide,
  type SwipeState,
} from '../../../../web/lib/attention/swipe-state.ts';

const LIMITS = { sides: ['left', 'right'] as SwipeSide[], width: 300, windowWidth: 390 };

function play(inputs: readonly SwipeInput[], sides = LIMITS.sides) {
  let state: SwipeState = IDLE;
  const due: (SwipeSide | null)[] = [];
  for (const input of inputs) {
    const next = swipe(state, input, { ...LIMITS, sides });
    state = next.state;
    if (next.due !== null) due.push(next.due);
  }
  return { state, due };
}

function path(...points: [x: number, y: number][]): SwipeInput[] {
  return points.map(([x, y], at) => ({ type: at === 0 ? 'down' : 'move', x, y }));
}

const UP: SwipeInput = { type: 'up' };

it('IB11 only a release beyond 40 % of the width acts, and the way back takes it back', () => {
  expect(play([...path([300, 100], [200, 100], [180, 100]), UP]).due).toEqual(['left']);
  expect(play([...path([300, 100], [200, 100], [181, 100]), UP]).due).toEqual([]);
  expect(play([...path([50, 100], [150, 100], [171, 140]), UP]).due).toEqual(['right']);
  expect(play([...path([300, 100], [100, 100], [290, 100]), UP]).due).toEqual([]);
  expect(play([...path([300, 100], [100, 100]), { type: 'cancel' }, UP]).due).toEqual([]);
  expect(play([...path([300, 100], [100, 100])]).state).toMatchObject({ isArmed: true });
});

it('IB12 what begins as scrolling or at an edge never becomes a swipe', () => {
  expect(play([...path([300, 100], [290, 130], [100, 130]), UP]).due).toEqual([]);
  expect(play([...path([10, 100], [300, 100]), UP]).due).toEqual([]);
  expect(play([...path([380, 100], [100, 100]), UP]).due).toEqual([]);
});

it('IB11 a side without an action stays in its place', () => {
  const left: SwipeSide[] = ['left'];
  expect(play([...path([50, 100], [300, 100]), UP], left).due).toEqual([]);
  // Also after it was dragged to the other side first.
  const both = play(path([150, 100], [130, 100], [350, 100]), left).state;
  expect(both).toMatchObject({ offset: 0, isArmed: false });
});

it('IB11 for any path of a finger, it acts at most once for each release, and only while it is far out', () => {
  const point = { x: fc.integer({ min: 0, max: 390 }), y: fc.integer({ min: 0, max: 800 }) };
  const input = fc.oneof(
    fc.record({ type: fc.constantFrom('down' as const, 'move' as const), ...point }),
    fc.record({ type: fc.constantFrom('up' as const, 'cancel' as const) }),
  );
  fc.assert(
    fc.property(fc.array(input, { maxLength: 30 }), (inputs) => {
      let state: SwipeState = IDLE;
      for (const each of inputs) {
        const next = swipe(state, each, LIMITS);
        if (next.due !== null) {
          expect(each.type).toBe('up');
          expect(state).toMatchObject({ phase: 'dragging', side: next.due });
          if (state.phase === 'dragging')
            expect(Math.abs(state.offset)).toBeGreaterThanOrEqual(120);
        }
        state = next.state;
      }
    }),
  );
});
