/** Codes of failures and problems. They are a contract and never change. */
export type FailureCode =
  | RuleCode
  | SourceErrorCode
  | FileErrorCode
  | ImportErrorCode
  | ExportErrorCode
  | CheckErrorCode
  | CheckEngineCode
  | OperationCode;

/** Rules of files; see `server/src/model/rules.ts`. */
export type RuleCode =
  | 'yaml-syntax'
  | 'too-large'
  | 'schema-unknown-property'
  | 'misplaced-entry'
  | 'schema-missing-property'
  | 'schema-type'
  | 'schema-value'
  | 'element-unconfigured'
  | 'duplicate-activity-name'
  | 'reserved-name'
  | 'missing-key'
  | 'key-width'
  | 'list-key'
  | 'no-own-entity'
  | 'lifecycle-unclear'
  | 'activity-names-unused'
  | 'similar-entity-type'
  | 'ambiguous-entity-type'
  | 'key-not-unique'
  | 'unreachable-element'
  | 'timestamp-type'
  | 'property-name'
  | 'impossible-count'
  | 'unknown-data-source'
  | 'unknown-data-object'
  | 'ambiguous-data-object'
  | 'permission-denied'
  | 'unknown-column'
  | 'element-object-not-selected'
  | 'selected-object-unused'
  | 'relationship-draft'
  | 'incomplete-cross-table'
  | 'unknown-activity'
  | 'unknown-relationship'
  | 'path-not-alone'
  | 'path-broken'
  | 'path-direction'
  | 'path-cycle'
  | 'duplicate-relationship-name'
  | 'type-mismatch'
  | 'sql-not-contained'
  | 'unknown-alias'
  | 'sql-error'
  | 'sql-syntax'
  | 'rule-broken'
  | 'expectation-broken'
  | 'rule-incomplete'
  | 'rule-unknown-name'
  | 'duplicate-rule-name'
  | 'rule-contradiction'
  | 'measure-incomplete'
  | 'measure-unknown-name'
  | 'measure-missed'
  | 'calendar-incomplete'
  | 'guard-incomplete'
  | 'guard-unknown-name'
  | 'guard-broken'
  | 'accepted-unknown-name'
  | 'accepted-stale'
  | 'data-finding'
  | 'literal-secret'
  | 'unencrypted-connection'
  | 'unknown-time-zone'
  | 'unused-source'
  | 'source-incomplete'
  | 'paging-unclear'
  | 'no-elements'
  | 'catalog-unknown';

/** Failures of a data source, or of the connection to it. */
export type SourceErrorCode =
  | 'source-config'
  | 'unknown-time-zone'
  | 'secret-missing'
  | 'secret-not-allowed'
  | 'environment-variable-missing'
  | 'source-unreachable'
  | 'authentication-failed'
  | 'tls-failed'
  | 'permission-denied'
  | 'object-missing'
  | 'column-missing'
  | 'type-mismatch'
  | 'sql-error'
  | 'statement-timeout'
  | 'statement-too-large'
  | 'connection-lost'
  | 'file-missing'
  | 'file-unreadable'
  | 'file-malformed'
  | 'source-empty'
  | 'source-incomplete'
  | 'paging-unclear'
  | 'outcome-unknown'
  | 'not-allowed'
  | 'disk-full'
  | 'source-failed';

/** Failures of files and folders. */
export type FileErrorCode =
  | 'disk-full'
  | 'no-write-permission'
  | 'no-read-permission'
  | 'file-in-the-way'
  | 'file-exists'
  | 'is-folder'
  | 'not-a-file'
  | 'file-too-large'
  | 'link-leads-out'
  | 'state-unreadable'
  | 'path-too-long'
  | 'file-in-use'
  | 'too-many-open-files'
  | 'cannot-be-written';

/** Failures of imports. */
export type ImportErrorCode =
  | 'type-mismatch'
  | 'unknown-time-zone'
  | 'check-failed'
  | 'guard-broken'
  | 'import-running'
  | 'no-write-permission'
  | 'disk-full'
  | 'out-of-memory'
  | 'engine-unsupported'
  | 'schema-missing'
  | 'graph-not-fetched'
  | 'graph-not-in-source'
  | 'build-failed';

/** Content that an export format cannot express. */
export type ExportErrorCode =
  'time-out-of-range' | 'entity-type-missing' | 'entity-type-unknown' | 'no-entities' | 'log-malformed';

/** Failures of the `check` command. */
export type CheckErrorCode = 'file-malformed' | 'unknown-form';

/** Failures of the embedded engine. */
type CheckEngineCode =
  | 'check-column-missing'
  | 'check-type-mismatch'
  | 'check-file-missing'
  | 'check-file-malformed'
  | 'check-disk-full'
  | 'check-syntax'
  | 'check-out-of-memory'
  | 'check-other'
  | 'check-file-locked'
  | 'check-not-a-database'
  | 'check-permission'
  | 'check-table-missing';

/** Other refusals of operations. */
type OperationCode =
  | 'cancelled'
  | 'internal-error'
  | 'document-changed'
  | 'document-closed'
  | 'document-read-only'
  | 'edit-refused'
  | 'engine-crashed'
  | 'engine-ended'
  | 'export-failed'
  | 'fetch-first'
  | 'file-name'
  | 'file-not-saved'
  | 'graph-in-source'
  | 'graph-version'
  | 'no-earlier-run'
  | 'no-entity-graph'
  | 'no-events'
  | 'no-rows'
  | 'no-rules'
  | 'not-imported'
  | 'no-repository'
  | 'unknown-commit'
  | 'not-in-graph'
  | 'not-in-json'
  | 'not-writable'
  | 'still-being-read'
  | 'store-unreadable'
  | 'unknown-entities'
  | 'unknown-format'
  | 'workspace-untrusted';

/** Failures that a person mends by entering a secret. */
export const secretFailures: ReadonlySet<FailureCode> = new Set(['secret-missing', 'authentication-failed']);
