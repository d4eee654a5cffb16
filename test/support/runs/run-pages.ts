/** The pages of runs, opened as a person does. */
import type { Locator, Page } from 'playwright-core';

export async function openRuns(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Runs', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
}

/** `part` as the page names it, such as `Checks`. */
export async function showPart(page: Page, part: string): Promise<void> {
  await page
    .getByRole('group', { name: 'Run view' })
    .getByText(new RegExp(`^${part}`))
    .click();
}

/** A phase on the rail of the run's own page, if it is at that stage. */
export function phaseAt(page: Page, label: string, stage: 'done' | 'now' | 'ahead'): Locator {
  return page
    .getByRole('list', { name: 'Phases' })
    .first()
    .getByRole('listitem')
    .filter({ hasText: `${label}, ${stage}` });
}
