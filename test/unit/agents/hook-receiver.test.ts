/** In which order a request of an agent reaches those who must know. */
import { expect, it } from 'vitest';
import { createHookReceiver } from '../../../server/attention/hook-receiver.ts';

it('RS59 a request is announced as soon as it can be answered, and once it is over', async () => {
  const order: string[] = [];
  let answer: (value: null) => void = () => undefined;
  const receiver = createHookReceiver({
    attention: {
      ask: async () => {
        order.push('can be answered');
        return new Promise((resolve) => (answer = resolve));
      },
    },
    onHook: (_, { kind }) => order.push(kind),
    asked: (session) => order.push(`asked ${session}`),
    answered: (session) => order.push(`answered ${session}`),
    hasSession: () => true,
    askFound: async () => Promise.resolve(null),
  });
  const payload = {
    hook_event_name: 'PermissionRequest',
    tool_name: 'ExitPlanMode',
    tool_input: {},
  };
  const over = receiver.receive('web', 'run', payload, new AbortController().signal);
  expect(order).toEqual(['permission_request', 'can be answered', 'asked web']);
  answer(null);
  expect(await over).toBeNull();
  expect(order.at(-1)).toBe('answered web');
});
