import { splitActions, type SqlStatement } from './sql-statements.ts'

type Rule = { readonly breaks: (text: string) => boolean; readonly reason: string }

const laterOnly = 'what the running release uses is removed one release later'

const startsWith =
  (...beginnings: readonly string[]) =>
  (text: string): boolean =>
    beginnings.some((beginning) => `${text} `.startsWith(`${beginning} `))

/** Whether the words occur one after the other. */
const has = (text: string, words: string): boolean =>
  ` ${text.replaceAll(/[(),]/g, ' ')} `.includes(` ${words} `)

const droppedThings = 'view,materialized view,function,procedure,type,domain,sequence,schema,role'.split(',')

/** What a whole statement may not do. */
const statementRules: readonly Rule[] = [
  { breaks: startsWith('drop table'), reason: `drops a table; ${laterOnly}` },
  {
    breaks: startsWith(...droppedThings.map((thing) => `drop ${thing}`)),
    reason: `drops something that the running release may use; ${laterOnly}`,
  },
  { breaks: (text) => text.startsWith('alter ') && has(text, 'rename'), reason: `renames; ${laterOnly}` },
  {
    breaks: (text) => startsWith('alter domain', 'alter type')(text) && !has(text, 'add value'),
    reason: 'changes a type that columns have',
  },
  {
    breaks: (text) => startsWith('drop index')(text) && !startsWith('drop index concurrently')(text),
    reason: 'locks the table; use drop index concurrently in a file that begins with -- no transaction',
  },
  {
    breaks: (text) => startsWith('cluster', 'vacuum', 'lock', 'reindex')(text) && !has(text, 'concurrently'),
    reason: 'locks the table while requests wait',
  },
  {
    breaks: (text) =>
      startsWith('update', 'delete', 'truncate', 'merge')(text) ||
      (text.startsWith('with ') && ['update', 'delete from', 'merge into'].some((verb) => has(text, verb))),
    reason: 'changes rows of existing tables and holds their locks until the end; do it in batches, in a job',
  },
  { breaks: startsWith('revoke'), reason: 'takes a right away that the running release may use' },
  {
    breaks: startsWith('create trigger', 'create or replace trigger', 'create constraint trigger'),
    reason: 'adds a trigger that acts on what the running release writes',
  },
  {
    breaks: startsWith(
      'create or replace function',
      'create or replace procedure',
      'create or replace view',
      'create rule',
    ),
    reason: 'changes what the running release calls',
  },
  { breaks: startsWith('do'), reason: 'hides its statements from this check' },
]

/** The part of an action behind `add` or `add column`, if it adds a column. */
function addedColumn(action: string): string | undefined {
  if (startsWith('add constraint', 'add check', 'add foreign key', 'add unique', 'add primary key')(action))
    return undefined
  if (action.startsWith('add check(') || action.startsWith('add unique(')) return undefined
  return action.startsWith('add ') ? action.slice('add '.length).replace(/^column /, '') : undefined
}

const adds =
  (rule: (column: string) => boolean) =>
  (action: string): boolean => {
    const column = addedColumn(action)
    return column !== undefined && rule(column)
  }

/** What `alter column NAME` does, or undefined. */
const alteration = (action: string): string | undefined =>
  action.startsWith('alter ') && !startsWith('alter constraint')(action)
    ? action
        .replace(/^alter (?:column )?/, '')
        .split(' ')
        .slice(1)
        .join(' ')
    : undefined

const alters =
  (...beginnings: readonly string[]) =>
  (action: string): boolean =>
    startsWith(...beginnings)(alteration(action) ?? '')

/** What one action of `alter table` may not do. */
const actionRules: readonly Rule[] = [
  { breaks: startsWith('rename'), reason: `renames; ${laterOnly}` },
  {
    breaks: (action) => startsWith('drop')(action) && !startsWith('drop constraint')(action),
    reason: `drops a column; ${laterOnly}`,
  },
  {
    breaks: alters('type', 'set data type'),
    reason: 'changes the type of a column, which rewrites the table; add a column instead',
  },
  {
    breaks: alters('set not null'),
    reason: 'refuses rows of the running release, which does not fill the column',
  },
  {
    breaks: alters('drop default', 'drop expression', 'drop identity'),
    reason: 'takes away what fills the column for the running release',
  },
  {
    breaks: adds((column) => has(column, 'not null') && !has(column, 'default') && !has(column, 'generated')),
    reason: 'adds a column that the running release does not fill; give it a default',
  },
  {
    breaks: adds((column) => / default (?!now\()[a-z_]\w*\(/.test(column)),
    reason: 'adds a column whose default is computed for each row, which rewrites the table',
  },
  {
    breaks: adds((column) => has(column, 'generated') && has(column, 'stored')),
    reason: 'adds a stored generated column, which rewrites the table',
  },
  {
    breaks: (action) =>
      startsWith('add')(action) &&
      ['unique', 'primary key', 'exclude'].some((kind) => has(action, kind)) &&
      !has(action, 'using index'),
    reason: 'builds an index under a lock; build it concurrently, then add the constraint using index',
  },
  {
    breaks: (action) =>
      startsWith('add')(action) &&
      addedColumn(action) === undefined &&
      ['check', 'foreign key'].some((kind) => has(action, kind)) &&
      !action.endsWith(' not valid'),
    reason:
      'reads the whole table under a lock and refuses rows of the running release; add it not valid, validate it in the next file',
  },
  {
    breaks: adds((column) => has(column, 'references')),
    reason: 'locks both tables; add the foreign key not valid, validate it in the next file',
  },
  {
    breaks: startsWith('disable', 'no force row level security'),
    reason: 'takes a guard away',
  },
  {
    breaks: startsWith('set schema', 'set tablespace', 'set logged', 'set unlogged', 'set access'),
    reason: 'moves or rewrites the table',
  },
]

const fillers = new Set(['table', 'only', 'if', 'exists', 'not', 'from', 'into'])

/** The table that a statement is about: the first name behind the given word. */
function tableBehind(text: string, word: string): string | undefined {
  const words = text.split(/[ (]/)
  const start = words.indexOf(word)
  return start < 0 ? undefined : words.slice(start + 1).find((one) => !fillers.has(one))
}

const tableWords: Readonly<Record<string, string>> = {
  alter: 'table',
  create: 'on',
  update: 'update',
  delete: 'from',
  truncate: 'truncate',
  merge: 'into',
  revoke: 'on',
}

/** Why a statement may break the release that runs while it is applied, or undefined. */
export function refusalOf({ text }: SqlStatement, created: ReadonlySet<string>): string | undefined {
  const word = tableWords[text.split(' ')[0] ?? '']
  const table = word === undefined ? undefined : tableBehind(text, word)
  if (table !== undefined && created.has(table)) return undefined
  if (text.startsWith('alter table ')) {
    const start = text.indexOf(` ${table} `) + (table?.length ?? 0) + 2
    return alterRefusal(splitActions(text.slice(start)))
  }
  if (startsWith('create index', 'create unique index')(text)) return indexRefusal(text)
  return statementRules.find(({ breaks }) => breaks(text))?.reason
}

function alterRefusal(actions: readonly string[]): string | undefined {
  const readded = actions.filter((action) => action.startsWith('add constraint ') && has(action, 'check'))
  const checks = new Set(readded.map((action) => action.split(' ')[2]))
  for (const action of actions) {
    const dropped = action.startsWith('drop constraint ') ? tableBehind(action, 'constraint') : undefined
    if (dropped !== undefined && !checks.has(dropped))
      return 'drops a constraint that the running release may rely on, such as for on conflict'
    const rule = actionRules.find(({ breaks }) => breaks(action))
    if (rule !== undefined) return rule.reason
  }
  return undefined
}

function indexRefusal(text: string): string | undefined {
  if (!has(text, 'index concurrently'))
    return 'locks the table while the index is built; use create index concurrently in a file that begins with -- no transaction'
  return text.startsWith('create unique ') ? 'refuses rows that the running release may write' : undefined
}
