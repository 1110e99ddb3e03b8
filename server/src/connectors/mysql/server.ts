/** Facts about a server, derived from its version. */
export interface Server {
  readonly version: string;
  readonly isMariadb: boolean;
}

/** @param version such as `10.11.6-MariaDB-0+deb12u1` or `8.4.3`; MariaDB may put `5.5.5-` before it. */
export function serverOf(version: string): Server {
  const isMariadb = /mariadb/i.test(version);
  return { version: isMariadb ? version.replace(/^5\.5\.5-/, '') : version, isMariadb };
}

/** The name and version of a server for display. */
export function serverName({ version, isMariadb }: Server): string {
  return `${isMariadb ? 'MariaDB' : 'MySQL'} ${/^[\d.]+/.exec(version)?.[0] ?? version}`;
}
