/** Both engines fold ASCII letters only, so that names in other scripts stay as written. */
export function lowerAscii(name: string): string {
  return /[A-Z]/.test(name) ? name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : name;
}
