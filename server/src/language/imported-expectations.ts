import type { KeptExpectation } from '../../../protocol/import-progress.ts';
import type { EntityGraph, EntitySource, RowExpectations } from '../model/entity-graph.ts';
import { type ExpectingName, expectationRange, expectingEntries } from '../model/expectation-place.ts';
import { parseEntityGraph } from '../model/parse-model.ts';
import type { Problem } from '../model/problem.ts';
import type { SourceRange } from '../model/source-range.ts';
import { countText } from './count-text.ts';
import { expectationName } from './expectation-words.ts';
import type { Markdown } from './markdown.ts';
import { line, strong } from './markdown.ts';

/**
 * Results of the last import for expectations of rows, by the entry and the text of its `expect`; none for a changed
 * text.
 */
export type ImportedExpectations = ReadonlyMap<string, readonly KeptExpectation[]>;

export function importedExpectations(text: string, judged: readonly KeptExpectation[]): ImportedExpectations {
  const entryOf = expectingEntries(parseEntityGraph(text).graph);
  const found = new Map<string, KeptExpectation[]>();
  for (const each of judged) {
    const expect = entryOf(each)?.expect;
    if (!expect) continue;
    const key = keyOf(each, expect, text);
    found.set(key, [...(found.get(key) ?? []), each]);
  }
  return found;
}

/** An expectation as the last import judged it, at its position in the current text. */
interface PlacedExpectation {
  readonly found: KeptExpectation;
  readonly entry: EntitySource;
  readonly expect: RowExpectations;
  readonly range: SourceRange;
}

/** Judged expectations whose text is unchanged since the import. */
export function judgedExpectations(
  graph: Pick<EntityGraph, 'elements' | 'entities'>,
  text: string,
  imported: ImportedExpectations,
): readonly PlacedExpectation[] {
  const entryOf = expectingEntries(graph);
  return [...imported].flatMap(([key, judged]) => {
    const [first] = judged;
    if (!first) return [];
    const entry = entryOf(first);
    if (!entry?.expect || keyOf(first, entry.expect, text) !== key) return [];
    const { expect } = entry;
    return judged.flatMap((found): readonly PlacedExpectation[] => {
      const range = expectationRange(expect, found);
      return range ? [{ found, entry, expect, range }] : [];
    });
  });
}

/** The expectations that rows break, by the last import. */
export function brokenExpectations(
  graph: EntityGraph,
  text: string,
  imported: ImportedExpectations,
): readonly Problem[] {
  return judgedExpectations(graph, text, imported).flatMap(({ found, expect, range }): readonly Problem[] => {
    if (found.holds) return [];
    const severity = expect.severity === 'info' ? 'information' : expect.severity;
    const message = `${foundText(found)} Correct the rows or the expectation, and import again.`;
    return [{ code: 'expectation-broken', severity, message, range }];
  });
}

/** What the last import found of the expectation at a place, for its hover; undefined if this text of it has not been judged. */
export function judgedExpectationMarkdown(
  graph: EntityGraph,
  text: string,
  imported: ImportedExpectations,
  place: SourceRange,
): Markdown | undefined {
  const at = judgedExpectations(graph, text, imported).find(
    ({ range }) => range.start <= place.start && place.end <= range.end,
  );
  if (!at) return undefined;
  const outcome = at.found.holds ? 'holds' : 'is broken';
  return line`${strong(expectationName(at.found))} ${outcome}. ${foundText(at.found)}`;
}

function foundText({ warning, expectation, judged, holds }: KeptExpectation): string {
  if (!holds && warning !== undefined) return `The last import found: ${warning}`;
  const rows = countText(judged, 'row', 'rows');
  return expectation === 'rows' ? `The last import found ${rows}.` : `The last import judged ${rows}.`;
}

/** The name of an entry with the text of its `expect`, without the blanks around it. */
function keyOf({ element, isOfEntities }: ExpectingName, { range }: RowExpectations, text: string): string {
  return JSON.stringify([isOfEntities === true, element, text.slice(range.start, range.end).trim()]);
}
