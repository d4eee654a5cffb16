/** Alerts, prompts and answers with one invalid value. */
import { valueTable } from './bodies.ts';

const alert = (more: object) => ({
  name: 'extra',
  types: ['auto.failed'],
  target: { kind: 'command', argv: ['true'] },
  ...more,
});
const hook = (url: string) => alert({ target: { kind: 'webhook', url } });

export const ALERT_VALUE_TABLE = valueTable('alerts and prompts', [
  ...[
    'javascript:alert(1)',
    'file:///etc/passwd',
    'ftp://a/',
    'data:,x',
    'http://user:pass@a/',
    'http:',
    '//a',
    'a',
    'http://[/',
    'http://a/ b\n',
    'http://a/ b',
    ' http://a/',
    'http://a/\n',
    'http://a/\tb',
    'ht\ntp://a/',
    'http://a/\u0000',
    'http://a/\u007fb',
    'http://a/\u0085b',
    'http://a/\u00a0b',
    'http://a\u200bb/',
    'http://a/\u202eb',
    'http://a/\u2028b',
    'http:\\\\a/',
    'http://a\\@b/',
    'http:a',
    'http:/a',
  ].map(
    (url) => ['AL17', `a webhook to ${JSON.stringify(url)}`, '/api/alerts', hook(url)] as const,
  ),
  ...[[], [''], ['a/b'], ['./a'], ['../a'], ['a\0b'], 'true', [1], Array(65).fill('a')].map(
    (argv) =>
      [
        'AL17',
        `a command ${JSON.stringify(argv).slice(0, 20)}`,
        '/api/alerts',
        alert({ target: { kind: 'command', argv } }),
      ] as const,
  ),
  [
    'AL17',
    'an alert of an unknown kind',
    '/api/alerts',
    alert({ target: { kind: 'eval', code: '1' } }),
  ],
  [
    'AL17',
    'an alert with a short secret',
    '/api/alerts',
    alert({ target: { kind: 'webhook', url: 'http://a/', secret: 'whsec_AAAA' } }),
  ],
  ['AL17', 'an alert with an unknown event', '/api/alerts', alert({ types: ['auto.nothing'] })],
  ['AL17', 'an alert with a pattern in the middle', '/api/alerts', alert({ types: ['au*o'] })],
  ['AL17', 'an alert without events', '/api/alerts', alert({ types: [] })],
  ['AL17', 'an alert with two lines as a name', '/api/alerts', alert({ name: 'a\nb' })],
  ['AL17', 'an alert with an escape in its name', '/api/alerts', alert({ name: 'a\u001b[31mb' })],
  ['AL17', 'an alert of a session with a path', '/api/alerts', alert({ sessions: ['../x'] })],
  [
    'AL17',
    'quiet hours of no zone',
    '/api/alerts',
    alert({ quiet_hours: { from: '22:00', to: '07:00', time_zone: '../../etc/passwd' } }),
  ],
  [
    'AL17',
    'quiet hours at 24:00',
    '/api/alerts',
    alert({ quiet_hours: { from: '24:00', to: '07:00', time_zone: 'UTC' } }),
  ],
  [
    'AL17',
    'quiet hours of no length',
    '/api/alerts',
    alert({ quiet_hours: { from: '07:00', to: '07:00', time_zone: 'UTC' } }),
  ],
  ['PM6', 'a prompt without a title', '/api/v1/prompts', { title: ' ', content: 'x' }],
  [
    'PM6',
    'a prompt of 50,001 characters',
    '/api/v1/prompts',
    { title: 'x', content: 'x'.repeat(50_001) },
  ],
  [
    'PM6',
    'a prompt that was used before',
    '/api/v1/prompts',
    { title: 'x', content: 'x', usage_count: 9 },
  ],
  [
    'AT4',
    'an answer to what was never asked',
    `/api/attention/${'0'.repeat(20)}/answer`,
    { decision: 'allow' },
  ],
  [
    'AT4',
    'an answer with two decisions',
    `/api/attention/${'0'.repeat(20)}/answer`,
    { decision: 'allow', decisions: ['deny'] },
  ],
]);
