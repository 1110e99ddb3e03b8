/** The first line of a text, shortened for a message. */
export function clip(text: string): string {
  const [line = text] = text.split('\n');
  return line.length > 80 ? `${line.slice(0, 77)}…` : line;
}
