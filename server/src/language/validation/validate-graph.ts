import { type ParsedDataSources, parseDataSources } from '../../model/parse-data-sources.ts';
import { type ParsedEntityGraph, parseEntityGraph } from '../../model/parse-model.ts';
import { nearestName } from '../../model/nearest-name.ts';
import type { Problem } from '../../model/problem.ts';
import { rules } from '../../model/rules.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { graphChecks, sourcesChecks } from '../checks/index.ts';
import { runEntryChecks } from '../checks/entry-checks.ts';
import { type EntryCache, type ValidationBudget, createEntryCache } from '../checks/entry-cache.ts';
import { indexOf } from '../entry-index.ts';
import type { GraphContextInput } from '../graph-context.ts';
import { misplacedEntries, misplacedEntry } from '../checks/misplaced-entries.ts';
import { conflictsIn, yamlSyntax } from '../checks/yaml-syntax.ts';
import type { GraphCheck, SourcesContext } from '../checks/check.ts';
import type { EntityGraph } from '../../model/entity-graph.ts';
import { suppressConsequences } from './suppress-consequences.ts';
import { tellDependents } from './tell-dependents.ts';
import { bisect } from '../../model/bisect.ts';

const entryChecks = graphChecks.filter(({ scope }) => scope);
const wholeChecks = graphChecks.filter(({ scope }) => !scope);

export interface GraphValidation extends GraphContextInput {
  readonly text: string;
  /** The parsed text, if available. */
  readonly parsed?: ParsedEntityGraph;
  /** Cache across document versions, so that only changes are validated. */
  readonly memo?: EntryCache;
  /** Further hints about the file, filtered together with the problems. */
  readonly notes?: readonly Problem[];
}

/** All problems of an entity graph in text order, one per mistake. Never throws. */
export function validateEntityGraph(diagnosis: GraphValidation): readonly Problem[] {
  return validateInTime(diagnosis, { isTimeUp: () => false }) ?? [];
}

/**
 * Validates with a time limit; undefined if it was reached. A later call with the same memo continues, because
 * validating a large new file takes longer than a keystroke allows.
 */
export function validateInTime(
  { text, parsed = parseEntityGraph(text), memo = createEntryCache(), notes = [], ...known }: GraphValidation,
  time: ValidationBudget,
): readonly Problem[] | undefined {
  const { broken } = parsed.yaml;
  // A text with syntax errors is parsed differently than intended, so its apparent content is not validated.
  if (parsed.problems.length > 0 && (!broken || conflictsIn(parsed).length > 0))
    return withoutDisabled([...yamlSyntax.check({ parsed }), ...notes], text);
  const context = { parsed, graph: parsed.graph, ...known };
  // Only individually parsed entries are stable between versions.
  const ofEntries = broken ? runEntryChecks(entryChecks, context, memo, time) : undefined;
  if (broken && !ofEntries) return undefined;
  const whole = { ...context, index: ofEntries ? memo.index : indexOf(parsed.graph, known.catalog) };
  const isIncomplete = broken !== undefined && broken.length > 0;
  const checks = (ofEntries ? wholeChecks : graphChecks).filter(
    (check) => concerns(check, parsed.graph) && (!isIncomplete || !asksForTheWhole(check)),
  );
  const problems = [...(ofEntries ?? []), ...checks.flatMap(({ check }) => check(whole))];
  const readable = isIncomplete ? withoutBroken(problems, broken) : problems;
  const inOtherList = misplacedEntries(parsed, whole.index);
  const validated =
    inOtherList.length > 0 ? [...withoutBroken(readable, inOtherList), ...misplaced(readable)] : readable;
  const causes = suppressConsequences(validated, parsed, { broken, catalog: known.catalog });
  const placed = isIncomplete ? withoutMisplaced(causes, broken, text) : causes;
  const told = tellDependents(placed, parsed.graph, known.catalog);
  return finish([...yamlSyntax.check({ parsed }), ...told, ...notes], text);
}

/**
 * Certain problems of an entity graph before it was completely validated: syntax errors, and problems of single entries
 * that nothing else in the file can suppress.
 * @param urgent range of entries to validate first.
 */
export function validateSoFar(
  diagnosis: GraphValidation & Required<Pick<GraphValidation, 'parsed' | 'memo'>>,
  urgent?: SourceRange,
): readonly Problem[] {
  const all = validateInTime(diagnosis, { isTimeUp: () => true, urgent });
  if (all) return all;
  const { text, parsed, memo, notes = [] } = diagnosis;
  const isWhole = (parsed.yaml.broken ?? []).length === 0;
  const certain = isWhole ? [...memo.soFar().filter(({ code }) => !rules[code].mayBeConsequence), ...notes] : [];
  return finish([...yamlSyntax.check({ parsed }), ...certain], text);
}

/** All problems of a sources file in text order. Never throws. */
export function validateDataSources({
  text,
  parsed = parseDataSources(text),
  ...known
}: Omit<SourcesContext, 'parsed'> & {
  readonly text: string;
  readonly parsed?: ParsedDataSources;
}): readonly Problem[] {
  if (parsed.yaml.problems.length > 0) return withoutDisabled(yamlSyntax.check({ parsed }), text);
  // Settings with unresolvable aliases are not validated.
  if (parsed.problems.length > 0) return finish(parsed.problems, text);
  return finish(
    sourcesChecks.flatMap(({ check }) => check({ parsed, ...known })),
    text,
  );
}

/** Removes problems inside unreadable parts, and their probable consequences. */
function withoutBroken(problems: readonly Problem[], broken: readonly SourceRange[]): readonly Problem[] {
  return problems.filter(
    ({ code, range }) =>
      !rules[code].needsWholeFile && !broken.some(({ start, end }) => range.start < end && range.end >= start),
  );
}

/** Misplaced entries have no other problems, because their rules do not apply. */
function misplaced(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ code }) => misplacedEntry.codes.includes(code));
}

/** Text after an unreadable part may belong to another list than it seems. */
function withoutMisplaced(
  problems: readonly Problem[],
  broken: readonly SourceRange[],
  text: string,
): readonly Problem[] {
  const first = Math.min(...broken.map(({ start }) => start));
  return problems.filter(
    ({ code, range: { start, end }, suggestions }) =>
      !rules[code].needsList || isMisspelt(text.slice(start, end), suggestions) || start < first,
  );
}

/** Whether a key is a misspelt suggestion, or one without its colon. */
function isMisspelt(key: string, suggestions: readonly string[] = []): boolean {
  return suggestions.some(
    (each) => each.startsWith(`${key.split(/[\s:]/)[0] ?? ''}:`) || nearestName(key, [each]) === each,
  );
}

function concerns({ sections }: GraphCheck, graph: EntityGraph): boolean {
  return sections === undefined || sections.some((section) => graph[section].length > 0);
}

/** Rules without other results are skipped, because they could be slow on the rest. */
function asksForTheWhole({ codes }: (typeof graphChecks)[number]): boolean {
  return codes.every((code) => rules[code].needsWholeFile);
}

/** Both ends may be the same element, whose problems then appear twice. */
function finish(problems: readonly Problem[], text: string): readonly Problem[] {
  const seen = new Set<string>();
  const distinct = problems.filter(({ code, range }) => {
    const place = `${code} ${range.start} ${range.end}`;
    return !seen.has(place) && seen.add(place);
  });
  return withoutDisabled(
    distinct.toSorted((left, right) => left.range.start - right.range.start),
    text,
  );
}

const word = 'entity-graph-disable-next-line';
const comment = new RegExp(`#\\s*${word}[ \\t]+([\\w-]+(?:[ \\t]*,[ \\t]*[\\w-]+)*)`, 'g');

/** Removes problems disabled by a comment `# entity-graph-disable-next-line CODE, CODE` on the previous line. */
function withoutDisabled(problems: readonly Problem[], text: string): readonly Problem[] {
  if (problems.length === 0 || !text.includes(word)) return problems;
  const silenced = silencedLines(text);
  return problems.filter(({ code, range }) => {
    const line = silenced[bisect(silenced.length, (index) => (silenced[index]?.end ?? 0) < range.start)];
    return !line || range.start < line.start || !line.codes.includes(code);
  });
}

/** A line with disabled codes; its end is the position of its line break. */
interface SilencedLine extends SourceRange {
  readonly codes: readonly string[];
}

/** Computed once, because all problems may be on one very long line. */
function silencedLines(text: string): readonly SilencedLine[] {
  const lines: SilencedLine[] = [];
  for (let at = text.indexOf(word); at >= 0;) {
    const above = text.indexOf('\n', at);
    if (above < 0) break;
    const line = text.slice(text.lastIndexOf('\n', at) + 1, above);
    const codes = [...line.matchAll(comment)].flatMap(([, found = '']) => found.split(',').map((code) => code.trim()));
    const end = text.indexOf('\n', above + 1);
    lines.push({ start: above + 1, end: end < 0 ? text.length : end, codes });
    at = text.indexOf(word, above);
  }
  return lines;
}
