import assert from 'node:assert/strict';
import { dialectNamed } from '../../../server/src/dialects/index.ts';
import { mentionedNames, quotedColumnsOf } from '../../../server/src/query/sql-names.ts';
import { hasSql, sqlTokens } from '../../../server/src/query/sql-tokens.ts';

describe('SQL tokens', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['a.b = 1.5', ['word:a', 'symbol:.', 'word:b', 'symbol:=', 'literal:1.5']],
    [`'it''s' "a""b"`, [`literal:'it''s'`, 'quoted:a"b']],
    [`E'a\\'b' e'' nameE'x'`, [`literal:E'a\\'b'`, `literal:e''`, 'word:nameE', `literal:'x'`]],
    [`'a\\' b`, [`literal:'a\\'`, 'word:b']],
    ['a -- ; ) \n b', ['word:a', 'comment:-- ; ) ', 'word:b']],
    ['/* a /* b */ ; */ c', ['comment:/* a /* b */ ; */', 'word:c']],
    [`$$a;'$$ $x$ $$ $x$ a$b`, [`literal:$$a;'$$`, 'literal:$x$ $$ $x$', 'word:a$b']],
    ['größe_2 + ö😀$$', ['word:größe_2', 'symbol:+', 'word:ö😀$$']],
    ['a -- b\rc', ['word:a', 'comment:-- b', 'word:c']],
    [`E'' -- x\n '\\'' ;`, [`literal:E'' -- x\n '\\''`, 'symbol:;']],
    [`$😀$ ' $😀$ ;`, [`literal:$😀$ ' $😀$`, 'symbol:;']],
    ['1a$$ ; $$', ['literal:1', 'word:a$$', 'symbol:;', 'literal:$$ (open)']],
    [`'open`, [`literal:'open (open)`]],
    ['"open', ['quoted:open (open)']],
    ['/* open', ['comment:/* open (open)']],
    ['$a$ open', ['literal:$a$ open (open)']],
  ];
  for (const [sql, expected] of cases) {
    it(`split ${JSON.stringify(sql)}`, () => {
      const found = sqlTokens(sql).map(({ kind, text, closed }) => `${kind}:${text}${closed ? '' : ' (open)'}`);
      assert.deepEqual(found, expected);
    });
  }

  it('distinguish SQL from comments', () => {
    assert.deepEqual(['', ' \n', '-- a', '/* a */ ', '-- a\nb'].map(hasSql), [false, false, false, false, true]);
  });
});

describe('SQL names', () => {
  it('are folded by the rules of the dialect', () => {
    const sql = `JOIN Sys_User AS "Caller" ON 'not' = "it""s" -- nor`;
    assert.deepEqual([...mentionedNames(sql, 'postgresql')], ['join', 'sys_user', 'as', 'Caller', 'on', 'it"s']);
    assert.deepEqual([...mentionedNames(sql, 'duckdb')], ['join', 'sys_user', 'as', 'caller', 'on', 'it"s']);
  });

  it('include quoted columns of an alias', () => {
    const sql = `SOURCE."a.b" = target."c" AND "source" . "d" > 'source."e"' AND source.f = source /* */ ."a.b"`;
    assert.deepEqual(quotedColumnsOf('source', sql, 'postgresql'), ['a.b', 'd']);
  });

  it('are in backticks as well in MySQL', () => {
    assert.deepEqual(quotedColumnsOf('source', 'source.`a``b` = source."c"', 'mysql'), ['a`b', 'c']);
    assert.deepEqual([...mentionedNames('`Größe` # nor', 'mysql')], ['große']);
  });
});

describe('SQL tokens of MySQL', () => {
  const { lexis } = dialectNamed('mysql');
  const texts = (sql: string): readonly string[] => sqlTokens(sql, lexis).map(({ kind, text }) => `${kind} ${text}`);

  it('follow the comments, quotes and escapes of the server', () => {
    assert.deepEqual(texts('1--2 -- c'), ['literal 1', 'symbol -', 'symbol -', 'literal 2', 'comment -- c']);
    assert.deepEqual(texts('/* /* */ )'), ['comment /* /* */', 'symbol )']);
    assert.deepEqual(texts(String.raw`e'\' )`), ['word e', String.raw`literal '\'`, 'symbol )']);
    assert.deepEqual(texts('$a$ ; $a$'), ['word $a$', 'symbol ;', 'word $a$']);
    assert.deepEqual(texts('a # )'), ['word a', 'comment # )']);
    assert.deepEqual(texts('/*!50000 ) */').slice(0, 3), ['symbol /*!', 'literal 50000', 'symbol )']);
    assert.deepEqual(texts('/*M!100 a */')[0], 'symbol /*M!');
  });
});
