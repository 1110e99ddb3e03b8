import type { Finding } from '../../../protocol/findings.ts';
import { accepts } from '../model/accept-findings.ts';
import { acceptedFinding } from '../model/accepted-entry.ts';
import type { EntityElement, EntityGraph } from '../model/entity-graph.ts';
import { timeRoles } from '../../../protocol/fields/element.ts';
import { type ParsedEntityGraph, parseEntityGraph } from '../model/parse-model.ts';
import type { Problem } from '../model/problem.ts';
import type { SourceRange } from '../model/source-range.ts';

/** What is odd in the data of the last import. */
export interface ImportedFindings {
  readonly findings: readonly Finding[];
  /** The texts of the imported elements, by their names. */
  readonly elements: ReadonlyMap<string, string>;
}

/** @param text of the file when it was imported */
export function importedFindings(text: string, findings: readonly Finding[]): ImportedFindings {
  return { findings, elements: elementTexts(parseEntityGraph(text).graph, text) };
}

/**
 * The warnings about the data as informations at the entries that they are about, and entries of `accepted` that no
 * finding needs any more. None where the entry has changed since the import.
 */
export function dataFindings({ graph, yaml }: Placed, imported: ImportedFindings): readonly Problem[] {
  const current = currentFindings({ graph, yaml }, imported);
  const found = current.flatMap((finding): readonly Problem[] => {
    const isAccepted = graph.accepted.some((entry) => accepts(acceptedFinding(entry), finding));
    if (isAccepted || finding.severity !== 'warning') return [];
    const range = placeOf(finding, graph);
    return range ? [{ code: 'data-finding', severity: 'information', message: messageOf(finding), range }] : [];
  });
  const stale = graph.accepted.flatMap((entry): readonly Problem[] => {
    const accepted = acceptedFinding(entry);
    const { element } = accepted;
    const isJudged =
      element === undefined ? isUnchanged(graph, yaml.text, imported) : isSame(element, graph, yaml.text, imported);
    if (!entry.finding || !isJudged || imported.findings.some((finding) => accepts(accepted, finding))) return [];
    const message = `The last import found nothing that this entry accepts. Remove it, so that it is told if it comes back.`;
    return [{ code: 'accepted-stale', severity: 'information', message, range: entry.finding.range }];
  });
  return [...found, ...stale];
}

type Placed = Pick<ParsedEntityGraph, 'graph' | 'yaml'>;

/** The findings whose elements are as they were imported. */
export function currentFindings({ graph, yaml }: Placed, imported: ImportedFindings): readonly Finding[] {
  return imported.findings.filter(({ element }) =>
    element === null ? isUnchanged(graph, yaml.text, imported) : isSame(element, graph, yaml.text, imported),
  );
}

/** The finding of a problem. */
export function findingOfProblem(
  { message, range }: Pick<Problem, 'message' | 'range'>,
  placed: Placed,
  imported: ImportedFindings,
): Finding | undefined {
  return currentFindings(placed, imported).find(
    (finding) => messageOf(finding) === message && placeOf(finding, placed.graph)?.start === range.start,
  );
}

function messageOf({ message, remedy }: Finding): string {
  return `The last import found: ${message} ${remedy}`;
}

function elementTexts({ elements }: EntityGraph, text: string): ReadonlyMap<string, string> {
  return new Map(
    elements.flatMap(({ activityName, range }) =>
      activityName ? [[activityName.value, text.slice(range.start, range.end).trim()] as const] : [],
    ),
  );
}

function isSame(name: string, { elements }: EntityGraph, text: string, imported: ImportedFindings): boolean {
  const range = elements.find(({ activityName }) => activityName?.value === name)?.range;
  return range !== undefined && text.slice(range.start, range.end).trim() === imported.elements.get(name);
}

function isUnchanged(graph: EntityGraph, text: string, imported: ImportedFindings): boolean {
  const now = elementTexts(graph, text);
  return now.size === imported.elements.size && [...now].every(([name, each]) => each === imported.elements.get(name));
}

/** The field with the column, else the name of the element, else that of the graph. */
export function placeOf({ element: name, column }: Finding, graph: EntityGraph): SourceRange | undefined {
  if (name === null) return (graph.name ?? graph.dataSource)?.range;
  const element = graph.elements.find(({ activityName }) => activityName?.value === name);
  if (!element) return undefined;
  return (column === null ? undefined : columnRange(element, column)) ?? element.activityName?.range;
}

function columnRange(element: EntityElement, column: string): SourceRange | undefined {
  const { key = [], activityColumn, sequence } = element;
  const places = [...timeRoles.map((role) => element[role]), activityColumn, sequence, ...key];
  return places.find((place) => place?.value === column)?.range;
}
