/**
 * A date or time as Trino prints it (`+12020-01-02 03:04:05.123456789`, `-0044-03-15`), as PostgreSQL would: years before
 * 1 have an era, and digits beyond microseconds are left out. `eraOf` puts the era where it belongs.
 */
export function plainTime(text: string, withEra: (date: string, rest: string) => string): string {
  const [, sign = '', year = '', monthAndDay = '', rest = ''] = pattern.exec(text) ?? [];
  if (year === '') return text;
  const clock = rest.replace(/(\.\d{6})\d+/, '$1');
  // Year 0 is 1 BC.
  const isEarly = sign === '-' || Number(year) === 0;
  if (!isEarly) return `${year}-${monthAndDay}${clock}`;
  return withEra(`${String(Number(year) + 1).padStart(4, '0')}-${monthAndDay}`, clock);
}

const pattern = /^([+-]?)(\d{4,})-(\d\d-\d\d)(.*)$/;

/** A time without zeros at the end of its fraction: `10:11:12.500` is `10:11:12.5`. */
export function shortTime(text: string): string {
  return text.replace(/(\.\d*?)0+(?=$|[+-])/, '$1').replace(/\.(?=$|[+-])/, '');
}
