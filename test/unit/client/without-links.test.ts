import assert from 'node:assert/strict';
import { ESLint } from 'eslint';
import fc from 'fast-check';
import { withoutLinks } from '../../../client/src/without-links.ts';

/** A link in a VS Code notification: a label in brackets followed by an address. */
const link = /\[[^\]]+\]\([^)\s]+[^)]*\)/;

describe('notification text', () => {
  it('contains no link taken from data', () => {
    for (const text of ['No [x](command:evil) found.', '[[x](https://evil.example) ](y)', '](](', '[a]([b](c))']) {
      const shown = withoutLinks(text);
      assert.doesNotMatch(shown, link);
      assert.equal(shown.replaceAll('\u200B', ''), text);
    }
    fc.assert(
      fc.property(fc.array(fc.constantFrom('[', ']', '(', ')', '](', 'x', 'command:y', ' ')), (parts) => {
        assert.doesNotMatch(withoutLinks(parts.join('')), link);
      }),
    );
  });
});

describe('lint of texts that people see', () => {
  const refused: readonly (readonly [file: string, code: string])[] = [
    ['client/src/a.ts', 'void window.showErrorMessage(text);'],
    ['client/src/a.ts', 'const tell = window.showInformationMessage;'],
    ['client/src/a.ts', 'void window.withProgress({ location }, work);'],
    ['client/src/a.ts', 'item.tooltip = new MarkdownString(text);'],
    ['client/src/a.ts', 'item.tooltip = new vscode.MarkdownString(text);'],
    ['server/src/lsp/a.ts', 'hover = { contents: { kind: MarkupKind.Markdown, value: text } };'],
    ['server/src/lsp/a.ts', "hover = { contents: { kind: 'markdown', value: text } };"],
    ['client/src/a.ts', "const log = window.createOutputChannel('Log');"],
    ['client/src/a.ts', 'process.stdout.write(text);'],
    ['server/src/cli/a.ts', 'const { stderr } = process;'],
    ['server/src/cli/a.ts', 'around.stdout.write(text);'],
    ['server/src/operations/a.ts', 'stderr.write(text);'],
  ];
  const eslint = new ESLint();

  for (const [filePath, code] of refused) {
    it(`refuses ${code}`, async () => {
      const [result] = await eslint.lintText(code, { filePath });
      assert.ok(result?.messages.some(({ ruleId }) => ruleId === 'no-restricted-syntax'));
    });
  }
});
