/**
 * The values of a one-dimensional array as PostgreSQL prints it, such as `{a,"b, c"}`. The text may be cut: a value that is
 * not there as a whole is left out.
 */
export function* arrayLiteralValues(text: string): Generator<string> {
  const value = /"((?:[^"\\]|\\[^])*)"([,}])|([^",{}]*)([,}])/y;
  value.lastIndex = 1;
  for (let found = value.exec(text); found; found = value.exec(text)) {
    const [, quoted, afterQuoted, plain = '', afterPlain] = found;
    if (quoted !== undefined) yield quoted.replaceAll(/\\([^])/g, '$1');
    else if (plain !== 'NULL' && plain !== '') yield plain;
    if ((afterQuoted ?? afterPlain) === '}') return;
  }
}
