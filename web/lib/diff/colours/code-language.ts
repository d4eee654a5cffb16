/** The language of a file by its name. Pure. */

export type CodeLanguage =
  | 'c'
  | 'css'
  | 'go'
  | 'html'
  | 'java'
  | 'javascript'
  | 'json'
  | 'markdown'
  | 'php'
  | 'python'
  | 'rust'
  | 'sass'
  | 'scss'
  | 'tsx'
  | 'typescript'
  | 'xml'
  | 'yaml';

const ENDINGS: Record<CodeLanguage, string> = {
  c: 'c h cc cpp cxx hh hpp hxx ino',
  css: 'css',
  go: 'go',
  html: 'html htm svelte vue',
  java: 'java',
  javascript: 'js cjs mjs jsx',
  json: 'json jsonc json5 webmanifest',
  markdown: 'md markdown',
  php: 'php',
  python: 'py pyi',
  rust: 'rs',
  sass: 'sass',
  scss: 'scss',
  tsx: 'tsx',
  typescript: 'ts cts mts',
  xml: 'xml svg xsd xsl plist',
  yaml: 'yaml yml',
};

const BY_ENDING = new Map(
  Object.entries(ENDINGS).flatMap(([language, endings]) =>
    endings.split(' ').map((ending) => [ending, language as CodeLanguage]),
  ),
);

/** Null for a language without colours. */
export function codeLanguage(path: string): CodeLanguage | null {
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return BY_ENDING.get(ending) ?? null;
}
