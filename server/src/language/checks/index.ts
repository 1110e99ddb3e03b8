import { schemaProblemsOfGraph, schemaProblemsOfSources } from '../schema/schema-problems.ts';
import { aliasMistakes } from '../../model/alias-mistakes.ts';
import type { GraphCheck, SourcesCheck } from './check.ts';
import { activityNamesUnused } from './activity-names-unused.ts';
import { acceptedFindings } from './accepted-findings.ts';
import { customSql, customSqlOfMasterData } from './custom-sql.ts';
import { duplicateActivityName, duplicateRelationshipName } from './duplicate-names.ts';
import { elementUnconfigured } from './element-unconfigured.ts';
import { keyNotUnique } from './key-not-unique.ts';
import { keyWidth } from './key-width.ts';
import { lifecycleUnclear } from './lifecycle-unclear.ts';
import { listKey, listType } from './list-key.ts';
import { literalSecret } from './literal-secret.ts';
import { guards } from './guards.ts';
import { measures } from './measures.ts';
import { misplacedEntry } from './misplaced-entries.ts';
import { namesByCase, namesByCaseOfMasterData } from './names-by-case.ts';
import { noOwnEntityAtEnd } from './no-own-entity.ts';
import { ambiguousDataObject, ambiguousEntityType } from './ambiguous-names.ts';
import { emptyExpectations } from './empty-expectations.ts';
import { impossibleCount, impossibleRuleCount } from './impossible-count.ts';
import { propertyName } from './property-name.ts';
import { masterDataProblems, queryProblems } from './query-problems.ts';
import { relationshipDraft } from './relationship-draft.ts';
import { relationshipPath } from './relationship-path.ts';
import { reservedName } from './reserved-name.ts';
import { elementObjectNotSelected, selectedObjectUnused } from './selected-objects.ts';
import { similarEntityType } from './similar-entity-type.ts';
import { sourceIncomplete } from './source-incomplete.ts';
import { processRules } from './process-rules.ts';
import { processSqlNames } from './process-sql-names.ts';
import { ruleContradiction } from './rule-contradiction.ts';
import { ruleSqlNotContained, sqlNotContained } from './sql-not-contained.ts';
import { timestampType } from './timestamp-type.ts';
import { unreachableElement } from './unreachable-element.ts';
import { unknownActivity } from './unknown-activity.ts';
import { unknownDataSource } from './unknown-data-source.ts';
import { unknownSelectedObject } from './unknown-selected-object.ts';
import { unencryptedConnection } from './unencrypted-connection.ts';
import { unknownEntryZone, unknownTimeZone } from './unknown-time-zone.ts';
import { unusedSource } from './unused-source.ts';

/** A file with unresolvable aliases cannot be validated further. */
const aliasesOfGraph: GraphCheck = { codes: ['yaml-syntax'], check: ({ parsed: { yaml } }) => aliasMistakes(yaml) };

/**
 * All rules of entity graphs. A new one is a file, a row here and in `model/rules.ts`, a code in
 * `protocol/failure-codes.ts`, and an entry in `docs/rules.md`.
 */
export const graphChecks: readonly GraphCheck[] = [
  aliasesOfGraph,
  schemaProblemsOfGraph,
  misplacedEntry,
  unknownDataSource,
  elementUnconfigured,
  relationshipDraft,
  unknownActivity,
  duplicateActivityName,
  duplicateRelationshipName,
  relationshipPath,
  reservedName,
  propertyName,
  emptyExpectations,
  impossibleCount,
  impossibleRuleCount,
  keyWidth,
  listKey,
  lifecycleUnclear,
  activityNamesUnused,
  listType,
  noOwnEntityAtEnd,
  similarEntityType,
  ambiguousEntityType,
  keyNotUnique,
  unreachableElement,
  unknownSelectedObject,
  ambiguousDataObject,
  queryProblems,
  masterDataProblems,
  timestampType,
  unknownEntryZone,
  sqlNotContained,
  ruleSqlNotContained,
  processRules,
  measures,
  guards,
  acceptedFindings,
  processSqlNames,
  ruleContradiction,
  customSql,
  customSqlOfMasterData,
  namesByCase,
  namesByCaseOfMasterData,
  elementObjectNotSelected,
  selectedObjectUnused,
];

/** All rules of sources files. */
export const sourcesChecks: readonly SourcesCheck[] = [
  schemaProblemsOfSources,
  literalSecret,
  unencryptedConnection,
  unknownTimeZone,
  unusedSource,
  sourceIncomplete,
];
