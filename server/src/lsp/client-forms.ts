import { type ClientCapabilities, CompletionItemKind, InsertTextMode, SymbolKind } from 'vscode-languageserver/node';

/** As the protocol names them. */
export type MarkupForm = 'markdown' | 'plaintext';

/**
 * The forms of answers that the client declared in its `initialize` request. A form that it did not declare is not
 * sent: the older one of the protocol is, which says the same.
 */
export interface ClientForms {
  readonly hover: MarkupForm;
  readonly documentation: MarkupForm;
  readonly snippets: boolean;
  /** How further lines of a completion are indented; undefined if the client does not say. */
  readonly insertTextMode: InsertTextMode | undefined;
  /** The client takes the mode from each item. */
  readonly itemSaysInsertTextMode: boolean;
  readonly completionKinds: ReadonlySet<number>;
  readonly symbolKinds: ReadonlySet<number>;
  readonly workspaceSymbolKinds: ReadonlySet<number>;
  /** Symbols with children; else a flat list. */
  readonly nestedSymbols: boolean;
  /** Edits with document versions. */
  readonly documentChanges: boolean;
  /** Code actions as objects; else as commands. */
  readonly codeActionLiterals: boolean;
  readonly preferredCodeActions: boolean;
  /** The client applies edits that the server sends. */
  readonly appliesEdits: boolean;
  readonly relatedInformation: boolean;
  readonly codeDescription: boolean;
  readonly diagnosticData: boolean;
  readonly linkTooltips: boolean;
  readonly foldingRanges: { readonly limit: number; readonly kinds: ReadonlySet<string> | undefined };
  /** Known types of semantic tokens; undefined if the client does not say. */
  readonly tokenTypes: ReadonlySet<string> | undefined;
  readonly tokenDeltas: boolean;
  readonly preparesRename: boolean;
  readonly tellsRenames: boolean;
}

/** @param capabilities of any shape: a malformed capability counts as missing. */
export function readClientForms({ workspace, textDocument }: ClientCapabilities): ClientForms {
  const { completion, documentSymbol, codeAction, publishDiagnostics, diagnostic, semanticTokens } = textDocument ?? {};
  const item = completion?.completionItem;
  const modes = listOf(item?.insertTextModeSupport?.valueSet);
  const usualMode = completion?.insertTextMode;
  /** The protocol has these for both ways of diagnostics. */
  const diagnosed = (name: 'relatedInformation' | 'codeDescriptionSupport' | 'dataSupport'): boolean =>
    publishDiagnostics?.[name] === true ||
    (diagnostic as Partial<Record<typeof name, unknown>> | undefined)?.[name] === true;
  const requests = semanticTokens?.requests;
  const full: unknown = requests?.full;
  return {
    hover: markupOf(textDocument?.hover?.contentFormat),
    documentation: markupOf(item?.documentationFormat),
    snippets: item?.snippetSupport === true,
    insertTextMode: [InsertTextMode.adjustIndentation, InsertTextMode.asIs].find(
      (mode) => modes.includes(mode) || (modes.length === 0 && mode === usualMode),
    ),
    itemSaysInsertTextMode: modes.length > 0,
    completionKinds: kindsOf(completion?.completionItemKind?.valueSet, CompletionItemKind.Reference),
    symbolKinds: kindsOf(documentSymbol?.symbolKind?.valueSet, SymbolKind.Array),
    workspaceSymbolKinds: kindsOf(workspace?.symbol?.symbolKind?.valueSet, SymbolKind.Array),
    nestedSymbols: documentSymbol?.hierarchicalDocumentSymbolSupport === true,
    documentChanges: workspace?.workspaceEdit?.documentChanges === true,
    codeActionLiterals: isObject(codeAction?.codeActionLiteralSupport),
    preferredCodeActions: codeAction?.isPreferredSupport === true,
    appliesEdits: workspace?.applyEdit === true,
    relatedInformation: diagnosed('relatedInformation'),
    codeDescription: diagnosed('codeDescriptionSupport'),
    diagnosticData: diagnosed('dataSupport'),
    linkTooltips: textDocument?.documentLink?.tooltipSupport === true,
    foldingRanges: {
      limit: limitOf(textDocument?.foldingRange?.rangeLimit),
      kinds: setOf(textDocument?.foldingRange?.foldingRangeKind?.valueSet),
    },
    tokenTypes: setOf(semanticTokens?.tokenTypes),
    tokenDeltas: isObject(full) && (full as { readonly delta?: unknown }).delta === true,
    preparesRename: textDocument?.rename?.prepareSupport === true,
    tellsRenames: workspace?.fileOperations?.didRename === true,
  };
}

/** The first format that we write; plain text for clients that name none. */
function markupOf(formats: unknown): MarkupForm {
  const first = listOf(formats).find((format) => format === 'markdown' || format === 'plaintext');
  return first === 'markdown' ? first : 'plaintext';
}

/** Without a list, the kinds of the first version of the protocol, which are the first ones. */
function kindsOf(valueSet: unknown, last: number): ReadonlySet<number> {
  const named = listOf(valueSet).filter((kind) => typeof kind === 'number');
  return new Set(named.length > 0 ? named : Array.from({ length: last }, (_, index) => index + 1));
}

function setOf(list: unknown): ReadonlySet<string> | undefined {
  return Array.isArray(list) ? new Set(list.map(String)) : undefined;
}

function limitOf(count: unknown): number {
  return typeof count === 'number' && count > 0 ? count : Infinity;
}

function listOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
