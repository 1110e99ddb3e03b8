import type { Finding } from '../../protocol/findings.ts';
import type { FindingKind } from '../../protocol/shapes/finding-shapes.ts';
import { findFindings } from '../../server/src/findings/find-findings.ts';
import { type LogRow, type LogShape, cleanLog, cleanShapes, logFiles, randomFrom } from './generated-log.ts';
import { withGraph } from './import-text.ts';
import { injectedElement, injections, shapeFor } from './inject-oddities.ts';

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
export async function injected(kind: FindingKind, share: number, seed: number): Promise<ScoredLog> {
  const place = Object.keys(injections).indexOf(kind) + seed;
  const shape = shapeFor(kind, cleanShapes[place % cleanShapes.length] ?? cleanShapes[0]!);
  const inject = injections[kind];
  if (!inject) throw new Error(`${kind} cannot be injected.`);
  const rows = inject(cleanLog(shape, seed), share, randomFrom(seed + 1_000));
  return { shape, rows, findings: await findingsOf(rows, shape) };
}

/** The warnings that tell of the injected kind, and all others. */
export function score(kind: FindingKind, { shape, findings }: ScoredLog) {
  const element = injectedElement(kind, shape);
  const isRight = (finding: Finding): boolean => finding.kind === kind && finding.element === element;
  const warnings = findings.filter(({ severity }) => severity === 'warning');
  // Of kinds that are informations, that is what is right.
  const right = findings.filter(
    (finding) => isRight(finding) && (finding.severity === 'warning' || kind === 'changing-attribute'),
  );
  return { right, wrong: warnings.filter((finding) => !isRight(finding)) };
}

/** How many examples are events of injected rows. */
export function injectedExamples(finding: Finding, rows: readonly LogRow[]): number {
  const places = new Set(rows.flatMap((row) => (row.isInjected ? [placeOf(row.case, row.time)] : [])));
  return finding.examples.filter(
    ({ entity, event }) => entity !== null && places.has(placeOf(entity.key, Date.parse(event.time))),
  ).length;
}

function placeOf(key: string, time: number): string {
  return `${key} ${time}`;
}
