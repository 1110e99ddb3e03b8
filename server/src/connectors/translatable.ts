/** Marks a text that the client translates: `scripts/l10n.mjs` collects it. */
export function translatable(text: string): string {
  return text;
}
