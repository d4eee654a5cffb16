import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import typescript from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

const NO_SHELL = [
  {
    name: 'node:child_process',
    importNames: ['exec', 'execSync'],
    message: 'A shell parses user data. Use execFile with an argument list.',
  },
];

const NO_LITERAL_SPREAD = [
  'ObjectExpression > SpreadElement > ObjectExpression',
  ':matches(ArrayExpression, CallExpression) > SpreadElement > ArrayExpression',
].map((selector) => ({
  selector,
  message: 'Write the properties themselves: misspelt keys in a spread are not found.',
}));

const NO_SIGNAL_ANY = [
  {
    object: 'AbortSignal',
    property: 'any',
    message: 'Its sources keep an entry for as long as they live. Use linkSignals and release it.',
  },
];

export default typescript.config(
  { ignores: ['dist', '.shots', '.svelte-kit', 'node_modules', 'server/db/migrations'] },
  js.configs.recommended,
  ...typescript.configs.strictTypeChecked,
  ...svelte.configs.recommended,
  {
    languageOptions: {
      globals: globals.node,
      parserOptions: {
        projectService: { allowDefaultProject: ['*.js', 'examples/*.mjs', '.ci/*.mjs'] },
        extraFileExtensions: ['.svelte'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      'max-lines': ['error', { max: 300, skipComments: true, skipBlankLines: true }],
      'no-restricted-imports': ['error', { paths: NO_SHELL }],
      'no-restricted-syntax': ['error', ...NO_LITERAL_SPREAD],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
    },
  },
  {
    files: ['web/**/*.svelte', 'web/**/*.svelte.ts'],
    languageOptions: {
      globals: globals.browser,
      parserOptions: { parser: typescript.parser, svelteConfig },
    },
    rules: {
      'svelte/no-at-html-tags': 'error',
      'svelte/button-has-type': 'error',
      'svelte/no-navigation-without-resolve': 'off',
    },
  },
  { files: ['web/**/*.ts'], languageOptions: { globals: globals.browser } },
  {
    // Plain TypeScript. The component parser rewrites each file, and the type checker then checks the
    // whole page again: two minutes of the lint.
    files: ['web/**/*.svelte.ts'],
    languageOptions: { parser: typescript.parser },
  },
  {
    // Signals of the daemon live as long as it does; those of a page's request do not.
    files: ['server/**/*.ts'],
    rules: { 'no-restricted-properties': ['error', ...NO_SIGNAL_ANY] },
  },
  {
    files: ['*.js', 'examples/*.mjs', '.ci/*.mjs'],
    extends: [typescript.configs.disableTypeChecked],
  },
);
