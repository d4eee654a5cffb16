import type { ClientTestStep, ClientVersions } from '../../schema/agents/client-versions.ts';

type Row = ClientVersions['versions'][number];

/** Whether a version of the client is typed into, and on whose word. */
export function clientVersionText({ tested, trusted, trusted_by: by }: Row): string {
  if (tested) return 'yes, tested';
  if (by !== null) return `yes, trusted by ${by}`;
  return trusted ? 'yes, by LOOPWATCH_CLIENT_TRUST' : 'no, newer than tested';
}

export const CLIENT_TEST_TEXT: Record<ClientTestStep['step'], string> = {
  start: 'its start',
  record: 'its status record',
  draft: 'its prompt box',
  work: 'a turn',
  stop: 'a stopped turn',
  leave: 'its end',
};

/** How its newest test went. */
export function clientTestText({ test }: Pick<Row, 'test'>): string {
  if (test === null) return 'not tested here';
  const failed = test.steps.find(({ ok }) => !ok);
  if (failed === undefined) return 'all read right';
  return `${CLIENT_TEST_TEXT[failed.step]} was not read right: ${failed.detail ?? ''}`;
}
