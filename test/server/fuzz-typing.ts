import fc from 'fast-check';
import {
  CancellationTokenSource,
  LSPErrorCodes,
  type Position,
  ResponseError,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { LspClient } from './lsp-client.ts';

/** Something done to a text: a stretch is deleted, letter by letter or at once, and something is typed or pasted. */
export interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
  readonly isTyped: boolean;
  /** What an editor asks for afterwards; some of it is cancelled again. */
  readonly asks: readonly { readonly method: string; readonly isCancelled: boolean }[];
}

/** Pieces that hurt: YAML's signs, half a key, other scripts, other line ends. */
const pieces = [
  ...['', ' ', '\n', '\r\n', '\t', ':', ': ', '- ', '[', ']', '{', '}', '"', "'", '|\n', '# ', '&a', '*a', '!'],
  ...[
    'elements',
    'é',
    '😀',
    '\u0000',
    '\uFEFF',
    '---\n',
    '...\n',
    '<<: *a\n',
    '${secret:',
    '  where: a = ',
    '<<<<<<< HEAD\n',
  ],
  ...[
    '[{'.repeat(40),
    `${'x'.repeat(5_000)}\n`,
    'elements:\n  - activityName: A\n    dataObject: orders\n',
    '{"a": [1, {"b": null}]}',
  ],
];

/** Requests about a place or the whole of a document; each must be answered, whatever the document is. */
export const requests: readonly (readonly [method: string, params?: object])[] = [
  ['completion'],
  ['hover'],
  ['definition'],
  ['references', { context: { includeDeclaration: true } }],
  ['documentHighlight'],
  ['prepareRename'],
  ['prepareCallHierarchy'],
  ['linkedEditingRange'],
  ['documentSymbol'],
  ['documentLink'],
  ['foldingRange'],
  ['semanticTokens/full'],
  ['formatting', { options: { tabSize: 2, insertSpaces: true } }],
  ['onTypeFormatting', { options: { tabSize: 2, insertSpaces: true }, ch: '\n' }],
];

export const editArbitrary: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat(),
  remove: fc.nat({ max: 40 }),
  insert: fc.constantFrom(...pieces),
  isTyped: fc.boolean(),
  asks: fc.array(
    fc.record({ method: fc.constantFrom(...requests.map(([method]) => method)), isCancelled: fc.boolean() }),
    { maxLength: 3 },
  ),
});

/** A document that is being typed in. */
export interface TypedDocument {
  readonly uri: string;
  text: string;
  version: number;
}

/** Does an edit as an editor would, change by change, and asks what comes with it. Rejects when an answer is an error. */
export async function type({ connection }: LspClient, document: TypedDocument, edit: Edit): Promise<void> {
  const start = wholeCharacter(document.text, edit.at % (document.text.length + 1));
  const end = wholeCharacter(document.text, Math.min(start + edit.remove, document.text.length));
  const typed = edit.isTyped && edit.insert.length < 100 ? (edit.insert.match(/\r\n|[^]/gu) ?? ['']) : [edit.insert];
  let at = start;
  const change = async (from: number, to: number, text: string): Promise<void> => {
    const range = { start: positionAt(document, from), end: positionAt(document, to) };
    document.version += 1;
    document.text = document.text.slice(0, from) + text + document.text.slice(to);
    await connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: document.uri, version: document.version },
      contentChanges: [{ range, text }],
    });
  };
  if (end > start) await change(start, end, '');
  for (const piece of typed) {
    await change(at, at, piece);
    at += piece.length;
  }
  await Promise.all(edit.asks.map((asked) => ask({ connection }, document, asked.method, at, asked.isCancelled)));
}

/** Asks one request about a place of a document. */
export async function ask(
  { connection }: Pick<LspClient, 'connection'>,
  { uri, text }: TypedDocument,
  method: string,
  offset: number,
  isCancelled = false,
): Promise<void> {
  const [, more = {}] = requests.find(([name]) => name === method) ?? [];
  const params = { textDocument: { uri }, position: positionAt({ text }, offset), ...more };
  const cancellation = new CancellationTokenSource();
  const answer = connection.sendRequest(`textDocument/${method}`, params, cancellation.token);
  if (isCancelled) cancellation.cancel();
  await answer.catch((error: unknown) => {
    // To say that it was cancelled is the only error that is an answer.
    const isExpected = error instanceof ResponseError && error.code === LSPErrorCodes.RequestCancelled;
    if (!isCancelled || !isExpected) throw error;
  });
}

/** As LSP counts lines, which end with `\r` as well. */
function positionAt({ text }: Pick<TypedDocument, 'text'>, offset: number): Position {
  return TextDocument.create('', '', 0, text).positionAt(offset);
}

/** No edit of an editor starts inside a line end or a surrogate pair. */
function wholeCharacter(text: string, offset: number): number {
  const inside = /[\uDC00-\uDFFF]/.test(text[offset] ?? '') || (text[offset] === '\n' && text[offset - 1] === '\r');
  return inside ? offset - 1 : offset;
}
