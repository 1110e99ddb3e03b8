import type { ClientCapabilities } from 'vscode-languageserver-protocol/node';

/** The forms of answers that most editors declare. Tests of other editors declare theirs. */
const usualForms: ClientCapabilities = {
  workspace: {
    applyEdit: true,
    workspaceEdit: { documentChanges: true },
    fileOperations: { didRename: true },
    symbol: { symbolKind: { valueSet: [2, 3, 6, 11, 17, 24] } },
  },
  textDocument: {
    hover: { contentFormat: ['markdown', 'plaintext'] },
    completion: {
      completionItem: { snippetSupport: true, documentationFormat: ['markdown', 'plaintext'] },
      completionItemKind: { valueSet: [1, 3, 5, 9, 10, 12, 14, 15, 22, 23, 24] },
      insertTextMode: 2,
    },
    documentSymbol: {
      hierarchicalDocumentSymbolSupport: true,
      symbolKind: { valueSet: [2, 3, 6, 11, 17, 24] },
    },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'refactor', 'source.fixAll'] } },
      isPreferredSupport: true,
    },
    publishDiagnostics: { relatedInformation: true, codeDescriptionSupport: true, dataSupport: true },
    documentLink: { tooltipSupport: true },
    rename: { prepareSupport: true },
    semanticTokens: {
      requests: { full: { delta: true } },
      tokenTypes: ['event', 'class', 'property', 'namespace', 'keyword', 'function'].concat([
        'variable',
        'type',
        'string',
        'number',
        'comment',
        'enumMember',
      ]),
      tokenModifiers: [],
      formats: ['relative'],
    },
  },
};

/** Capabilities with the usual forms, unless they declare others. */
export function withUsualForms(own: ClientCapabilities): ClientCapabilities {
  return merged(usualForms, own) as ClientCapabilities;
}

function merged(base: unknown, own: unknown): unknown {
  if (!isObject(base) || !isObject(own)) return own === undefined ? base : own;
  const names = new Set([...Object.keys(base), ...Object.keys(own)]);
  return Object.fromEntries([...names].map((name) => [name, merged(base[name], own[name])]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
