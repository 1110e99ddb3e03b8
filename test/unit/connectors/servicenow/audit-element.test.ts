import assert from 'node:assert/strict';
import type { DataObject, DataObjectKind } from '../../../../server/src/catalog/catalog.ts';
import { auditElement } from '../../../../server/src/connectors/servicenow/audit-element.ts';

function objectWith(name: string, kind: DataObjectKind, column: string): DataObject {
  return {
    ...{ name, kind, path: [name], primaryKey: [], foreignKeys: [], statistics: { columnCount: 1 } },
    columns: [{ name: column, type: 'VARCHAR', sense: 'text', nullable: true, primaryKey: false }],
  };
}

const audit = objectWith('sys_audit', 'table', 'tablename');

describe('suggested element for the audit trail', () => {
  it('selects the state changes of a table, not of endpoints and views', () => {
    const chosen = [
      objectWith('outages', 'endpoint', 'state'),
      objectWith('incident_states', 'view', 'state'),
      objectWith('cmdb_ci', 'table', 'name'),
      objectWith('incident', 'table', 'state'),
    ];
    const element = auditElement(audit, [...chosen, audit]);
    assert.deepEqual(
      [element?.activityName, element?.entityType, element?.where],
      ['Change state of incident', 'incident', "tablename = 'incident' AND fieldname = 'state'"],
    );
    assert.equal(auditElement(audit, chosen.slice(0, 3)), undefined);
    assert.equal(auditElement(chosen[3] as DataObject, chosen), undefined);
  });

  it('quotes the table name in SQL', () => {
    const element = auditElement(audit, [objectWith("u_o'neill", 'table', 'state')]);
    assert.equal(element?.where, "tablename = 'u_o''neill' AND fieldname = 'state'");
  });
});
