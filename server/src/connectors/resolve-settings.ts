import type { ConnectorContext } from './create-connector.ts';
import { SourceError } from './source-error.ts';

/** Settings whose references are filled in, and the secrets that no message may contain. */
export interface ResolvedSettings {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secrets: readonly string[];
}

/**
 * Fills in `${secret:NAME}` and `${env:NAME}` in every string of a source's settings, at any depth.
 * Rejects with `secret-missing` or `environment-variable-missing`, the remedy saying how to set it.
 */
export async function resolveSettings(
  sourceName: string,
  settings: Readonly<Record<string, unknown>>,
  context: Pick<ConnectorContext, 'readSecret' | 'environment'>,
): Promise<ResolvedSettings> {
  const secrets: string[] = [];
  const resolveText = async (text: string, path: string): Promise<string> => {
    const parts: string[] = [];
    let end = 0;
    for (const reference of text.matchAll(/\$\{(secret|env):([^}]*)\}/g)) {
      const name = (reference[2] ?? '').trim();
      const isSecret = reference[1] === 'secret';
      const value = isSecret ? await context.readSecret(name) : context.environment[name];
      if (value === undefined) throw missing(isSecret, name, sourceName, path);
      if (isSecret) secrets.push(value);
      parts.push(text.slice(end, reference.index), value);
      end = reference.index + reference[0].length;
    }
    return parts.join('') + text.slice(end);
  };
  const resolveValue = async (value: unknown, path: string): Promise<unknown> => {
    if (typeof value === 'string') return resolveText(value, path);
    if (Array.isArray(value)) return Promise.all(value.map((item, index) => resolveValue(item, `${path}[${index}]`)));
    if (isRecord(value)) return resolveRecord(value, path);
    return value;
  };
  const resolveRecord = async (
    record: Readonly<Record<string, unknown>>,
    path: string,
  ): Promise<Record<string, unknown>> => {
    const resolved: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(record)) {
      resolved[key] = await resolveValue(value, path ? `${path}.${key}` : key);
    }
    return resolved;
  };
  return { settings: await resolveRecord(settings, ''), secrets };
}

/** `text` without any of the secrets, also where they stand in it as part of a URL, of JSON, or of a Basic login. */
export function scrubSecrets(text: string, secrets: readonly string[]): string {
  const inQuery = (secret: string): string => new URLSearchParams({ '': secret }).toString().slice(1);
  const forms = secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret), inQuery(secret), JSON.stringify(secret).slice(1, -1)])
    .filter((form) => form !== '');
  // Longest first: a secret that is part of another one must not leave the rest of it behind.
  forms.sort((left, right) => right.length - left.length);
  const withoutLogins = text.replaceAll(
    /\b(Basic\s+)([A-Za-z0-9+/]{4,}={0,2})/gi,
    (whole, scheme: string, login: string) => {
      const said = Buffer.from(login, 'base64').toString('utf8');
      return secrets.some((secret) => secret !== '' && said.includes(secret)) ? `${scheme}***` : whole;
    },
  );
  return forms.reduce((scrubbed, form) => scrubbed.replaceAll(form, '***'), withoutLogins);
}

/** The environment variable in which the command line looks for a secret. */
export function secretVariableName(secretName: string): string {
  return `ENTITY_GRAPH_SECRET_${secretName.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
}

function missing(isSecret: boolean, name: string, sourceName: string, path: string): SourceError {
  return isSecret
    ? new SourceError(
        'secret-missing',
        `Data source ${sourceName} needs the secret ${name} for ${path}, and it is not set.`,
        {
          remedy: `VS Code asks for it when the source is used; on the command line set the environment variable ${secretVariableName(name)}.`,
        },
      )
    : new SourceError(
        'environment-variable-missing',
        `Data source ${sourceName} needs the environment variable ${name} for ${path}, and it is not set.`,
        { remedy: `Set ${name} in the environment from which VS Code or the command line is started.` },
      );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
