import { escapeForComment } from '../../../protocol/escape-markdown.ts';
import { isMissed, measureFailsBuild, measureText, missedTexts, valueText } from '../../../protocol/measure-outcome.ts';
import type { MeasureResult } from '../../../protocol/measures.ts';
import { thousands } from '../../../protocol/thousands.ts';
import { createLineIndex } from '../model/line-index.ts';
import type { Severity } from '../model/problem.ts';
import type { JudgedGraph } from '../operations/stored-graphs/judge-graph.ts';
import type { JunitCase } from './junit.ts';
import { shownPath } from './print-problems.ts';
import type { SarifResult } from './sarif.ts';
import { type Line, paint, styled } from './styled-text.ts';

export function measureLines({ file, measures, measurePlaces }: JudgedGraph): readonly Line[] {
  const lines = createLineIndex(file.text);
  return measures.flatMap((result, index) => {
    const place = `${shownPath(file.path)}:${lines.range(measurePlaces[index] ?? { start: 0, end: 0 }).start.line + 1}`;
    return [
      styled`${measureOutcome(result)}  ${result.name}  ${paint.dim(place)}`,
      `        ${measureText(result)}`,
      ...missedTexts(result).map((text) => `        ${text}`),
    ];
  });
}

/** Missed targets, and measures that could not be found, as problems at their places. */
export function measureProblems({ measures, measurePlaces }: JudgedGraph): readonly SarifResult[] {
  return measures.flatMap((result, index): readonly SarifResult[] => {
    if (!isMissed(result) && result.error === undefined) return [];
    const range = measurePlaces[index] ?? { start: 0, end: 0 };
    const message = `"${result.name}" ${measureSummary(result)}`;
    return [{ code: 'measure-missed', severity: severityOf(result), message, range }];
  });
}

export function measureCases({ measures }: JudgedGraph): readonly JunitCase[] {
  return measures.map((result) => ({
    name: result.name,
    durationMs: 0,
    failures:
      isMissed(result) || result.error !== undefined
        ? [{ message: measureSummary(result), text: missedTexts(result).join('\n') }]
        : [],
  }));
}

/** A table of the measures, for pages of build servers; empty without any. */
export function measureMarkdown({ file, measures }: JudgedGraph): string {
  if (measures.length === 0) return '';
  const rows = measures.map((result) => {
    const { name, count, missing, unit, mean, median, p90 } = result;
    const numbers = [
      thousands(count),
      thousands(missing),
      ...[mean, median, p90].map((value) => valueText(value, unit)),
    ];
    const target = result.error ?? (missedTexts(result).join('; ') || result.target.map(({ text }) => text).join('; '));
    return `| ${[outcomeText(result), escapeForComment(name), ...numbers, escapeForComment(target)].join(' | ')} |`;
  });
  return [
    `### Measures of ${escapeForComment(shownPath(file.path))}`,
    '',
    '| | measure | values | missing | mean | median | p90 | target |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function outcomeText(result: MeasureResult): string {
  if (result.error !== undefined) return 'not measured';
  if (isMissed(result)) return `**missed** (${result.severity})`;
  return result.met ? 'met' : '';
}

/** The result of a measure in one word, padded to equal width. */
export function measureOutcome(result: MeasureResult): Line {
  if (result.error !== undefined) return paint.red('FAILED');
  if (isMissed(result)) return measureFailsBuild(result) ? paint.red('MISSED') : paint.yellow('missed');
  return result.met ? paint.green('met   ') : paint.dim('value ');
}

/** Numbers of a measure, and what its target misses. */
export function measureSummary(result: MeasureResult): string {
  return [measureText(result), ...missedTexts(result)].join(', ');
}

function severityOf({ severity, error }: MeasureResult): Severity {
  if (error !== undefined) return 'warning';
  return severity === 'info' ? 'information' : severity;
}
