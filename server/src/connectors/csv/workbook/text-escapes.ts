/**
 * The text of a cell. Characters that XML cannot hold are written as `_x000D_`; an escaped half of a surrogate pair is no
 * character, and keeps its escape.
 */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text
    .replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\p{Surrogate}/gu, (half) => `_x${half.charCodeAt(0).toString(16).toUpperCase()}_`);
}
