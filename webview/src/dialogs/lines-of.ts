/** The entries of a text with one a line; the last line may be empty while it is typed. */
export function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split('\n');
}
