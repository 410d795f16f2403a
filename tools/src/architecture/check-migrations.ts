import { baseNameOf, type Repository, type RepositoryFile } from './repository.ts'
import { refusalOf } from './migration-rules.ts'
import { readStatements, type SqlStatement } from './sql-statements.ts'

/** Migrations before this one were written before there was a release to keep running. */
const firstChecked = 38
const folder = 'server/migrations/'
const migrationName = /^(\d{4})_[a-z0-9_]+\.sql$/
const safeMark = 'safe:'
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
  return number !== undefined && Number(number) >= firstChecked
}

function fileProblems({ path, text }: RepositoryFile): string[] {
  const statements = readStatements(text)
  const isBare = text.split('\n')[0] === noTransaction
  const created = new Set(
    statements.flatMap((one) => /^create table (?:if not exists )?([^ (]+)/.exec(one.text)?.[1] ?? []),
  )
  return statements.flatMap((statement, index) => {
    const before = statements.slice(0, index).map((one) => one.text)
    const problem =
      transactionProblem(statement, isBare) ??
      (isBare ? leftoverProblem(statement, before) : undefined) ??
      policyProblem(statement, created)
    return problem === undefined ? [] : [`${path}:${statement.line} ${problem}`]
  })
}

function transactionProblem({ text }: SqlStatement, isBare: boolean): string | undefined {
  const isConcurrent = concurrentOnly.test(text)
  if (isBare && !isConcurrent)
    return 'belongs into another file: without a transaction a failure in between leaves the file half applied'
  if (!isBare && isConcurrent)
    return 'cannot run in a transaction; put it into a file that begins with -- no transaction'
  return undefined
}

/** An interrupted `create index concurrently` leaves an invalid index, over which the next run would stumble. */
function leftoverProblem({ text }: SqlStatement, before: readonly string[]): string | undefined {
  const name = /^create (?:unique )?index concurrently (\S+) on\b/.exec(text)?.[1]
  if (name === undefined && !text.startsWith('create')) return undefined
  const isCleared = before.includes(`drop index concurrently if exists ${name}`)
  return isCleared ? undefined : 'needs a drop index concurrently if exists of the same name before it'
}

function policyProblem(statement: SqlStatement, created: ReadonlySet<string>): string | undefined {
  const refusal = refusalOf(statement, created)
  const reasons = statement.comments.filter((comment) => comment.startsWith(safeMark))
  const reason = reasons[0]?.slice(safeMark.length).trim()
  if (refusal === undefined)
    return reason === undefined ? undefined : 'has a line -- safe: although nothing is wrong with it'
  if (reason === undefined) return `${refusal}. If that is safe here, say why in a line -- safe: … before it`
  return reason.length < reasonMinChars
    ? 'does not say why it is safe; name the reason after -- safe:'
    : undefined
}
