import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import type { RobberyInstallation } from './installation.ts'

const quietMs = 30_000
const quietPauseMs = 200

/** Payments that never settle stay open, so this only gives the engine time for the others. */
export async function untilQuiet({ owner }: Pick<RobberyInstallation, 'owner'>): Promise<void> {
  const isQuiet = async (): Promise<boolean> => {
    const { rows } = await owner.query<{ count: number }>(
      `select (select count(*) from outbox where due_at <= now())
            + (select count(*) from attempts where state = 'sending') as count`,
    )
    return Number(rows[0]?.count ?? 0) === 0
  }
  const options = { what: 'a quiet installation', timeoutMs: quietMs, intervalMs: quietPauseMs }
  await waitUntil(isQuiet, options).catch(() => undefined)
}
