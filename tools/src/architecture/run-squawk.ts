import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { z } from 'zod'

const program = join(import.meta.dirname, '../../../node_modules/.bin/squawk')
/** As the doctor expects it. */
const postgresVersion = '18'

/** The rules that do not fit us. */
const excludedRules = [
  // `npm run migrate` sets the timeout, and rolls a file back that has failed.
  'require-lock-timeout',
  'require-statement-timeout',
  'prefer-robust-stmts',
  // Countries have two letters, and counters stay small.
  'ban-char-field',
  'prefer-bigint-over-int',
  'prefer-bigint-over-smallint',
]

const reported = z.array(
  z.object({ line: z.int(), rule_name: z.string(), message: z.string(), help: z.string().nullable() }),
)

/** What squawk finds in a migration, each with its line. */
export function runSquawk(
  text: string,
  { hasTransaction }: { hasTransaction: boolean },
): { line: number; problem: string }[] {
  const args = ['--reporter', 'json', '--pg-version', postgresVersion, '--exclude', excludedRules.join(',')]
  const { stdout, stderr, error } = spawnSync(
    program,
    [...args, '--stdin-filepath', 'migration.sql', ...(hasTransaction ? ['--assume-in-transaction'] : [])],
    { input: text, encoding: 'utf8' },
  )
  if (error || stdout === '')
    throw new Error(`squawk could not read a migration: ${stderr}`, { cause: error })
  // It counts lines from 0.
  return reported.parse(JSON.parse(stdout)).map(({ line, rule_name, message, help }) => ({
    line: line + 1,
    problem: `${message} ${help ?? ''}`.trim() + ` (${rule_name})`,
  }))
}
