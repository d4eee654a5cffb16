/** How much of a long list is drawn at once. */
import { expect, it } from 'vitest';
import { DrawBudget } from '../../../../web/lib/ui/draw-budget.ts';

/** The frames and the clock of a page, by hand. */
class Page {
  nowMs = 0;
  frames: (() => void)[] = [];
  readonly budget = new DrawBudget({
    now: () => this.nowMs,
    afterFrame: (work) => this.frames.push(work),
  });

  frame(): void {
    this.nowMs += 16;
    for (const work of this.frames.splice(0)) work();
  }
}

it('OV28 parts are drawn until the time of a task is spent, the others in order after each frame', () => {
  const page = new Page();
  const drawn: number[] = [];
  const draw = (n: number): void => {
    page.nowMs += 12;
    drawn.push(n);
  };
  const giveUps = Array.from({ length: 9 }, (_, n) => {
    if (page.budget.allows) draw(n);
    return drawn.includes(n) ? undefined : page.budget.add(() => draw(n));
  });
  expect(drawn).toEqual([0, 1, 2]);
  giveUps[4]?.();
  page.frame();
  expect(drawn).toEqual([0, 1, 2, 3, 5, 6]);
  // Those that wait come first.
  expect(page.budget.allows).toBe(false);
  page.frame();
  expect(drawn).toEqual([0, 1, 2, 3, 5, 6, 7, 8]);
  page.frame();
  expect(page.frames).toEqual([]);
  expect(page.budget.allows).toBe(true);
});
