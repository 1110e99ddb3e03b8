import { escapeControls } from './printable-text.ts';

/**
 * Escapes a text so that Markdown shows it literally: no character creates a link, an image, HTML, a list or other
 * markup. Line breaks are kept within one paragraph. The server, the client and the webviews write Markdown, so this is
 * in `protocol`.
 */
export function escapeMarkdown(text: string): string {
  return escapedLines(text).join('\\\n');
}

/** Escapes a text for a table cell or a list item, on one line, with visible control characters. */
export function escapeTableCell(text: string): string {
  return escapedLine(escapeControls(text));
}

/**
 * The same for texts that may become a comment on a server. A backslash does not keep GitHub and GitLab from reading
 * `@name` as a mention, which notifies somebody; an invisible word joiner behind the sign does. Addresses stay as they are.
 */
export function escapeForComment(text: string): string {
  return escapeTableCell(text).replaceAll(/(?<!\w)\\@(?=\w)/g, '$&\u2060');
}

/** Characters that editors and renderers may treat as line ends. */
export const lineBreaks = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

function escapedLines(text: string): readonly string[] {
  // Markdown has no NUL.
  const lines = text.replaceAll('\0', '\uFFFD').split(lineBreaks);
  if (lines.length === 1) return lines.map(escapedLine);
  // A blank line would end the paragraph; leading and trailing blanks would be invisible.
  return lines.map((line) => escapedLine(line || ' ').replaceAll(/^\s|\s$/g, '&nbsp;'));
}

function escapedLine(line: string): string {
  return (
    line
      .replaceAll(/[\\`*[\]<>#|~&@$]/g, String.raw`\$&`)
      // Underscores within a word have no meaning, and names often contain them.
      .replaceAll(/_+/g, (run, at: number, whole: string) =>
        isInWord(whole, at, at + run.length) ? run : run.replaceAll('_', String.raw`\_`),
      )
      // URLs become links even without brackets.
      .replaceAll(/:(?=\/\/)|(?<=mailto|xmpp):|(?<=www)\./gi, String.raw`\$&`)
      // At the start of a line: lists, headings and the rules of tables.
      .replace(/^(\s*)([-+=:])/, String.raw`$1\$2`)
      .replace(/^(\s*\d*)([.)])(?=\s|$)/, String.raw`$1\$2`)
      // Markdown collapses several blanks; four leading ones would start a code block.
      .replaceAll(/(?<=\s)\s|\t/g, '&nbsp;')
  );
}

/** Whether the character has a letter or digit on both sides. */
function isInWord(line: string, start: number, end: number): boolean {
  const letter = /[\p{L}\p{N}]/u;
  return letter.test(line[start - 1] ?? '') && letter.test(line[end] ?? '');
}
