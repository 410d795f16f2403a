export type SqlStatement = {
  readonly firstLine: number
  readonly lastLine: number
  /** In lower case and on one line, without comments and bodies of functions. */
  readonly text: string
}

/** Splits a migration at its semicolons. Bodies of functions are quoted with `$$`. */
export function readStatements(sql: string): SqlStatement[] {
  const code = sql.split('\n').map((line) => line.split('--')[0])
  const parts = code.join('\n').split('$$')
  const bare = parts.map((part, index) => (index % 2 === 0 ? part : part.replaceAll(/[^\n]/g, ''))).join('$$')
  let line = 1
  return bare.split(';').flatMap((part) => {
    const firstLine = line + breaksIn(part.slice(0, part.length - part.trimStart().length))
    line += breaksIn(part)
    const text = part.trim().split(/\s+/).join(' ').toLowerCase()
    return text === '' ? [] : [{ firstLine, lastLine: line, text }]
  })
}

const breaksIn = (text: string): number => text.split('\n').length - 1

type Rule = { readonly pattern: RegExp; readonly problem: string }

/** What breaks the running release, or takes a guard away, and squawk does not look for. */
const rules: readonly Rule[] = [
  {
    pattern:
      /^drop (?:view|materialized view|function|procedure|type|domain|sequence|schema|role|policy|trigger|rule)\b/,
    problem: 'drops something that the running release may use; it is removed one release later',
  },
  { pattern: /^alter (?!table\b).*\brename\b/, problem: 'renames what the running release may use' },
  {
    pattern: /\bdrop constraint\b/,
    problem: 'drops a constraint that the running release may rely on, such as for on conflict',
  },
  {
    pattern: /\bdrop (?:default|expression|identity)\b/,
    problem: 'takes away what fills the column for the running release',
  },
  {
    pattern:
      /^alter policy\b|\bdisable (?:row level security|trigger|rule)\b|\bno force row level security\b/,
    problem: 'takes a guard away',
  },
  {
    pattern: /^alter table .*\bset (?:schema|tablespace|logged|unlogged|access method)\b/,
    problem: 'moves or rewrites the table',
  },
  {
    pattern: /^(?:update|delete|truncate|merge|with)\b/,
    problem:
      'changes rows of existing tables and holds their locks until the end; do it in batches, in a job',
  },
  { pattern: /^(?:cluster|vacuum|lock)\b/, problem: 'locks the table while requests wait' },
  { pattern: /^revoke\b/, problem: 'takes a right away that the running release may use' },
  {
    pattern: /^create (?:or replace )?(?:constraint )?trigger\b/,
    problem: 'adds a trigger that acts on what the running release writes',
  },
  {
    pattern: /^create or replace (?:function|procedure|view)\b|^create (?:or replace )?rule\b/,
    problem: 'changes what the running release calls',
  },
  { pattern: /^create unique index\b/, problem: 'refuses rows that the running release may write' },
  { pattern: /^do\b/, problem: 'hides its statements from this check' },
]

const creation = /^create (?:unlogged )?(?:table|function|procedure|view) (?:if not exists )?([^ (]+)/

/** The names that a migration creates, which the running release does not know. */
export const createdIn = (statements: readonly SqlStatement[]): readonly string[] =>
  statements.flatMap(({ text }) => creation.exec(text)?.[1] ?? [])

export function problemOf({ text }: SqlStatement, created: readonly string[]): string | undefined {
  const words = text.split(/[ (),]/)
  return created.some((name) => words.includes(name))
    ? undefined
    : rules.find(({ pattern }) => pattern.test(text))?.problem
}
