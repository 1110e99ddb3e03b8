/**
 * Normalises a value printed by PostgreSQL or DuckDB for comparison: years BC as in ISO 8601, numbers without trailing
 * zeros, binary without prefix.
 */
export function oneText(
  text: string,
  form: 'boolean' | 'number' | 'float' | 'time' | 'json' | 'hex' | undefined,
): string {
  switch (form) {
    case 'boolean':
      return text.replace(/^t$/, 'true').replace(/^f$/, 'false');
    case 'number':
      return plainNumber(text);
    case 'float':
      return String(Number(text.replace(/^(-?)inf$/, '$1Infinity').replace(/^nan$/, 'NaN')) + 0);
    case 'time':
      return isoTime(text);
    case 'hex':
      return text.replace(/^\\x/, '');
    default:
      return text;
  }
}

function plainNumber(text: string): string {
  const plain = /\./.test(text) ? text.replace(/0+$/, '').replace(/\.$/, '') : text;
  return plain.replace(/^(-?)(?=\.)/, '$10').replace(/^-?0?$/, '0');
}

const timePattern = /^([+-]?)(\d{4,})-(\d\d-\d\d)( \(BC\))?(?:[ T](\d\d:\d\d:\d\d)(?:\.(\d+))?)?(?:Z|\+00)?( BC)?$/;

/**
 * `0044-03-15 12:00:00.5 BC`, `0044-03-15 (BC) 12:00:00.5`, `-0043-03-15T12:00:00.500000Z` and `-000043-…` are equal.
 */
function isoTime(text: string): string {
  const match = timePattern.exec(text);
  if (!match) return text;
  const [, sign = '', digits = '', day = '', duckdbEra, clock, fraction = '', postgresqlEra] = match;
  const written = Number(digits) * (sign === '-' ? -1 : 1);
  const year = duckdbEra || postgresqlEra ? 1 - written : written;
  const date = `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}-${day}`;
  return clock === undefined ? date : `${date}T${clock}.${fraction.padEnd(6, '0')}Z`;
}
