/** When the small screens of a page are drawn. */
import { expect, it } from 'vitest';
import { DrawTurns } from '../../../../web/lib/session/draw-turns.ts';

/** The frames of a page, and its scrolling, by hand. */
class Page {
  frames: ((at: number) => void)[] = [];
  scroll: () => void = () => undefined;
  #nowMs = 0;
  readonly turns = new DrawTurns({
    now: () => this.#nowMs,
    nextFrame: (draw) => this.frames.push(draw),
    onScroll: (listener) => (this.scroll = listener),
  });

  frame(): void {
    this.#nowMs += 16;
    for (const draw of this.frames.splice(0)) draw(this.#nowMs);
  }
}

it('OV10 small screens are drawn a few in each frame, none while a person scrolls, and each once', () => {
  const page = new Page();
  const drawn: number[] = [];
  const giveUp = Array.from({ length: 7 }, (_, n) => page.turns.add(() => drawn.push(n)));
  page.frame();
  expect(drawn).toEqual([0, 1, 2]);
  page.scroll();
  page.frame();
  expect(drawn).toHaveLength(3);
  giveUp[4]?.();
  for (let n = 0; n < 9; n += 1) page.frame();
  expect(drawn).toEqual([0, 1, 2, 3, 5, 6]);
  // Without anything to draw no frame is awaited.
  expect(page.frames).toEqual([]);
});
