/** Whether a time zone is UTC, by any of its names. */
export function isUtcName(timeZone: string): boolean {
  return utcNames.has(timeZone);
}

const utcNames = new Set(['UTC', 'Etc/UTC', 'GMT', 'Etc/GMT', 'Z', 'Zulu', 'Etc/Zulu', 'Etc/UCT', 'UCT', 'Universal']);
