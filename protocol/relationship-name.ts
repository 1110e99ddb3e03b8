/** How the ends of a relationship are shown, and the name of one that has none; `?` stands for an end that is missing. */
export function endsText(source: string | undefined, target: string | undefined): string {
  return `${source ?? '?'} → ${target ?? '?'}`;
}
