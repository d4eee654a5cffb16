/** The report of a run is unharmed by the text of people, agents and programs. */
import fc from 'fast-check';
import { parsers } from 'prettier/plugins/markdown';
import { expect, it } from 'vitest';
import { codeBlock, codeSpan, inlineText } from '../../../server/lib/markdown-text.ts';
import type { RunFacts } from '../../../server/runs/report/run-facts.ts';
import { runReport } from '../../../server/runs/report/run-report.ts';
import { CONTROLS, LONG_WORD, MARKUP, ODD } from '../../support/drills/hostile-corpus.ts';
import { check, facts, round, run } from '../../support/runs/report-facts.ts';

interface Node {
  type: string;
  value?: string;
  depth?: number;
  children?: Node[];
}

/** Every node of the document, by another parser than ours. */
async function nodes(text: string): Promise<Node[]> {
  const root = (await parsers.markdown.parse(text, { originalText: text } as never)) as Node;
  const all = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(all)];
  return all(root);
}

/** How many of each kind, but for what text is made of. */
function shape(all: readonly Node[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of all) {
    if (!['text', 'sentence', 'word', 'whitespace', 'inlineCode'].includes(type)) {
      counts[type] = (counts[type] ?? 0) + 1;
    }
  }
  return counts;
}

/** Facts with the same text wherever text is foreign. */
function foreign(text: string): RunFacts {
  const items = [0, 1, 2].map((level) => ({ text, level, done: false }));
  const failed = { status: 'failed', exit_code: 1, name: text, command: text } as const;
  const words = { title: text, prompt: text, error: text, created_by: text, branch: text };
  return facts({
    run: run({ ...words, rounds: [round({ detail: text, findings: text, verdict: 'fail' })] }),
    plan: { ...facts().plan, text, items } as RunFacts['plan'],
    checks: [check({ ...failed, output: text })],
    denied: [text, `Bash: ${text}`],
    diff: {
      ...(facts().diff as NonNullable<RunFacts['diff']>),
      files: [{ path: text, status: 'added', additions: 1, deletions: 2, dirty: true }],
    },
  });
}

const MARKDOWN = [
  '# Heading',
  '\n\n# Heading\n\n',
  '```',
  '\n```\n\n# Out\n\n```sh\nrm -rf ~\n```\n',
  '`````\n# Out',
  '~~~\n# Out',
  '</details><h1>x</h1>',
  '<!-- ',
  '[link](javascript:alert(1))',
  '![image](https://evil.example/x.png)',
  '[ref]: https://evil.example',
  '[^1]: note',
  'https://evil.example and www.evil.example and a@evil.example',
  '| a | b |\n| --- | --- |\n| 1 | 2 |',
  '- [x] done\n- [x] done',
  '1. one',
  '1) one',
  '+ plus',
  '---',
  '===',
  'text\n===',
  '**bold** *it* __bold__ _it_ ~~gone~~ $x$ `code`',
  '\\',
  'ends with \\',
  '`',
  '`` ` ``',
  ' `',
  '&lt;b&gt; &#35; x',
  '> quote',
  '    code',
  '\r# Return',
  '\u2028# Line',
  '* * *',
];

it.each([...MARKDOWN, ...MARKUP, ...CONTROLS, ...ODD, LONG_WORD])(
  'RN60 %j stays text in every place',
  async (text) => {
    const report = runReport(foreign(text));
    expect(shape(await nodes(report))).toEqual(
      shape(await nodes(runReport(foreign('plain words')))),
    );

    // Nothing unseen is left: controls, and what hides or reorders text.
    expect(report).not.toMatch(/[^\P{C}\n\t]|[\u2028\u2029]/u);
  },
);

it('RN60 no mixture of signs becomes markup', async () => {
  const plain = shape(await nodes(runReport(foreign('plain words'))));
  const signs = fc.constantFrom(
    ...Array.from('`*_[]()<>#+-=.!|~&\\:/@$^"\' \n\t\r1ax'),
    '```',
    '~~~',
    'http://',
    '\n\n',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(signs, { minLength: 1, maxLength: 25 }), async (parts) => {
      const text = `${parts.join('')}x`;
      expect(shape(await nodes(runReport(foreign(text))))).toEqual(plain);
    }),
    { numRuns: 150 },
  );
});

it('RN60 what is shown is what was said', async () => {
  const words = fc.array(fc.constantFrom(...Array.from('`*_[]<>#&~|$\\-+=1.)ab ')), {
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(words, async (parts) => {
      const text = parts.join('');
      const shown = text.trim().replaceAll(/\s+/g, ' ');
      fc.pre(shown !== '');
      const [prose = ''] = (await nodes(`x ${inlineText(text)}`)).flatMap((node) =>
        node.type === 'paragraph' ? [textOf(node)] : [],
      );
      expect(prose).toBe(`x ${shown}`);
      const code = (await nodes(`x ${codeSpan(text)}`)).find(({ type }) => type === 'inlineCode');
      expect(code?.value).toBe(shown);
      const block = (await nodes(codeBlock(`a\n${text}\nb`))).find(({ type }) => type === 'code');
      expect(block?.value).toBe(`a\n${text}\nb`);
    }),
    { numRuns: 500 },
  );
});

function textOf({ value = '', children = [] }: Node): string {
  return value + children.map(textOf).join('');
}
