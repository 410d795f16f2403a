import { UsageError } from '../exit-codes.ts'
import type { GeneratedCommand } from '../generated-command.ts'
import type { Session } from '../session.ts'
import { callOperation, isPages } from './call-operation.ts'
import { commandById } from './command-by-id.ts'

/** The payment search needs at least eight characters. */
const shortened = /^[0-9a-f]{8}[0-9a-f-]{0,27}$/i
const searchedRows = 1_000
const paymentList = 'transactions.list'

/** Expands the start of an id if exactly one of the newest resources matches. */
export async function completeId(
  session: Session,
  { name, lookup }: GeneratedCommand['path'][number],
  given: string,
  orgId: string | undefined,
): Promise<string> {
  if (lookup === undefined || !shortened.test(given)) return given
  const list = commandById(lookup)
  // The list of payments can search by the start of an id; other lists are read and filtered here.
  const query = { limit: 100, ...(lookup === paymentList && { q: given }) }
  const path = list.path.map(() => orgId ?? '')
  const result = callOperation(session.client, list, { path, query, body: undefined })
  const rows = isPages(result)
    ? await result.toArray({ limit: searchedRows })
    : await (result as Promise<unknown[]>) // a list that is not paged
  const ids = new Set(
    rows.flatMap((row) => idOf(row, name)).filter((id) => id.startsWith(given.toLowerCase())),
  )
  const [found, ...others] = ids
  if (found === undefined) throw new UsageError(`No recent ${name} starts with ${given}.`)
  if (others.length > 0)
    throw new UsageError(`${ids.size} values of ${name} start with ${given}; type more characters.`)
  session.io.report(`${name} ${found}`)
  return found
}

function idOf(row: unknown, name: string): string[] {
  if (typeof row !== 'object' || row === null) return []
  const id = (row as Record<string, unknown>)[name] // any object has fields
  return typeof id === 'string' ? [id] : []
}
