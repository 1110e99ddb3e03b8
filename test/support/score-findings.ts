import type { Finding } from '../../protocol/findings.ts';
import type { FindingKind } from '../../protocol/shapes/finding-shapes.ts';
import { findFindings } from '../../server/src/findings/find-findings.ts';
import { type LogRow, type LogShape, cleanLog, cleanShapes, logFiles, randomFrom } from './generated-log.ts';
import { withGraph } from './import-text.ts';
import { injectedPlace, injections, shapeFor } from './inject-oddities.ts';

/** A clean log: a shape, and its rows by a number that chooses them. */
export interface CleanLog {
  readonly shape: LogShape;
  rows(shape: LogShape, seed: number): LogRow[];
}

export const generatedLogs: readonly CleanLog[] = cleanShapes.map((shape) => ({ shape, rows: cleanLog }));

/** What is found in a log. */
export interface ScoredLog {
  readonly shape: LogShape;
  readonly rows: readonly LogRow[];
  readonly findings: readonly Finding[];
}

/** The findings of a log that is imported. */
export async function findingsOf(rows: readonly LogRow[], shape: LogShape): Promise<readonly Finding[]> {
  return withGraph(logFiles(rows, shape), async (project) => {
    await project.import();
    return project.read((store) => findFindings(store, {}));
  });
}

/** Injects a kind into a clean log; each seed has another log. */
export async function injected(
  kind: FindingKind,
  share: number,
  seed: number,
  logs: readonly CleanLog[] = generatedLogs,
): Promise<ScoredLog> {
  const place = Object.keys(injections).indexOf(kind) + seed;
  const log = logs[place % logs.length];
  if (!log) throw new Error('There is no log.');
  const shape = shapeFor(kind, log.shape, seed);
  // Such a key is odd in all rows.
  const isWhole = shape.key !== undefined;
  const clean = log.rows(shape, seed);
  const rows = isWhole ? clean : injections[kind](clean, share, randomFrom(seed + 1_000));
  return { shape, rows, findings: await findingsOf(rows, shape) };
}

/** Kinds that tell how the data is, and are informations always. */
export const informing: ReadonlySet<FindingKind> = new Set(['changing-attribute', 'shared-events', 'diverging-events']);

/**
 * The findings that tell of the injected kind at its element and column, and those that do not: other warnings, and
 * others of the kind. Of a kind whose share is too small for a warning, the information is in `told`.
 */
export function score(kind: FindingKind, { shape, findings }: ScoredLog) {
  const { element, column } = injectedPlace(kind, shape);
  const isRight = (finding: Finding): boolean =>
    finding.kind === kind && finding.element === element && finding.column === column;
  const told = findings.filter(isRight);
  return {
    told,
    right: told.filter(({ severity }) => severity === 'warning' || informing.has(kind)),
    wrong: findings.filter((finding) => !isRight(finding) && (finding.severity === 'warning' || finding.kind === kind)),
  };
}

/** How many examples are events of injected rows. */
export function injectedExamples(finding: Finding, rows: readonly LogRow[]): number {
  const places = new Set(
    rows.flatMap((row) =>
      row.isInjected ? [placeOf(row.case, row.time), placeOf(row.delivery ?? `S-${row.case}`, row.time)] : [],
    ),
  );
  return finding.examples.filter(
    ({ entity, event }) => entity !== null && places.has(placeOf(entity.key, Date.parse(event.time))),
  ).length;
}

function placeOf(key: string, time: number): string {
  return `${key} ${time}`;
}
