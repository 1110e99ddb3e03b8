/** A line before the first key: blank, a comment, a directive, or the mark at which the document begins. */
const preludeLine = /(?:[ \t]*(?:#.*)?|%.*|---[ \t]*(?:[ \t]#.*)?)(?:\r?\n|$)/y;

/**
 * How much of the start of a text is a byte order mark, directives and the mark `---`, which belong to the key below them; 0 when
 * it has none of these. Undefined where they change what the text means: another version of YAML has other rules.
 */
export function preludeEnd(text: string): number | undefined {
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
