import { describe, expect, it } from 'vitest'
import { checkMigrations } from './check-migrations.ts'
import { repositoryOf } from './repository.ts'

const path = 'server/migrations/0038_sample.sql'

const problemsOf = (text: string, name = path): string[] =>
  checkMigrations(repositoryOf([{ path: name, text }]))

describe('what breaks the release that still runs is refused', () => {
  it.each([
    ['drop table payments;', 'ban-drop-table'],
    ['ALTER TABLE Payments\n  DROP COLUMN status;', 'ban-drop-column'],
    ['alter table payments rename column status to state;', 'renaming-column'],
    ['alter table payments add column fee numeric not null;', 'adding-required-field'],
    ['alter table payments alter column amount type text;', 'changing-column-type'],
    ['alter table payments alter column fee set not null;', 'adding-not-nullable-field'],
    ['alter table payments add column seen uuid default gen_random_uuid();', 'adding-field-with-default'],
    ['alter table payments add constraint one unique (code);', 'constraint-missing-not-valid'],
    ['alter table payments add constraint positive check (amount > 0);', 'constraint-missing-not-valid'],
    ['alter table payments add column owner uuid references members;', 'adding-foreign-key-constraint'],
    ['create index payments_by_day on payments (day);', 'require-concurrent-index-creation'],
    ['drop index payments_by_day;', 'require-concurrent-index-deletion'],
    ['alter table payments add colum fee numeric;;', 'syntax-error'],
  ])('by squawk: %s', (text, rule) => {
    const problems = problemsOf(text)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(`(${rule})`)
  })

  it.each([
    ['alter table payments alter column status drop default;', 'takes away what fills'],
    ['alter table payments drop constraint payments_pkey;', 'drops a constraint'],
    ['alter table payments disable row level security;', 'takes a guard away'],
    ['alter table payments no force row level security;', 'takes a guard away'],
    ['alter policy one_organisation on payments using (true);', 'takes a guard away'],
    ['drop policy one_organisation on payments;', 'drops something'],
    ['alter table payments set unlogged;', 'moves or rewrites'],
    ['update payments set fee = 0;', 'in batches'],
    ['with old as (select 1) delete from payments;', 'in batches'],
    ['truncate payments;', 'in batches'],
    ['lock table payments;', 'locks the table'],
    ['revoke select on payments from switchyard_app;', 'takes a right away'],
    ['drop function refund;', 'drops something'],
    [
      'create or replace function refund() returns void language plpgsql as $$ begin; end $$;',
      'changes what',
    ],
    ['create trigger watch before insert on payments execute function f();', 'adds a trigger'],
    ['do $$ begin drop table payments; end $$;', 'hides its statements'],
    ["alter type state rename value 'a' to 'b';", 'renames'],
    ['create index concurrently a on payments (a);', 'cannot run in a transaction'],
    ['drop index concurrently a;', 'cannot run in a transaction'],
    ['-- no transaction\ncreate index concurrently a on payments (a);', 'needs a drop index'],
    ['-- no transaction\nalter table payments add column a text;', 'half applied'],
    [
      '-- no transaction\ndrop index concurrently if exists a;\ncreate unique index concurrently a on payments (a);',
      'refuses rows',
    ],
  ])('by a rule of ours: %s', (text, reason) => {
    const problems = problemsOf(text)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(reason)
  })

  it('names the file and the line of the statement', () => {
    const text = '-- A comment;\ncreate table notes (a text);\n\n-- More.\n  drop table payments;'
    expect(problemsOf(text)).toEqual([
      expect.stringMatching(/^server\/migrations\/0038_sample\.sql:5 Dropping a table/),
    ])
  })
})

describe('what the running release does not notice is accepted', () => {
  it.each([
    'alter table payments add column note text;',
    "alter table payments add column tries integer not null default 0, add column word text default 'drop table';",
    'alter table payments add column seen timestamptz not null default now();',
    'alter table payments add constraint positive check (amount > 0) not valid;',
    'alter table payments validate constraint positive;',
    'create table notes (a text not null unique);\ncreate index on notes (a);',
    'create table notes (a text);\nrevoke delete on notes from switchyard_app;\nupdate notes set a = 1;',
    '-- no transaction\ndrop index concurrently if exists a;\ncreate index concurrently a on payments (a);',
    'create function fresh() returns void language plpgsql as $$\nbegin\n  update payments set a = 1;\nend $$;',
    'create procedure fresh() language plpgsql as $$ begin end $$;\nrevoke execute on procedure fresh() from public;',
  ])('%s', (text) => {
    expect(problemsOf(text)).toEqual([])
  })
})

describe('a line that says why', () => {
  const drop = 'alter table payments drop column fee;'

  it('allows the statement that it stands before, and no other', () => {
    const text = `-- safe: release 0.3 neither reads nor writes the column\n${drop}\n${drop}`
    expect(problemsOf(text)).toEqual([expect.stringContaining(`${path}:3 Dropping a column`)])
  })

  it('names a reason', () => {
    expect(problemsOf(`-- safe: yes\n${drop}`)).toEqual([expect.stringContaining('does not say why')])
  })

  it('is refused where nothing is wrong', () => {
    expect(problemsOf('-- safe: nobody uses this table as yet\nselect 1;')).toEqual([
      expect.stringContaining('nothing is wrong'),
    ])
  })
})

describe('files', () => {
  it('are plain SQL with a number of their own', () => {
    const files = ['0040_a.sql', '0040_b.sql', '0041_c.ts'].map((name) => ({
      path: `server/migrations/${name}`,
      text: 'select 1;',
    }))
    expect(checkMigrations(repositoryOf(files))).toEqual([
      'server/migrations/0041_c.ts:1 is not named NNNN_what_it_does.sql; a migration is plain SQL',
      'server/migrations/0040_b.sql:1 has the number 0040 of another migration',
    ])
  })

  it('of the baseline are left alone', () => {
    expect(problemsOf('drop table payments;', 'server/migrations/0013_office.sql')).toEqual([])
  })
})
