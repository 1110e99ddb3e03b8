import { createHash } from 'node:crypto';
import type { DataSource } from '../model/data-sources.ts';
import { identifiesLogin, isSecretParameter, isSecretSetting } from '../model/secret-settings.ts';
import { type TextReference, mapTexts, referencesIn, referringSettings } from '../model/value-references.ts';
import type { ValueUse } from './permit-use.ts';
import { type ResolveContext, valueUses } from './resolve-source.ts';
import { sourceKind } from './source-kinds.ts';

/**
 * Hash of everything that decides which rows a source has: its settings, including the values of references, because
 * the same text may refer to another server or user. Values that may be passwords are left out, so that none can be
 * guessed from the hash.
 */
export async function rowsIdentity(source: DataSource, context: ResolveContext): Promise<string> {
  const values = new Map<string, string | undefined>();
  const read = toldReferences(source);
  const uses = read.some(({ kind }) => kind === 'secret') ? await usesOf(source, context) : [];
  for (const { kind, name } of read) {
    const ofName = uses.filter(({ reference }) => reference.kind === 'secret' && reference.name === name);
    const value = kind === 'env' ? context.environment[name] : await context.readSecret(name, ofName);
    values.set(keyOf({ kind, name }), value);
  }
  const settings = mapTexts(source.settings, (text, path) => {
    if (holdsPassword(path)) return '';
    let filled = '';
    let end = 0;
    for (const reference of referencesIn(text)) {
      const value = isTold(path, text, reference) ? values.get(keyOf(reference)) : undefined;
      filled += text.slice(end, reference.start) + (value ?? text.slice(reference.start, reference.end));
      end = reference.end;
    }
    return withoutPasswords(filled + text.slice(end));
  });
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex');
}

/** The values of the environment variables that decide which rows a source has, without possible passwords. */
export function variablesOfRows(
  source: DataSource,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const values = toldReferences(source).flatMap(({ kind, name }) => {
    const value = kind === 'env' ? environment[name] : undefined;
    return value === undefined ? [] : [[name, withoutPasswords(value)] as const];
  });
  return Object.fromEntries(values);
}

/** Removes passwords from a value that is an address: the one before the host, and possible ones in parameters. */
function withoutPasswords(value: string): string {
  return value
    .replaceAll(/(\/\/[^/?#:@]*):[^/?#]*@/g, '$1@')
    .replaceAll(/([?&]([^=&#]*))=[^&#]*/g, (whole, start: string, name: string) =>
      passwordLike.test(name) ? start : whole,
    );
}

function toldReferences(source: DataSource): readonly TextReference[] {
  const settings = referringSettings(source.settings);
  // A value may be both user name and password; it counts as a password.
  const passwords = new Set(
    settings.flatMap(({ path, references }) => (holdsPassword(path) ? references.map(keyOf) : [])),
  );
  return settings.flatMap(({ path, text, references }) =>
    references.filter((reference) => isTold(path, text, reference) && !passwords.has(keyOf(reference))),
  );
}

/** Settings of the connection, not of the rows. */
const connectionOnly = /(^|\.)(auth|tls|proxy)(\.|$)/i;
/** The server defines the names of these values, so the name alone has to show whether a value is a password. */
const namedByServer = /(^|\.)(headers|parameters)\./i;
const passwordLike = /auth|cookie|key|token|secret|pass|pwd|session|credential|signature|^sig$|^code$/i;

/** Whether the value of a reference is part of the identity. */
function isTold(path: string, text: string, { kind, name: reference, start }: TextReference): boolean {
  const name = lastName(path);
  if (holdsPassword(path)) return false;
  if (identifiesLogin(name)) return true;
  if (connectionOnly.test(path)) return false;
  const mayBePassword = kind !== 'env' || passwordLike.test(reference);
  if (namedByServer.test(path)) return !mayBePassword && !passwordLike.test(name);
  const before = text.slice(0, start);
  // In an address: the password before the host, and parameters.
  if (/\/\/[^/?#]*:[^/?#]*$/.test(before) && /^[^/?#]*@/.test(text.slice(start))) return false;
  const parameter = /[?&]([^=&]*)=[^&]*$/.exec(before)?.[1];
  return parameter === undefined || (!mayBePassword && !passwordLike.test(parameter));
}

function holdsPassword(path: string): boolean {
  const name = lastName(path);
  return isSecretSetting(name) || isSecretParameter(name);
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function keyOf({ kind, name }: Pick<TextReference, 'kind' | 'name'>): string {
  return `${kind}:${name}`;
}

async function usesOf(source: DataSource, context: ResolveContext): Promise<readonly ValueUse[]> {
  const kind = sourceKind(source.kind?.value);
  return kind ? valueUses(source, context, await kind.settings()) : [];
}
