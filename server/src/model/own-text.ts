/**
 * The same text with memory of its own: engines keep the whole of a text alive for every piece cut from it, and entries
 * outlive the version of the document that they were read from.
 */
export function ownText(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
