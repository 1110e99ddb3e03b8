/** Zero-width space. */
const nothingShown = '\u200b';

/** C0 and C1 control characters, the line ends that are none of them, and controls of the writing direction. */
const controls = /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu;

/** Escapes that everyone knows. */
const shortEscapes: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\t': String.raw`\t` };

/**
 * A text with visible control characters, such as `\n` and `\u{1b}`, so that it stays one line and means nothing to a
 * terminal. An escaped text is not changed again.
 */
export function escapeControls(text: string): string {
  return text.replace(
    controls,
    (character) => shortEscapes[character] ?? String.raw`\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/**
 * Commands of a line to the build server that keeps the log. GitHub reads `::name::` where a line begins, after blanks,
 * and `##[name]` anywhere in it; Azure Pipelines reads `##vso[name]` anywhere, and TeamCity `##teamcity[name]`.
 */
const commands = /^\s*(?=::)|#(?=#\w*\[)/gu;

/**
 * Offsets at which a zero-width space makes a line a mere text for build servers: before `::`, and within `##`, because
 * a space before that would not hide it.
 */
export function commandBreaks(line: string): readonly number[] {
  return [...line.matchAll(commands)].map(({ 0: found, index }) => index + found.length);
}

/** A text from data as one line of a log: without effect on terminals, editors and build servers. */
export function printableLine(text: string): string {
  const line = escapeControls(text);
  const parts: string[] = [];
  let from = 0;
  for (const at of commandBreaks(line)) {
    parts.push(line.slice(from, at));
    from = at;
  }
  return [...parts, line.slice(from)].join(nothingShown);
}
