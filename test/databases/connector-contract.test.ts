import { describeConnectorContract } from '../support/connector-contract.ts';
import { contractDatabases } from '../support/contract-databases.ts';

for (const database of contractDatabases) describeConnectorContract(database);
