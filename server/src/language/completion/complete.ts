import type { EntityGraph } from '../../model/entity-graph.ts';
import { createIncrementalYaml } from '../../model/incremental-yaml.ts';
import { type ParsedEntityGraph, parseEntityGraph } from '../../model/parse-model.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { yamlSections } from '../../model/yaml-chunks.ts';
import { tooLargeCode } from '../../model/yaml-text.ts';
import { catalogNotice } from './catalog-notice.ts';
import { activityTexts, completeGraphValue, isNameOfSource } from './complete-graph-value.ts';
import { completeStructure } from './complete-structure.ts';
import type { CompletionProposal, KnownPlace } from './completion-proposal.ts';
import { type CursorPlace, cursorPlace } from '../cursor/cursor-place.ts';
import type { ProposalLimit } from './fitting-proposals.ts';
import { type Focus, focusAt, jsonFocusAt, withFocused } from '../cursor/focus.ts';
import { isJson, trailingComma, jsonGroup } from '../json-text.ts';
import { plainData } from '../schema/plain-data.ts';
import { completeSql, completeSqlPlace } from '../sql/complete-sql.ts';
import { insertValues } from './written-value.ts';
import type { GraphContext } from '../graph-context.ts';
import type { GraphCatalog } from '../../catalog/graph-catalog.ts';
import type { JsonObject } from '../../model/edits/json-value.ts';
import { writeFlow } from '../../model/edits/write-value.ts';
import { line } from '../markdown.ts';
import { suggestJoinsOf } from './suggest-joins.ts';
import { endNamed } from '../../model/relationship-ends.ts';

/**
 * Completion items at an offset of an entity graph, the most likely first. Works in broken text; never throws.
 * @param limit limit for very long lists of names; default: unlimited
 */
export function completeEntityGraph(
  known: GraphContext,
  offset: number,
  limit?: ProposalLimit,
): readonly CompletionProposal[] {
  const { text } = known.parsed.yaml;
  const sql = completeSql(known, offset);
  if (sql) return sql;
  const focus = focusOf(known.parsed, offset);
  if (!focus) return completeGraphText(known, { text, offset, limit });
  const proposals = completeGraphText(known, { text: focus.text, offset: focus.offset, limit }, focus);
  if (focus.distance === 0) return proposals;
  let last: { readonly replace: SourceRange; readonly moved: SourceRange } | undefined;
  return proposals.map((proposal) => {
    const { replace } = proposal;
    // Most items share a range.
    if (last?.replace !== replace) last = { replace, moved: moved(replace, focus.distance) };
    return { ...proposal, replace: last.moved };
  });
}

/** The part of the text around the cursor that is sufficient; undefined for the whole text. */
function focusOf({ yaml, problems }: ParsedEntityGraph, offset: number): Focus | undefined {
  const { text, sections } = yaml;
  if (!isJson(text)) return focusAt(text, offset, sections);
  // Broken JSON must be repaired and parsed as a whole.
  return problems.every(({ code }) => code === tooLargeCode) ? jsonFocusAt(text, offset) : undefined;
}

interface GraphText {
  readonly text: string;
  readonly offset: number;
  readonly limit: ProposalLimit | undefined;
}

/** Maximum number of characters to parse around a cursor; larger texts are reported as too large. */
const maxCompleted = 200_000;

/** @param focus set when `text` is a part of the file. */
function completeGraphText(
  known: GraphContext,
  { text, offset, limit }: GraphText,
  focus?: Focus,
): readonly CompletionProposal[] {
  // The text may be parsed several times, each time at once.
  const cursor = text.length > maxCompleted ? undefined : cursorPlace(text, offset);
  if (!cursor) return [];
  // The entries around the cursor are read from the repaired text, because the broken one may have lost them.
  const { graph, yaml } = parseEntityGraph(cursor.repaired.text, cursor.repaired);
  const place = { ...cursor, data: plainData(yaml) };
  const whole = focus ? withFocused(readableGraph(known.parsed), graph, focus) : undefined;
  const inWhole = whole ? { ...place, indexes: inWholeList(place, whole.first) } : place;
  const sql = completeSqlPlace({ ...known, graph: whole?.graph ?? graph }, inWhole, text, offset);
  if (sql) return sql;
  if (cursor.style === 'block') return [];
  const texts = activityTexts({ ...known, graph: whole?.graph ?? graph }, inWhole);
  if (texts) return asKeys(insertValues(texts, { place, text, offset }, limit), text);
  const structure = completeStructure('entityGraph', place, text, {
    dataSources: known.sources?.sources.map(({ name }) => name.value),
  });
  if (structure) return [...completeJoins({ ...known, graph: whole?.graph ?? graph }, inWhole, text), ...structure];
  const proposed = whole
    ? completeGraphValue({ ...known, graph: whole.graph }, inWhole)
    : completeGraphValue({ ...known, graph }, place);
  const values = insertValues(proposed, { place, text, offset }, limit);
  if (!isNameOfSource(place)) return values;
  return [...values, ...catalogNotice(known, text, place.replace)];
}

/** Values as keys: with a colon, unless there is one. */
function asKeys(values: readonly CompletionProposal[], text: string): readonly CompletionProposal[] {
  return values.map((value) => {
    const hasColon = /^["']?\s*:(\s|$)/.test(text.slice(value.replace.end, value.replace.end + 200));
    return hasColon ? value : { ...value, insertText: `${value.insertText}: ` };
  });
}

/** List indexes in a path, with the outermost relative to the whole file. */
function inWholeList({ path, indexes }: KnownPlace, first: ReturnType<typeof withFocused>['first']): readonly number[] {
  const [list] = path;
  const [index, ...others] = indexes;
  return index !== undefined && (list === 'elements' || list === 'relationships')
    ? [index + first[list], ...others]
    : indexes;
}

/** A full parse loses entries after a syntax error, which partial parsing keeps. */
function readableGraph({ graph, problems, yaml }: ParsedEntityGraph): EntityGraph {
  // A text parsed in parts, or without errors, needs no second parse.
  if (problems.length === 0 || yaml.sections || !yamlSections(yaml.text)) return graph;
  return parseEntityGraph(yaml.text, createIncrementalYaml().parse(yaml.text)).graph;
}

function moved({ start, end }: SourceRange, distance: number): SourceRange {
  return { start: start + distance, end: end + distance };
}

/** Complete mappings derived from foreign keys, at the start of an entry of `mappings`. */
function completeJoins(
  { graph, catalog }: { readonly graph: EntityGraph; readonly catalog?: GraphCatalog | undefined },
  place: CursorPlace & { readonly indexes: readonly number[] },
  text: string,
): readonly CompletionProposal[] {
  const inEntry = place.path.at(-1) === '[]';
  const path = (inEntry ? place.path.slice(0, -1) : place.path).join('.');
  const json = isJson(text);
  if (
    !catalog ||
    path !== 'relationships.[].mappings' ||
    (json ? !inEntry || place.style !== 'plain' : place.inFlow || !place.startsLine)
  )
    return [];
  const relationship = graph.relationships[place.indexes[0] ?? -1];
  const endOf = (activity: string | undefined) => (activity === undefined ? undefined : endNamed(graph, activity));
  const ends = [endOf(relationship?.source?.value), endOf(relationship?.target?.value)] as const;
  const dash = inEntry ? '' : '- ';
  const indent = ' '.repeat(place.extraIndent + place.lead.trimStart().length);
  return suggestJoinsOf(catalog, ...ends)
    .filter(({ mappings, crossTable }) => mappings.length > 0 && !crossTable)
    .map(({ mappings, reason }, index) => {
      const [first = '', ...rest] = mappings.map((mapping) =>
        json ? jsonGroup(mapping) : writeFlow(mapping as JsonObject, false),
      );
      const label = mappings
        .map((mapping) => ('source' in mapping ? `${mapping.source} = ${mapping.target}` : ''))
        .join(', ');
      const inBlock = `${dash}${[first, ...rest.map((entry) => `- ${entry}`)].join(`\n${indent}`)}`;
      return {
        label,
        kind: 'snippet',
        detail: reason,
        documentation: line`The columns that join these two data objects.`,
        insertText: `${place.lead}${json ? `${[first, ...rest].join(', ')}${trailingComma(text, place.replace.end)}` : inBlock}`,
        replace: place.replace,
        filterText: label,
        // Sorted before the empty entries.
        sortText: ` ${index}`,
      };
    });
}
