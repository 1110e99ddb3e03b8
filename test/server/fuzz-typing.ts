import fc from 'fast-check';
import {
  CancellationTokenSource,
  type ClientCapabilities,
  LSPErrorCodes,
  type Position,
  ResponseError,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { LspClient } from './lsp-client.ts';

/** An edit of a text: a part is deleted, letter by letter or at once, and something is typed or pasted. */
export interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
  readonly isTyped: boolean;
  /** What an editor requests afterwards; some requests are cancelled. */
  readonly asks: readonly { readonly method: string; readonly isCancelled: boolean }[];
}

/** Difficult pieces: YAML's signs, half a key, other scripts, other line ends. */
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

/** Requests that must all be answered, for any document; by their name in tests. */
export const requests: Readonly<Record<string, RequestOf>> = {
  ...Object.fromEntries(
    [
      ...['hover', 'definition', 'documentHighlight', 'prepareRename', 'prepareCallHierarchy', 'linkedEditingRange'],
      ...['documentSymbol', 'documentLink', 'foldingRange', 'semanticTokens/full', 'codeLens'],
    ].map((name): [string, RequestOf] => [name, (place) => [`textDocument/${name}`, atPosition(place)]]),
  ),
  completion: (place) => ['textDocument/completion', atPosition(place)],
  references: (place) => ['textDocument/references', { ...atPosition(place), context: { includeDeclaration: true } }],
  rename: (place) => ['textDocument/rename', { ...atPosition(place), newName: 'Other: [name]' }],
  'rename to nothing': (place) => ['textDocument/rename', { ...atPosition(place), newName: '' }],
  formatting: ({ uri }) => ['textDocument/formatting', { textDocument: { uri }, options }],
  rangeFormatting: (place) => ['textDocument/rangeFormatting', { ...inRange(place), options }],
  onTypeFormatting: (place) => ['textDocument/onTypeFormatting', { ...atPosition(place), options, ch: '\n' }],
  selectionRange: ({ uri, position, end }) => [
    'textDocument/selectionRange',
    { textDocument: { uri }, positions: [position, end] },
  ],
  inlayHint: (place) => ['textDocument/inlayHint', inRange(place)],
  codeAction: (place) => ['textDocument/codeAction', { ...inRange(place), context: { diagnostics: [] } }],
  'codeAction on save': (place) => [
    'textDocument/codeAction',
    { ...inRange(place), context: { diagnostics: [], only: ['source.fixAll'] } },
  ],
  symbol: ({ word }) => ['workspace/symbol', { query: word }],
};

/** Follow-up requests of an editor, about each of the first few results. */
const followUps: Readonly<Record<string, string>> = {
  completion: 'completionItem/resolve',
  codeAction: 'codeAction/resolve',
  prepareCallHierarchy: 'callHierarchy/outgoingCalls',
};

/** Client capabilities that enable all features of the server. */
export const fullCapabilities: ClientCapabilities = {
  textDocument: {
    codeAction: { resolveSupport: { properties: ['edit'] } },
    completion: { completionItem: { resolveSupport: { properties: ['documentation'] } } },
  },
};

interface Place {
  readonly uri: string;
  readonly position: Position;
  /** A position further back. */
  readonly end: Position;
  /** Some letters of the text. */
  readonly word: string;
}

type RequestOf = (place: Place) => readonly [method: string, params: object];

const options = { tabSize: 2, insertSpaces: true };

function atPosition({ uri, position }: Place): object {
  return { textDocument: { uri }, position };
}

function inRange({ uri, position, end }: Place): object {
  return { textDocument: { uri }, range: { start: position, end } };
}

export const editArbitrary: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat(),
  remove: fc.nat({ max: 40 }),
  insert: fc.constantFrom(...pieces),
  isTyped: fc.boolean(),
  asks: fc.array(fc.record({ method: fc.constantFrom(...Object.keys(requests)), isCancelled: fc.boolean() }), {
    maxLength: 3,
  }),
});

/** A document that is being edited. */
export interface TypedDocument {
  readonly uri: string;
  text: string;
  version: number;
}

/** Sends an edit change by change like an editor, and the usual requests. Rejects for an error response. */
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

/** Sends one request about a position, and its follow-ups. */
export async function ask(
  { connection }: Pick<LspClient, 'connection'>,
  { uri, text }: Pick<TypedDocument, 'uri' | 'text'>,
  name: string,
  offset: number,
  isCancelled = false,
): Promise<void> {
  const lines = TextDocument.create('', '', 0, text);
  const word = text.slice(offset, offset + 3);
  const place = { uri, word, position: lines.positionAt(offset), end: lines.positionAt(offset + 200) };
  await askAbout(connection, name, place, isCancelled);
}

/** Sends one request about a position, and its follow-ups. */
export async function askAbout(
  connection: LspClient['connection'],
  name: string,
  place: Place,
  isCancelled = false,
): Promise<void> {
  const [method, params] = requests[name]?.(place) ?? ['', {}];
  const answer = await answerOf(connection, method, params, isCancelled);
  const next = followUps[name];
  if (next === undefined) return;
  const list = Array.isArray(answer) ? answer : ((answer as { items?: unknown[] } | null)?.items ?? []);
  for (const item of list.slice(0, 3)) {
    await answerOf(connection, next, name === 'prepareCallHierarchy' ? { item } : (item as object), false);
  }
}

async function answerOf(
  connection: LspClient['connection'],
  method: string,
  params: object,
  isCancelled: boolean,
): Promise<unknown> {
  const cancellation = new CancellationTokenSource();
  const answer = connection.sendRequest<unknown>(method, params, cancellation.token);
  if (isCancelled) cancellation.cancel();
  return answer.catch((error: unknown) => {
    // The only error responses allowed: cancelled, an impossible name, or a large file that is not read yet.
    const { code, message = '' } = error instanceof ResponseError ? error : {};
    const isRefusal =
      code === LSPErrorCodes.RequestFailed &&
      (method === 'textDocument/rename' || message.endsWith('is large and still being read. Try again in a moment.'));
    if (!isRefusal && !(isCancelled && code === LSPErrorCodes.RequestCancelled)) throw error;
    return null;
  });
}

/** Lines as in LSP, where `\r` ends one too. */
function positionAt({ text }: Pick<TypedDocument, 'text'>, offset: number): Position {
  return TextDocument.create('', '', 0, text).positionAt(offset);
}

/** No edit of an editor starts inside a line end or a surrogate pair. */
function wholeCharacter(text: string, offset: number): number {
  const inside = /[\uDC00-\uDFFF]/.test(text[offset] ?? '') || (text[offset] === '\n' && text[offset - 1] === '\r');
  return inside ? offset - 1 : offset;
}
