import { pathToFileURL } from 'node:url';
import { type LineIndex, createLineIndex } from '../model/line-index.ts';
import type { Severity } from '../model/problem.ts';
import type { SourceRange } from '../model/source-range.ts';
import { version } from '../../../package.json';

/** A file with its results. */
export interface SarifFile {
  readonly path: string;
  readonly text: string;
  readonly problems: readonly SarifResult[];
}

export interface SarifResult {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly range: SourceRange;
}

/** Diagnostics as a SARIF 2.1.0 log, which code hosts display beside changed lines. */
export function toSarif(files: readonly SarifFile[]): unknown {
  const codes = [...new Set(files.flatMap((file) => file.problems.map((problem) => problem.code)))].sort();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'entity-graph', version, rules: codes.map((id) => ({ id })) } },
        columnKind: 'utf16CodeUnits',
        results: files.flatMap(toResults),
      },
    ],
  };
}

function toResults(file: SarifFile): readonly unknown[] {
  const lines = createLineIndex(file.text);
  const artifactLocation = { uri: pathToFileURL(file.path).href };
  return file.problems.map((problem) => ({
    ruleId: problem.code,
    level: level(problem.severity),
    message: { text: problem.message },
    locations: [{ physicalLocation: { artifactLocation, region: region(lines, problem.range) } }],
  }));
}

function level(severity: Severity): string {
  return severity === 'information' ? 'note' : severity;
}

function region(lines: LineIndex, range: SourceRange): unknown {
  const { start, end } = lines.range(range);
  return {
    startLine: start.line + 1,
    startColumn: start.character + 1,
    endLine: end.line + 1,
    endColumn: end.character + 1,
  };
}
