import { position, range } from '../../../protocol/shapes/query-shapes.ts';
import { noticeShapes, requestShapes } from '../../../protocol/shapes/request-shapes.ts';
import {
  type Shape,
  anything,
  choice,
  count,
  either,
  flag,
  list,
  members,
  nullable,
  number,
  optional,
  record,
  text,
} from '../../../protocol/shapes/shape.ts';

const textDocument = members({ uri: text });
const inDocument = members({ textDocument });
const atPosition = members({ textDocument, position });
const inRange = members({ textDocument, range });
const named = members({ uri: text, name: text });

/** Minimal schemas of request parameters, by method; other properties are not validated. */
export const incomingRequests: Readonly<Record<string, Shape<unknown>>> = {
  ...requestShapes,
  initialize: members({
    capabilities: members({}),
    processId: optional(nullable(number)),
    rootUri: optional(nullable(text)),
    workspaceFolders: optional(nullable(list(named))),
  }),
  'textDocument/completion': atPosition,
  'completionItem/resolve': members({ label: text }),
  'textDocument/hover': atPosition,
  'textDocument/documentSymbol': inDocument,
  'textDocument/codeAction': members({
    textDocument,
    range,
    context: members({ diagnostics: list(anything), only: optional(list(text)) }),
  }),
  // The server has one command, whose argument it made itself.
  'workspace/executeCommand': members({
    command: text,
    arguments: optional(list(members({ label: text, uri: text, version: number, edit: members({}) }))),
  }),
  'codeAction/resolve': members({
    title: text,
    data: optional(nullable(members({ uri: optional(text), offset: optional(count) }))),
  }),
  'textDocument/codeLens': inDocument,
  'codeLens/resolve': members({ range, data: optional(nullable(list(count))) }),
  'textDocument/foldingRange': inDocument,
  'textDocument/definition': atPosition,
  'textDocument/references': members({ textDocument, position, context: members({ includeDeclaration: flag }) }),
  'textDocument/documentHighlight': atPosition,
  'textDocument/prepareRename': atPosition,
  'textDocument/rename': members({ textDocument, position, newName: text }),
  'workspace/symbol': members({ query: text }),
  'textDocument/formatting': inDocument,
  'textDocument/rangeFormatting': inRange,
  'textDocument/onTypeFormatting': members({ textDocument, position, ch: text }),
  'textDocument/documentLink': inDocument,
  'textDocument/selectionRange': members({ textDocument, positions: list(position) }),
  'textDocument/semanticTokens/full': inDocument,
  'textDocument/semanticTokens/full/delta': members({ textDocument, previousResultId: text }),
  'textDocument/inlayHint': inRange,
  'textDocument/linkedEditingRange': atPosition,
  'textDocument/prepareCallHierarchy': atPosition,
  'callHierarchy/incomingCalls': members({ item: named }),
  'callHierarchy/outgoingCalls': members({ item: named }),
  'textDocument/diagnostic': inDocument,
  'textDocument/willSaveWaitUntil': members({ textDocument, reason: count }),
};

/** Shapes of the parameters of incoming notifications. */
export const incomingNotices: Readonly<Record<string, Shape<unknown>>> = {
  ...noticeShapes,
  '$/cancelRequest': members({ id: either(number, text) }),
  '$/progress': members({ token: either(number, text), value: anything }),
  'window/workDoneProgress/cancel': members({ token: either(number, text) }),
  '$/setTrace': members({ value: choice({ off: true, messages: true, compact: true, verbose: true }) }),
  'textDocument/didOpen': members({
    textDocument: members({ uri: text, languageId: text, version: number, text }),
  }),
  'textDocument/didChange': members({
    textDocument: members({ uri: text, version: number }),
    contentChanges: list(members({ text, range: optional(range) })),
  }),
  'textDocument/didClose': inDocument,
  'textDocument/didSave': inDocument,
  'textDocument/willSave': members({ textDocument, reason: count }),
  'workspace/didChangeConfiguration': record(anything),
  'workspace/didChangeWorkspaceFolders': members({
    event: members({ added: list(named), removed: list(named) }),
  }),
  'workspace/didChangeWatchedFiles': members({ changes: list(members({ uri: text, type: count })) }),
  'workspace/didRenameFiles': members({ files: list(members({ oldUri: text, newUri: text })) }),
};
