/** The options of a bench run. */
import { parseArgs } from 'node:util';

export const USAGE =
  'npm run bench -- [PART …] [--quick] [--output FILE] [--docs]\n' +
  'Without a PART all are measured. --quick looks shortly; --docs writes docs/performance.md,\n' +
  'with PARTs only their sections.';

export interface BenchOptions {
  parts: readonly string[];
  isQuick: boolean;
  output: string;
  docs: boolean;
}

/** Returns the options, or what is wrong with the arguments. */
export function benchOptions(
  words: readonly string[],
  known: readonly string[],
): BenchOptions | string {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        quick: { type: 'boolean', default: false },
        output: { type: 'string', default: '.bench/result.json' },
        docs: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const { values, positionals } = parsed;
  const unknown = positionals.find((part) => !known.includes(part));
  if (unknown !== undefined) return `no part "${unknown}": the parts are ${known.join(', ')}`;
  return {
    parts: positionals.length === 0 ? known : positionals,
    isQuick: values.quick,
    output: values.output,
    docs: values.docs,
  };
}
