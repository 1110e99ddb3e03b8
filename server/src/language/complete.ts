import type { Catalog } from '../catalog/catalog.ts';
import type { DataSources } from '../model/data-sources.ts';
import { type ParsedDataSources, parseDataSources } from '../model/parse-data-sources.ts';
import type { ParsedEntityGraph } from '../model/parse-model.ts';
import { parseEntityGraph } from '../model/parse-model.ts';
import type { SourceRange } from '../model/source-range.ts';
import { completeGraphValue } from './complete-graph-value.ts';
import { completeProperties } from './complete-properties.ts';
import { type CursorPlace, cursorPlace } from './cursor/cursor-place.ts';
import { propertiesAt, propertyAt } from './schema/property-docs.ts';
import type { SchemaName } from './schema/validate-schema.ts';
import { snippetsAt } from './snippets.ts';
import { insertValues } from './written-value.ts';

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
  if (!place || place.style === 'block') return [];
  const structure = completeStructure('entityGraph', place, text);
  if (structure) return structure;
  // What is around the cursor is read from the repaired text: the broken one may have lost it.
  const { graph } = parseEntityGraph(place.repaired);
  return insertValues(completeGraphValue({ ...known, graph }, place), place, text);
}

/** What may be written at an offset of a sources file. */
export function completeDataSources(
  { parsed }: { readonly parsed: ParsedDataSources },
  offset: number,
): readonly CompletionProposal[] {
  const { text } = parsed.yaml;
  const place = cursorPlace(text, offset);
  if (!place || place.style === 'block') return [];
  const { sources } = parseDataSources(place.repaired).sources;
  const kind = sources.find(({ name }) => name.value === place.path[1])?.kind?.value;
  const structure = completeStructure('entitySources', place, text, kind);
  if (structure) return structure;
  const docs = propertyAt('entitySources', place.path, kind);
  const values = place.path.at(-1) === 'timeZone' ? Intl.supportedValuesOf('timeZone') : (docs?.values ?? []);
  const proposals = values.map((value) => ({
    label: String(value),
    kind: 'value' as const,
    value,
    ...(docs ? { documentation: docs.description } : {}),
  }));
  return insertValues(proposals, place, text);
}

/** Keys and whole entries; undefined where a value of its own stands. */
function completeStructure(
  schema: SchemaName,
  place: CursorPlace,
  text: string,
  kind?: string,
): readonly CompletionProposal[] | undefined {
  const properties = propertiesAt(schema, place.path, kind);
  const snippets = snippetsAt(schema, place, text);
  if (place.in === 'key') return [...snippets, ...completeProperties(properties, place, text)];
  // A text where an object belongs is its first key, half-typed; on the line of another key it cannot become one.
  if (properties.length > 0) {
    return place.startsLine || place.inFlow ? [...snippets, ...completeProperties(properties, place, text)] : [];
  }
  return snippets.length > 0 ? snippets : undefined;
}
