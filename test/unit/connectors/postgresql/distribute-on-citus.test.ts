import assert from 'node:assert/strict';
import { distributeOnCitus, dropStagingSql } from '../../../../server/src/connectors/postgresql/distribute-on-citus.ts';
import { doBlock } from '../../../../server/src/connectors/postgresql/do-block.ts';

describe('tables of a build on Citus', () => {
  it('are colocated with the first table that has the same distribution', () => {
    const distribute = distributeOnCitus('"my ""ekg"""');
    assert.equal(
      distribute('event', { column: 'entity_id', of: 'numbers' }),
      `SELECT create_distributed_table('event', 'entity_id', colocate_with => '"my ""ekg""".by_number')`,
    );
    assert.match(distribute('keys', { column: 'key', of: 'texts' }), /by_text'\)$/);
  });

  it('are dropped in one statement, except for tables of the graph and shards', () => {
    const { sql } = dropStagingSql("it's", ['entity', 'event']);
    assert.match(sql, /^DO \$\$ DECLARE staging text; BEGIN\n {6}SELECT string_agg\(.*\) INTO staging\n/);
    assert.match(sql, /WHERE space\.nspname = 'it''s' AND .* AND class\.relname NOT IN \('entity', 'event'\)\n/);
    assert.match(sql, /AND pg_catalog\.relation_is_a_known_shard\(class\.oid\) IS NOT TRUE;\n/);
    assert.match(sql, /EXECUTE 'DROP TABLE ' \|\| staging; END \$\$$/);
  });

  it('are dropped from a schema whose name contains dollar quotes', () => {
    assert.match(dropStagingSql('a$$b', []).sql, /^DO \$block_1\$ .*nspname = 'a\$\$b'.* END \$block_1\$$/s);
  });
});

describe('a block of PL/pgSQL', () => {
  it('is quoted with a tag that it does not contain', () => {
    assert.equal(doBlock('BEGIN END'), 'DO $$ BEGIN END $$');
    assert.equal(doBlock("a '$$ $block_1$'"), "DO $block_2$ a '$$ $block_1$' $block_2$");
  });
});
