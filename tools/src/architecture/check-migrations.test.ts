import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkMigrations } from './check-migrations.ts'
import { repositoryOf } from './repository.ts'
import { readStatements } from './sql-statements.ts'

const path = 'server/migrations/0038_sample.sql'
const migrations = join(import.meta.dirname, '../../../server/migrations')

const problemsOf = (text: string, name = path): string[] =>
  checkMigrations(repositoryOf([{ path: name, text }]))

describe('what breaks the release that still runs is refused', () => {
  it.each([
    ['drop table payments;', 'drops a table'],
    ['alter table payments drop column status;', 'drops a column'],
    ['ALTER TABLE Payments\n  DROP status;', 'drops a column'],
    ['alter table payments rename column status to state;', 'renames'],
    ['alter table payments rename to transactions;', 'renames'],
    ['alter table payments add column fee numeric not null;', 'does not fill'],
    ['alter table payments alter column amount type text;', 'changes the type'],
    ['alter table payments alter amount set data type text;', 'changes the type'],
    ['alter table payments alter column fee set not null;', 'refuses rows'],
    ['alter table payments alter column status drop default;', 'takes away what fills'],
    ['alter table payments add column seen uuid default gen_random_uuid();', 'computed for each row'],
    ['alter table payments add column day date generated always as (x) stored;', 'rewrites the table'],
    ['alter table payments add column code text unique;', 'builds an index'],
    ['alter table payments add constraint one unique (code);', 'builds an index'],
    ['alter table payments add constraint positive check (amount > 0);', 'add it not valid'],
    ['alter table payments add column a text, add check (a is not null);', 'add it not valid'],
    ['alter table payments add constraint owned foreign key (org_id) references orgs;', 'add it not valid'],
    ['alter table payments add column owner uuid references members;', 'locks both tables'],
    ['alter table payments drop constraint payments_pkey;', 'drops a constraint'],
    ['alter table payments disable row level security;', 'takes a guard away'],
    ['alter table payments set unlogged;', 'moves or rewrites'],
    ['create index payments_by_day on payments (day);', 'locks the table'],
    ['create unique index on payments using btree (code);', 'locks the table'],
    ['drop index payments_by_day;', 'locks the table'],
    ['update payments set fee = 0;', 'in batches'],
    ['with old as (select 1) delete from payments;', 'in batches'],
    ['truncate payments;', 'in batches'],
    ['lock table payments;', 'locks the table'],
    ['revoke select on payments from switchyard_app;', 'takes a right away'],
    ['drop function refund;', 'drops something'],
    ['create or replace function refund() returns void as $$ begin; end $$;', 'changes what'],
    ['create trigger watch before insert on payments execute function f();', 'adds a trigger'],
    ['do $$ begin drop table payments; end $$;', 'hides its statements'],
    ['alter type state rename value a to b;', 'renames'],
    ['create index concurrently a on payments (a);', 'cannot run in a transaction'],
    ['-- no transaction\ncreate index concurrently a on payments (a);', 'needs a drop index'],
    ['-- no transaction\nalter table payments add column a text;', 'half applied'],
    [
      '-- no transaction\ndrop index concurrently if exists a;\ncreate unique index concurrently a on payments (a);',
      'refuses rows',
    ],
  ])('%s', (text, reason) => {
    const problems = problemsOf(text)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(reason)
  })

  it('names the file and the line of the statement', () => {
    const text = '-- A comment;\ncreate table notes (a text);\n\n-- More.\n  drop table payments;'
    expect(problemsOf(text)).toEqual([
      expect.stringMatching(/^server\/migrations\/0038_sample\.sql:5 drops a table/),
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
    'alter table logs drop constraint logs_check, add constraint logs_check check (a in (1, 2)) not valid;',
    'create table notes (a text not null unique);\ncreate index on notes (a);\nalter table notes alter a set not null;',
    'create table notes (a text);\nrevoke delete on notes from switchyard_app;\nupdate notes set a = 1;',
    '-- no transaction\ndrop index concurrently if exists a;\ncreate index concurrently a on payments (a);',
    'create function fresh() returns void language sql as $body$ drop table payments; $body$;',
    '/* drop table payments; */ select 1;',
  ])('%s', (text) => {
    expect(problemsOf(text)).toEqual([])
  })
})

describe('a line that says why', () => {
  const drop = 'alter table payments drop column fee;'

  it('allows the statement that it stands before, and no other', () => {
    const text = `-- safe: release 0.3 neither reads nor writes the column\n${drop}\n${drop}`
    expect(problemsOf(text)).toEqual([expect.stringContaining(`${path}:3 drops a column`)])
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
      text: '',
    }))
    expect(checkMigrations(repositoryOf(files))).toEqual([
      'server/migrations/0041_c.ts:1 is not named NNNN_what_it_does.sql; a migration is plain SQL',
      'server/migrations/0040_b.sql:1 has the number 0040 of another migration',
    ])
  })

  it('of the time before the first release are left alone', () => {
    expect(problemsOf('drop table payments;', 'server/migrations/0037_old.sql')).toEqual([])
  })

  it('are read to their end: every statement of our own migrations is one', () => {
    const verbs = ['0001_kernel', '0010_payments', '0011_products'].flatMap((name) =>
      readStatements(readFileSync(join(migrations, `${name}.sql`), 'utf8')).map(
        ({ text }) => text.split(' ')[0],
      ),
    )
    const known = 'alter call comment create do drop grant insert revoke select set update'.split(' ')
    expect(verbs.length).toBeGreaterThan(30)
    expect(verbs.filter((verb) => !known.includes(verb ?? ''))).toEqual([])
  })
})
