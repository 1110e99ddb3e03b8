import type { SourceBuild } from '../../connectors/source-build.ts';
import type { BuildSource } from '../../import/build/build-source.ts';
import { type StatementsStep, runValue } from '../../import/build/plan-statement.ts';
import { defaultNumbersSql } from '../../measure-kinds/default-measures.ts';
import type { Measure } from '../../model/measure.ts';
import { atMoment, momentTextSql, sourceTables, storeTables } from '../../process-rules/judged-graph-tables.ts';
import { measurable, measureName } from '../../process-rules/measure-graph.ts';
import { measureTablesSql } from '../../process-rules/record-measures.ts';
import { checkpointSql } from '../../process-rules/record-rules.ts';
import type { PlanStatement } from '../../query/compiled-query.ts';
import type { JudgedGraphTables } from '../../rule-kinds/judged-tables.ts';
import { builtGraphTables } from './built-graph-tables.ts';
import { storeOpening } from './rules-step.ts';

/** Name of the step in plans and reports. */
export const measuresStepName = 'measures';

/** Measuring a graph before it is published in its source, for a plan; empty without measures. */
export function sourceMeasuresSteps(
  measures: readonly Measure[],
  source: BuildSource,
  { side, attempting }: Pick<SourceBuild, 'side' | 'attempting'>,
): readonly StatementsStep[] {
  return measuresSteps(measures, builtGraphTables(source, sourceTables(source.dialect, side)), attempting);
}

/** Measuring a store before it is published, for a plan; empty without measures. */
export function storeMeasuresSteps(measures: readonly Measure[], source: BuildSource): readonly StatementsStep[] {
  const checkpoint = { title: 'Only the file itself is published', sql: checkpointSql };
  return measuresSteps(measures, builtGraphTables(source, storeTables), storeOpening(source), [checkpoint]);
}

function measuresSteps(
  measures: readonly Measure[],
  graph: JudgedGraphTables,
  opening: readonly PlanStatement[],
  closing: readonly PlanStatement[] = [],
): readonly StatementsStep[] {
  if (measures.length === 0) return [];
  const momentSql = momentTextSql(graph);
  const measured = momentSql === undefined ? graph : atMoment(graph, runValue);
  const tables = measureTablesSql(measured);
  const written = measures.flatMap((measure): readonly PlanStatement[] => {
    const complete = measurable(measure, measured);
    if (typeof complete === 'string') return [];
    const number = measure.index + 1;
    return [
      { title: measureName(measure), sql: tables.insertValues(complete, number) },
      { title: `If it can be found: the numbers of ${measureName(measure)}`, sql: tables.numbers(complete, number) },
    ];
  });
  const statements: readonly PlanStatement[] = [
    ...opening,
    ...(momentSql === undefined
      ? []
      : [{ title: 'Now: the time of the last event, or of the import', sql: momentSql }]),
    { title: 'The values of measures', sql: tables.createValues },
    ...written,
    { title: 'Throughput, events, rework and idle time of each entity type', sql: defaultNumbersSql(measured) },
    { title: 'The numbers of measures', sql: tables.createMeasures },
    { title: 'As found', sql: tables.insertMeasures(runValue) },
    ...closing,
  ];
  return [{ name: measuresStepName, title: 'Measuring', statements }];
}
