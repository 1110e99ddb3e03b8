import type { RuleCode } from '../../../protocol/failure-codes.ts';

/** Errors prevent an import. */
export type Severity = 'error' | 'warning' | 'information';

/** Properties of a rule. Its check is in `language/checks/`, its entry for users in `docs/rules.md`. */
interface Rule {
  /** Possible severities, the usual one first. */
  readonly severities: readonly [Severity, ...Severity[]];
  /** It concerns the syntax: a part with such a problem may have another meaning than it seems. */
  readonly form?: 'syntax' | 'schema';
  /** It relies on the catalog, so its problems mention an old catalog. */
  readonly needsCatalog?: true;
  /** It is reported only when every entry of the file is readable. */
  readonly needsWholeFile?: true;
  /** It is reported only when the list of an entry is certain: after a broken part it is a guess. */
  readonly needsList?: true;
  /**
   * Its problems may be consequences of others, and are suppressed then
   * (`language/validation/suppress-consequences.ts`).
   */
  readonly mayBeConsequence?: true;
}

/** Every rule by code, in the order of `docs/rules.md`. Codes are a contract and never change. */
const table = {
  'yaml-syntax': { severities: ['error'], form: 'syntax' },
  'too-large': { severities: ['warning'] },
  'schema-unknown-property': { severities: ['error'], form: 'schema', needsList: true },
  'misplaced-entry': { severities: ['error'] },
  'schema-missing-property': { severities: ['error'], form: 'schema', needsWholeFile: true },
  'schema-type': { severities: ['error'], form: 'schema' },
  'schema-value': { severities: ['error'], form: 'schema' },
  'element-unconfigured': { severities: ['error'], mayBeConsequence: true },
  'duplicate-activity-name': { severities: ['error'] },
  'reserved-name': { severities: ['error'] },
  'missing-key': { severities: ['error'], needsCatalog: true, mayBeConsequence: true },
  'key-width': { severities: ['error'], mayBeConsequence: true },
  'list-key': { severities: ['error'] },
  'no-own-entity': { severities: ['error'] },
  'lifecycle-unclear': { severities: ['error'] },
  'activity-names-unused': { severities: ['error'] },
  'similar-entity-type': { severities: ['warning'], needsWholeFile: true },
  'ambiguous-entity-type': { severities: ['error'], mayBeConsequence: true },
  'key-not-unique': { severities: ['information'], needsCatalog: true, mayBeConsequence: true },
  'unreachable-element': { severities: ['information'], needsWholeFile: true, mayBeConsequence: true },
  'timestamp-type': { severities: ['error', 'warning'], needsCatalog: true },
  'property-name': { severities: ['error'] },
  'impossible-count': { severities: ['error'] },
  'unknown-data-source': { severities: ['error'] },
  'unknown-data-object': { severities: ['error'], needsCatalog: true },
  'ambiguous-data-object': { severities: ['error'], mayBeConsequence: true },
  'permission-denied': { severities: ['error'], needsCatalog: true },
  'unknown-column': { severities: ['error'], needsCatalog: true },
  'element-object-not-selected': { severities: ['warning'], mayBeConsequence: true },
  'selected-object-unused': { severities: ['warning'], needsWholeFile: true, mayBeConsequence: true },
  'relationship-draft': { severities: ['error'], mayBeConsequence: true },
  'incomplete-cross-table': { severities: ['error'], mayBeConsequence: true },
  'unknown-activity': { severities: ['error'], needsWholeFile: true, mayBeConsequence: true },
  'unknown-relationship': { severities: ['error'], needsWholeFile: true, mayBeConsequence: true },
  'path-not-alone': { severities: ['error'] },
  'path-broken': { severities: ['error'], needsWholeFile: true, mayBeConsequence: true },
  'path-direction': { severities: ['error'], needsWholeFile: true, mayBeConsequence: true },
  'path-cycle': { severities: ['error'] },
  'duplicate-relationship-name': { severities: ['error'] },
  'type-mismatch': { severities: ['error'], needsCatalog: true },
  'sql-not-contained': { severities: ['error'] },
  'unknown-alias': { severities: ['error'], needsCatalog: true },
  'sql-error': { severities: ['warning', 'error'] },
  'sql-syntax': { severities: ['error', 'warning'] },
  'rule-incomplete': { severities: ['error'] },
  'rule-unknown-name': { severities: ['error', 'warning'], needsWholeFile: true },
  'duplicate-rule-name': { severities: ['error'] },
  'rule-contradiction': { severities: ['warning'] },
  'rule-broken': { severities: ['error', 'warning', 'information'] },
  'measure-incomplete': { severities: ['error'] },
  'measure-unknown-name': { severities: ['error', 'warning'], needsWholeFile: true },
  'measure-missed': { severities: ['warning', 'error', 'information'] },
  'calendar-incomplete': { severities: ['error'] },
  'guard-incomplete': { severities: ['error'] },
  'guard-unknown-name': { severities: ['error'], needsWholeFile: true },
  'guard-broken': { severities: ['error', 'warning'] },
  'accepted-unknown-name': { severities: ['error'], needsWholeFile: true },
  'accepted-stale': { severities: ['information'] },
  'data-finding': { severities: ['information'] },
  'expectation-broken': { severities: ['warning', 'error', 'information'] },
  'literal-secret': { severities: ['warning'] },
  'unencrypted-connection': { severities: ['warning'] },
  'unknown-time-zone': { severities: ['error'] },
  'unused-source': { severities: ['information'] },
  'source-incomplete': { severities: ['warning', 'information'] },
  'paging-unclear': { severities: ['error'] },
  'no-elements': { severities: ['error'] },
  'catalog-unknown': { severities: ['information'] },
} as const satisfies Readonly<Record<RuleCode, Rule>>;

type Table = typeof table;

export type ProblemCode = RuleCode;

/** Codes of the rules that may have a severity. */
export type CodeWith<S extends Severity> = {
  [Code in ProblemCode]: S extends Table[Code]['severities'][number] ? Code : never;
}[ProblemCode];

/** Codes of the rules whose problems may be consequences. */
export type ConsequenceCode = {
  [Code in ProblemCode]: Table[Code] extends { readonly mayBeConsequence: true } ? Code : never;
}[ProblemCode];

export const rules: Readonly<Record<ProblemCode, Rule>> = table;
