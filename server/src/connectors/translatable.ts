/** Marks a text that the client shows in the user's language: `scripts/l10n.mjs` collects it for translation. */
export function translatable(text: string): string {
  return text;
}
