/** The parser of a language, loaded when the first file in it is shown. */
import type { Parser } from '@lezer/common';
import type { CodeLanguage } from './code-language.ts';

const LOADERS: Record<CodeLanguage, () => Promise<Parser>> = {
  c: async () => (await import('@lezer/cpp')).parser,
  css: async () => (await import('@lezer/css')).parser,
  go: async () => (await import('@lezer/go')).parser,
  html,
  java: async () => (await import('@lezer/java')).parser,
  javascript: async () => javascript('jsx'),
  json: async () => (await import('@lezer/json')).parser,
  markdown: async () => (await import('@lezer/markdown')).parser,
  // Parts of a file rarely contain its opening tag.
  php: async () => (await import('@lezer/php')).parser.configure({ top: 'Program' }),
  python: async () => (await import('@lezer/python')).parser,
  rust: async () => (await import('@lezer/rust')).parser,
  sass: async () => (await import('@lezer/sass')).parser.configure({ dialect: 'indented' }),
  scss: async () => (await import('@lezer/sass')).parser,
  tsx: async () => javascript('ts jsx'),
  typescript: async () => javascript('ts'),
  xml: async () => (await import('@lezer/xml')).parser,
  yaml: async () => (await import('@lezer/yaml')).parser,
};

export async function loadParser(language: CodeLanguage): Promise<Parser> {
  return LOADERS[language]();
}

async function javascript(dialect: string): Promise<Parser> {
  return (await import('@lezer/javascript')).parser.configure({ dialect });
}

/** With its scripts and styles. */
async function html(): Promise<Parser> {
  const { configureNesting, parser } = await import('@lezer/html');
  const { parser: css } = await import('@lezer/css');
  const wrap = configureNesting([
    { tag: 'script', parser: await javascript('ts') },
    { tag: 'style', parser: css },
  ]);
  return parser.configure({ wrap });
}
