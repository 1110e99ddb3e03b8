/** Displays the ends of a relationship, which is also the default name; `?` stands for a missing end. */
export function endsText(source: string | undefined, target: string | undefined): string {
  return `${source ?? '?'} → ${target ?? '?'}`;
}
