import { expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { createTestClock } from '../../../../test/worlds/test-payments.ts'
import { useDatabase } from '../../../../test/app/test-database.ts'
import { ringOf } from '../../../../test/app/test-keys.ts'
import { createMailLimit } from './limit-mails.ts'
import { purgeMailBudgets } from './purge-mail-budgets.ts'

const hourMs = 60 * 60_000
const t = useDatabase()
const clock = createTestClock()
const limitMails = createMailLimit({ key: ringOf(Buffer.alloc(32, 1)), clock })

it('removes budgets whose window is over, and leaves those that still count', async () => {
  const [old, recent] = [newId(), newId()]
  const count = (orgId: string) => t.db.inOrg(orgId, (tx) => limitMails(tx, orgId, 'a@example.com'))
  const left = async (orgId: string): Promise<number> =>
    (await t.owner.query('select from mail_budgets where org_id = $1', [orgId])).rowCount ?? 0
  await count(old)
  clock.pass(23 * hourMs)
  await count(recent)
  expect(await purgeMailBudgets({ db: t.db, clock })).toBe(0)
  clock.pass(2 * hourMs)
  expect(await purgeMailBudgets({ db: t.db, clock })).toBe(2)
  expect([await left(old), await left(recent)]).toEqual([0, 2])
  for (let mails = 1; mails < 5; mails++) await count(recent)
  await expect(count(recent)).rejects.toMatchObject({ status: 429 })
})
