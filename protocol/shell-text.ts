/** A path as an argument of a shell, in double quotes where necessary. */
export function shellText(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `"${path.replace(/["$`]/g, '\\$&')}"`;
}
