import type { Range, TextDocumentPositionParams } from 'vscode-languageserver/node';
import type { NamedSymbol } from '../../language/names.ts';
import { dataSourceNames } from '../../model/data-sources-used.ts';
import type { Located } from '../../model/source-range.ts';
import type { OpenDocument, OpenGraph } from '../documents/open-documents.ts';
import type { LanguageServer } from '../language-server.ts';

/** A name in a graph, and its meaning. */
interface Named {
  readonly document: OpenGraph;
  readonly thing: NamedSymbol;
}

export async function nameIn(
  { documents }: LanguageServer,
  { textDocument, position }: TextDocumentPositionParams,
): Promise<Named | undefined> {
  const { nameAt } = await import('../../language/names.ts');
  const document = documents.get(textDocument.uri);
  if (document?.kind !== 'graph') return undefined;
  const thing = nameAt(document.parsed.graph, document.lines.offset(position));
  return thing && { document, thing };
}

/** A data source name at the cursor. */
export interface NamedSource {
  readonly name: string;
  readonly range: Range;
  readonly sourcesPath: string;
}

/** The data source at a position in its sources file, or in a graph. */
export async function sourceNameAt(
  { documents, contexts }: LanguageServer,
  { textDocument, position }: TextDocumentPositionParams,
): Promise<NamedSource | undefined> {
  const document = documents.get(textDocument.uri);
  if (document?.path === undefined) return undefined;
  const offset = document.lines.offset(position);
  const isHere = ({ range }: Located<string>): boolean => range.start <= offset && offset <= range.end;
  if (document.kind === 'sources') {
    const source = document.parsed.sources.sources.find(({ name }) => isHere(name));
    return source && namedSource(source.name, document.path, document);
  }
  if (document.kind === 'tests') return undefined;
  // The text may have changed while the sources file was searched.
  await contexts.searched(document);
  const newest = documents.get(textDocument.uri);
  if (newest?.kind !== 'graph') return undefined;
  const dataSource = dataSourceNames(newest.parsed.graph).find(isHere);
  const found = contexts.sourceOf(newest);
  return dataSource && found ? namedSource(dataSource, found.sourcesFile.path, newest) : undefined;
}

function namedSource({ value, range }: Located<string>, sourcesPath: string, { lines }: OpenDocument): NamedSource {
  return { name: value, range: lines.range(range), sourcesPath };
}
