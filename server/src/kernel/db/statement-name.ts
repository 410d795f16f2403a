import { createHash } from 'node:crypto'
import { isStalePlan } from './errors.ts'

const namedStatementsLimit = 2_000
const replansLimit = 3
const statementNames = new Map<string, string>()
/** Part of every name, so that all connections prepare their statements again when it changes. */
let generation = 0

/** Names a statement, so that Postgres parses and plans it once per connection. */
export function statementName(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known !== undefined || statementNames.size >= namedStatementsLimit) return known
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  const name = generation === 0 ? hash : `${hash}_${generation}`
  statementNames.set(text, name)
  return name
}

/**
 * Runs a transaction again, with newly prepared statements, if a migration has changed what one of them returns: a
 * column that the next release adds must not fail the requests of this one. The failed run has been rolled back.
 */
export async function withFreshPlans<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let replans = 0; ; replans += 1) {
    const before = generation
    try {
      return await run()
    } catch (error) {
      if (!isStalePlan(error) || replans === replansLimit) throw error
      if (generation !== before) continue
      generation += 1
      statementNames.clear()
    }
  }
}
