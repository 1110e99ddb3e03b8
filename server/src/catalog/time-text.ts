/** How a column of texts or numbers writes times. */
export interface TimeText {
  /** The format in the notation of strptime; absent if day and month are ambiguous. */
  readonly format?: string;
  readonly sense: 'timestamp' | 'date' | 'time';
}

/** The format of texts that are times; undefined unless nearly all values have it. */
export function timeTextOf(column: string, values: readonly string[]): TimeText | undefined {
  const { formats, sense } = timeFormatsOf(column, values) ?? {};
  const [format, ...others] = formats ?? [];
  if (sense === undefined) return undefined;
  return format === undefined || others.length > 0 ? { sense } : { format, sense };
}

/** The formats that the texts may have: two if day and month are ambiguous. */
interface TimeFormats extends Pick<TimeText, 'sense'> {
  readonly formats: readonly string[];
}

export function timeFormatsOf(column: string, values: readonly string[]): TimeFormats | undefined {
  const some = values.slice(0, 2000);
  const isClock = some.length > 0 && some.every((value) => /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(value));
  return isClock ? { formats: ['%H:%M:%S'], sense: 'time' } : (withSigns(some) ?? withoutSigns(column, some));
}

const shape = /^(\d{1,2})([./-])(\d{1,2})[./-](\d{4})(?:[ T](\d{1,2}:\d{2})(:\d{2})?)?$/;

function withSigns(values: readonly string[]): TimeFormats | undefined {
  const parts = values.flatMap((value) => {
    const match = shape.exec(value.trim());
    return match ? [match] : [];
  });
  const [first] = parts;
  if (!first || parts.length < 0.95 * values.length) return undefined;
  const isOver = (group: number): boolean => parts.some((match) => Number(match[group]) > 12);
  const [isDayFirst, isMonthFirst] = [isOver(1), isOver(3)];
  const sense = first[5] === undefined ? 'date' : 'timestamp';
  const sign = first[2] ?? '';
  const time = first[5] === undefined ? '' : first[6] === undefined ? ' %H:%M' : ' %H:%M:%S';
  // Some after the twelfth in both places: no format fits all.
  if (isDayFirst && isMonthFirst) return { formats: [], sense };
  const formats = [`%d${sign}%m`, `%m${sign}%d`].map((day) => `${day}${sign}%Y${time}`);
  return { formats: isDayFirst ? formats.slice(0, 1) : isMonthFirst ? formats.slice(1) : formats, sense };
}

/** The format of `20240131` and `235959`, if the name of the column suggests dates or times of day, or if many values do. */
function withoutSigns(column: string, values: readonly string[]): TimeFormats | undefined {
  const all = (form: RegExp): boolean => values.length > 0 && values.every((value) => form.test(value));
  if (all(/^(?:(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|00000000|0)$/)) {
    const dates = values.filter((value) => Number(value) > 0);
    // Hardly one of a hundred other numbers of eight digits is a date.
    return dates.length > 0 && (dateName.test(column) || dates.length >= 5)
      ? { formats: ['%Y%m%d'], sense: 'date' }
      : undefined;
  }
  // One of twelve other numbers of six digits is a time of day.
  const isPadded = values.length >= 20 && all(/^(?:[01]\d|2[0-3])[0-5]\d[0-5]\d$/);
  const isTimeOfDay = isPadded || (timeName.test(column) && all(/^(?:[01]?\d|2[0-3])?(?:[0-5]?\d)?[0-5]?\d$/));
  return isTimeOfDay ? { formats: ['%H%M%S'], sense: 'time' } : undefined;
}

const dateName = /dat(?:e|um)?(?:$|[_\s\d])|(?:^|[_\s])(?:on|day|dt)$|tag$/i;
const timeName = /time|zeit|zet$|uhr/i;

/** The text of a time as one that sorts by time; undefined for other texts. */
export function sortableTime(text: string, { format }: TimeText): string | undefined {
  if (format === undefined) return undefined;
  if (!format.includes('%Y') || format === '%Y%m%d') return /^0*$/.test(text) ? undefined : text.padStart(6, '0');
  const match = shape.exec(text.trim());
  if (!match) return undefined;
  const [, one = '', , two = '', year = '', time = '', seconds = ''] = match;
  const [day, month] = format.startsWith('%d') ? [one, two] : [two, one];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')} ${time.padStart(5, '0')}${seconds}`;
}
