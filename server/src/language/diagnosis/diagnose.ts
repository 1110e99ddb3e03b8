import { type ParsedDataSources, parseDataSources } from '../../model/parse-data-sources.ts';
import { type ParsedEntityGraph, parseEntityGraph } from '../../model/parse-model.ts';
import { nearestName } from '../../model/nearest-name.ts';
import type { Problem } from '../../model/problem.ts';
import { rules } from '../../model/rules.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { graphChecks, sourcesChecks } from '../checks/index.ts';
import { runEntryChecks } from '../checks/entry-checks.ts';
import { type EntryMemo, type LookingTime, createEntryMemo } from '../checks/entry-memo.ts';
import { indexOf } from '../entry-index.ts';
import type { GraphSurroundings } from '../graph-context.ts';
import { misplacedEntries, misplacedEntry } from '../checks/misplaced-entries.ts';
import { conflictsIn, yamlSyntax } from '../checks/yaml-syntax.ts';
import type { SourcesContext } from '../checks/check.ts';
import { withoutDisabled } from './disabled-rules.ts';
import { suppressConsequences } from './suppress-consequences.ts';

const entryChecks = graphChecks.filter(({ scope }) => scope);
const wholeChecks = graphChecks.filter(({ scope }) => !scope);

export interface GraphDiagnosis extends GraphSurroundings {
  readonly text: string;
  /** The parsed text, when it is at hand. */
  readonly parsed?: ParsedEntityGraph;
  /** Kept from one version of the document to the next, so that only what has changed is checked again. */
  readonly memo?: EntryMemo;
  /** What else is to be said of the file; filtered together with what the rules find. */
  readonly notes?: readonly Problem[];
}

/** Everything that is wrong with an entity graph, in the order of the text, one problem a mistake. Never throws. */
export function diagnoseEntityGraph(diagnosis: GraphDiagnosis): readonly Problem[] {
  return diagnoseInTime(diagnosis, { isTimeUp: () => false }) ?? [];
}

/**
 * The same, as long as there is time; undefined when it was up before the end. A later call with the same memo goes on where
 * this one stopped: a large file that is new takes longer than anybody who types should wait.
 */
export function diagnoseInTime(
  { text, parsed = parseEntityGraph(text), memo = createEntryMemo(), notes = [], ...known }: GraphDiagnosis,
  time: LookingTime,
): readonly Problem[] | undefined {
  const { broken } = parsed.yaml;
  // A broken text is read differently than it was meant: what it seems to say is not validated.
  if (parsed.problems.length > 0 && (!broken || conflictsIn(parsed).length > 0))
    return withoutDisabled([...yamlSyntax.check({ parsed }), ...notes], text);
  const context = { parsed, graph: parsed.graph, ...known };
  // Only entries that were read on their own stay the same from one version to the next.
  const ofEntries = broken ? runEntryChecks(entryChecks, context, memo, time) : undefined;
  if (broken && !ofEntries) return undefined;
  const whole = { ...context, index: ofEntries ? memo.index : indexOf(parsed.graph, known.catalog) };
  const isIncomplete = broken !== undefined && broken.length > 0;
  const checks = (ofEntries ? wholeChecks : graphChecks).filter((check) => !isIncomplete || !asksForTheWhole(check));
  const problems = [...(ofEntries ?? []), ...checks.flatMap(({ check }) => check(whole))];
  const told = isIncomplete ? withoutBroken(problems, broken) : problems;
  const inOtherList = misplacedEntries(parsed, whole.index);
  const validated = inOtherList.length > 0 ? [...withoutBroken(told, inOtherList), ...misplaced(told)] : told;
  const causes = suppressConsequences(validated, parsed.graph, parsed.yaml.text, {
    broken,
    catalog: known.catalog,
  });
  const placed = isIncomplete ? withoutMisplaced(causes, broken, text) : causes;
  return finish([...yamlSyntax.check({ parsed }), ...placed, ...notes], text);
}

/**
 * What is certain of an entity graph before all of it was looked at: mistakes of its YAML, and what was found in single entries that
 * nothing else in the file can excuse.
 * @param urgent entries here are looked at before this is told.
 */
export function diagnoseSoFar(
  diagnosis: GraphDiagnosis & Required<Pick<GraphDiagnosis, 'parsed' | 'memo'>>,
  urgent?: SourceRange,
): readonly Problem[] {
  const all = diagnoseInTime(diagnosis, { isTimeUp: () => true, urgent });
  if (all) return all;
  const { text, parsed, memo } = diagnosis;
  const isWhole = (parsed.yaml.broken ?? []).length === 0;
  const certain = isWhole ? memo.soFar().filter(({ code }) => !rules[code].mayBeConsequence) : [];
  return finish([...yamlSyntax.check({ parsed }), ...certain], text);
}

/** Everything that is wrong with a sources file, in the order of the text. Never throws. */
export function diagnoseDataSources({
  text,
  parsed = parseDataSources(text),
  ...known
}: Omit<SourcesContext, 'parsed'> & {
  readonly text: string;
  readonly parsed?: ParsedDataSources;
}): readonly Problem[] {
  if (parsed.yaml.problems.length > 0) return withoutDisabled(yamlSyntax.check({ parsed }), text);
  // Settings whose aliases cannot be read are not validated.
  if (parsed.problems.length > 0) return finish(parsed.problems, text);
  return finish(
    sourcesChecks.flatMap(({ check }) => check({ parsed, ...known })),
    text,
  );
}

/** Leaves out what is said inside a part that could not be read, and what may only seem so because of it. */
function withoutBroken(problems: readonly Problem[], broken: readonly SourceRange[]): readonly Problem[] {
  return problems.filter(
    ({ code, range }) =>
      !rules[code].needsWholeFile && !broken.some(({ start, end }) => range.start < end && range.end >= start),
  );
}

/** Of entries in the wrong list nothing else is told: no other rule knows what they are. */
function misplaced(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ code }) => misplacedEntry.codes.includes(code));
}

/** What stands behind a part that could not be read may belong to another list than it seems, whose keys are others. */
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

/** A key that is written like one of its suggestions, not only used for it elsewhere, or lacks its colon. */
function isMisspelt(key: string, suggestions: readonly string[] = []): boolean {
  return suggestions.some(
    (each) => each.startsWith(`${key.split(/[\s:]/)[0] ?? ''}:`) || nearestName(key, [each]) === each,
  );
}

/** A rule that says nothing else is not asked: it might find much in what is left, slowly, and for nothing. */
function asksForTheWhole({ codes }: (typeof graphChecks)[number]): boolean {
  return codes.every((code) => rules[code].needsWholeFile);
}

/** Both ends of a relationship may be one element, whose problems then come twice. */
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
