/** Columns with names that suggest secrets: they are not sampled, not profiled and not proposed as properties. */
export function namesSecret(column: string): boolean {
  return /passw|passphrase|secret|token|api_?key|credential/i.test(column);
}
