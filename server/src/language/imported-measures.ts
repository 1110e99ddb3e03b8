import { type ShownMeasure, measureText } from '../../../protocol/measure-outcome.ts';
import type { MeasureResult } from '../../../protocol/measures.ts';
import type { EntityGraph } from '../model/entity-graph.ts';
import type { Measure } from '../model/measure.ts';
import { parseEntityGraph } from '../model/parse-model.ts';
import type { Problem } from '../model/problem.ts';
import { type Markdown, code, line, paragraphs, strong } from './markdown.ts';

/** Result of an import for a measure. */
interface FoundMeasure extends ShownMeasure, Pick<MeasureResult, 'name' | 'met'> {
  /** The limits that it misses, in words. */
  readonly missed?: readonly string[];
}

/** Results of the last import by the text of each measure; none for a changed measure. */
export type ImportedMeasures = ReadonlyMap<string, FoundMeasure>;

export function importedMeasures(text: string, found: readonly FoundMeasure[]): ImportedMeasures {
  const byName = new Map(found.map((measure) => [measure.name, measure]));
  return new Map(
    parseEntityGraph(text).graph.measures.flatMap((measure) => {
      const result = byName.get(measure.name?.value ?? '');
      return result ? [[textOf(measure, text), result] as const] : [];
    }),
  );
}

/** The targets that the last import found missed, and the measures that it could not find. */
export function missedTargets({ measures }: EntityGraph, text: string, imported: ImportedMeasures): readonly Problem[] {
  return measures.flatMap((measure): readonly Problem[] => {
    const found = imported.get(textOf(measure, text));
    if (!found || !measure.name || !(found.error !== undefined || found.met === false)) return [];
    const severity = measure.severity === 'info' ? 'information' : measure.severity;
    const message =
      found.error === undefined
        ? `The last import found: ${(found.missed ?? []).join(', ')}.`
        : `The last import could not find this measure: ${found.error}`;
    return [{ code: 'measure-missed', severity, message, range: measure.name.range }];
  });
}

/** Numbers of a measure, for its hover; undefined if this text of it has not been measured. */
export function measuredMarkdown(measure: Measure, text: string, imported: ImportedMeasures): Markdown | undefined {
  const found = imported.get(textOf(measure, text));
  if (!found) return undefined;
  return paragraphs(
    line`${strong(found.name)}. The last import found: ${measureText(found)}.`,
    ...(found.missed ?? []).map((missed) => line`Missed: ${code(missed)}`),
  );
}

/** The text of a rule or a measure and of its calendar, without surrounding comments and blanks. */
export function textOf({ range, workingTime }: Pick<Measure, 'range' | 'workingTime'>, text: string): string {
  const calendar = workingTime ? text.slice(workingTime.range.start, workingTime.range.end) : '';
  return `${text.slice(range.start, range.end).trim()}${calendar.trim()}`;
}
