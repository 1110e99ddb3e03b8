/**
 * A text as Markdown that shows just that text: no character of it makes a link, an image, HTML, a list or anything else. Lines
 * stay lines of one paragraph. The one place that knows how data is written in Markdown; it is in `protocol` because the server,
 * the client and the webviews write Markdown.
 */
export function escapeMarkdown(text: string): string {
  return escapedLines(text).join('\\\n');
}

/** The same for a cell of a table, which stands on one line. */
export function escapeTableCell(text: string): string {
  return escapedLines(text).join('<br>');
}

/** What editors and renderers take for the end of a line, or may. */
export const lineBreaks = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

function escapedLines(text: string): readonly string[] {
  // Markdown has no NUL.
  const lines = text.replaceAll('\0', '\uFFFD').split(lineBreaks);
  if (lines.length === 1) return lines.map(escapedLine);
  // A blank line would end the paragraph; blanks at the ends of lines would not be shown.
  return lines.map((line) => escapedLine(line || ' ').replaceAll(/^\s|\s$/g, '&nbsp;'));
}

function escapedLine(line: string): string {
  return (
    line
      .replaceAll(/[\\`*[\]<>#|~&@$]/g, String.raw`\$&`)
      // Within a word they mean nothing, and names are full of them.
      .replaceAll(/_+/g, (run, at: number, whole: string) =>
        isInWord(whole, at, at + run.length) ? run : run.replaceAll('_', String.raw`\_`),
      )
      // Addresses become links without any brackets around them.
      .replaceAll(/:(?=\/\/)|(?<=mailto|xmpp):|(?<=www)\./gi, String.raw`\$&`)
      // At the start of a line: lists, headings and the rules of tables.
      .replace(/^(\s*)([-+=:])/, String.raw`$1\$2`)
      .replace(/^(\s*\d*)([.)])(?=\s|$)/, String.raw`$1\$2`)
      // Of several blanks one would be shown; four of them begin a block of code.
      .replaceAll(/(?<=\s)\s|\t/g, '&nbsp;')
  );
}

/** Whether what stands there has a letter or digit before and behind it. */
function isInWord(line: string, start: number, end: number): boolean {
  const letter = /[\p{L}\p{N}]/u;
  return letter.test(line[start - 1] ?? '') && letter.test(line[end] ?? '');
}
