import type { Catalog } from '../catalog/catalog.ts';
import type { DataSources } from '../model/data-sources.ts';
import type { ParsedDataSources } from '../model/parse-data-sources.ts';
import type { ParsedEntityGraph } from '../model/parse-model.ts';
import type { SourceRange } from '../model/source-range.ts';
import { completeGraphValue } from './complete-graph-value.ts';
import { completeProperties } from './complete-properties.ts';
import { cursorPlace } from './cursor-place.ts';
import { propertyAt } from './schema/property-docs.ts';

/** Something that may be written at the cursor. */
export interface CompletionProposal {
  readonly label: string;
  readonly kind: 'property' | 'value' | 'dataObject' | 'column' | 'activity' | 'dataSource' | 'operator' | 'snippet';
  readonly detail?: string;
  /** Markdown. */
  readonly documentation?: string;
  readonly insertText: string;
  /** `insertText` has places to fill in, in the notation of LSP. */
  readonly isSnippet?: boolean;
  readonly replace: SourceRange;
  readonly sortText?: string;
  readonly filterText?: string;
}

/** What completion knows of an entity graph. */
export interface GraphKnowledge {
  readonly parsed: ParsedEntityGraph;
  readonly sources?: DataSources;
  readonly catalog?: Catalog;
}

/** What may be written at an offset of an entity graph, the likely first. Works in broken text; never throws. */
export function completeEntityGraph(known: GraphKnowledge, offset: number): readonly CompletionProposal[] {
  const { text } = known.parsed.yaml;
  const place = cursorPlace(text, offset);
  if (!place) return [];
  if (place.in === 'key') return completeProperties('entityGraph', place, text);
  return completeGraphValue(known, place, text);
}

/** What may be written at an offset of a sources file. */
export function completeDataSources(
  { parsed }: { readonly parsed: ParsedDataSources },
  offset: number,
): readonly CompletionProposal[] {
  const { text } = parsed.yaml;
  const place = cursorPlace(text, offset);
  if (!place) return [];
  const name = place.path[1];
  const kind = parsed.sources.sources.find((source) => source.name.value === name)?.kind?.value;
  if (place.in === 'key') return completeProperties('entitySources', place, text, kind);
  const { values = [], description = '' } = propertyAt('entitySources', place.path, kind) ?? {};
  return values.map((value, index) => ({
    label: value,
    kind: 'value',
    insertText: value,
    documentation: description,
    replace: place.replace,
    sortText: String(index).padStart(3, '0'),
  }));
}
