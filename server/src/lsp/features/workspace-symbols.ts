import { stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { SymbolInformation, WorkspaceSymbolParams } from 'vscode-languageserver/node';
import { type LineIndex, createLineIndex } from '../../model/line-index.ts';
import type { ParsedEntityGraph } from '../../model/parse-model.ts';
import { outlineEntityGraph } from '../../language/document-symbols.ts';
import { listEntityFiles } from '../../project/list-entity-files.ts';
import { readTextFile } from '../../project/read-text-file.ts';
import type { LanguageServer } from '../language-server.ts';
import { parseInSlices } from '../../project/parse-in-slices.ts';
import type { RequestWork } from '../request-guard.ts';
import { symbolKindOf } from './document-symbols.ts';

/** Limit; clients show a few dozen. */
const maxSymbols = 500;

/** Elements and relationships of all entity graphs in the workspace, by any part of their names. */
export function createWorkspaceSymbols(
  { documents, abilities }: LanguageServer,
  folders: () => readonly string[],
): RequestWork<WorkspaceSymbolParams, SymbolInformation[]> {
  /** Cached symbols of unchanged files. */
  const cache = new Map<string, { readonly modified: number; readonly symbols: readonly SymbolInformation[] }>();

  const known = (): ReadonlySet<number> => abilities().forms.workspaceSymbolKinds;

  async function symbolsOf(path: string): Promise<readonly SymbolInformation[]> {
    const open = documents.files().find((file) => file.path === path);
    const document = open && (await documents.whenRead(open.uri));
    if (document?.kind === 'graph') return symbolsIn(document.parsed, document.lines, path, known());
    const { mtimeMs } = await stat(path);
    const before = cache.get(path);
    if (before?.modified === mtimeMs) return before.symbols;
    const text = await readTextFile(path);
    const symbols = symbolsIn(await parseInSlices(text), createLineIndex(text), path, known());
    cache.set(path, { modified: mtimeMs, symbols });
    return symbols;
  }

  return async ({ query }, signal) => {
    const wanted = query.trim().toLowerCase();
    const found: SymbolInformation[] = [];
    const files = await Promise.all(folders().map((folder) => listEntityFiles(folder).catch(() => [])));
    for (const path of new Set(files.flat())) {
      if (signal.aborted || found.length >= maxSymbols) break;
      // An unreadable file has no symbols.
      const symbols = await symbolsOf(path).catch(() => []);
      found.push(...symbols.filter(({ name }) => name.toLowerCase().includes(wanted)));
    }
    return found.slice(0, maxSymbols);
  };
}

function symbolsIn(
  parsed: ParsedEntityGraph,
  lines: LineIndex,
  path: string,
  known: ReadonlySet<number>,
): readonly SymbolInformation[] {
  const uri = pathToFileURL(path).href;
  return outlineEntityGraph(parsed)
    .flatMap(({ children }) => children)
    .map(({ name, kind, selectionRange }) => ({
      name,
      kind: symbolKindOf(kind, known),
      location: { uri, range: lines.range(selectionRange) },
      containerName: parsed.graph.name?.value ?? '',
    }));
}
