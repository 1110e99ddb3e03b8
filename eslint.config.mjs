import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** Data must not become Markdown, nor links: one place of each program hands it out, and takes only what is escaped. */
const onlyEscaped = [
  {
    selector: "Property[key.name='kind'][value.value='markdown'], MemberExpression[object.name='MarkupKind']",
    message: 'Use `toMarkup` of server/src/lsp/to-markup.ts, which takes only Markdown that escapes data.',
  },
  {
    selector: "NewExpression[callee.name='MarkdownString'], NewExpression[callee.property.name='MarkdownString']",
    message: 'Use `tooltip` of client/src/tooltip.ts, which escapes data.',
  },
  {
    selector:
      'MemberExpression[object.name="window"][property.name=/^(show(Information|Warning|Error)Message|withProgress)$/]',
    message: 'Use the function of this name of client/src/messages.ts: VS Code makes links of what looks like one.',
  },
];

export default defineConfig(
  globalIgnores(['**/dist/', '.cache/', 'node_modules/', '**/.entity-graph/']),
  js.configs.recommended,
  tseslint.configs.recommended,
  {
    files: ['**/*.ts'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['client/src/**', 'server/src/**', 'webview/src/**', 'protocol/**'],
    ignores: ['server/src/lsp/to-markup.ts', 'client/src/tooltip.ts', 'client/src/messages.ts'],
    rules: { 'no-restricted-syntax': ['error', ...onlyEscaped] },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        Buffer: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        URLSearchParams: 'readonly',
        AbortController: 'readonly',
        AbortSignal: 'readonly',
        performance: 'readonly',
        fetch: 'readonly',
      },
    },
  },
  { files: ['**/*.cjs'], languageOptions: { globals: { module: 'writable', require: 'readonly' } } },
  { files: ['test/**', 'bench/**', 'scripts/**'], rules: { 'no-console': 'off' } },
);
