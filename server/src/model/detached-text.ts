/**
 * A copy of a text: engines keep the whole text alive for every substring, and entries outlive the document version
 * they were parsed from.
 */
export function detachedText(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
