import type { IncomingHttpHeaders } from 'node:http';

interface Answer {
  readonly nextUri?: string;
  readonly data?: readonly (readonly unknown[])[];
  readonly error?: { readonly message: string };
}

/**
 * Runs one statement past the connector, and returns its rows.
 * @param origin of the coordinator, such as `http://127.0.0.1:8080`
 * @param given headers of another request, whose session it gets, or a login
 */
export async function runStatement(
  origin: string,
  sql: string,
  given: IncomingHttpHeaders = {},
): Promise<readonly (readonly unknown[])[]> {
  const ask = async (url: string, init: RequestInit): Promise<Answer> => {
    const answer = await fetch(url, init);
    if (!answer.ok) throw new Error(`${answer.status}: ${(await answer.text()).slice(0, 300)}`);
    return (await answer.json()) as Answer;
  };
  const rows: (readonly unknown[])[] = [];
  const session = Object.entries(given).filter(([name]) => name.startsWith('x-trino-') || name === 'authorization');
  const headers: Record<string, string> = { 'x-trino-user': 'admin', ...Object.fromEntries(session) };
  let answer = await ask(`${origin}/v1/statement`, { method: 'POST', body: sql, headers });
  for (;;) {
    if (answer.error) throw new Error(`${answer.error.message}\n${sql.slice(0, 500)}`);
    rows.push(...(answer.data ?? []));
    if (answer.nextUri === undefined) return rows;
    answer = await ask(answer.nextUri, { headers });
  }
}
