import { adventureWorks } from './adventure-works.ts';
import { employees } from './employees.ts';
import { flights } from './flights.ts';
import { gitLog } from './git-log.ts';
import { issueTracker } from './issue-tracker.ts';
import { northwindFiles } from './northwind-files.ts';
import { sapOrderToCash } from './sap-order-to-cash.ts';

type Files = Readonly<Record<string, string>>;

/** The CSV files of each set of tables without keys; test/data/undeclared-keys.json has the expert's answers. */
export const undeclaredKeys: Readonly<Record<string, () => Files | Promise<Files>>> = {
  'sap-order-to-cash': sapOrderToCash,
  'adventure-works': adventureWorks,
  employees,
  flights,
  'git-log': gitLog,
  northwind: northwindFiles,
  'issue-tracker': issueTracker,
};
