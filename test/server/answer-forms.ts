import type {
  ClientCapabilities,
  CodeAction,
  Command,
  CompletionItem,
  CompletionList,
  Diagnostic,
  DocumentLink,
  DocumentSymbol,
  FoldingRange,
  Hover,
  InitializeResult,
  MarkupContent,
  SemanticTokens,
  SymbolInformation,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol/node';

/**
 * What an answer has that the client did not declare, in words; empty if all of it is declared. Written from the
 * protocol, not from the server: each rule names the capability.
 */
export interface AnswerForms {
  hover(answer: Hover | null): readonly string[];
  completion(answer: readonly CompletionItem[] | CompletionList): readonly string[];
  symbols(answer: readonly (DocumentSymbol | SymbolInformation)[]): readonly string[];
  workspaceSymbols(answer: readonly SymbolInformation[]): readonly string[];
  codeActions(answer: readonly (CodeAction | Command)[]): readonly string[];
  edit(answer: WorkspaceEdit): readonly string[];
  diagnostics(answer: readonly Diagnostic[]): readonly string[];
  folding(answer: readonly FoldingRange[] | null): readonly string[];
  links(answer: readonly DocumentLink[]): readonly string[];
  tokens(answer: SemanticTokens): readonly string[];
  server(answer: InitializeResult): readonly string[];
  /** A request of the server. */
  request(method: string): readonly string[];
}

type Rule = readonly [holds: boolean, otherwise: string];

const broken = (...rules: readonly Rule[]): readonly string[] =>
  rules.flatMap(([holds, text]) => (holds ? [] : [text]));

export function answerForms(
  { textDocument = {}, workspace = {}, general }: ClientCapabilities,
  { capabilities: server }: InitializeResult,
): AnswerForms {
  const item = textDocument.completion?.completionItem ?? {};
  const literals = textDocument.codeAction?.codeActionLiteralSupport !== undefined;
  const diagnosed = { ...textDocument.publishDiagnostics, ...textDocument.diagnostic } as Record<string, unknown>;
  const symbolKinds = textDocument.documentSymbol?.symbolKind?.valueSet ?? upTo(18);
  const legend = server.semanticTokensProvider?.legend.tokenTypes ?? [];

  const markup = (content: MarkupContent, formats: readonly string[] = ['plaintext']): readonly Rule[] => [
    [formats.includes(content.kind), `Markup ${content.kind} is not in ${formats.join()}`],
    [
      content.kind === 'markdown' || !/\*\*|`|&nbsp;|\\[_*]/.test(content.value),
      `Markdown in plain text: ${content.value}`,
    ],
    [content.value !== '', 'An empty text'],
  ];

  const editRules = ({ documentChanges, changes }: WorkspaceEdit): readonly Rule[] => [
    [documentChanges === undefined || workspace.workspaceEdit?.documentChanges === true, 'documentChanges'],
    [(documentChanges ?? Object.keys(changes ?? {})).length > 0, 'An edit without changes'],
  ];

  const actionRules = (action: CodeAction | Command): readonly Rule[] => {
    if (!literals || typeof action.command === 'string') {
      const { command } = action as Command;
      const known = server.executeCommandProvider?.commands ?? [];
      return [
        [
          typeof command === 'string' && known.includes(command),
          `A command that no one knows: ${JSON.stringify(action)}`,
        ],
        [workspace.applyEdit === true, 'A command whose edit cannot be applied'],
      ];
    }
    const { edit, data, isPreferred, diagnostics } = action as CodeAction;
    const resolves = textDocument.codeAction?.resolveSupport?.properties.includes('edit') === true;
    return [
      [edit !== undefined || (data !== undefined && resolves), `An action without an edit: ${action.title}`],
      [data === undefined || textDocument.codeAction?.dataSupport === true, 'data of an action'],
      [isPreferred === undefined || textDocument.codeAction?.isPreferredSupport === true, 'isPreferred'],
      ...(edit ? editRules(edit) : []),
      ...(diagnostics ?? []).flatMap(diagnosticRules),
    ];
  };

  const diagnosticRules = ({ relatedInformation, codeDescription, data, tags }: Diagnostic): readonly Rule[] => [
    [relatedInformation === undefined || diagnosed['relatedInformation'] === true, 'relatedInformation'],
    [codeDescription === undefined || diagnosed['codeDescriptionSupport'] === true, 'codeDescription'],
    [data === undefined || diagnosed['dataSupport'] === true, 'data of a diagnostic'],
    [tags === undefined || diagnosed['tagSupport'] !== undefined, 'tags of a diagnostic'],
  ];

  const symbolRules = (symbol: DocumentSymbol | SymbolInformation): readonly Rule[] => {
    const isNested = textDocument.documentSymbol?.hierarchicalDocumentSymbolSupport === true;
    return [
      [symbolKinds.includes(symbol.kind), `Symbol kind ${symbol.kind}`],
      ['selectionRange' in symbol === isNested, isNested ? 'A flat symbol' : 'A nested symbol'],
      ['location' in symbol !== isNested, 'A symbol with and without location'],
      ...('children' in symbol ? (symbol.children ?? []).flatMap(symbolRules) : []),
    ];
  };

  const itemRules = (each: CompletionItem, defaults: CompletionList['itemDefaults'] = {}): readonly Rule[] => {
    const format = each.insertTextFormat ?? defaults.insertTextFormat ?? 1;
    const text = each.textEdit?.newText ?? each.textEditText ?? each.insertText ?? each.label;
    const mode = each.insertTextMode ?? defaults.insertTextMode;
    const kinds = textDocument.completion?.completionItemKind?.valueSet ?? upTo(18);
    const modes = item.insertTextModeSupport?.valueSet;
    const saysMode = mode !== undefined || textDocument.completion?.insertTextMode !== undefined;
    const resolves = item.resolveSupport?.properties.includes('documentation') === true;
    const { documentation } = each;
    return [
      [format === 1 || item.snippetSupport === true, `A snippet: ${text}`],
      [format === 2 || !/\$\{\d|\$0/.test(text), `The stops of a snippet in a text: ${text}`],
      [each.kind === undefined || kinds.includes(each.kind), `Completion kind ${each.kind}`],
      [mode === undefined || (modes?.includes(mode) ?? false), `insertTextMode ${mode}`],
      [!text.includes('\n') || format === 1 || saysMode, `Lines whose indentation is not said: ${text}`],
      [
        each.textEdit === undefined || 'range' in each.textEdit || item.insertReplaceSupport === true,
        'InsertReplaceEdit',
      ],
      [each.labelDetails === undefined || item.labelDetailsSupport === true, 'labelDetails'],
      [each.tags === undefined || item.tagSupport !== undefined, 'tags'],
      [each.deprecated === undefined || item.deprecatedSupport === true, 'deprecated'],
      [each.commitCharacters === undefined || item.commitCharactersSupport === true, 'commitCharacters'],
      [each.preselect === undefined || item.preselectSupport === true, 'preselect'],
      [each.data === undefined || resolves, 'data of an item that nobody resolves'],
      [each.textEditText === undefined || defaults.editRange !== undefined, 'textEditText without a range'],
      ...(typeof documentation === 'object' ? markup(documentation, item.documentationFormat) : []),
    ];
  };

  return {
    hover: (answer) =>
      !answer || typeof answer.contents !== 'object' || !('kind' in answer.contents)
        ? ['No markup']
        : broken(...markup(answer.contents, textDocument.hover?.contentFormat)),
    completion(answer) {
      const list = 'items' in answer ? answer : { items: answer, itemDefaults: undefined };
      const named = textDocument.completion?.completionList?.itemDefaults ?? [];
      return broken(
        ...Object.keys(list.itemDefaults ?? {}).map((name): Rule => [named.includes(name), `Default ${name}`]),
        ...list.items.flatMap((each) => itemRules(each, list.itemDefaults)),
      );
    },
    symbols: (answer) => broken([answer.length > 0, 'No symbols'], ...answer.flatMap(symbolRules)),
    workspaceSymbols(answer) {
      const kinds = workspace.symbol?.symbolKind?.valueSet ?? upTo(18);
      return broken(
        [answer.length > 0, 'No symbols'],
        ...answer.map(({ kind }): Rule => [kinds.includes(kind), `Symbol kind ${kind}`]),
      );
    },
    codeActions: (answer) => broken(...answer.flatMap(actionRules)),
    edit: (answer) => broken(...editRules(answer)),
    diagnostics: (answer) => broken(...answer.flatMap(diagnosticRules)),
    folding(answer) {
      const {
        lineFoldingOnly = false,
        foldingRangeKind,
        foldingRange,
        rangeLimit = Infinity,
      } = textDocument.foldingRange ?? {};
      return broken(
        [(answer ?? []).length <= rangeLimit, 'More ranges than the limit'],
        ...(answer ?? []).flatMap(({ startCharacter, endCharacter, kind, collapsedText }): Rule[] => [
          [!lineFoldingOnly || (startCharacter === undefined && endCharacter === undefined), 'A part of a line'],
          [kind === undefined || foldingRangeKind?.valueSet?.includes(kind) !== false, `Folding kind ${kind}`],
          [collapsedText === undefined || foldingRange?.collapsedText === true, 'collapsedText'],
        ]),
      );
    },
    links: (answer) =>
      broken(
        ...answer.flatMap(({ tooltip, target }): Rule[] => [
          [tooltip === undefined || textDocument.documentLink?.tooltipSupport === true, 'tooltip'],
          [target !== undefined, 'A link without target'],
        ]),
      ),
    tokens: ({ data }) =>
      broken(
        [data.length % 5 === 0, 'Incomplete tokens'],
        ...data.flatMap((index, at): Rule[] =>
          at % 5 === 3 ? [[legend[index] !== undefined, `Token type ${index}`]] : [],
        ),
      ),
    server({ capabilities }) {
      const { renameProvider, codeActionProvider, completionProvider, semanticTokensProvider, diagnosticProvider } =
        capabilities;
      const known = textDocument.semanticTokens?.tokenTypes;
      const encodings = general?.positionEncodings ?? ['utf-16'];
      const full = semanticTokensProvider?.full;
      const requests = textDocument.semanticTokens?.requests.full;
      const deltas = typeof requests === 'object' && requests.delta === true;
      return broken(
        [typeof renameProvider !== 'object' || textDocument.rename?.prepareSupport === true, 'prepareProvider'],
        [typeof codeActionProvider !== 'object' || literals, 'CodeActionOptions'],
        [
          typeof codeActionProvider !== 'object' ||
            codeActionProvider.resolveProvider !== true ||
            textDocument.codeAction?.resolveSupport !== undefined,
          'Actions that nobody resolves',
        ],
        [
          completionProvider?.resolveProvider !== true ||
            item.resolveSupport?.properties.includes('documentation') === true,
          'Items that nobody resolves',
        ],
        [diagnosticProvider === undefined || textDocument.diagnostic !== undefined, 'diagnosticProvider'],
        [encodings.includes(capabilities.positionEncoding ?? 'utf-16'), 'Position encoding'],
        [typeof full !== 'object' || full.delta !== true || deltas, 'Token deltas'],
        ...legend.map((type): Rule => [known?.includes(type) ?? true, `Token type ${type}`]),
      );
    },
    request: (method) => broken([declaredRequests(workspace)[method] ?? true, `The request ${method}`]),
  };
}

/** The requests that a server may send only after a declaration. */
function declaredRequests(workspace: NonNullable<ClientCapabilities['workspace']>): Readonly<Record<string, boolean>> {
  return {
    'workspace/configuration': workspace.configuration === true,
    'workspace/applyEdit': workspace.applyEdit === true,
    'workspace/workspaceFolders': workspace.workspaceFolders === true,
    'workspace/codeLens/refresh': workspace.codeLens?.refreshSupport === true,
    'workspace/inlayHint/refresh': workspace.inlayHint?.refreshSupport === true,
    'workspace/semanticTokens/refresh': workspace.semanticTokens?.refreshSupport === true,
    'workspace/diagnostic/refresh': workspace.diagnostics?.refreshSupport === true,
    'client/registerCapability':
      workspace.didChangeWatchedFiles?.dynamicRegistration === true ||
      workspace.didChangeConfiguration?.dynamicRegistration === true,
    'window/workDoneProgress/create': false,
    'window/showDocument': false,
  };
}

function upTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}
