/** A line before the first key: blank, a comment, a directive, or the document marker. */
const preludeLine = /(?:[ \t]*(?:#.*)?|%.*|---[ \t]*(?:[ \t]#.*)?)(?:\r?\n|$)/y;

/**
 * Length of a byte order mark, directives and the marker `---` at the start of a text, which belong to the next key; 0
 * without them. Undefined if they change the meaning of the text, as another YAML version does, or a byte order mark
 * before an indented key: the parser then does not see the indentation.
 */
export function preludeEnd(text: string): number | undefined {
  if (/^\uFEFF[ \t]/.test(text)) return undefined;
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  let end = start;
  while (start < text.length) {
    preludeLine.lastIndex = start;
    const [line = ''] = preludeLine.exec(text) ?? [];
    if (/^%YAML\s+1\.1/.test(line)) return undefined;
    start += line.length;
    if (line.startsWith('%') || line.startsWith('---')) end = start;
    if (line === '' || line.startsWith('---')) break;
  }
  return end;
}
