import type { EntityGraph } from '../../model/entity-graph.ts';
import { createIncrementalYaml } from '../../model/incremental-yaml.ts';
import { type ParsedEntityGraph, parseEntityGraph } from '../../model/parse-model.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { yamlSections } from '../../model/yaml-chunks.ts';
import { tooLargeCode } from '../../model/yaml-text.ts';
import { completeJoins } from './complete-joins.ts';
import { completeGraphValue } from './complete-graph-value.ts';
import { completeStructure } from './complete-structure.ts';
import type { CompletionProposal, KnownPlace } from './completion-proposal.ts';
import { cursorPlace } from '../cursor/cursor-place.ts';
import type { ProposalRoom } from './fitting-proposals.ts';
import { type Focus, focusAt, withFocused } from '../cursor/focus.ts';
import { jsonFocusAt } from '../cursor/json-focus.ts';
import { isJson } from '../json-text.ts';
import { plainData } from '../schema/plain-data.ts';
import { completeSql, completeSqlPlace } from '../sql/complete-sql.ts';
import { insertValues } from './written-value.ts';
import type { GraphContext } from '../graph-context.ts';

/**
 * What may be written at an offset of an entity graph, the likely first. Works in broken text; never throws.
 * @param room how many of very many names of the graph or its source are wanted; all when not given
 */
export function completeEntityGraph(
  known: GraphContext,
  offset: number,
  room?: ProposalRoom,
): readonly CompletionProposal[] {
  const { text } = known.parsed.yaml;
  const sql = completeSql(known, offset);
  if (sql) return sql;
  const focus = surroundings(known.parsed, offset);
  if (!focus) return completeGraphText(known, { text, offset, room });
  const proposals = completeGraphText(known, { text: focus.text, offset: focus.offset, room }, focus);
  if (focus.distance === 0) return proposals;
  let last: { readonly replace: SourceRange; readonly moved: SourceRange } | undefined;
  return proposals.map((proposal) => {
    const { replace } = proposal;
    // Mostly all replace the same.
    if (last?.replace !== replace) last = { replace, moved: moved(replace, focus.distance) };
    return { ...proposal, replace: last.moved };
  });
}

/** What around the cursor is enough to read; undefined when that is the whole text. */
function surroundings({ yaml, problems }: ParsedEntityGraph, offset: number): Focus | undefined {
  const { text, sections } = yaml;
  if (!isJson(text)) return focusAt(text, offset, sections);
  // While JSON is broken, only the whole of its repaired text has all entries.
  return problems.every(({ code }) => code === tooLargeCode) ? jsonFocusAt(text, offset) : undefined;
}

interface GraphText {
  readonly text: string;
  readonly offset: number;
  readonly room: ProposalRoom | undefined;
}

/** Characters around a cursor: what is longer is told to be too large to be read while somebody types. */
const mostCompleted = 200_000;

/** @param focus set when `text` is only what is around the cursor. */
function completeGraphText(
  known: GraphContext,
  { text, offset, room }: GraphText,
  focus?: Focus,
): readonly CompletionProposal[] {
  // It may have to be read several times, each in one piece.
  const cursor = text.length > mostCompleted ? undefined : cursorPlace(text, offset);
  if (!cursor) return [];
  // What is around the cursor is read from the repaired text: the broken one may have lost it.
  const { graph, yaml } = parseEntityGraph(cursor.repaired.text, cursor.repaired);
  const place = { ...cursor, data: plainData(yaml) };
  const whole = focus ? withFocused(readableGraph(known.parsed), graph, focus) : undefined;
  const inWhole = whole ? { ...place, indexes: inWholeList(place, whole.first) } : place;
  const sql = completeSqlPlace({ ...known, graph: whole?.graph ?? graph }, inWhole, text, offset);
  if (sql) return sql;
  if (cursor.style === 'block') return [];
  const structure = completeStructure('entityGraph', place, text);
  if (structure) return [...completeJoins({ ...known, graph: whole?.graph ?? graph }, inWhole, text), ...structure];
  const values = whole
    ? completeGraphValue({ ...known, graph: whole.graph }, inWhole)
    : completeGraphValue({ ...known, graph }, place);
  return insertValues(values, { place, text, offset }, room);
}

/** The places in lists that a path goes through, when the outermost is that of the whole file. */
function inWholeList({ path, indexes }: KnownPlace, first: ReturnType<typeof withFocused>['first']): readonly number[] {
  const [list] = path;
  const [index, ...others] = indexes;
  return index !== undefined && (list === 'elements' || list === 'relationships')
    ? [index + first[list], ...others]
    : indexes;
}

/** A text read as a whole loses the entries behind a mistake, which its parts read on their own keep. */
function readableGraph({ graph, problems, yaml }: ParsedEntityGraph): EntityGraph {
  // One that was read in parts, or has none, would be read as it was.
  if (problems.length === 0 || yaml.sections || !yamlSections(yaml.text)) return graph;
  return parseEntityGraph(yaml.text, createIncrementalYaml().parse(yaml.text)).graph;
}

function moved({ start, end }: SourceRange, distance: number): SourceRange {
  return { start: start + distance, end: end + distance };
}
