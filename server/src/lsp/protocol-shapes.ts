import { languageRequests } from '../../../protocol/language-requests.ts';
import { clientNotifications } from '../../../protocol/requests/notifications.ts';
import { position, range } from '../../../protocol/shapes/query-shapes.ts';
import { paramShapes } from '../../../protocol/shapes/request-shape.ts';
import {
  type Shape,
  anything,
  choice,
  count,
  either,
  flag,
  list,
  object,
  nullable,
  number,
  optional,
  record,
  text,
} from '../../../protocol/shapes/shape.ts';

const textDocument = object({ uri: text });
const inDocument = object({ textDocument });
const atPosition = object({ textDocument, position });
const inRange = object({ textDocument, range });
const named = object({ uri: text, name: text });

/** Minimal schemas of request parameters, by method; other properties are not validated. */
export const incomingRequests: Readonly<Record<string, Shape<unknown>>> = {
  ...paramShapes(languageRequests),
  initialize: object({
    capabilities: object({}),
    processId: optional(nullable(number)),
    rootUri: optional(nullable(text)),
    workspaceFolders: optional(nullable(list(named))),
  }),
  'textDocument/completion': atPosition,
  'completionItem/resolve': object({ label: text }),
  'textDocument/hover': atPosition,
  'textDocument/documentSymbol': inDocument,
  'textDocument/codeAction': object({
    textDocument,
    range,
    context: object({ diagnostics: list(anything), only: optional(list(text)) }),
  }),
  // The server has one command, whose argument it made itself.
  'workspace/executeCommand': object({
    command: text,
    arguments: optional(list(object({ label: text, uri: text, version: number, edit: object({}) }))),
  }),
  'codeAction/resolve': object({
    title: text,
    data: optional(nullable(object({ uri: optional(text), offset: optional(count) }))),
  }),
  'textDocument/codeLens': inDocument,
  'codeLens/resolve': object({ range, data: optional(nullable(list(count))) }),
  'textDocument/foldingRange': inDocument,
  'textDocument/definition': atPosition,
  'textDocument/references': object({ textDocument, position, context: object({ includeDeclaration: flag }) }),
  'textDocument/documentHighlight': atPosition,
  'textDocument/prepareRename': atPosition,
  'textDocument/rename': object({ textDocument, position, newName: text }),
  'workspace/symbol': object({ query: text }),
  'textDocument/formatting': inDocument,
  'textDocument/rangeFormatting': inRange,
  'textDocument/onTypeFormatting': object({ textDocument, position, ch: text }),
  'textDocument/documentLink': inDocument,
  'textDocument/selectionRange': object({ textDocument, positions: list(position) }),
  'textDocument/semanticTokens/full': inDocument,
  'textDocument/semanticTokens/full/delta': object({ textDocument, previousResultId: text }),
  'textDocument/inlayHint': inRange,
  'textDocument/linkedEditingRange': atPosition,
  'textDocument/prepareCallHierarchy': atPosition,
  'callHierarchy/incomingCalls': object({ item: named }),
  'callHierarchy/outgoingCalls': object({ item: named }),
  'textDocument/diagnostic': inDocument,
  'textDocument/willSaveWaitUntil': object({ textDocument, reason: count }),
};

/** Shapes of the parameters of incoming notifications. */
export const incomingNotices: Readonly<Record<string, Shape<unknown>>> = {
  ...clientNotifications,
  '$/cancelRequest': object({ id: either(number, text) }),
  '$/progress': object({ token: either(number, text), value: anything }),
  'window/workDoneProgress/cancel': object({ token: either(number, text) }),
  '$/setTrace': object({ value: choice({ off: true, messages: true, compact: true, verbose: true }) }),
  'textDocument/didOpen': object({
    textDocument: object({ uri: text, languageId: text, version: number, text }),
  }),
  'textDocument/didChange': object({
    textDocument: object({ uri: text, version: number }),
    contentChanges: list(object({ text, range: optional(range) })),
  }),
  'textDocument/didClose': inDocument,
  'textDocument/didSave': inDocument,
  'textDocument/willSave': object({ textDocument, reason: count }),
  'workspace/didChangeConfiguration': record(anything),
  'workspace/didChangeWorkspaceFolders': object({
    event: object({ added: list(named), removed: list(named) }),
  }),
  'workspace/didChangeWatchedFiles': object({ changes: list(object({ uri: text, type: count })) }),
  'workspace/didRenameFiles': object({ files: list(object({ oldUri: text, newUri: text })) }),
};
