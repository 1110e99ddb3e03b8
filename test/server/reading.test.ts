import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { FoldingRange, SemanticTokens } from 'vscode-languageserver-protocol/node';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';

const sources = 'version: 1\ndataSources:\n  shop:\n    kind: postgresql\n    password: ${secret:shop}\n';
const graph =
  "version: 1\n# What is sold,\n# and to whom\nelements:\n  - activityName: A\n    joins: |\n      JOIN b AS c\n      ON c.id = 1\n    where: lower(c.name) = 'x'\n";

describe('language server: semantic tokens and folding', () => {
  let folder: string;
  let client: LspClient;

  before(async () => {
    folder = await folderWith({});
    client = await startLspClient({ folder });
  });
  after(async () => {
    await client.close();
    await removeFolder(folder);
  });

  const files: readonly (readonly [file: string, text: string, tokens: readonly string[], folds: readonly string[]])[] =
    [
      [
        'a.entity.yaml',
        graph,
        [
          ...['event A', 'keyword JOIN', 'class b', 'keyword AS', 'variable c', 'keyword ON', 'variable c'],
          ...['property id', 'number 1', 'function lower', 'variable c', 'property name', "string 'x'"],
        ],
        ['1-2 comment', '3-8', '4-8', '5-7'],
      ],
      [
        'entity-sources.yaml',
        sources,
        [
          ...['property version', 'property dataSources', 'namespace shop', 'property kind', 'enumMember postgresql'],
          ...['property password', 'keyword secret', 'variable shop'],
        ],
        ['1-4', '2-4'],
      ],
    ];
  for (const [file, text, tokens, folds] of files) {
    it(`covers ${file}`, async () => {
      const uri = await client.open(join(folder, file), text);
      const textDocument = { uri };
      const { data }: SemanticTokens = await client.connection.sendRequest('textDocument/semanticTokens/full', {
        textDocument,
      });
      assert.deepEqual(readTokens(data, text), tokens);
      const ranges: FoldingRange[] = await client.connection.sendRequest('textDocument/foldingRange', { textDocument });
      assert.deepEqual(
        ranges.map(({ startLine, endLine, kind }) => `${startLine}-${endLine}${kind === undefined ? '' : ` ${kind}`}`),
        folds,
      );
    });
  }

  /** Five numbers per token: lines and characters after the previous one, length, type, modifiers. */
  function readTokens(data: readonly number[], text: string): readonly string[] {
    const legend = client.initialized.capabilities.semanticTokensProvider?.legend.tokenTypes ?? [];
    const lines = text.split('\n');
    const found: string[] = [];
    let [line, character] = [0, 0];
    for (let at = 0; at < data.length; at += 5) {
      const [down = 0, right = 0, length = 0, type = 0] = data.slice(at, at + 4);
      line += down;
      character = down > 0 ? right : character + right;
      found.push(`${legend[type]} ${lines[line]?.slice(character, character + length)}`);
    }
    return found;
  }
});
