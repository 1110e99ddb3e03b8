import { type TimeRole, timeRoles, elementFields } from '../../../../protocol/fields/element.ts';
import type { CellMark } from '../../../../protocol/query-results.ts';
import type { CellValue, Preview, QueryColumn } from '../../connectors/connector.ts';
import type { ElementQuery } from '../../query/compiled-query.ts';

/** Marks texts in a preview that do not fit their column type. */
export function castFailureMarks({ columns, rows, castFailures = [] }: Preview): readonly CellMark[] {
  return castFailures.map(({ row, column }) => ({
    row,
    column,
    severity: 'error',
    message: `"${clipped(rows[row]?.[column])}" is no ${columns[column]?.type ?? 'value of its type'}: queries and imports stop here.`,
  }));
}

/**
 * Marks values in the rows of an element that an import does not use: missing key, missing start, infinite or invalid
 * times. Values without a role are not marked, not even NULL and NaN.
 * @param isNoTime whether a text cannot be read as a time.
 */
export function roleMarks(
  { roles }: ElementQuery,
  { columns, rows }: Pick<Preview, 'columns' | 'rows'>,
  isNoTime: (text: string) => boolean,
): readonly CellMark[] {
  const at = (name: string | undefined): number => columns.findIndex((column) => column.name === name);
  const keys = roles.key.map(at);
  const start = at(roles.startTimestamp);
  const isEndOfDay = (role: TimeRole): boolean => roles.endsOfDays?.includes(role) ?? false;
  const laterRoles = timeRoles.filter((role) => role !== 'startTimestamp' && roles[role] !== undefined);
  const marks: CellMark[] = [];
  for (const [row, cells] of rows.entries()) {
    const marked = new Set<number>();
    /** One mark per cell: the first found is the most serious. */
    const mark = (column: number, severity: CellMark['severity'], message: string): void => {
      if (!marked.has(column)) marks.push({ row, column, severity, message });
      marked.add(column);
    };
    for (const column of keys) {
      if (cells[column] === null) mark(column, 'warning', 'No key: an import leaves this row out.');
    }
    for (const column of timeRoles.map((role) => at(roles[role]))) {
      const cell = cells[column];
      const fault = cell === undefined ? undefined : timeFault(cell, columns[column], isNoTime);
      if (fault) mark(column, ...fault);
    }
    if (cells[start] === null) mark(start, 'warning', 'No Start Timestamp: this row gives no event.');
    for (const role of laterRoles) {
      const later = at(roles[role]);
      const startsLater = isEndOfDay('startTimestamp') && !isEndOfDay(role);
      if (isBefore(cells[later], columns[later], cells[start], columns[start], startsLater)) {
        mark(later, 'warning', `The ${elementFields[role].label} is before the Start Timestamp.`);
      }
    }
  }
  return marks;
}

/** Columns with text values for the times of an element. */
export function textTimes(
  { roles }: ElementQuery,
  { columns, rows }: Pick<Preview, 'columns' | 'rows'>,
): readonly string[] {
  const places = columns.flatMap(({ name, sense }, index) =>
    sense === 'text' && timeRoles.some((role) => roles[role] === name) ? [index] : [],
  );
  const texts = rows.flatMap((cells) => places.map((place) => cells[place]));
  return [...new Set(texts.filter((text) => typeof text === 'string'))];
}

type Fault = readonly [severity: CellMark['severity'], message: string];

function timeFault(
  cell: CellValue,
  column: QueryColumn | undefined,
  isNoTime: (text: string) => boolean,
): Fault | undefined {
  if (typeof cell !== 'string' || !column) return undefined;
  const isTime = column.sense === 'timestamp' || column.sense === 'date';
  if (isTime && /^-?infinity$/.test(cell)) return ['warning', 'An infinite time counts as missing.'];
  if (column.sense === 'text' && isNoTime(cell)) {
    return ['error', `"${clipped(cell)}" is not a readable time: an import stops here.`];
  }
  return undefined;
}

/**
 * Only for two columns of one type, whose text order is chronological.
 * @param startsLater a start is the end of its day, the later time the beginning
 */
function isBefore(
  later: CellValue | undefined,
  laterColumn: QueryColumn | undefined,
  start: CellValue | undefined,
  startColumn: QueryColumn | undefined,
  startsLater: boolean,
): boolean {
  if (typeof later !== 'string' || typeof start !== 'string' || laterColumn?.sense !== startColumn?.sense) return false;
  const pattern = laterColumn?.sense === 'date' ? /^\d{4}-\d\d-\d\d$/ : /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
  if (laterColumn?.sense === 'text' || !pattern.test(later) || !pattern.test(start)) return false;
  return startsLater ? later <= start : later < start;
}

function clipped(value: CellValue | undefined): string {
  const text = String(value ?? '').replaceAll(/\s+/g, ' ');
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
