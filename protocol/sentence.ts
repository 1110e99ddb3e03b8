/** Adds a missing full stop, as in messages of engines. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
