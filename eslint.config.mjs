import js from '@eslint/js';
import { existsSync, readdirSync } from 'node:fs';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** Data must not become Markdown, nor links: one place of each program hands it out, and takes only what is escaped. */
const onlyEscaped = [
  {
    selector: "Property[key.name='kind'][value.value='markdown'], MemberExpression[object.name='MarkupKind']",
    message: 'Use `toMarkup` of server/src/lsp/features/to-markup.ts, which takes only Markdown that escapes data.',
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

/** Calls that never end, or end the server, where something refuses. */
const onlyRefusable = [
  {
    selector: 'CallExpression[callee.name=/^mkdir(Sync)?$/] Property[key.name="recursive"]',
    message: 'Use makeFolder of server/src/files: a recursive mkdir never ends where nothing can be made.',
  },
  {
    selector:
      'MemberExpression[object.property.name="window"][property.name=/^show/], MemberExpression[object.property.name="diagnostics"][property.name="refresh"]',
    message: 'Its types hide a promise, and a client that refuses would end the server. Send the message itself.',
  },
];

/** The name of a dialect decides nothing outside server/src/dialects: what it decides is a member of `Dialect`. */
const dialectName = `/^(${dialectNames().join('|')})$/`;
const onlyInDialects = [
  `BinaryExpression[operator=/^[!=]==?$/] > Literal[value=${dialectName}]`,
  `SwitchCase > Literal[value=${dialectName}]`,
  `ObjectExpression > Property[key.name=${dialectName}] ~ Property[key.name=${dialectName}]`,
].map((selector) => ({
  selector,
  message: 'Ask a member of `Dialect` (server/src/dialects/dialect.ts); its name decides nothing outside that folder.',
}));

/** Texts of data have no effect on terminals, build servers and editors: one place of each program prints them escaped. */
const onlyPrinted = [
  {
    selector: [
      "MemberExpression[object.name='process'][property.name=/^std(out|err)$/]",
      "VariableDeclarator[init.name='process'] > ObjectPattern > Property[key.name=/^std(out|err)$/]",
      "CallExpression[callee.property.name='write']:matches([callee.object.name=/^std(out|err)$/], [callee.object.property.name=/^std(out|err)$/])",
    ].join(', '),
    message: 'Print with the `Terminal` of server/src/cli/terminal.ts, which escapes each line.',
  },
  {
    selector: "CallExpression[callee.property.name='createOutputChannel']",
    message: 'Use `createLog` of client/src/log.ts, which escapes each message.',
  },
];

/** Names and texts in SQL are quoted by a dialect. */
const onlyDialectsQuote = [
  `[arguments.0.value="'"][arguments.1.value="''"]`,
  `[arguments.0.value='"'][arguments.1.value='""']`,
].map((doubled) => ({
  selector: `CallExpression[callee.property.name='replaceAll']${doubled}`,
  message:
    'Quote with `literals` or `identifiers` of the dialect (server/src/dialects), or with server/src/query/quote.ts.',
}));

/** Each has a file of its own. */
function dialectNames() {
  return readdirSync(new URL('server/src/dialects', import.meta.url))
    .filter((name) => name.endsWith('.ts') && !['dialect.ts', 'index.ts'].includes(name))
    .map((name) => name.slice(0, -'.ts'.length));
}

/** The kinds of data sources, by their folders. */
const connectors = new URL('server/src/connectors/', import.meta.url);
const kinds = readdirSync(connectors).filter((name) => existsSync(new URL(`${name}/source-kind.ts`, connectors)));
/** `csv` and `xes` are formats of files as well, and `postgresql` and `mysql` are dialects: these are told by what they are compared with. */
const formats = ['csv', 'xes'];
const kindsAlone = kinds.filter((name) => !formats.includes(name) && !dialectNames().includes(name)).join('|');
const keyOfKind = `Property[key.name=/^(${kinds.join('|')})$/]`;
const keyOfKindAlone = `Property[key.name=/^(${kindsAlone})$/]`;
const keyOfFormat = `Property[key.name=/^(${formats.join('|')})$/]`;
const keyOfDialect = `Property[key.name=${dialectName}]`;
const aKind = `Literal[value=/^(${kinds.join('|')})$/]`;
const onlyKindAlone = `Literal[value=/^(${kindsAlone})$/]`;

/** What holds for one kind stands in its folder. */
const noKindByName = [
  {
    selector: [
      `BinaryExpression[operator=/^[!=]==?$/] > ${onlyKindAlone}`,
      `BinaryExpression[operator=/^[!=]==?$/]:has(Identifier[name=/kind$/i]) > ${aKind}`,
      ...['name', 'property.name', 'object.property.name', 'expression.object.property.name'].map(
        (place) => `SwitchStatement[discriminant.${place}=/kind$/i] > SwitchCase > ${aKind}`,
      ),
      `SwitchCase > ${onlyKindAlone}`,
      `ArrayExpression > ${onlyKindAlone}`,
      `ObjectExpression > ${keyOfKindAlone} ~ ${keyOfKind}`,
      `ObjectExpression > ${keyOfKind} ~ ${keyOfKindAlone}`,
      `ObjectExpression > ${keyOfFormat} ~ ${keyOfDialect}`,
      `ObjectExpression > ${keyOfDialect} ~ ${keyOfFormat}`,
    ].join(', '),
    message:
      'Ask the source kind (`sourceKind` of server/src/connectors/source-kinds.ts) instead of its name; the client has `abilities` of a data source.',
  },
];

/** Names of the fields, parameters and properties of one platform, which its folder knows alone. */
const platformName = '/sys_id|sysparm_|staging_table|glide[._]/i';
const noPlatformNames = [
  {
    selector: [
      `Literal[value=${platformName}]`,
      `Literal[regex.pattern=${platformName}]`,
      `TemplateElement[value.raw=${platformName}]`,
      `Identifier[name=${platformName}]`,
    ].join(', '),
    message:
      'Ask the source kind: its `writer` names the key of records (`recordKey`), its `explorer` describes paths and parameters.',
  },
];

/** One maker of buttons: their looks and attributes have one place. */
const onlyOneButton = [
  {
    selector: 'TemplateElement[value.raw=/<(vscode-)?button/]',
    message: 'Use `button` of webview/src/ui/button.ts.',
  },
];

/** A spread of an object literal only packs several members into a line. */
const noPackedMembers = [
  {
    selector: 'ObjectExpression > SpreadElement > ObjectExpression',
    message: 'Write the members themselves instead of spreading an object literal.',
  },
];

/** All that is refused. A place lists what it may use in spite of that, so that it cannot lack any of the others. */
const refused = [
  noPackedMembers,
  onlyEscaped,
  onlyRefusable,
  onlyPrinted,
  onlyInDialects,
  onlyDialectsQuote,
  noKindByName,
  noPlatformNames,
  onlyOneButton,
];

function allBut(...allowed) {
  const lists = refused.filter((list) => !allowed.includes(list));
  return { 'no-restricted-syntax': ['error', ...lists.flat()] };
}

/** Of several entries for a file, the last one counts. */
const placesOfSyntax = [
  { files: ['client/src/**', 'protocol/**', 'server/src/**', 'webview/src/**'], rules: allBut() },
  // The extension host has neither `makeFolder` nor the connection of the server.
  { files: ['client/src/**'], rules: allBut(onlyRefusable) },
  { files: ['client/src/tooltip.ts', 'client/src/messages.ts'], rules: allBut(onlyRefusable, onlyEscaped) },
  { files: ['client/src/log.ts'], rules: allBut(onlyRefusable, onlyPrinted) },
  {
    files: [
      // Writes what is escaped.
      'server/src/cli/terminal.ts',
      // Hands out the streams, and waits for them.
      'server/src/cli/main.ts',
      'server/src/mcp/main.ts',
      // Prints its usage, without data.
      'server/src/lsp/main.ts',
      // Its output is read by this program alone.
      'server/src/connectors/postgresql/given/pglite-process.ts',
    ],
    rules: allBut(onlyPrinted),
  },
  { files: ['webview/src/ui/button.ts'], rules: allBut(onlyOneButton) },
  // Texts of YAML and CSV double quotes as well; secrets are redacted in such texts, too.
  {
    files: [
      ...['language', 'model'].map((room) => `server/src/${room}/**`),
      'server/src/connectors/redact-secrets.ts',
      'server/src/connectors/trino/csv-rows.ts',
      'webview/src/results-grid/format-rows.ts',
    ],
    rules: allBut(onlyDialectsQuote),
  },
  { files: ['server/src/dialects/**'], rules: allBut(onlyInDialects, onlyDialectsQuote) },
  // One of the formats of its files has the name of the kind.
  { files: ['server/src/connectors/csv/**'], rules: allBut(noKindByName) },
  {
    files: [
      'server/src/connectors/servicenow/**',
      // Its usage is a contract.
      'server/src/cli/commands/servicenow.ts',
      // Guesses for columns of any table.
      'server/src/catalog/usual-key-names.ts',
      // Examples in the documentation of fields.
      'protocol/fields/**',
    ],
    rules: allBut(noPlatformNames),
  },
  { files: ['server/src/lsp/features/to-markup.ts'], rules: allBut(onlyEscaped) },
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
      // The compiler finds these (noUnusedLocals, noUnusedParameters), and this rule takes a third of the time of all.
      '@typescript-eslint/no-unused-vars': 'off',
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  ...placesOfSyntax,
  {
    // A longer function has a comment that says why; those that share state between small functions are the usual ones.
    files: ['client/src/**', 'protocol/**', 'server/src/**', 'webview/src/**'],
    rules: { 'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }] },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
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
  {
    files: ['**/*.cjs'],
    languageOptions: {
      globals: { module: 'writable', require: 'readonly', __dirname: 'readonly', __filename: 'readonly' },
    },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  { files: ['test/**', 'bench/**', 'scripts/**'], rules: { 'no-console': 'off' } },
);
