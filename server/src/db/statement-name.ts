import { createHash } from 'node:crypto'

const namedStatementsLimit = 2_000
const statementNames = new Map<string, string>()

/** Names a statement, so that Postgres parses and plans it once per connection. */
export function statementName(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known !== undefined || statementNames.size >= namedStatementsLimit) return known
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  statementNames.set(text, name)
  return name
}
