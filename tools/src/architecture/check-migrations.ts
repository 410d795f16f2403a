import { baseNameOf, type Repository, type RepositoryFile } from './repository.ts'
import { createdIn, problemOf, readStatements, type SqlStatement } from './migration-rules.ts'
import { runSquawk } from './run-squawk.ts'

/** The files of the baseline run on an empty database only. */
const lastOfBaseline = 13
const folder = 'server/migrations/'
const migrationName = /^(\d{4})_[a-z0-9_]+\.sql$/
const safeMark = '-- safe:'
const reasonMinChars = 20
const noTransaction = '-- no transaction'
const concurrentOnly = /^(?:create (?:unique )?|drop )index concurrently\b/

/**
 * A release runs on the schema of the next one while that is rolled out, so a migration expands first and contracts one
 * release later. A statement that looks otherwise says why it is safe in a line `-- safe: …` in front of it.
 */
export function checkMigrations(repository: Repository): string[] {
  const files = repository.files.filter(({ path }) => path.startsWith(folder))
  return [...nameProblems(files), ...files.filter(isChecked).flatMap(fileProblems)]
}

function nameProblems(files: readonly RepositoryFile[]): string[] {
  const misnamed = files.filter((file) => !migrationName.test(baseNameOf(file.path)))
  const numbered = Map.groupBy(files, (file) => migrationName.exec(baseNameOf(file.path))?.[1])
  const doubled = [...numbered].filter(([number, list]) => number !== undefined && list.length > 1)
  return [
    ...misnamed.map((file) => `${file.path}:1 is not named NNNN_what_it_does.sql; a migration is plain SQL`),
    ...doubled.map(([number, list]) => `${list[1]?.path}:1 has the number ${number} of another migration`),
  ]
}

function isChecked(file: RepositoryFile): boolean {
  const number = migrationName.exec(baseNameOf(file.path))?.[1]
  return number !== undefined && Number(number) > lastOfBaseline
}

function fileProblems({ path, text }: RepositoryFile): string[] {
  const lines = text.split('\n')
  const hasTransaction = lines[0] !== noTransaction
  const statements = readStatements(text)
  const created = createdIn(statements)
  const found = runSquawk(text, { hasTransaction })
  return statements.flatMap((statement, index) => {
    const before = statements.slice(0, index)
    const from = before.at(-1)?.lastLine ?? 0
    const squawked = found.find(({ line }) => line > from && line <= statement.lastLine)
    const problem =
      transactionProblem(statement, hasTransaction) ??
      (hasTransaction ? undefined : leftoverProblem(statement, before)) ??
      unlessSafe(squawked?.problem ?? problemOf(statement, created), lines.slice(from, statement.lastLine))
    return problem === undefined ? [] : [`${path}:${statement.firstLine} ${problem}`]
  })
}

function transactionProblem({ text }: SqlStatement, hasTransaction: boolean): string | undefined {
  const isConcurrent = concurrentOnly.test(text)
  if (!hasTransaction && !isConcurrent)
    return 'belongs into another file: without a transaction a failure in between leaves the file half applied'
  if (hasTransaction && isConcurrent)
    return 'cannot run in a transaction; put it into a file that begins with -- no transaction'
  return undefined
}

/** An interrupted `create index concurrently` leaves an invalid index, over which the next run would stumble. */
function leftoverProblem({ text }: SqlStatement, before: readonly SqlStatement[]): string | undefined {
  if (!text.startsWith('create')) return undefined
  const name = /^create (?:unique )?index concurrently (\S+) on\b/.exec(text)?.[1]
  const isCleared = before.some((one) => one.text === `drop index concurrently if exists ${name}`)
  return isCleared ? undefined : 'needs a drop index concurrently if exists of the same name before it'
}

/** `lines` are those of the statement and of the comments before it. */
function unlessSafe(problem: string | undefined, lines: readonly string[]): string | undefined {
  const mark = lines.map((line) => line.trim()).find((line) => line.startsWith(safeMark))
  const reason = mark?.slice(safeMark.length).trim()
  if (problem === undefined)
    return reason === undefined ? undefined : 'has a line -- safe: although nothing is wrong with it'
  if (reason === undefined) return `${problem}. If that is safe here, say why in a line -- safe: … before it`
  return reason.length < reasonMinChars
    ? 'does not say why it is safe; name the reason after -- safe:'
    : undefined
}
