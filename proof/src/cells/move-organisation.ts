import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { copyRows, foldBalances, foldOnce, removeRows, type Copied } from './copy-rows.ts'
import type { Directory } from './directory.ts'
import { installFence, lowerFence, raiseFence, transactionsBefore } from './fence.ts'
import { readTenantTables } from './tenant-tables.ts'

type CellDatabase = { readonly name: string; readonly ownerUrl: string }

type Move = {
  orgId: string
  from: CellDatabase
  to: CellDatabase
  directory: Directory
  /** Requeues the open work of the organisation at the engine of its new cell. */
  rebuild: () => Promise<unknown>
  /** Called while the organisation is fenced, before its last rows are copied. */
  whileFenced: () => Promise<void>
  print: (line: string) => void
}

export type Moved = { rows: number; rowsUnderFence: number; copyMs: number; fencedMs: number }

const drainPauseMs = 5
/** A copy that took less leaves little to copy under the fence. */
const shortCopyMs = 2_000
const mostCopies = 6

/**
 * Moves an organisation while its payments go on: copies what is there, and what has changed meanwhile until that is
 * little, fences it, copies the rest, compares both cells, switches the directory. Until the switch the old cell is the truth, so a failure before it undoes itself.
 */
export async function moveOrganisation(move: Move): Promise<Moved> {
  const { orgId, directory, print } = move
  const from = await openOwner(move.from)
  const to = await openOwner(move.to)
  try {
    const tables = await readTenantTables(from)
    await installFence(from, tables, 'writes')
    // Until the switch nobody in the new cell may see the organisation, or its worker would act on the copied jobs.
    await installFence(to, tables, 'everything')
    await raiseFence(to, orgId)
    await foldOnce(to)
    directory.announce(orgId, move.to.name)
    const startedAt = performance.now()
    const before = await copyBeforeFence(move, { from, to, tables })
    const copyMs = performance.now() - startedAt
    const fencedAt = performance.now()
    const rest = await copyUnderFence(move, { from, to, tables, since: before.copied })
    await lowerFence(to, orgId)
    directory.switch(orgId)
    const fencedMs = performance.now() - fencedAt
    await move.rebuild()
    print(`${rest.rows} rows copied under the fence, which stood for ${fencedMs.toFixed(0)} ms`)
    await removeRows(from, tables, orgId)
    return { rows: before.rows, rowsUnderFence: rest.rows, copyMs, fencedMs }
  } catch (error) {
    await lowerFence(from, orgId)
    directory.abandon(orgId)
    throw error
  } finally {
    await from.end()
    await to.end()
  }
}

type Between = {
  from: Client
  to: Client
  tables: Awaited<ReturnType<typeof readTenantTables>>
}

/** Each copy has what was written during the one before it, so it is shorter. */
async function copyBeforeFence(
  { orgId, print }: Move,
  between: Between,
): Promise<{ rows: number; copied: Copied }> {
  let rows = 0
  let since: Copied | undefined
  for (let copies = 1; ; copies += 1) {
    const startedAt = performance.now()
    const copied = await copyRows({ ...between, orgId, ...(since !== undefined && { since }) })
    const ms = performance.now() - startedAt
    print(
      `${copied.rows} rows of ${between.tables.length} tables copied in ${ms.toFixed(0)} ms, while payments went on`,
    )
    rows += copied.rows
    if (ms < shortCopyMs || copies === mostCopies) return { rows, copied }
    since = copied
  }
}

async function copyUnderFence(
  { orgId, directory, whileFenced, print }: Move,
  { from, to, tables, since }: Between & { since: Copied },
): Promise<Copied> {
  const fencedAt = performance.now()
  directory.fence(orgId)
  // Calls that the gateway has let through end first, then transactions that began before the fence.
  await directory.untilIdle(orgId)
  const fence = await raiseFence(from, orgId)
  while ((await transactionsBefore(from, fence)) > 0) await delay(drainPauseMs)
  print(`calls that were under way ended in ${(performance.now() - fencedAt).toFixed(0)} ms`)
  await whileFenced()
  const rest = await copyRows({ from, to, tables, orgId, since })
  await foldBalances(to, orgId)
  return rest
}

async function openOwner({ ownerUrl }: CellDatabase): Promise<Client> {
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  return client
}
