import { stringify } from 'yaml';

/** A name as it must be written in YAML: plain where that means the same text, else in quotes. */
export function writtenName(name: string, inFlow: boolean): string {
  const text = stringify(name, { lineWidth: 0, singleQuote: true }).trimEnd();
  const needsQuotes = inFlow && /[,[\]{}]/.test(text) && !/^['"]/.test(text);
  return needsQuotes ? `'${name.replaceAll("'", "''")}'` : text;
}
